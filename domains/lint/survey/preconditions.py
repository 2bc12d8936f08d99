"""What a precondition asks for: literals, what must differ or be equal, and where it contradicts itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from domains.capability import Capability
from domains.lint.survey.mentions import literal_of
from semantics.atoms import And, Atom, Equal, Formula, Literal, Not

__all__ = ["conjoined", "contradiction", "different", "equal", "renamed", "required"]


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
