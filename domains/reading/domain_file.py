"""The domain file: sections in an order in which each may refer to those before it."""

from __future__ import annotations

from collections.abc import Collection
from string import Formatter

from domains.model import Domain, PredicateModel
from domains.reading.capabilities import ANYTHING, read_agents, read_capabilities
from domains.reading.classes import Words, kinds_of, read_classes, read_kinds
from domains.reading.nodes.complaints import Complaints, Mark
from domains.reading.nodes.document import Entry, Node
from domains.reading.nodes.fields import entries, flag, known, open_fields, scalars, symbol, text
from domains.reading.phrases import read_phrases
from domains.reading.rules import read_rules
from semantics.vocabulary import Predicate

__all__ = ["read_domain"]

REQUIRED = ("name", "affordances", "classes", "predicates", "capabilities", "agents")
OPTIONAL = ("kinds", "phrases", "rules")


def read_domain(node: Node, source: str, complaints: Complaints) -> Domain:
    """Read a whole domain; when `complaints` were made, the result is not to be used."""
    fields = open_fields(node, "a domain", complaints, required=REQUIRED, optional=OPTIONAL)
    affordances = _read_affordances(fields.get("affordances"), complaints)
    # An empty section has its own complaint; names that refer to it are then not complained of one by one.
    afforded = tuple(affordances) or None
    words = Words(complaints)
    kinds = read_kinds(fields.get("kinds"), words, complaints)
    classes = read_classes(fields.get("classes"), afforded, kinds, words, complaints)
    words.check({*classes, *kinds})
    predicates = _read_predicates(fields.get("predicates"), afforded, complaints)
    capabilities = read_capabilities(fields.get("capabilities"), afforded, predicates or None, complaints)
    return Domain(
        name=symbol(fields.get("name"), "the name of the domain", complaints),
        affordances=affordances,
        classes=classes,
        kinds=kinds_of(classes, kinds),
        predicates=predicates,
        capabilities=capabilities,
        agents=read_agents(fields.get("agents"), classes, capabilities, complaints),
        phrases=read_phrases(fields.get("phrases"), afforded, predicates or None, complaints),
        rules=read_rules(fields.get("rules"), complaints),
        words={word: kind for kind, said in kinds.items() for word in said},
        source=source,
    )


def _read_affordances(node: Node | None, complaints: Complaints) -> dict[str, str]:
    found = {
        key.text: text(value, f"the sentence of affordance '{key.text}'", complaints)
        for key, value in entries(node, "affordances", complaints)
    }
    if node is not None and not found:
        complaints.add(node.mark, "no affordances; expected a name and a sentence for each")
    if node is not None and ANYTHING in found:
        complaints.add(node.mark, f"affordance '{ANYTHING}' is built in, everything has it; expected other names")
    return found


def _read_predicates(
    node: Node | None, affordances: Collection[str] | None, complaints: Complaints
) -> dict[str, PredicateModel]:
    found = {
        entry.key.text: _read_predicate(entry, affordances, complaints)
        for entry in entries(node, "predicates", complaints)
    }
    if node is not None and not found:
        complaints.add(node.mark, "no predicates; expected a name, parameters and a sentence for each")
    return found


def _read_predicate(entry: Entry, affordances: Collection[str] | None, complaints: Complaints) -> PredicateModel:
    name, what = entry.key.text, f"predicate '{entry.key.text}'"
    keys = ("sensed", "bookkeeping", "goal")
    fields = open_fields(entry.value, what, complaints, required=("parameters", "say"), optional=keys)
    parameters = _read_arguments(fields.get("parameters"), affordances, what, complaints)
    say, sensed = fields.get("say"), fields.get("sensed")
    sentence = text(say, f"'say' of {what}", complaints)
    if say is not None:
        _check_sentence(sentence, len(parameters), say.mark, what, complaints)
    bookkeeping = flag(fields.get("bookkeeping"), f"'bookkeeping' of {what}", complaints)
    if bookkeeping and sensed is not None:
        complaints.add(sensed.mark, f"{what} is bookkeeping, so it follows from other facts; expected no 'sensed'")
    return PredicateModel(
        Predicate(
            name, parameters, sentence, flag(fields.get("goal"), f"'goal' of {what}", complaints, not bookkeeping)
        ),
        symbol(sensed, f"'sensed' of {what}", complaints) if sensed is not None else None,
        bookkeeping,
    )


def _read_arguments(
    node: Node | None, affordances: Collection[str] | None, what: str, complaints: Complaints
) -> tuple[str, ...]:
    """Read one affordance per argument; unlike elsewhere, the same one may come twice."""
    valid = None if affordances is None else (*affordances, ANYTHING)
    found: list[str] = []
    for scalar in scalars(node, f"the parameters of {what}", complaints):
        found += known(scalar, "affordance", valid, f"the parameters of {what}", complaints) or (ANYTHING,)
    return tuple(found)


def _check_sentence(sentence: str, arity: int, mark: Mark, what: str, complaints: Complaints) -> None:
    try:
        slots = {slot for _, slot, _, _ in Formatter().parse(sentence) if slot is not None}
    except ValueError as exc:
        complaints.add(mark, f"'say' of {what} cannot be filled in: {exc}")
        return
    asked = {str(number) for number in range(arity)}
    if slots != asked:
        listed = ", ".join(f"{{{number}}}" for number in sorted(asked))
        complaints.add(mark, f"'say' of {what} does not fill in its arguments; expected {listed} in the sentence")
