"""The repair ladder: decorators that answer a failure of what is below them, each with a budget.

`Rung` holds what all rungs share: it takes the child's `Feedback`, waits until the world has come to rest and was
sensed, asks for an answer on a thread of its own, and lets the child go on with it. A rung says what it asks
(`ask`, off the tick, may block) and what the answer changes (`mend`, between ticks). `Replan` is the first one. Cheaper
rungs stand nearer to the leaves, since a failure passes upwards.

On a simulated clock the answer arrives after a declared delay, whatever the wall clock did, so that one seed gives one
run; on a real one (``delay=None``) it arrives when it is there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from bt.errors import TreeError
from bt.pending import Pending
from bt.reactive.walking import failure_of, path_of
from bt.record import Journal
from semantics.feedback import Code, Feedback, Level
from semantics.protocols import Beliefs, Clock, NoPlan
from semantics.state import Plan, State

__all__ = ["Replan", "Replanner", "Rung"]

Answer = TypeVar("Answer")
Replanner = Callable[[State, Feedback], Plan | NoPlan]
"""Gives a plan from a state to the goal, or why there is none; called off the tick, it may take its time."""


class Rung(Decorator, ABC, Generic[Answer]):
    """Answers failures of its child until its budget is spent.

    Args:
        name: The rung's name in the record.
        child: What may fail.
        beliefs: What is held true.
        clock: The body's clock.
        tries: How many failures it answers.
        same: At how many equal physical failures it gives up, since the answer evidently does not help.
        settle: How long to wait before asking, in seconds of the clock, so that the world is at rest and was sensed.
        delay: How long an answer takes, in seconds of the clock; None to take it when it is there.
        journal: Where failures and the rung's uses are written.

    Attributes:
        feedback: Why it gave up.
        causes: Every failure it was asked to answer, oldest first.
    """

    kind = "rung"

    def __init__(
        self,
        name: str,
        child: Behaviour,
        *,
        beliefs: Beliefs,
        clock: Clock,
        tries: int = 6,
        same: int = 3,
        settle: float = 0.5,
        delay: float | None = 0.1,
        journal: Journal | None = None,
    ) -> None:
        if tries < 0 or same < 1 or settle < 0 or (delay is not None and delay < 0):
            raise TreeError(f"{name}: tries, settle and delay are not negative, and same is at least 1")
        super().__init__(name=name, child=child)
        self.what = f"at most {tries} times"
        self.feedback: Feedback | None = None
        self.causes: list[Feedback] = []
        self.beliefs = beliefs
        self.clock = clock
        self.journal = journal
        self._tries, self._same, self._settle, self._delay = tries, same, settle, delay
        self._forget()

    def _forget(self) -> None:
        self._failed_at: float | None = None
        self._pending: Pending[Answer | NoPlan] | None = None
        self._asked_revision = 0
        self._used: tuple[Feedback, float] | None = None

    @abstractmethod
    def ask(self, state: State, feedback: Feedback) -> Answer | NoPlan:
        """Find an answer; called on a thread of its own, may block."""

    @abstractmethod
    def mend(self, answer: Answer) -> None:
        """Let the child go on with the answer; called between ticks, never blocks."""

    def answers(self, feedback: Feedback) -> bool:
        """Return whether this kind of failure is for this rung."""
        return feedback.recoverable

    def initialise(self) -> None:
        """Start with the full budget."""
        self._forget()
        self.causes = []
        self.feedback = None
        self.feedback_message = ""

    def terminate(self, new_status: Status) -> None:
        """Let go of a question that is under way, and settle how the last use came out."""
        self._settle_use(new_status == Status.SUCCESS or self.is_served())
        self._forget()

    def is_served(self) -> bool:
        """Return whether what the child was for holds, when the rung is stopped from above."""
        return False

    def tick(self) -> Iterator[Behaviour]:
        """Tick the child, or wait for the answer to its failure."""
        if self.status != Status.RUNNING:
            self.initialise()
        status = self._wait() if self._failed_at is not None else None
        if status is None:
            yield from self.decorated.tick()
            status = self.update()
        if status != Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def update(self) -> Status:
        """Take the child's status, and a failure of it as something to answer."""
        if self.decorated.status != Status.FAILURE:
            return Status(self.decorated.status)
        feedback = failure_of(self.decorated)
        self._settle_use(self._used is not None and _key(feedback) != _key(self._used[0]))
        self.causes.append(feedback)
        if not self.answers(feedback):
            return self._fail(feedback)
        if self._is_spent():
            spent = self._spent()
            self._write_down(spent)
            return self._fail(spent)
        self._failed_at = self.clock.now()
        self.feedback_message = f"answering: {feedback}"
        return Status.RUNNING

    def _wait(self) -> Status | None:
        """Ask once the world is at rest, and take the answer when it is due; None when the child can go on."""
        assert self._failed_at is not None
        if self._pending is None:
            if self.clock.now() - self._failed_at < self._settle:
                return Status.RUNNING
            self._pending = self._question()
        if not self._pending.is_due(self.clock.now()):
            return Status.RUNNING
        return self._take(self._pending.result(), self._failed_at)

    def _question(self) -> Pending[Answer | NoPlan]:
        state, feedback = self.beliefs.state, self.causes[-1]
        self._asked_revision = self.beliefs.revision
        return Pending(lambda: self.ask(state, feedback), name=self.name, now=self.clock.now(), delay=self._delay)

    def _take(self, answer: Answer | NoPlan, failed_at: float) -> Status | None:
        self._pending = None
        cause, seconds = self.causes[-1], self.clock.now() - failed_at
        self._used = (cause, seconds)
        if isinstance(answer, NoPlan):
            self._settle_use(False)
            return self._without(answer)
        self._failed_at = None
        self.feedback_message = ""
        self.mend(answer)
        return None

    def _without(self, answer: NoPlan) -> Status:
        """Ask again when the world has changed since, else give up."""
        self.causes.append(answer.feedback)
        self._write_down(answer.feedback)
        if self._asked_revision != self.beliefs.revision and len(self.causes) <= self._tries:
            self._failed_at = self.clock.now()
            return Status.RUNNING
        return self._fail(answer.feedback)

    def _is_spent(self) -> bool:
        keys = Counter(_key(cause) for cause in self.causes if _counts(cause))
        return len(self.causes) > self._tries or max(keys.values(), default=0) >= self._same

    def _spent(self) -> Feedback:
        reasons = "; ".join(dict.fromkeys(map(str, self.causes)))
        names = dict.fromkeys(name for cause in self.causes for name in cause.culprits)
        why = f"it failed {len(self.causes)} times: {reasons}"
        return Feedback(Code.BUDGET_SPENT, self.name, why, culprits=tuple(names), recoverable=False)

    def _fail(self, feedback: Feedback) -> Status:
        self._failed_at = None
        self.feedback = feedback
        self.feedback_message = str(feedback)
        return Status.FAILURE

    def _write_down(self, feedback: Feedback) -> None:
        fields = {"t": round(self.clock.now(), 3), "node": path_of(self), "feedback": feedback.as_dict()}
        self.note("feedback", fields)

    def _settle_use(self, solved: bool) -> None:
        """Write down whether the last answer has helped."""
        if self._used is None:
            return
        (cause, seconds), self._used = self._used, None
        fields = {"rung": self.name, "code": str(cause.code), "solved": solved, "seconds": round(seconds, 3)}
        self.note("rung", {"t": round(self.clock.now(), 3), **fields})

    def note(self, event: str, fields: dict[str, object]) -> None:
        """Write an event down, when there is a journal."""
        if self.journal is not None:
            self.journal.write(event, fields)


