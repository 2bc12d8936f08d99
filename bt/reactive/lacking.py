"""What a plan lacks in a state, told in words and as what it keeps from being brought about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bt.reactive.leaves import culprits
from planning.validation import Valid, validate
from semantics.atoms import Conjunct, Literal
from semantics.feedback import Code, Feedback
from semantics.state import Operator, Plan, State

__all__ = ["Lack", "in_vain", "lack", "lost", "opposites"]


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
    axioms = next((step.axioms for step in plan.steps if step.axioms), None)
    broken = validate(plan.steps[start:], axioms.close(state) if axioms else state, plan.goal)
    if isinstance(broken, Valid):
        return None
    rest = plan.steps[start + broken.step :]
    told = "would lack " + " ".join(map(str, broken.missing)) if broken.missing else f"cannot be taken: {broken.reason}"
    return Lack(f"{rest[0] if rest else 'the goal'} {told}", broken.missing, rest[0].effects if rest else None)


def lost(plan: Plan, start: int, state: State) -> tuple[Feedback, Conjunct | None]:
    """Say that no step of a plan leads to its goal from `state`, and what was not brought about.

    Args:
        plan: What was to be done.
        start: The step from which on it was to be done last.
        state: What is believed.
    """
    lacking = lack(plan, start, state)
    assert lacking is not None
    why = f"no step leads to the goal from here: {lacking.why}"
    return Feedback(Code.PRECONDITION, "the plan", why, culprits=culprits(lacking.missing)), lacking.sought


def in_vain(step: Operator, furthest: Operator, times: int, setback: str) -> Feedback:
    """Say that a step was begun too often, how far the plan has come, and what went wrong at last, if that is known."""
    why = f"it was begun {times} times, and the plan got no further than {furthest}"
    return Feedback(Code.STUCK, str(step), why + (f"; at last, {setback}" if setback else ""))


def opposites(literals: Iterable[Literal]) -> str:
    """Say that each of `literals` was sensed to be otherwise."""
    return " and ".join(
        f"{literal.atom} was sensed {'not to hold' if literal.positive else 'to hold'}" for literal in sorted(literals)
    )
