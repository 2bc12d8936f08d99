"""Validation: a plan is proved by running it through the model, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from semantics.atoms import Conjunct, Literal
from semantics.state import Operator, State, first_failure

__all__ = ["Invalid", "Valid", "validate"]


@dataclass(frozen=True, slots=True)
class Valid:
    """Every step can be taken in its turn, and the goal holds afterwards; `state` is what holds then."""

    state: State


@dataclass(frozen=True, slots=True)
class Invalid:
    """The plan breaks at `step` (0-based; the number of steps stands for the goal), where `missing` does not hold."""

    step: int
    missing: tuple[Literal, ...]


def validate(steps: Sequence[Operator], state: State, goal: Conjunct) -> Valid | Invalid:
    """Run `steps` from `state` and ask for `goal` at the end."""
    failure = first_failure(steps, state, goal)
    if failure is not None:
        return Invalid(*failure)
    for step in steps:
        state = step.apply(state)
    return Valid(state)