def _key(feedback: Feedback) -> tuple[Code, str, tuple[str, ...]]:
    return feedback.code, feedback.what, feedback.culprits


def _counts(feedback: Feedback) -> bool:
    return feedback.level is Level.PHYSICAL or feedback.code is Code.EFFECT_MISSING


class Replan(Rung[Plan]):
    """The rung that makes a new plan from what is believed now, and a new tree of it.

    Args:
        child: The tree of the first plan, or any other that may fail.
        replanner: Gives a plan, or why there is none.
        build: Makes a tree of a plan.
        beliefs: What is held true.
        clock: The body's clock.
        tries: How many failures it answers.
        delay: How long planning takes, in seconds of a simulated clock; None on a real one.
        journal: Where plans, failures and uses are written.
    """

    kind = "replan"

    def __init__(
        self,
        child: Behaviour,
        replanner: Replanner,
        build: Callable[[Plan], Behaviour],
        *,
        beliefs: Beliefs,
        clock: Clock,
        tries: int = 6,
        settle: float = 0.5,
        delay: float | None = 0.1,
        journal: Journal | None = None,
    ) -> None:
        super().__init__(
            "replan", child, beliefs=beliefs, clock=clock, tries=tries, settle=settle, delay=delay, journal=journal
        )
        self.plan: Plan | None = None
        self._replanner = replanner
        self._build = build

    def ask(self, state: State, feedback: Feedback) -> Plan | NoPlan:
        """Plan from `state`."""
        return self._replanner(state, feedback)

    def mend(self, answer: Plan) -> None:
        """Put the new plan's tree in the place of the old one."""
        self.plan = answer
        child = self._build(answer)
        self.decorated.parent = None
        child.parent = self
        self.children[0] = self.decorated = child
        self.note("plan", plan_fields(answer, "replan"))

    def is_served(self) -> bool:
        """Return whether the new plan's goal holds."""
        return self.plan is not None and self.beliefs.state.satisfies(self.plan.goal)


def plan_fields(plan: Plan, why: str) -> dict[str, object]:
    """Return the fields of a ``plan`` event of the record."""
    return {
        "steps": [str(step) for step in plan.steps],
        "costs": [step.cost for step in plan.steps],
        "cost": plan.cost,
        "optimal": plan.optimal,
        "planner": plan.planner,
        "seconds": round(plan.seconds, 3),
        "why": why,
    }
