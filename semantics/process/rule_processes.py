"""The worker processes that check goals against rules; all rule books of a program share them.

What a process knows already is not sent again: a rule book has a number, and the scene of the last question is kept.
A process that ended is replaced, and the question is asked once more. A process that is late is killed.
"""

from __future__ import annotations

import os
import re
import threading
import time
import weakref
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from semantics.errors import ProcessFailedError, PrologUnavailableError
from semantics.process.child import SPENT
from semantics.process.pool import Pool, Ticket
from semantics.process.prolog import HOW_TO_INSTALL, Asked, Book, Scene
from semantics.process.seat import CalledOffError, DiedError, LateError, WorkerSpec

SEATS = 4
"""How many checks run at once. One process is started at first, and another one when a check finds all at work."""
MEMORY = 384 << 20  # how much memory a process may use, bytes
MOST_ANSWER = 1 << 24  # the size of the largest answer, bytes; `rules.pl` keeps within it
OVERTIME = 1.0  # how much later than its time limit an answer may come before the process is killed, seconds
WAITING = 60.0  # how long a check waits for a free process, seconds
ATTEMPTS = 2
REMEMBERED = 8  # how many rule books a process remembers
NOTE = re.compile(r"^rule (\w+)$", re.MULTILINE)


class RuleQuestion(NamedTuple):
    """A check of a goal, with the whole rule book and the whole scene; see `semantics.process.prolog.Asked`."""

    book: Book
    scene: Scene
    conjuncts: str
    union: str
    seconds: float


class BrokenCheckError(Exception):
    """A check has no answer.

    Attributes:
        rule: The index of the rule that was looked at, or None if it was none of them.
        reason: What is wrong, half a sentence.
    """

    def __init__(self, reason: str, rule: int | None = None) -> None:
        self.rule = rule
        self.reason = reason
        super().__init__(reason)


@dataclass
class RuleLedger:
    """The record of what one process knows."""

    _books: OrderedDict[Book, int] = field(default_factory=OrderedDict)
    _next: int = 0
    _scene: Scene | None = None

    def tell(self, question: RuleQuestion) -> Asked:
        """Return the question without what the process knows already, and record what it will know.

        Raises:
            UnicodeError: The scene holds a name that no text can hold.
        """
        number = self._books.get(question.book)
        book = None if number is not None else question.book
        if number is None:
            self._next += 1
            number = self._books[question.book] = self._next
        self._books.move_to_end(question.book)
        gone = [self._books.popitem(last=False)[1] for _ in range(len(self._books) - REMEMBERED)]
        scene = None if question.scene == self._scene else question.scene
        for name, class_name, affordances in scene or ():
            "".join((name, class_name, *affordances)).encode()
        self._scene = question.scene
        return Asked(number, book, gone, scene, question.conjuncts, question.union, question.seconds)


def _unavailable(reason: str) -> PrologUnavailableError:
    return PrologUnavailableError(f"SWI-Prolog is not available ({reason}); {HOW_TO_INSTALL}")


# A person waits for the check of a goal, so its priority is that of the program; its processor time is limited.
WORK = WorkerSpec(
    "semantics.process.prolog:worker", ("/dev/stderr",), RuleLedger, _unavailable, MEMORY, MOST_ANSWER, has_notes=True
)


class RuleProcesses:
    """The processes; they end with this object, or with the program."""

    def __init__(self) -> None:
        self._pool = Pool(WORK, SEATS, spares=0, at_once=1)
        weakref.finalize(self, Pool.close, self._pool)

    def begin(self) -> None:
        """Start a process, without waiting for it; the first check reports an error."""
        self._pool.begin()

    def ask(self, question: RuleQuestion) -> tuple[Any, ...]:
        """Check a goal, see `semantics.process.prolog`.

        Raises:
            BrokenCheckError: A rule ended the process, or took too long or too much memory.
            PrologUnavailableError: SWI-Prolog is missing or does not start.
        """
        ticket = Ticket(WAITING)
        notes = ""
        with self._pool.asking(ticket):
            for _ in range(ATTEMPTS):
                seat = self._pool.take(ticket)
                if seat is None:
                    raise _unavailable("no process of it became free")
                try:
                    reply = self._pool.ask(seat, question, time.monotonic() + question.seconds + OVERTIME)
                except LateError as error:
                    raise BrokenCheckError("it takes too long", _noted(error.notes)) from None
                except CalledOffError:
                    raise _unavailable("its processes were ended") from None
                except ProcessFailedError as error:
                    raise BrokenCheckError(error.what) from error
                except DiedError as error:
                    notes = error.notes
                    continue
                if reply.kind == SPENT:
                    raise BrokenCheckError("it needs too much memory", _noted(reply.value))
                answer: tuple[Any, ...] = reply.value
                return answer
        raise BrokenCheckError("it ended its process", _noted(notes))


def _noted(notes: str) -> int | None:
    """Return the last rule that a process noted."""
    names = NOTE.findall(notes)
    return int(names[-1]) if names and names[-1].isdecimal() else None


_shared: weakref.ref[RuleProcesses] | None = None
_lock = threading.Lock()


def shared() -> RuleProcesses:
    """Return the processes of this program; they end when nobody keeps them any more."""
    global _shared  # noqa: PLW0603  # one for the program
    with _lock:
        found = None if _shared is None else _shared()
        if found is None:
            found = RuleProcesses()
            _shared = weakref.ref(found)
        return found


def _forked() -> None:
    global _lock  # noqa: PLW0603  # a thread that the fork does not have may hold it
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forked)
