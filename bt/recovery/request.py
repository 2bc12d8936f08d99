"""The interface of recovery strategies: the request, the possible answers, and the base class.

A strategy is a dataclass with a name, `applies(request)` and `propose(request)`; its fields hold what it needs. A new
strategy needs a class and an entry in the list of strategies of a tree (docs/trees.md shows an example). The strategies
of a `Recover` node are the rungs of its repair ladder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from bt.execution.improvement import Basis
from bt.recovery.obstacles import Obstacle
from domains.world import World
from semantics.body.protocols import NoPlan
from semantics.geometry.relations import Arrangement
from semantics.logic.atoms import Conjunct
from semantics.logic.feedback import Feedback
from semantics.logic.goal import Question
from semantics.logic.state import Operator, Plan, State


class AbandonedError(Exception):
    """The answer is no longer needed. The error ends the thread that computes the answer, and is not reported."""


@dataclass(frozen=True, slots=True)
class Request:
    """A failure to recover from, and what is known at that time.

    Attributes:
        feedback: The reason of the failure.
        state: The believed state.
        step: The step that failed; None when the plan could not go on before a step of it began.
        lacking: If the plan could not go on, the step that was not applicable.
        plan: The plan that failed; of a partial order, the steps that are left. None for a child without a plan.
        number: The number of the step in `plan`; None without a step or a plan.
        rest: What is left of the current plan; None without a plan.
        basis: The state in which `rest` was to begin, and the revision that the plan was made in; None if unknown.
        world: The world without learned facts; None if the beliefs know none.
        learned: The world with learned facts, such as obstacles; None if the beliefs keep no such model.
        proven: The world with those learned facts only that another try would meet again; None likewise.
        seen: Where things are; None if the beliefs do not know.
        is_cancelled: Returns whether the answer is no longer needed.
    """

    feedback: Feedback
    state: State
    step: Operator | None = None
    lacking: Operator | None = None
    plan: Plan | None = None
    number: int | None = None
    rest: Plan | None = None
    basis: Basis | None = None
    world: World | None = None
    learned: World | None = None
    proven: World | None = None
    seen: Arrangement | None = None
    is_cancelled: Callable[[], bool] = lambda: False

    def must_be_wanted(self) -> None:
        """Stop if the answer is no longer needed; call this before work that takes time, costs money or is counted.

        Raises:
            AbandonedError: The run that made the request has ended.
        """
        if self.is_cancelled():
            raise AbandonedError


@dataclass(frozen=True, slots=True)
class Repeat:
    """Begin the child again; if the strategies that plan had given up, plan again.

    Attributes:
        said: A sentence that says what is done; None when the course of the run does not change.
        after: How long to wait first, in seconds of the body's clock.
        price: What the answer has cost, from the money of the strategy.
    """

    said: str | None = None
    after: float = 0.0
    price: float = 0.0


@dataclass(frozen=True, slots=True)
class NewPlan:
    """Carry out another plan for the same goal.

    Attributes:
        plan: The new plan.
        basis: The state that it starts from and the revision that it was made in; None if unknown.
        owed: Facts that the plan has disturbed and has to restore in addition to the goal.
        fields: Additional fields of the plan's event in the record.
        notes: Sentences that say how the plan was changed.
        obstacles: What the plan minds that the body has not met, such as what takes the room of a placement.
        price: What the plan has cost.
    """

    plan: Plan
    basis: Basis | None = None
    owed: Conjunct = frozenset()
    fields: tuple[tuple[str, object], ...] = ()
    notes: tuple[str, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    price: float = 0.0


@dataclass(frozen=True, slots=True)
class Detour:
    """Carry out other plans first, and then go on; with a new plan for the goal if the tree can plan.

    Attributes:
        before: The plans to carry out first, one after the other.
        after: Plans to carry out when the child has succeeded, such as to restore what was disturbed.
        until: Returns whether the detour is no longer needed in a state. It is called whenever the beliefs change, and
            ends the detour unless a hand is at work. None: the detour is needed to its end.
        said: A sentence that says what is done; None when there is nothing to report.
        notes: Sentences that are only recorded.
        price: What the answer has cost.
    """

    before: tuple[Plan, ...]
    after: tuple[Plan, ...] = ()
    until: Callable[[State], bool] | None = None
    said: str | None = None
    notes: tuple[str, ...] = ()
    price: float = 0.0


@dataclass(frozen=True, slots=True)
class NewGoal:
    """Pursue another goal from now on.

    Attributes:
        goals: Alternative goals; one of them is enough.
        plan: A plan for one of them; None when the tree plans from the current state.
        said: A sentence that says what is done instead.
        token: Additional data for the listener of the `Recover` node.
        price: What the answer has cost.
    """

    goals: tuple[Conjunct, ...]
    plan: Plan | None = None
    said: str = ""
    token: object = None
    price: float = 0.0


@dataclass(frozen=True, slots=True)
class Nothing:
    """No answer.

    Attributes:
        reason: Why there is none; None when the strategy is not meant for such a failure, so nothing is reported.
        price: What the search for an answer has cost.
    """

    reason: Feedback | None = None
    price: float = 0.0

    @classmethod
    def of(cls, answer: NoPlan, price: float = 0.0) -> Nothing:
        """Return `Nothing` with the reason of the planner."""
        return cls(answer.feedback, price)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question that only a person can answer.

    Attributes:
        question: The question.
        heard: Returns the answer for the words of the person and the request at that time; called off the tick.
        price: What the question has cost.
    """

    question: Question
    heard: Callable[[str, Request], Answer]
    price: float = 0.0


Answer = Repeat | NewPlan | Detour | NewGoal | Ask | Nothing


class Scope(StrEnum):
    """What a strategy changes, which decides how its budget counts.

    `STEP`: the strategy repairs the current plan. Only these strategies work inside a detour. `PLAN`: the strategy
    makes a new plan; `tries` and `same` of its budget count since the last progress of the run. `RUN`: the strategy
    changes the course of the run; its budget counts for the whole run. The budgets of `STEP` and `PLAN` are refilled
    when a more expensive strategy has answered.
    """

    STEP = "step"
    PLAN = "plan"
    RUN = "run"


class Strategy(ABC):
    """One way to recover from failures.

    Attributes:
        name: Its name as a rung of the ladder, in the record and in settings.
        scope: What it changes.
        seconds: The duration of `propose` on a simulated clock, in its seconds.
        price: The minimal cost of an answer; the strategy is asked only if its budget covers this.
        needs_goal: Whether it answers with another plan for the goal or with another goal, so that the child of the
            `Recover` node needs a plan.
        makes_plans: Whether its answers contain plans, so that the `Recover` node needs `carry_out`.
    """

    name: str
    scope: ClassVar[Scope] = Scope.STEP
    seconds: float = 0.0
    price: float = 0.0
    needs_goal: ClassVar[bool] = False
    makes_plans: ClassVar[bool] = False

    def applies(self, request: Request) -> bool:
        """Return whether the strategy may have an answer; called on the ticking thread, so it has to be fast.

        By default it applies to every recoverable failure.
        """
        return request.feedback.recoverable

    @abstractmethod
    def propose(self, request: Request) -> Answer:
        """Return how to go on; called off the tick, so it may take long."""
