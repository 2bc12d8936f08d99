"""What comes of deciding: something to do, or the reason why nothing is done."""

from __future__ import annotations

from dataclasses import dataclass

from graftwork.deciding.partly import Offer
from graftwork.deciding.substituting import Proposal
from graftwork.episode import Outcome
from graftwork.memory import Experience
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal, Goal, Question
from semantics.state import Plan, State

__all__ = ["Ready", "Settled"]


@dataclass(frozen=True, slots=True)
class Ready:
    """A goal with a validated plan.

    Attributes:
        goal: The checked goal.
        plan: The plan to compile.
        recalled: The experience that answered instead of the interpreter or the model.
        reused: Whether the remembered plan itself is used, not only its goal.
        instead: What is used instead of something that is missing; None when all is as it was said.
        partly: What of the goal can be had, when that is not all of it.
        looks_for: What has to be found before there can be a plan; empty when there is one.
        state: What was believed when it was made.
    """

    goal: CheckedGoal
    plan: Plan
    state: State
    recalled: Experience | None = None
    reused: bool = False
    instead: Proposal | None = None
    partly: Offer | None = None
    looks_for: str = ""

    @property
    def as_said(self) -> bool:
        """Whether it is a plan for all that was said, and nothing else."""
        return self.instead is None and self.partly is None and not self.looks_for


@dataclass(frozen=True, slots=True)
class Settled:
    """Nothing is to be done: the outcome, why, and the goal if it got that far."""

    outcome: Outcome
    message: str
    feedback: tuple[Feedback, ...] = ()
    goal: CheckedGoal | Goal | None = None
    question: Question | None = None
    recalled: Experience | None = None
