"""The readers of predicates, derived predicates, numeric fluents, and the conventions that name some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from domains.conventions import ARITIES, CONVENTIONS, NONE, STANDARD, ConventionKind, Conventions, Known
from domains.declarations import circular_denials
from domains.model import DerivedPredicate, NumericFluent, PredicateModel
from domains.reader.attributes import check_name
from domains.reader.formulas.conditions import read_each
from domains.reader.formulas.scope import FormulaScope
from domains.reader.keys import open_table
from domains.reader.nodes.document import Entry, Listing, Node, Scalar, TableNode, value_of
from domains.reader.nodes.fields import Field, Fields, entries, is_empty
from semantics.logic.atoms import Variable
from semantics.logic.vocabulary import Predicate

ANYTHING = "object"  # the affordance that everything has


def read_predicates(node: Node | None, affordances: Collection[str] | None) -> dict[str, PredicateModel]:
    """Read the predicates by name, without the definitions of derived ones."""
    predicates: dict[str, PredicateModel] = {}
    for key, table in entries(node, "predicates"):
        fields = open_table(table, "predicate", f"predicate '{key.text}'")
        check_name(key, "predicate")
        parameters = _read_arguments(fields, affordances)
        sentence = _read_sentence(fields["say"], map(str, range(len(parameters))))
        predicates[key.text] = told(Predicate(key.text, parameters, sentence), fields)
    if node is not None and not predicates:
        node.report("no predicates; expected a name, parameters and a sentence for each", "empty-section")
    return predicates


def told(predicate: Predicate, fields: Fields) -> PredicateModel:
    """Return a predicate with what its table tells about how its facts become known."""
    sensed = fields.get("sensed")
    bookkeeping = fields["bookkeeping"].flag()
    if bookkeeping and sensed is not None:
        message = f"{fields.what} is bookkeeping, so it follows from other facts; expected no 'sensed'"
        sensed.report(message, "keys-contradict", "sensed")
    flags = {key: fields[key].flag() for key in ("told", "believed", "momentary")}
    meant = {"sensed": sensed, "bookkeeping": bookkeeping, "derived": fields.get("derived"), **flags}
    chosen = [key for key, value in meant.items() if value is not None and value is not False]
    for key in chosen[1:]:
        if key in flags and (node := fields.get(key)) is not None:
            node.report(f"{fields.what} is {chosen[0]} already; expected no '{key}'", "keys-contradict", key)
    return PredicateModel(
        replace(predicate, goal=fields["goal"].flag(not bookkeeping), momentary=flags["momentary"]),
        fields["sensed"].symbol() or None,
        bookkeeping,
        flags["told"],
        flags["believed"] or flags["momentary"],
    )


def _read_arguments(fields: Fields, affordances: Collection[str] | None) -> tuple[str, ...]:
    """Read one affordance per argument; unlike in other lists, repetitions are allowed."""
    node, what = fields.get("parameters"), f"the parameters of {fields.what}"
    valid = None if affordances is None else (*affordances, ANYTHING)
    is_derived = "derived" in fields.values
    if isinstance(node, TableNode):
        if not is_derived:
            message = f"{what} are named, and nothing is derived from them; expected a list of affordances"
            node.report(message, "keys-contradict", "parameters")
        return tuple(
            next(iter(Field(value, f"parameter '{key.text}'").known("affordance", valid)), ANYTHING)
            for key, value in entries(node, what)
        )
    if is_derived and node is not None:
        message = f"{what} have no names; expected a table such as {{x: {next(iter(valid or ()), ANYTHING)}}}"
        node.report(message, "keys-contradict", "parameters")
    return tuple(_affordance_list(fields["parameters"], valid))


def _affordance_list(field: Field, valid: Collection[str] | None) -> Iterator[str]:
    if isinstance(field.node, Listing) and not field.node.items:
        return
    for scalar in field.scalars():
        yield from Field(scalar, field.what).known("affordance", valid) or (ANYTHING,)


def _read_sentence(say: Field, asked: Iterable[str]) -> str:
    sentence, wanted = say.text(), tuple(asked)
    slots = say.slots(sentence)
    if say.node is not None and slots is not None and set(slots) != set(wanted):
        listed = ", ".join(f"{{{slot}}}" for slot in wanted) or "no {slot}"
        message = f"{say.what} does not fill in its arguments; expected {listed} in the sentence"
        say.node.report(message, "bad-sentence")
    return sentence


def read_derived(
    node: Node | None, scope: FormulaScope, models: Mapping[str, PredicateModel]
) -> dict[str, DerivedPredicate]:
    """Read the definitions of derived predicates; `scope` has the constants, predicates and numbers."""
    definitions: dict[str, DerivedPredicate] = {}
    places: dict[str, Node] = {}
    for entry in node.entries if isinstance(node, TableNode) else ():
        body = value_of(entry.value, "derived")
        if body is not None and entry.key.text in models:
            definitions[entry.key.text] = _read_definition(entry, body, scope, models[entry.key.text])
            places[entry.key.text] = body
    for name, other in circular_denials(definitions):
        way = "itself" if other == name else f"'{other}', which follows from '{name}'"
        message = f"predicate '{name}' follows from the denial of {way}; expected a definition without a circle"
        places[name].report(message, "derived-from-denial", name)
    return definitions


def _read_definition(entry: Entry, body: Node, scope: FormulaScope, model: PredicateModel) -> DerivedPredicate:
    name = entry.key.text
    asked = model.predicate.parameters
    parameters = value_of(entry.value, "parameters")
    names = [key.text for key, _ in parameters.entries] if isinstance(parameters, TableNode) else []
    variables = tuple(Variable(parameter, affordance) for parameter, affordance in zip(names, asked, strict=False))
    for key, is_meant in (("sensed", model.sensed is not None), ("bookkeeping", model.bookkeeping)):
        if is_meant:
            message = f"predicate '{name}' follows from others by definition; expected no '{key}'"
            body.report(message, "keys-contradict", key)
    definition = Field(body, f"the definition of predicate '{name}'")
    if is_empty(body) or not getattr(body, "items", True):
        body.report(f"{definition.what} is empty; expected a condition, or a list of alternatives", "empty-section")
    # Without readable arguments, every use of one would be reported.
    bodies = read_each(definition, scope.inside(variables)) if isinstance(parameters, TableNode) else ()
    return DerivedPredicate(name, variables, bodies)


def read_fluents(
    node: Node | None, affordances: Collection[str] | None, predicates: Collection[str]
) -> dict[str, NumericFluent]:
    """Read the numeric fluents, by name; mistakes are reported on the nodes.

    Args:
        node: The section `fluents`; None when the file has none.
        affordances: The valid names of parameters' affordances; None to accept any.
        predicates: The names of predicates, which a fluent must not repeat.
    """
    fluents: dict[str, NumericFluent] = {}
    valid = None if affordances is None else (*affordances, ANYTHING)
    for key, table in entries(node, "fluents"):
        fields = open_table(table, "number", f"number '{key.text}'")
        check_name(key, "number", {"predicate": predicates})
        parameters = tuple(_affordance_list(fields["parameters"], valid))
        sentence = _read_sentence(fields["say"], (*map(str, range(len(parameters))), "value"))
        fluents[key.text] = measured(NumericFluent(key.text, parameters, sentence), fields)
    return fluents


def measured(fluent: NumericFluent, fields: Fields) -> NumericFluent:
    """Return a number with the unit and default of its table, and whether it is planned."""
    return replace(
        fluent, unit=fields["unit"].text(), default=fields["default"].number(None), planned=fields["planned"].flag(True)
    )


def read_conventions(
    node: Node | None, affordances: Collection[str], classes: Collection[str], predicates: Mapping[str, PredicateModel]
) -> Conventions:
    """Read the names of the conventions.

    A convention that the file does not mention has its default name, if the world has that name. An empty section is
    reported once; names that refer to it are not reported again.
    """
    valid: Known = {
        ConventionKind.AFFORDANCE: affordances,
        ConventionKind.CLASS: classes,
        ConventionKind.PREDICATE: predicates,
    }
    standing = STANDARD.among(valid)
    if node is None or is_empty(node):
        return standing
    fields = open_table(node, "conventions", "the table of conventions")
    names: dict[str, str] = {}
    for key, value in fields.values.items():
        name = Field(value, f"convention '{key}'").symbol()
        sort = CONVENTIONS.get(key)
        if not name or sort is None:
            continue
        names[key] = "" if name == NONE else name
        if names[key] and valid[sort] and name not in valid[sort]:
            value.unknown(sort.value, name, valid[sort], f"for the convention '{key}'")
        elif name in predicates and (has := len(predicates[name].predicate.parameters)) != ARITIES.get(key, has):
            message = f"predicate '{name}' has {has} parameters; expected one of {ARITIES[key]} for the convention"
            value.report(f"{message} '{key}'", "wrong-arity", name)
    return standing.with_names(names)


def declared_name(node: Node | None, key: str) -> str:
    """Return the declared name of one convention before the rest of the file is read, or the default."""
    value = None if node is None else value_of(node, key)
    return value.text if isinstance(value, Scalar) and value.text != NONE else STANDARD[key]
