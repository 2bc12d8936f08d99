"""What a rung may spend, and the rung of which all the lower ones are made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf
from typing import TypeVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from bt.record import Journal
from bt.repair import Rung
from bt.repairing.failing import Failing, failing
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs, Clock, NoPlan

__all__ = ["Budget", "LowRung"]

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Budget:
    """What a rung may spend from one start of its node to the next.

    Attributes:
        tries: How many failures it answers; planning anew (`bt.repairing.Anew`), how many since the run got further.
        same: How often it answers the same failure; counted like `tries`.
        seconds: How long it answers, counted on the body's clock from the first failure it was asked about.
        money: What its answers may cost together, in whatever unit their prices are told.
        most: How many failures it answers in all, however far the run gets.

    Raises:
        TreeError: One of them is negative.
    """

    tries: int = 6
    same: int = 2
    seconds: float = inf
    money: float = inf
    most: int = 60

    def __post_init__(self) -> None:
        if min(self.tries, self.same, self.seconds, self.money, self.most) < 0:
            raise TreeError("a budget is not negative")


class LowRung(Rung[Answer]):
    """A rung that hands a failure on as it is when it has no answer, so that the next one knows what has failed.

    Args:
        name: Its name in the record.
        child: What may fail.
        codes: The failures it is for; None for all that can be recovered from.
        beliefs: What is held true.
        clock: The body's clock.
        budget: What it may spend.
        settle: How long to wait before asking, in seconds of the clock.
        delay: How long an answer takes on a simulated clock, in its seconds.
        journal: Where failures and the rung's uses are written.
    """

    def __init__(
        self,
        name: str,
        child: Behaviour,
        codes: frozenset[Code] | None,
        *,
        beliefs: Beliefs,
        clock: Clock,
        budget: Budget,
        settle: float,
        delay: float | None,
        journal: Journal | None,
    ) -> None:
        super().__init__(name, child, beliefs=beliefs, clock=clock, settle=settle, delay=delay, journal=journal)
        self.kind = name
        self.codes = codes
        self.budget = budget
        self._reset()

    def _reset(self) -> None:
        self._asked_of: Counter[tuple[Code, str, tuple[str, ...]]] = Counter()
        self._began: float | None = None
        self._paid = 0.0
        self.failed: Failing | None = None

    def initialise(self) -> None:
        """Start with the full budget."""
        super().initialise()
        self._reset()

    def update(self) -> Status:
        """Take the child's status; of a failure, keep what of the child has failed."""
        if self.decorated.status == Status.FAILURE:
            self.failed = failing(self.decorated)
        return super().update()

    def price(self, feedback: Feedback) -> float:
        """Return what an answer to this failure costs."""
        return 0.0

    def answers(self, feedback: Feedback) -> bool:
        """Return whether this kind of failure is for this rung, and it may still answer it."""
        meant = feedback.recoverable and (self.codes is None or feedback.code in self.codes)
        return meant and self._affords(feedback)

    def _affords(self, feedback: Feedback) -> bool:
        spent = self.clock.now() - self._began if self._began is not None else 0.0
        return (
            self._asked_of.total() < min(self.budget.tries, self.budget.most)
            and self._asked_of[_key(feedback)] < self.budget.same
            and spent <= self.budget.seconds
            and self._paid + self.price(feedback) <= self.budget.money
        )

    def _is_spent(self) -> bool:
        """Take an answer off the budget, which `answers` has looked at."""
        feedback = self.causes[-1]
        self._asked_of[_key(feedback)] += 1
        self._paid += self.price(feedback)
        self._began = self.clock.now() if self._began is None else self._began
        return False

    def _take(self, answer: Answer | NoPlan, failed_at: float) -> Status | None:
        """Take the answer; not to have one is no use of the rung."""
        if isinstance(answer, NoPlan):
            self._pending = None
            return self._without(answer)
        return super()._take(answer, failed_at)

    def _without(self, answer: NoPlan) -> Status:
        """Write down why there is no answer, and hand on what failed."""
        self._write_down(answer.feedback)
        cause = self.causes[-1]
        self._failed_at = None
        return self.fail(cause)


def _key(feedback: Feedback) -> tuple[Code, str, tuple[str, ...]]:
    return feedback.code, feedback.what, feedback.culprits
