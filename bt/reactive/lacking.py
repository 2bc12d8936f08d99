"""What a plan lacks in a state, told in words and as what it keeps from being brought about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from semantics.atoms import Conjunct, Literal
from semantics.state import Plan, State, first_failure

__all__ = ["Lack", "lack", "opposites"]


class Lack(NamedTuple):
    """What keeps a plan from its goal.

    Attributes:
        why: A clause that names the step, or the goal, and the literals.
        missing: Those literals.
        sought: The effects of the step that cannot be taken; None when it is the goal that lacks something.
    """

    why: str
    missing: tuple[Literal, ...]
    sought: Conjunct | None


def lack(plan: Plan, start: int, state: State) -> Lack | None:
    """Return what the steps from `start` on lack, taken from `state`; None when they reach the goal."""
    failure = first_failure(plan.steps[start:], state, plan.goal)
    if failure is None:
        return None
    index, missing = failure
    rest = plan.steps[start + index :]
    told = " ".join(map(str, missing))
    return Lack(f"{rest[0] if rest else 'the goal'} would lack {told}", missing, rest[0].effects if rest else None)


def opposites(literals: Iterable[Literal]) -> str:
    """Say that each of `literals` was sensed to be otherwise."""
    return " and ".join(
        f"{literal.atom} was sensed {'not to hold' if literal.positive else 'to hold'}" for literal in sorted(literals)
    )
