"""`RecoveryContext`: the services that recovery strategies use to ask for help, check goals, and plan."""

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
"""Failures after which a person or a model may help; not a cancelled run or a fault of this program."""


class Pursued(Protocol):
    """The goal of a run; a strategy may change it."""

    @property
    def goal(self) -> CheckedGoal:
        """The goal that is pursued now."""
        ...


@dataclass(frozen=True, slots=True)
class RecoveryContext:
    """The services that recovery strategies share during a run.

    Other threads use it, so it does not use the stopwatch, which belongs to the ticking thread.

    Attributes:
        decider: The model, the vocabulary, and the planner.
        story: All events of the run.
        desk: Puts questions to a person.
        answer_seconds: Time to wait for an answer, in seconds of the body's clock.
        model_price: Cost of 1,000 tokens of the model, in the unit of a budget's ``money``.
        changed: Called with each changed goal, on the ticking thread.
        use: Counts the requests to the model.
    """

    decider: DecisionContext
    story: Entries
    desk: UserPrompt
    answer_seconds: float = 60.0
    model_price: float = 0.0
    changed: Callable[[NewGoal], None] | None = None
    use: ModelUse = field(default_factory=ModelUse)

    def checked(self, goal: Goal, request: Request) -> CheckedGoal | Rejection:
        """Check a goal like that of an instruction."""
        request.must_be_wanted()
        return self.decider.check(goal, request.state)

    def planned(self, goal: CheckedGoal, request: Request) -> Plan | NoPlan:
        """Plan for a goal around the obstacles that the body has met, and validate the plan."""
        return self.decider.plans.around_obstacles(goal, request)

    def events(self) -> list[Mapping[str, Any]]:
        """Return all events of the run so far."""
        return list(self.story.events)

    def count(self, request: Request, calls: int, tokens: int) -> float:
        """Count requests to a model, and return their cost."""
        request.must_be_wanted()  # requests of an ended run do not count for the next one
        self.use.count(calls, tokens)
        return tokens * self.model_price / 1000.0
