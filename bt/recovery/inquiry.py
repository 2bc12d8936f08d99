"""A question to a person: where it lies until it is answered, and waiting for that while the tree is ticked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from bt.background import Cancellation, Pending
from bt.recovery.request import Answer, Nothing
from semantics.feedback import Code, Feedback
from semantics.goal import Question

__all__ = ["PendingQuestion", "UserPrompt"]


@dataclass(eq=False, kw_only=True)
class UserPrompt:
    """Holds one question at a time; asked and read on the ticking thread, answered from any.

    Attributes:
        is_open: Whether there is somebody who could answer; where there is nobody, nothing is asked.
        question: What waits for an answer; only to be read.
    """

    is_open: bool = True
    question: Question | None = field(default=None, init=False)
    _words: str | None = field(default=None, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def ask(self, question: Question) -> None:
        """Put a question, in the place of any other."""
        with self._lock:
            self.question, self._words = question, None

    def answer(self, words: str) -> bool:
        """Answer it; return False when there is nothing to answer."""
        with self._lock:
            if self.question is None:
                return False
            self.question, self._words = None, words
            return True

    def taken(self) -> str | None:
        """Take the answer, if there is one."""
        with self._lock:
            words, self._words = self._words, None
            return words

    def withdraw(self) -> str | None:
        """Ask no longer; return an answer that has come and that nobody has taken."""
        with self._lock:
            words, self.question, self._words = self._words, None, None
            return words


class PendingQuestion:
    """A question to a person, and what is made of the answer; stands where a `Pending` does.

    Args:
        desk: Where the question is put.
        question: What is asked.
        work: Returns what makes something of the words, off the tick; itself called between ticks.
        due: Until when an answer is waited for, in seconds of the body's clock.
        delay: How long making something of it takes on a simulated clock, in its seconds; None where it is not one.
        heard: Is told the words, or None when nobody has answered.
        cancellation: Ends the waiting for what is made of the words.
    """

    def __init__(
        self,
        desk: UserPrompt,
        question: Question,
        work: Callable[[str], Callable[[], Answer]],
        *,
        due: float,
        delay: float | None,
        heard: Callable[[str | None], None],
        cancellation: Cancellation,
    ) -> None:
        self._desk, self._question, self._work = desk, question, work
        self._due, self._delay, self._heard, self._cancellation = due, delay, heard, cancellation
        self._pending: Pending[Answer] | None = None
        desk.ask(question)

    def arrived(self, now: float) -> bool:
        """Return whether there is an answer, or none is waited for any longer."""
        if self._pending is not None:
            return self._pending.arrived(now)
        is_over = now >= self._due
        words = self._desk.withdraw() if is_over else self._desk.taken()
        if words is None and not is_over:
            return False
        self._heard(words)
        if words is None:
            return True
        self._pending = Pending(
            self._work(words), name="answer", now=now, delay=self._delay, cancellation=self._cancellation
        )
        return self._pending.arrived(now)

    def result(self) -> Answer:
        """Return what was made of the words, or that nobody has answered; or raise what making it has raised."""
        if self._pending is None:
            why = "nobody has answered in time"
            return Nothing(Feedback(Code.QUESTION, f"'{self._question.text}'", why))
        return self._pending.result()
