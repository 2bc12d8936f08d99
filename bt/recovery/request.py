"""What a recovery strategy is asked, and what it can answer.

A strategy is a value with a name, `applies(request)` and `propose(request)`; what it needs for that are the fields of a
dataclass. A new one is a class in a file of its own and a line where a tree lists its strategies (docs/trees.md shows
one). The strategies of a `Recover` node are the rungs of its repair ladder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from bt.execution.improvement import Basis
from domains.model import Domain
from semantics.atoms import Conjunct
from semantics.feedback import Feedback
from semantics.goal import Question
from semantics.protocols import NoPlan
from semantics.state import Operator, Plan, State

__all__ = [
    "AbandonedError",
    "Answer",
    "Ask",
    "Detour",
    "NewGoal",
    "NewPlan",
    "Nothing",
    "Repeat",
    "Request",
    "Scope",
    "Strategy",
]


class AbandonedError(Exception):
    """Nobody waits for an answer any more; it ends the thread that works it out, and nobody sees it."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Request:
    """A failure that asks for recovery, and what is known when it is answered.

    Attributes:
        feedback: Why it failed.
        state: What is believed.
        step: What failed; None when a plan was lost before any step of it began.
        lacking: Of a plan that was lost, the step that could not be taken.
        plan: The plan that failed; of a partly ordered plan what is left of it, in turn. None for a child without one.
        number: The number of the step in `plan`; None without one.
        rest: What is left of the plan under way; None without one.
        basis: Where `rest` was to begin, and the model that its plan was made with; None where nobody knows.
        learned: The model of the world with what was learned by then, such as what is in the way; None where nothing
            keeps that.
        is_cancelled: Whether nobody waits for the answer any more.
    """

    feedback: Feedback
    state: State
    step: Operator | None = None
    lacking: Operator | None = None
    plan: Plan | None = None
    number: int | None = None
    rest: Plan | None = None
    basis: Basis | None = None
    learned: Domain | None = None
    is_cancelled: Callable[[], bool] = _never

    def cancelled(self) -> bool:
        """Return whether nobody waits for the answer any more."""
        return self.is_cancelled()

    def must_be_wanted(self) -> None:
        """Give up what nobody waits for; call it before whatever takes time, costs money or is counted.

        Raises:
            AbandonedError: The run that asked has ended.
        """
        if self.is_cancelled():
            raise AbandonedError


@dataclass(frozen=True, slots=True)
class Repeat:
    """Begin the child again; of a plan that strategies beyond replanning have given up, plan again.

    Attributes:
        said: What is done, in a sentence; None when that is no turn of the run and nothing to tell.
        after: How long to wait before, in seconds of the body's clock.
        price: What finding the answer has cost, off the strategy's money.
    """

    said: str | None = None
    after: float = 0.0
    price: float = 0.0


@dataclass(frozen=True, slots=True)
class NewPlan:
    """Carry out another plan for the same goal.

    Attributes:
        plan: What to do.
        basis: The state it starts from and the model it was made with; None where nothing is claimed for it.
        owed: What was disturbed and has to be restored in the end, beside the goal.
        fields: More fields of the plan's event in the record.
        notes: What was done to the plan, in sentences.
        price: What finding it has cost.
    """

    plan: Plan
    basis: Basis | None = None
    owed: Conjunct = frozenset()
    fields: tuple[tuple[str, object], ...] = ()
    notes: tuple[str, ...] = ()
    price: float = 0.0


@dataclass(frozen=True, slots=True)
class Detour:
    """Do something else first, and then go on: with a new plan for the goal where one can be made.

    Attributes:
        before: What is done first, each a plan of its own.
        after: What is done when the child has succeeded, such as to restore what was disturbed.
        until: Whether the detour is no longer needed, asked of what is believed whenever that changes: it is broken off
            then, unless a hand is at work. None: it is needed to its end.
        said: What is done, in a sentence; None when that is nothing to tell.
        notes: What is done, for the record alone.
        price: What finding it has cost.
    """

    before: tuple[Plan, ...]
    after: tuple[Plan, ...] = ()
    until: Callable[[State], bool] | None = None
    said: str | None = None
    notes: tuple[str, ...] = ()
    price: float = 0.0


@dataclass(frozen=True, slots=True)
class NewGoal:
    """Go for another goal from here on.

    Attributes:
        goals: What is wanted: conjuncts, any of which will do.
        plan: A plan for one of them; None when they are planned for from where the world is.
        said: What is done instead, in a sentence.
        token: Whatever the one who listens to answers wants to know beside it.
        price: What finding it has cost.
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
        reason: Why; None where such a failure is not the strategy's business, so that there is nothing to tell.
        price: What finding none has cost.
    """

    reason: Feedback | None = None
    price: float = 0.0

    @classmethod
    def of(cls, answer: NoPlan, price: float = 0.0) -> Nothing:
        """Return that there is no answer, with the reason that planning gave."""
        return cls(answer.feedback, price)


@dataclass(frozen=True, slots=True)
class Ask:
    """A question that only a person can answer.

    Attributes:
        question: What is asked.
        heard: Makes something of the words, given the request as it stands by then; called off the tick.
        price: What finding the question has cost.
    """

    question: Question
    heard: Callable[[str, Request], Answer]
    price: float = 0.0


Answer = Repeat | NewPlan | Detour | NewGoal | Ask | Nothing


class Scope(StrEnum):
    """How far a strategy reaches, and so how its budget counts.

    A `STEP` strategy mends what is being done, in a detour too; its budget is refilled whenever a dearer strategy has
    answered. A `PLAN` strategy plans again; `tries` and `same` of its budget count since the run last got further.
    A `RUN` strategy changes the course of the run; its budget counts for the whole run.
    """

    STEP = "step"
    PLAN = "plan"
    RUN = "run"


class Strategy(ABC):
    """One way to recover from failures.

    Attributes:
        name: Its name as a rung of the ladder, in the record and in settings.
        scope: How far it reaches.
        seconds: How long proposing takes on a simulated clock, in its seconds.
        price: What an answer costs at least: it is not asked where its budget does not leave that.
        needs_goal: Whether it answers with another plan for the goal, or another goal, so that it cannot be used
            around a child without a plan.
        makes_plans: Whether its answers bring plans, so that it needs something to carry them out.
    """

    name: str
    scope: ClassVar[Scope] = Scope.STEP
    seconds: float = 0.0
    price: float = 0.0
    needs_goal: ClassVar[bool] = False
    makes_plans: ClassVar[bool] = False

    def applies(self, request: Request) -> bool:
        """Return whether it may know an answer to such a failure; asked on the ticking thread, so it has to be quick.

        By default, to every failure that can be recovered from.
        """
        return request.feedback.recoverable

    @abstractmethod
    def propose(self, request: Request) -> Answer:
        """Return how to go on; called off the tick, may take its time."""
