"""The repair ladder: decorators that answer a failure of what is below them, each with a budget.

`Rung` holds what all rungs share: it takes the child's `Feedback`, waits until the world has come to rest and was
sensed, asks for an answer on a thread of its own, and lets the child go on with it. A rung says what it asks
(`ask`, off the tick, may block) and what the answer changes (`mend`, between ticks). `bt.replanning` has the
first one. Cheaper rungs stand nearer to the leaves, since a failure passes upwards.

On a simulated clock the answer arrives after a declared delay, whatever the wall clock did, so that one seed gives one
run; on a real one (``delay=None``) it arrives when it is there.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from typing import Generic, NamedTuple, TypeVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from bt.pending import Awaited, Pending
from bt.reactive.accountable import Guard
from bt.reactive.bounds import lag_of
from bt.reactive.judging import holds, in_the_making
from bt.reactive.walking import failure_of, path_of, purpose_of
from bt.record import Journal
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback, Level
from semantics.protocols import Beliefs, Clock, NoPlan
from semantics.state import State

__all__ = ["Rung"]

Answer = TypeVar("Answer")

SENSED = (Code.PRECONDITION, Code.EFFECT_MISSING)
"""Failures that a sensing has shown, so that none has to be waited for."""


class Use(NamedTuple):
    """An answer that was taken.

    Attributes:
        cause: The failure it answers.
        seconds: From that failure to the answer, on the body's clock.
        failed_at: When that failure was, on that clock.
        sought: What failed to be brought about; None when nothing less than success shows that the answer has helped.
    """

    cause: Feedback
    seconds: float
    failed_at: float
    sought: Conjunct | None


class Rung(Guard, Generic[Answer]):
    """Answers failures of its child until its budget is spent.

    Args:
        name: The rung's name in the record.
        child: What may fail.
        beliefs: What is held true.
        clock: The body's clock.
        tries: How many failures it answers.
        same: At how many equal physical failures it gives up, since the answer evidently does not help.
        settle: How long to wait before asking, in seconds of the clock, so that the world is at rest and was sensed.
            Where a body says that its sensing is exact, no longer than it takes to be sensed.
        delay: How long an answer takes on a simulated clock, in its seconds; None, as on a real clock, to take it as
            soon as it is there.
        journal: Where failures and the rung's uses are written.

    Attributes:
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
        self.causes: list[Feedback] = []
        self.beliefs = beliefs
        self.clock = clock
        self.journal = journal
        self._tries, self._same, self._settle = tries, same, settle
        self._delay = delay if clock.simulated else None
        self._forget()

    def _forget(self) -> None:
        self._failed_at: float | None = None
        self._pending: Awaited[Answer | NoPlan] | None = None
        self._asked_revision = 0
        self._sought: Conjunct | None = None
        self._used: Use | None = None

    @property
    def is_answering(self) -> bool:
        """Whether a failure waits for an answer."""
        return self._failed_at is not None

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
        super().initialise()
        self._forget()
        self.causes = []

    def terminate(self, new_status: Status) -> None:
        """Let go of a question that is under way, and settle how the last use came out."""
        self._settle_use(new_status == Status.SUCCESS or self.is_served())
        self._forget()

    def is_served(self) -> bool:
        """Return whether what the child was for holds, when the rung is stopped from above."""
        return False

    def update(self) -> Status:
        """Take the child's status, and a failure of it as something to answer."""
        if self._got_further():
            self._settle_use(True)
        if self.decorated.status != Status.FAILURE:
            return Status(self.decorated.status)
        self._settle_use(False)
        feedback = failure_of(self.decorated)
        self.causes.append(feedback)
        if not self.answers(feedback):
            return self.fail(feedback)
        if self._is_spent():
            spent = self._spent()
            self._write_down(spent)
            return self.fail(spent)
        self._failed_at = self.clock.now()
        self._sought = purpose_of(self.decorated)
        self.feedback_message = f"answering: {feedback}"
        if self._rests_at(feedback) <= self._failed_at:
            self._pending = self._question()
        return Status.RUNNING

    def _rests_at(self, feedback: Feedback) -> float:
        """Return when the world can be asked about: at rest, and sensed since the failure."""
        assert self._failed_at is not None
        lag = lag_of(self.beliefs)
        if lag is not None and feedback.code in SENSED:
            return self._failed_at
        return self._failed_at + (self._settle if lag is None else min(lag, self._settle))

    def _got_further(self) -> bool:
        """Return whether what had failed was brought about since, by work that has come to its end."""
        sought = self._used.sought if self._used else None
        return sought is not None and holds(sought, self.beliefs) and not in_the_making(sought, self.decorated)

    def settled(self) -> Status | None:
        """Ask once the world is at rest, and take the answer when it is due; None when the child can go on."""
        if self._failed_at is None:
            return None
        if self._pending is None:
            if self.clock.now() < self._rests_at(self.causes[-1]) - 1e-9:
                return Status.RUNNING
            self._pending = self._question()
        if not self._pending.arrived(self.clock.now()):
            return Status.RUNNING
        return self._take(self._pending.result(), self._failed_at)

    def _question(self) -> Pending[Answer | NoPlan]:
        state, feedback = self.beliefs.state, self.causes[-1]
        self._asked_revision = self.beliefs.revision
        return Pending(lambda: self.ask(state, feedback), name=self.name, now=self.clock.now(), delay=self._delay)

    def _take(self, answer: Answer | NoPlan, failed_at: float) -> Status | None:
        self._pending = None
        seconds, sought = self.clock.now() - failed_at, self._not_yet(self._sought)
        self._used = Use(self.causes[-1], seconds, failed_at, sought)
        if isinstance(answer, NoPlan):
            self._settle_use(False)
            return self._without(answer)
        self._failed_at = None
        self.feedback_message = ""
        self.mend(answer)
        return None

    def _not_yet(self, sought: Conjunct | None) -> Conjunct | None:
        """Return what was sought, unless it has come about by itself and so says nothing of the answer."""
        return sought if sought is not None and not holds(sought, self.beliefs) else None

    def _without(self, answer: NoPlan) -> Status:
        """Ask again when the world has changed since, else give up."""
        self.causes.append(answer.feedback)
        self._write_down(answer.feedback)
        if self._asked_revision != self.beliefs.revision and not self._is_spent():
            self._failed_at = self.clock.now()
            return Status.RUNNING
        return self.fail(answer.feedback)

    def _counted(self) -> list[Feedback]:
        """Return the failures that are held against its tries."""
        return self.causes

    def _is_spent(self) -> bool:
        counted = self._counted()
        keys = Counter(_key(cause) for cause in counted if _counts(cause))
        return len(counted) > self._tries or max(keys.values(), default=0) >= self._same

    def _spent(self) -> Feedback:
        counted = self._counted()
        reasons = "; ".join(dict.fromkeys(map(str, counted)))
        names = dict.fromkeys(name for cause in counted for name in cause.culprits)
        why = f"it failed {self._how_often()}: {reasons}"
        return Feedback(Code.BUDGET_SPENT, self.name, why, culprits=tuple(names), recoverable=False)

    def _how_often(self) -> str:
        return f"{len(self.causes)} times"

    def _write_down(self, feedback: Feedback) -> None:
        fields = {"t": round(self.clock.now(), 3), "node": path_of(self), "feedback": feedback.as_dict()}
        self.note("feedback", fields)

    def _settle_use(self, solved: bool) -> None:
        """Write down whether the last answer has helped: the run got further with it, or ended well."""
        if self._used is None:
            return
        use, self._used = self._used, None
        fields = {"rung": self.name, "code": str(use.cause.code), "solved": solved, "seconds": round(use.seconds, 3)}
        self.note("rung", {"t": round(self.clock.now(), 3), "failed": round(use.failed_at, 3), **fields})

    def note(self, event: str, fields: dict[str, object]) -> None:
        """Write an event down, when there is a journal."""
        if self.journal is not None:
            self.journal.write(event, fields)


def _key(feedback: Feedback) -> tuple[Code, str, tuple[str, ...]]:
    return feedback.code, feedback.what, feedback.culprits


def _counts(feedback: Feedback) -> bool:
    return feedback.level is Level.PHYSICAL or feedback.code is Code.EFFECT_MISSING
