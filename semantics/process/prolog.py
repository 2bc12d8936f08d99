"""SWI-Prolog, in a worker process of its own (`semantics.process`).

A rule is data from outside, and Prolog is a library in C: a rule may end the process, hang in arithmetic that nothing
interrupts, or collect without end. So the process that stops a robot does not load it. The worker has the limits of its
process (memory), of each question (processor time) and of each answer (size). Before it looks at a rule, it writes the
rule's number to its standard error, so that the asking process can name the rule that ended it.

pyswip uses the thread that loads it; here that is the main thread of the process.
"""

from __future__ import annotations

import atexit
import contextlib
import math
import os
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from semantics.errors import PrologUnavailableError
from semantics.process.rule_text import quote

PROGRAM = Path(__file__).with_name("rules.pl")
HOW_TO_INSTALL = "install SWI-Prolog (on Debian: apt install swi-prolog-nox) and the package pyswip"
FOUND, BROKEN, REFUSED = "found", "broken", "refused"
MOST_WRITTEN = 1 << 20  # how long a file may be that the process writes, bytes; what it writes is notes
SPARE = 2
"""How much more processor time a question has than its time limit, seconds: for what is defined before the check."""


class Book(NamedTuple):
    """The rules of a world as text: the packs that they come with, and their bodies."""

    packs: tuple[str, ...]
    bodies: tuple[str, ...]


Scene = frozenset[tuple[str, str, frozenset[str]]]
"""The objects of a scene: name, class and affordances of each."""


class Asked(NamedTuple):
    """A question as it is sent."""

    number: int  # the number of the rule book
    book: Book | None  # the rule book, if the process does not know the number yet
    gone: list[int]  # the numbers of rule books to forget
    scene: Scene | None  # the objects of the scene, if they are not those of the last question
    conjuncts: str  # the conjuncts of a goal, as a list of Prolog
    union: str  # all of them as one conjunct, as a term of Prolog
    seconds: float  # the time limit of the check


Query = Callable[[str], Any]
"""Runs a query that succeeds once, and returns the value of ``A``, or None if there is none."""


def worker(notes: str) -> Callable[[Asked], tuple[Any, ...]]:
    """Start SWI-Prolog in this thread, and return the function that answers questions.

    Args:
        notes: The file to which the number of each rule is written before Prolog looks at it.

    Raises:
        PrologUnavailableError: SWI-Prolog is missing or does not start.
    """
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_WRITTEN, MOST_WRITTEN))
    query = _started()
    query(f"graftwork_rules:notes_to({quote(notes)})")
    return _Prolog(query, os.open(notes, os.O_WRONLY | os.O_APPEND)).answer


def _started() -> Query:
    try:
        from pyswip import Prolog
        from pyswip.core import cleanupProlog
    except Exception as error:  # pyswip raises a bare Exception for an old or unreadable SWI-Prolog
        raise PrologUnavailableError(f"SWI-Prolog is not available ({error}); {HOW_TO_INSTALL}") from error
    atexit.unregister(cleanupProlog)  # it waits for what a rule has begun

    def query(text: str) -> object:
        found: list[dict[str, Any]] = list(Prolog.query(text, maxresult=1))
        return found[0].get("A")

    query(f"load_files({quote(str(PROGRAM))}, [silent(true)])")
    return query


class _Prolog:
    """The rule books and the scene that SWI-Prolog knows.

    Any exception ends the process, see `semantics.process.child`. So what is known here is what the asking process
    has recorded.
    """

    def __init__(self, query: Query, notes: int) -> None:
        self._query = query
        self._notes = notes
        self._problems: dict[int, list[Any]] = {}
        """By the number of a rule book: each part with a problem, and the problem."""

    def answer(self, asked: Asked) -> tuple[Any, ...]:
        """Return `FOUND` and the violations, `BROKEN` with a rule and a reason, or `REFUSED` with several.

        A violation is the index of the conjunct, the index of the rule, and the culprits. A rule is its index, or
        ``none`` for the packs.
        """
        self._limit(asked.seconds)
        for number in asked.gone:
            self._query(f"graftwork_rules:forget({number})")
            del self._problems[number]
        if asked.book is not None:
            self._problems[asked.number] = self._defined(asked.number, asked.book, asked.seconds)
        if asked.scene is not None:
            self._describe(asked.scene)
        if self._problems[asked.number]:
            return REFUSED, self._problems[asked.number]
        check = f"violations({asked.number}, {asked.conjuncts}, {asked.union}, {asked.seconds:f}, A)"
        return tuple(self._query(f"graftwork_rules:{check}"))

    def _limit(self, seconds: float) -> None:
        """Limit the processor time until the next question, and begin the notes anew."""
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        soft = math.ceil(time.process_time() + seconds + SPARE)
        resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
        with contextlib.suppress(OSError):  # no file in memory
            os.ftruncate(self._notes, 0)

    def _defined(self, number: int, book: Book, seconds: float) -> list[Any]:
        rules = ",".join(f"rule({index},{quote(body)})" for index, body in enumerate(book.bodies))
        packs = ",".join(map(quote, book.packs))
        problems = self._query(f"graftwork_rules:define({number}, [{packs}], [{rules}], {seconds:f}, A)")
        return list(problems)

    def _describe(self, scene: Scene) -> None:
        facts = [f"thing({quote(name)},{quote(class_name)})" for name, class_name, _ in scene]
        facts += [
            f"affords({quote(name)},{quote(affordance)})"
            for name, _, affordances in scene
            for affordance in affordances
        ]
        self._query(f"graftwork_rules:describe([{','.join(facts)}])")
