"""`Counsel`: who can be asked while a run is under way, and how a goal they name becomes a turn of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bt.record import Entries
from bt.repairing import Desk, Obstacles, Turn
from bt.repairing.turns import must_be_wanted
from graftwork.deciding.decider import Decider
from graftwork.mending.upper.around import plan_around
from semantics.checking import check_goal
from semantics.feedback import Code
from semantics.goal import CheckedGoal, Goal, Rejection
from semantics.protocols import NoPlan
from semantics.state import Plan, State

__all__ = ["CODES", "Counsel", "Pursued"]

CODES = frozenset(Code) - {Code.CANCELLED, Code.EXCEPTION, Code.DECLINED}
"""Failures that somebody may know a way out of; not that the run was stopped, or this program is at fault."""


class Pursued(Protocol):
    """What a run goes for; `goal` changes when a turn does."""

    @property
    def goal(self) -> CheckedGoal:
        """What is to be reached now."""
        ...


@dataclass(frozen=True, slots=True)
class Counsel:
    """Whom a run can ask, and what it takes to understand them.

    It is used off the tick, so it takes no stage of the stopwatch, which is the ticking thread's.

    Attributes:
        decider: The model, the vocabulary, and who plans.
        obstacles: What the body has met in its way.
        story: Every event of the run under way.
        desk: Where questions to a person are put.
        answer_seconds: How long an answer is waited for, in seconds of the body's clock.
        model_price: What 1,000 tokens of the model cost, in the unit of a rung's ``money``.
        turned: Is told of every turn that is taken, on the ticking thread.
    """

    decider: Decider
    obstacles: Obstacles
    story: Entries
    desk: Desk
    answer_seconds: float = 60.0
    model_price: float = 0.0
    turned: Callable[[Turn], None] | None = None

    def checked(self, goal: Goal, state: State) -> CheckedGoal | Rejection:
        """Check a goal as any other is."""
        must_be_wanted()
        decider = self.decider
        known = decider.plans.exclusions()
        return check_goal(goal, decider.vocabulary, rules=decider.rules, state=state, exclusions=known)

    def planned(self, goal: CheckedGoal, state: State) -> Plan | NoPlan:
        """Plan for a goal around what the body has met, and let the plan through the door."""
        return plan_around(self.decider.plans, self.obstacles, goal, state)

    def told(self) -> list[Mapping[str, Any]]:
        """Return what has happened in the run so far."""
        return list(self.story.events)

    def count(self, calls: int, tokens: int) -> float:
        """Count what a model was asked, and return what that costs."""
        must_be_wanted()  # what an ended run has asked for is no cost of the next
        self.decider.asked_model += calls
        self.decider.tokens += tokens
        return tokens * self.model_price / 1000.0
