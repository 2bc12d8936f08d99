"""The readers of predicates, derived predicates, and numeric fluents."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from string import Formatter

from domains.model import DerivedPredicate, NumericFluent, PredicateModel
from domains.reader.formulas.conditions import read_each
from domains.reader.formulas.plain import RESERVED
from domains.reader.formulas.scope import FormulaScope
from domains.reader.keys import open_table
from domains.reader.nodes.diagnostics import Diagnostics, Mark
from domains.reader.nodes.document import Entry, Node, TableNode, value_of
from domains.reader.nodes.fields import (
    Fields,
    entries,
    flag,
    is_empty,
    known,
    number,
    scalars,
    symbol,
    text,
)
from semantics.atoms import Variable, literals
from semantics.vocabulary import Predicate

__all__ = ["ANYTHING", "read_derived", "read_fluents", "read_predicates"]

ANYTHING = "object"
"""The affordance that everything has."""


def read_predicates(
    node: Node | None, affordances: Collection[str] | None, diagnostics: Diagnostics
) -> dict[str, PredicateModel]:
    """Read the predicates by name, without the definitions of derived ones."""
    predicates = {
        entry.key.text: _read_predicate(entry, affordances, diagnostics)
        for entry in entries(node, "predicates", diagnostics)
    }
    if node is not None and not predicates:
        diagnostics.add(
            node.mark, "no predicates; expected a name, parameters and a sentence for each", "empty-section"
        )
    return predicates


def _check_name(entry: Entry, what: str, diagnostics: Diagnostics) -> None:
    if entry.key.text in RESERVED:
        message = f"'{entry.key.text}' is a word of the language; expected another name for the {what}"
        diagnostics.add(entry.key.mark, message, "reserved-name", entry.key.text)


def _read_predicate(entry: Entry, affordances: Collection[str] | None, diagnostics: Diagnostics) -> PredicateModel:
    name, what = entry.key.text, f"predicate '{entry.key.text}'"
    fields = open_table(entry.value, "predicate", what, diagnostics)
    _check_name(entry, "predicate", diagnostics)
    parameters = _read_arguments(fields, affordances, diagnostics)
    say, sensed = fields.get("say"), fields.get("sensed")
    sentence = text(say, f"'say' of {what}", diagnostics)
    if say is not None:
        _check_sentence(sentence, [str(index) for index in range(len(parameters))], say.mark, what, diagnostics)
    bookkeeping = flag(fields.get("bookkeeping"), f"'bookkeeping' of {what}", diagnostics)
    if bookkeeping and sensed is not None:
        message = f"{what} is bookkeeping, so it follows from other facts; expected no 'sensed'"
        diagnostics.add(sensed.mark, message, "keys-contradict", "sensed")
    asked = flag(fields.get("goal"), f"'goal' of {what}", diagnostics, not bookkeeping)
    return PredicateModel(
        Predicate(name, parameters, sentence, asked),
        symbol(sensed, f"'sensed' of {what}", diagnostics) if sensed is not None else None,
        bookkeeping,
    )


def _read_arguments(fields: Fields, affordances: Collection[str] | None, diagnostics: Diagnostics) -> tuple[str, ...]:
    """Read one affordance per argument; unlike in other lists, repetitions are allowed."""
    node, what = fields.get("parameters"), f"the parameters of {fields.what}"
    valid = None if affordances is None else (*affordances, ANYTHING)
    derived = fields.get("derived")
    if derived is None and isinstance(node, TableNode):
        message = f"{what} are named, and nothing is derived from them; expected a list of affordances"
        diagnostics.add(node.mark, message, "keys-contradict", "parameters")
    if isinstance(node, TableNode):
        return tuple(
            next(iter(known(value, "affordance", valid, f"parameter '{key.text}'", diagnostics)), ANYTHING)
            for key, value in entries(node, what, diagnostics)
        )
    if derived is not None and node is not None:
        message = f"{what} have no names; expected a table such as {{x: {next(iter(valid or ()), ANYTHING)}}}"
        diagnostics.add(node.mark, message, "keys-contradict", "parameters")
    return tuple(_affordance_list(node, valid, what, diagnostics))


def _affordance_list(
    node: Node | None, valid: Collection[str] | None, what: str, diagnostics: Diagnostics
) -> Iterator[str]:
    if node is not None and not isinstance(node, TableNode) and not getattr(node, "items", True):
        return
    for scalar in scalars(node, what, diagnostics):
        yield from known(scalar, "affordance", valid, what, diagnostics) or (ANYTHING,)


def _check_sentence(sentence: str, asked: list[str], mark: Mark, what: str, diagnostics: Diagnostics) -> None:
    try:
        slots = {slot for _, slot, _, _ in Formatter().parse(sentence) if slot is not None}
    except ValueError as exc:
        diagnostics.add(mark, f"'say' of {what} cannot be filled in: {exc}", "bad-sentence")
        return
    if slots != set(asked):
        listed = ", ".join(f"{{{slot}}}" for slot in asked) or "no {slot}"
        message = f"'say' of {what} does not fill in its arguments; expected {listed} in the sentence"
        diagnostics.add(mark, message, "bad-sentence")


def read_derived(
    node: Node | None, scope: FormulaScope, models: Mapping[str, PredicateModel], diagnostics: Diagnostics
) -> dict[str, DerivedPredicate]:
    """Read the definitions of derived predicates; `scope` has the constants, predicates and numbers."""
    definitions: dict[str, DerivedPredicate] = {}
    marks: dict[str, Mark] = {}
    for entry in node.entries if isinstance(node, TableNode) else ():
        body = value_of(entry.value, "derived")
        if body is not None and entry.key.text in models:
            definitions[entry.key.text] = _read_definition(entry, body, scope, models[entry.key.text], diagnostics)
            marks[entry.key.text] = body.mark
    _check_strata(definitions, marks, diagnostics)
    return definitions


def _read_definition(
    entry: Entry, body: Node, scope: FormulaScope, model: PredicateModel, diagnostics: Diagnostics
) -> DerivedPredicate:
    name = entry.key.text
    asked = model.predicate.parameters
    parameters = value_of(entry.value, "parameters")
    names = [key.text for key, _ in parameters.entries] if isinstance(parameters, TableNode) else []
    variables = tuple(Variable(parameter, affordance) for parameter, affordance in zip(names, asked, strict=False))
    for key, is_meant in (("sensed", model.sensed is not None), ("bookkeeping", model.bookkeeping)):
        if is_meant:
            message = f"predicate '{name}' follows from others by definition; expected no '{key}'"
            diagnostics.add(body.mark, message, "keys-contradict", key)
    what = f"the definition of predicate '{name}'"
    if is_empty(body) or not getattr(body, "items", True):
        diagnostics.add(body.mark, f"{what} is empty; expected a condition, or a list of alternatives", "empty-section")
    inner = scope.inside(variables)
    # Without readable arguments, every use of one would be reported.
    bodies = read_each(body, inner, what, diagnostics) if isinstance(parameters, TableNode) else ()
    return DerivedPredicate(name, variables, bodies)


def _check_strata(derived: Mapping[str, DerivedPredicate], marks: Mapping[str, Mark], diagnostics: Diagnostics) -> None:
    """Report predicates that depend on their own negation."""
    used = {name: _used(definition) for name, definition in derived.items()}
    reached = {name: _closure(name, used) for name in used}
    for name, uses in used.items():
        for other, positive in uses:
            if not positive and other in derived and name in (other, *reached[other]):
                way = "itself" if other == name else f"'{other}', which follows from '{name}'"
                message = f"predicate '{name}' follows from the denial of {way}; expected a definition without a circle"
                diagnostics.add(marks[name], message, "derived-from-denial", name)
                break


def _used(derived: DerivedPredicate) -> list[tuple[str, bool]]:
    return [(literal.atom.predicate, literal.positive) for body in derived.bodies for literal in literals(body)]


def _closure(name: str, used: Mapping[str, list[tuple[str, bool]]]) -> set[str]:
    reached: set[str] = set()
    queue = [name]
    while queue:
        for other, _ in used.get(queue.pop(), ()):
            if other not in reached:
                reached.add(other)
                queue.append(other)
    return reached


def read_fluents(
    node: Node | None, affordances: Collection[str] | None, predicates: Collection[str], diagnostics: Diagnostics
) -> dict[str, NumericFluent]:
    """Read the numeric fluents by name."""
    fluents: dict[str, NumericFluent] = {}
    for entry in entries(node, "fluents", diagnostics):
        if entry.key.text in predicates:
            message = f"'{entry.key.text}' is already a predicate; expected another name for the number"
            diagnostics.add(entry.key.mark, message, "named-twice", entry.key.text)
        fluents[entry.key.text] = _read_fluent(entry, affordances, diagnostics)
    return fluents


def _read_fluent(entry: Entry, affordances: Collection[str] | None, diagnostics: Diagnostics) -> NumericFluent:
    what = f"number '{entry.key.text}'"
    fields = open_table(entry.value, "number", what, diagnostics)
    _check_name(entry, "number", diagnostics)
    valid = None if affordances is None else (*affordances, ANYTHING)
    parameters = tuple(_affordance_list(fields.get("parameters"), valid, f"the parameters of {what}", diagnostics))
    say, default = fields.get("say"), fields.get("default")
    sentence = text(say, f"'say' of {what}", diagnostics)
    if say is not None:
        slots = [*(str(index) for index in range(len(parameters))), "value"]
        _check_sentence(sentence, slots, say.mark, what, diagnostics)
    return NumericFluent(
        name=entry.key.text,
        parameters=parameters,
        description=sentence,
        unit=text(fields.get("unit"), f"the unit of {what}", diagnostics),
        default=None if default is None else number(default, f"the default of {what}", diagnostics),
        planned=flag(fields.get("planned"), f"'planned' of {what}", diagnostics, True),
    )
