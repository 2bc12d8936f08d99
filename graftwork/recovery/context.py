"""`RecoveryContext`: who can be asked while a run is under way, and how a goal they name is checked and planned for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from bt.record import Entries
from bt.recovery import NewGoal, Request, UserPrompt
from graftwork.decision import DecisionContext
from graftwork.language.conversation import ModelUse
from semantics.feedback import Code
from semantics.goal import CheckedGoal, Goal, Rejection
from semantics.protocols import NoPlan
from semantics.state import Plan

__all__ = ["CODES", "Pursued", "RecoveryContext"]

CODES = frozenset(Code) - {Code.CANCELLED, Code.EXCEPTION, Code.DECLINED}
"""Failures that somebody may know a way out of; not that the run was stopped, or this program is at fault."""


class Pursued(Protocol):
    """What a run goes for; a strategy may change `goal`."""

    @property
    def goal(self) -> CheckedGoal:
        """What is to be reached now."""
        ...


@dataclass(frozen=True, slots=True)
class RecoveryContext:
    """Whom a run can ask, and what it takes to understand them.

    It is used off the tick, so it takes no time of the stopwatch, which is the ticking thread's.

    Attributes:
        decider: The model, the vocabulary, and who plans.
        story: Every event of the run under way.
        desk: Where questions to a person are put.
        answer_seconds: How long an answer is waited for, in seconds of the body's clock.
        model_price: What 1,000 tokens of the model cost, in the unit of a budget's ``money``.
        changed: Is told of every other goal that is pursued, on the ticking thread.
        use: Counts what the model is asked.
    """

    decider: DecisionContext
    story: Entries
    desk: UserPrompt
    answer_seconds: float = 60.0
    model_price: float = 0.0
    changed: Callable[[NewGoal], None] | None = None
    use: ModelUse = field(default_factory=ModelUse)

    def checked(self, goal: Goal, request: Request) -> CheckedGoal | Rejection:
        """Check a goal as any other is."""
        request.must_be_wanted()
        return self.decider.check(goal, request.state)

    def planned(self, goal: CheckedGoal, request: Request) -> Plan | NoPlan:
        """Plan for a goal around what the body has met, and let the plan through the door."""
        return self.decider.plans.around_obstacles(goal, request)

    def events(self) -> list[Mapping[str, Any]]:
        """Return what has happened in the run so far."""
        return list(self.story.events)

    def count(self, request: Request, calls: int, tokens: int) -> float:
        """Count what a model was asked, and return what that costs."""
        request.must_be_wanted()  # what an ended run has asked for is no cost of the next
        self.use.count(calls, tokens)
        return tokens * self.model_price / 1000.0
