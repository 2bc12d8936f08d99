"""Questions to a person: the mailbox for the question and its answer, and the wait for it during ticks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from bt.background import Cancellation, Pending
from bt.recovery.request import Answer, Nothing
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Question


@dataclass(eq=False, kw_only=True)
class UserPrompt:
    """A mailbox for one question at a time. The ticking thread asks and reads; any thread may answer.

    Attributes:
        is_open: Whether a person can answer; if not, no question is asked.
        question: The open question; read-only.
    """

    is_open: bool = True
    question: Question | None = field(default=None, init=False)
    _words: str | None = field(default=None, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def ask(self, question: Question) -> None:
        """Ask a question; it replaces an open one."""
        with self._lock:
            self.question, self._words = question, None

    def answer(self, words: str) -> bool:
        """Answer the open question; return False when there is none."""
        with self._lock:
            if self.question is None:
                return False
            self.question, self._words = None, words
            return True

    def taken(self) -> str | None:
        """Remove and return the answer, if there is one."""
        with self._lock:
            words, self._words = self._words, None
            return words

    def withdraw(self) -> str | None:
        """Close the question; return an answer that has not been taken yet."""
        with self._lock:
            words, self.question, self._words = self._words, None, None
            return words


@dataclass(eq=False)
class PendingQuestion:
    """A question to a person, and the work on the answer; it has the interface of `Pending`."""

    desk: UserPrompt  # the mailbox for the question
    question: Question  # the question
    work: Callable[[str], Callable[[], Answer]]
    """Called between ticks with the words of the person; returns the function that works on them off the tick."""
    due: float  # the time limit for the words, in seconds of the body's clock
    delay: float | None  # the duration of the work on a simulated clock, in its seconds; None on a real clock
    heard: Callable[[str | None], None]  # called with the words, or with None when the time limit has passed
    cancellation: Cancellation  # ends the wait for the work
    _pending: Pending[Answer] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.desk.ask(self.question)

    def arrived(self, now: float) -> bool:
        """Return whether there is an answer, or the time limit has passed."""
        if self._pending is not None:
            return self._pending.arrived(now)
        is_over = now >= self.due
        words = self.desk.withdraw() if is_over else self.desk.taken()
        if words is None and not is_over:
            return False
        self.heard(words)
        if words is None:
            return True
        self._pending = Pending(
            self.work(words), name="answer", now=now, delay=self.delay, cancellation=self.cancellation
        )
        return self._pending.arrived(now)

    def result(self) -> Answer:
        """Return the answer, or `Nothing` after the time limit; an error of the work is raised here."""
        if self._pending is None:
            why = "nobody has answered in time"
            return Nothing(Feedback(Code.QUESTION, f"'{self.question.text}'", why))
        return self._pending.result()
