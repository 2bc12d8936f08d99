"""Why a plan fails as a whole, in words."""

from __future__ import annotations

from collections.abc import Sequence

from bt.reactive.lacking import Lack, lack
from bt.reactive.leaves import culprits
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.state import Operator, Plan, State

__all__ = ["fruitless", "given_up", "lack_of", "late", "lost"]


def lack_of(steps: Sequence[Operator], goal: Conjunct, state: State) -> Lack | None:
    """Return what these steps lack, taken in turn from `state`; None when they reach the goal."""
    return lack(Plan(tuple(steps), goal), 0, state)


def fruitless(running: Operator, left: Sequence[Operator], goal: Conjunct, after: State) -> str:
    """Say why a running step is of no use: what is left would not do when it has worked."""
    lacking = lack_of(left, goal, after)
    return lacking.why if lacking else f"{running} has to be begun anew"


def lost(lacking: Lack | None) -> Feedback:
    """Say that no set of steps leads to the goal."""
    why, missing = (lacking.why, lacking.missing) if lacking else ("nothing that is left fits", ())
    return Feedback(
        Code.PRECONDITION, "the plan", f"no step leads to the goal from here: {why}", culprits=culprits(missing)
    )


def given_up(step: Operator, furthest: Operator, most: int, setback: str) -> Feedback:
    """Say that a step was begun too often."""
    why = f"it was begun {most} times, and the plan got no further than {furthest}"
    return Feedback(Code.STUCK, str(step), why + (f"; at last, {setback}" if setback else ""))


def late(step: Operator, seconds: float) -> Feedback:
    """Say that a cancelled motion goes on."""
    return Feedback(Code.STUCK, str(step), f"the cancelled motion has not ended after {seconds:g} s")
