"""When two parameters may stand for one thing, and whether a precondition leaves anything to stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from domains.capability import Capability
from domains.lint.surveying.mentions import literal_of
from semantics.atoms import And, Atom, Equal, Formula, Literal, Not

if TYPE_CHECKING:
    from domains.lint.surveying.survey import Survey

__all__ = ["contradiction", "may_be_equal", "renamed"]

Pairs = tuple[tuple[str, str], ...]


def renamed(literal: Literal, names: Mapping[str, str]) -> Literal:
    """Return a literal with some of its arguments replaced."""
    return Literal(
        Atom(literal.atom.predicate, tuple([names.get(arg, arg) for arg in literal.atom.args])), literal.positive
    )


def conjoined(formula: Formula | None) -> Iterable[Formula]:
    """Yield what surely must hold for a formula to hold."""
    match formula:
        case None:
            return
        case And(parts):
            for part in parts:
                yield from conjoined(part)
        case _:
            yield formula


def required(capability: Capability) -> list[Literal]:
    """Return the literals that surely must hold before a capability is done."""
    found = [literal_of(template) for template in capability.precondition]
    for part in conjoined(capability.condition):
        match part:
            case Atom():
                found.append(Literal(part))
            case Not(Atom() as atom):
                found.append(Literal(atom, False))
    return found


def different(capability: Capability) -> set[frozenset[str]]:
    """Return the pairs of ``?parameters`` that must differ."""
    found = {frozenset((f"?{one}", f"?{other}")) for one, other in capability.distinct}
    for part in conjoined(capability.condition):
        match part:
            case Not(Equal(one, other)):
                found.add(frozenset((one, other)))
    return found


def equal(capability: Capability) -> dict[str, str]:
    """Return the arguments that must be another."""
    return {part.one: part.other for part in conjoined(capability.condition) if isinstance(part, Equal)}


def contradiction(capability: Capability, names: Mapping[str, str] | None = None) -> Literal | None:
    """Return a literal that is asked for and denied, or None.

    Args:
        capability: Whose precondition it is.
        names: Arguments that stand for others, besides those that the precondition says are equal.
    """
    merged = {**equal(capability), **(names or {})}
    found: dict[Literal, Literal] = {}
    for literal in required(capability):
        ground = renamed(literal, merged)
        if ground.negated() in found:
            return literal
        found[ground] = literal
    return None


def may_be_equal(survey: Survey, capability: Capability, one: Sequence[str], other: Sequence[str]) -> Pairs:
    """Return the arguments to set equal for two atoms to be one; none when that cannot be, or need not be.

    They cannot be when they must differ, when no class affords what both ask, or when the precondition then
    contradicts itself.
    """
    merged: dict[str, str] = {}
    for left, right in zip(one, other, strict=False):
        first, second = merged.get(left, left), merged.get(right, right)
        if first == second:
            continue
        if not first.startswith("?"):
            first, second = second, first
        if not first.startswith("?") or not _may(survey, capability, first, second):
            return ()
        merged = {name: (second if to == first else to) for name, to in merged.items()} | {first: second}
    if len(one) != len(other) or contradiction(capability, merged) is not None:
        return ()
    if survey.exclusions.forbid([renamed(literal, merged) for literal in required(capability)]):
        return ()
    return tuple(merged.items())


def _may(survey: Survey, capability: Capability, one: str, other: str) -> bool:
    if frozenset((one, other)) in different(capability):
        return False
    affordances = {f"?{parameter.name}": parameter.affordances for parameter in capability.parameters}
    if one not in affordances:
        return False
    if other in affordances:
        return survey.somebody_affords((*affordances[one], *affordances[other]))
    thing = survey.things.get(other)
    return thing is not None and set(affordances[one]) - {"object"} <= thing.affordances
