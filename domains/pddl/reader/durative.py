"""The reader of durative actions (PDDL 2.1), as what a step of a sequence does.

A plan is a sequence of steps here, and a step has one condition and one effect. A durative action is read where it is
as if all of it happened at one moment (compression-safe actions; compare Coles et al. 2009). There are two kinds:

- An action as if it happened at its start. At its end it only makes facts true, and no condition asks for their being
  false. Every condition of its end holds over all.
- An action as if it happened at its end. It changes nothing at its start, and every condition of its start holds until
  the end.

Any other action may be needed while another one lasts. It is refused, because there may be a plan with overlapping
actions where there is no sequence. A duration is a number, as a capability has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from domains.capability import Capability, ConditionalEffect, Template, formulas_of
from domains.model import DerivedPredicate
from domains.pddl.reader.conditions import TRUE, Conditions
from domains.pddl.reader.document import Document, shown
from domains.pddl.reader.effects import CHANGES, SCALES, TOTAL_COST, EffectsReader, ParsedEffects
from domains.pddl.reader.names import Scope
from semantics.logic.atoms import And, Atom, Equal, Formula, Not, Or, literals, rebuilt
from semantics.logic.parsing import NUMBER, Group, Node, Word

DURATIVE_PARTS = (":parameters", ":duration", ":condition", ":effect")
START, ALL, END, NO_TIME = ("at", "start"), ("over", "all"), ("at", "end"), ("", "")
LONGEST = 1e6  # the longest duration, seconds
Timed = tuple[tuple[str, str], Group]
"""A part of a condition or an effect with its time."""


def read_duration(document: Document, section: Group, node: Node | None) -> float | None:
    """Read ``(= ?duration 5)``; any other duration is reported."""
    words = [item.text for item in node.items if isinstance(item, Word)] if isinstance(node, Group) else []
    if words[:2] == ["=", "?duration"] and len(words) == 3 and NUMBER.fullmatch(words[2]):
        seconds = float(words[2])
        if 0 < seconds <= LONGEST:
            return seconds
    message = f"a duration is one number of seconds above 0 and up to {LONGEST:g} here; expected (= ?duration 5)"
    document.report(node or section.items[0], message, "not-supported", "duration")
    return None


def read_timed(
    conditions: Conditions, derived: Collection[str], parts: Mapping[str, Node], scope: Scope
) -> tuple[Formula, ParsedEffects]:
    """Return the condition and the effect of a durative action as those of a step; report what is lost by that."""
    document, reader = conditions.document, EffectsReader(conditions, derived)
    asked, changed = (list(_timed(document, parts[key])) if key in parts else [] for key in (":condition", ":effect"))
    _check_effects(document, changed)
    at_start = reader.read(_joined(parts, changed, START), scope)
    at_end = reader.read(_joined(parts, changed, END), scope)
    late = _is_late(changed)
    if late:
        _check_late(document, asked, changed)
    else:
        _check_early(document, asked)
        _check_unconditional(document, asked, changed, derived)
    formulas = []
    for time, node in asked:
        formula = conditions.formula(node, scope)
        formula = _after(formula, at_start.plain.literals) if time == ALL and not late else formula
        if formula == Or(()):
            message = f"'{shown(node)}' must hold over all, and the start of the action makes it false"
            document.report(node, message, "contradiction")
        formulas.append(formula if time != END or late else TRUE)
    return And(tuple(formulas)), _in_turn(document, parts, at_start, at_end)


def check_denied(
    document: Document,
    sections: Iterable[Group],
    capabilities: Iterable[Capability],
    derived: Iterable[DerivedPredicate],
) -> None:
    """Report facts that an action makes true at its end while a condition may need that they are still false."""
    asked = chain.from_iterable(map(_conditions_of, capabilities))
    denied = {literal.atom.predicate for formula in asked for literal in literals(formula) if not literal.positive}
    bodies = chain.from_iterable(definition.bodies for definition in derived)
    denied |= {literal.atom.predicate for body in bodies for literal in literals(body)}
    for section in sections:
        effects = [value for key, value in zip(section.items, section.items[1:], strict=False) if _is(key, ":effect")]
        changed = [part for effect in effects for part in _parts(effect)]
        for time, node in changed if not _is_late(changed) else ():
            for group in _groups(node) if time == END else ():
                if group.head in denied:
                    message = f"'{group.head}' becomes true at the end, and a condition asks for its being false; {HOW}"
                    document.report(group, message, "not-supported", group.head)


HOW = "the action may be needed while another one lasts, and plans here are sequences of steps"


def _is(node: Node, word: str) -> bool:
    return isinstance(node, Word) and node.text == word


def _conditions_of(capability: Capability) -> Iterator[Formula]:
    yield from (template.literal.formula for template in capability.precondition)
    yield from (formula for _, formula in formulas_of(capability))


def _time(node: Node) -> tuple[str, str] | None:
    """Return the time of ``(at start …)``; None for other brackets, such as an atom of a predicate ``at``."""
    if isinstance(node, Group) and len(node.items) == 3 and isinstance(node.items[2], Group):
        second = node.items[1]
        words = node.head, second.text if isinstance(second, Word) else ""
        return words if words in (START, ALL, END) else None
    return None


def _parts(node: Node) -> Iterator[Timed]:
    """Yield the parts of a condition or an effect with their times; what has no time gets the empty time."""
    time = _time(node)
    if isinstance(node, Word) or (time is None and node.head not in ("and", "forall", "when") and node.items):
        yield NO_TIME, Group((node,), node.offset, node.offset)
    elif time is not None and isinstance(node.items[2], Group):
        known = time != END or "when" not in _words(node.items[2:])  # its condition would be one of the end
        yield time if known else NO_TIME, node.items[2]
    elif node.head == "forall" and len(node.items) == 3:
        for when, part in _parts(node.items[2]):
            yield when, replace(node, items=(*node.items[:2], part))
    elif node.head == "when" and len(node.items) == 3:
        before = list(_parts(node.items[1]))
        known = all(time == START for time, _ in before)
        condition = replace(node, items=(Word("and", node.offset), *(part for _, part in before)))
        for when, part in _parts(node.items[2]):
            yield when if known else NO_TIME, replace(node, items=(node.items[0], condition, part))
    else:
        for item in node.items[1:]:
            yield from _parts(item)


def _timed(document: Document, node: Node) -> Iterator[Timed]:
    """Yield the parts that have a time; report the others."""
    for time, part in _parts(node):
        if time != NO_TIME:
            yield time, part
        elif part.head == "when":
            document.report(part, "a condition of an effect is one of the start here: (when (at start …) …)", "time")
        else:
            inner = part.items[-1] if part.head in ("forall", "") else part
            document.report(
                inner, f"'{shown(inner)}' has no time; expected (at start …), (over all …) or (at end …)", "time"
            )


def _joined(parts: Mapping[str, Node], changed: Sequence[Timed], at: tuple[str, str]) -> Node:
    where = parts[":effect"].offset if ":effect" in parts else 0
    return Group((Word("and", where), *(node for time, node in changed if time == at)), where, where)


def _groups(node: Node) -> Iterator[Group]:
    if isinstance(node, Group):
        yield node
        for part in node.items:
            yield from _groups(part)


def _is_late(changed: Iterable[Timed]) -> bool:
    """Return whether the end of an action does more than make facts true and count costs."""
    return any(
        group.head == "not" or (group.head in (*CHANGES, *SCALES) and TOTAL_COST not in _words(group.items[1:2]))
        for time, node in changed
        if time == END
        for group in _groups(node)
    )


def _words(nodes: Iterable[Node]) -> set[str]:
    """Return the words of some nodes, at any depth."""
    words: set[str] = set()
    for node in nodes:
        words |= {node.text} if isinstance(node, Word) else _words(node.items)
    return words


def _check_effects(document: Document, changed: Iterable[Timed]) -> None:
    for time, node in changed:
        if time == ALL:
            document.report(
                node, "an effect is at the start or at the end; expected (at start …) or (at end …)", "time"
            )
        if "#t" in _words([node]):
            document.report(node, "an effect that goes on while the action lasts is not supported", "not-supported")


def _check_early(document: Document, asked: Collection[Timed]) -> None:
    """Check an action that is read as if it happened at its start."""
    throughout = [_key(node) for time, node in asked if time == ALL]
    for time, node in asked:
        if time == END and _key(node) not in throughout:
            message = f"'{shown(node)}' is asked at the end only: {HOW}; ask for it over all"
            document.report(node, message, "not-supported")


def _check_late(document: Document, asked: Collection[Timed], changed: Iterable[Timed]) -> None:
    """Check an action that is read as if it happened at its end."""
    until_end = [_key(node) for time, node in asked if time != START]
    for time, node in asked:
        if time == START and _key(node) not in until_end:
            message = f"'{shown(node)}' is asked at the start only, and the end changes more than it makes true: {HOW}"
            document.report(node, f"{message}; ask for it over all", "not-supported")
    for time, node in changed:
        if time == START or "when" in _words([node]):
            message = f"'{shown(node)}' is of the start, and the end changes more than it makes true: {HOW}"
            document.report(node, message, "not-supported")


def _check_unconditional(
    document: Document, asked: Iterable[Timed], changed: Collection[Timed], derived: Collection[str]
) -> None:
    """Report conditions that hold over all and that the start changes in another way than by plain facts."""
    rich = {"when", "forall", *CHANGES, *SCALES}
    nodes = [node for time, node in changed if time == START and rich & _words([node])]
    heads = {group.head for node in nodes for group in _groups(node)} - {"and", "not", "when", "forall", ""}
    heads |= set(derived) if any(time == START for time, _ in changed) else set()
    for time, node in asked:
        if time == ALL and heads & {group.head for group in _groups(node)}:
            message = f"'{shown(node)}' must hold over all, and the start changes more of it than plain facts"
            document.report(node, message, "not-supported")


def _key(node: Node) -> object:
    """Return what two nodes with the same text have in common."""
    return node.text if isinstance(node, Word) else tuple(map(_key, node.items))


def _after(formula: Formula, changes: Sequence[Template]) -> Formula:
    """Return what must hold before some effects for a formula to hold after them (its regression)."""
    if not isinstance(formula, Atom):
        return rebuilt(formula, lambda part: _after(part, changes))
    result: Formula = formula
    for change in sorted(changes, key=lambda each: each.positive):  # what is made true and false becomes true
        pairs = [pair for pair in zip(formula.args, change.args, strict=False) if pair[0] != pair[1]]
        fixed = any(not left.startswith("?") and not right.startswith("?") for left, right in pairs)
        if change.predicate != formula.predicate or fixed:
            continue
        same = tuple(Equal(left, right) for left, right in pairs)
        if change.positive:
            result = Or((result, And(same))) if same else TRUE
        else:
            result = And((result, Not(same[0] if len(same) == 1 else And(same)))) if same else Or(())
    return result


def _in_turn(
    document: Document, parts: Mapping[str, Node], first: ParsedEffects, second: ParsedEffects
) -> ParsedEffects:
    """Return the effects of the start and then of the end as those of one moment."""
    if first.cost is not None and second.cost is not None:
        document.report(parts[":effect"], "a cost is increased once, at the start or at the end", "cost")
    effects = ParsedEffects(cost=second.cost if first.cost is None else first.cost)
    undone = {replace(template, positive=not template.positive) for template in second.plain.literals}
    for group in chain(first.groups.values(), second.groups.values()):
        kept: ConditionalEffect = group
        if group is first.plain:
            kept = replace(group, literals=tuple(template for template in group.literals if template not in undone))
        effects.add(kept)
    return effects
