"""`LessonStore`: what a person has taught, in the file of the memory.

Nothing that was taught is thrown away at once: what is forgotten lies in a bin, from which `undo` takes it. Each change
has a number, so that `undo` takes back the last one as a whole, also a lesson that came in the place of others.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from domains.model import Domain
from graftwork.memory.rows import lesson_of
from graftwork.memory.store import checksum
from semantics.errors import UnknownNameError
from semantics.logic.lesson import Lesson, NumberedLesson
from semantics.process.database import Database

LESSON = "id, at, domain, document, gone, change, crc, fault"
NEXT = "(SELECT coalesce(max(change), 0) + 1 FROM lessons)"


@dataclass(frozen=True, slots=True)
class KeptLesson:
    """A lesson as it is kept: its number, the world it was taught in, when, and whether it lies in the bin."""

    number: int
    lesson: Lesson
    domain: str
    at: str
    gone: bool = False


@dataclass(frozen=True, slots=True)
class LessonStore:
    """The lessons of a memory; `now` returns the time, UTC."""

    database: Database
    now: Callable[[], datetime]

    def of(self, domain: Domain) -> tuple[NumberedLesson, ...]:
        """Return the lessons that hold in a world: its own, and those of the worlds that it extends, oldest first.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        worlds = {domain.name, *domain.ancestry.bases.values()}
        return tuple(NumberedLesson(each.number, each.lesson) for each in self.list() if each.domain in worlds)

    def list(self, *, bin: bool = False) -> tuple[KeptLesson, ...]:
        """Return all lessons, oldest first; with `bin` those that were forgotten.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        if not self.database.exists:
            return ()
        with self.database.reading() as connection:
            rows = connection.execute(f"SELECT {LESSON} FROM lessons WHERE gone = ? ORDER BY id", (bin,)).fetchall()
        return tuple(
            KeptLesson(row["id"], lesson, row["domain"], row["at"], bool(row["gone"]))
            for row, lesson in self.database.sound("lessons", ["id"], rows, lesson_of)
        )

    def learn(self, lesson: Lesson, domain: str, instead: Sequence[int] = ()) -> int:
        """Keep a lesson, in the place of others; return its number.

        Raises:
            MemoryFileError: The file cannot be written.
        """
        at = self.now().isoformat(timespec="seconds")
        document = json.dumps(lesson.as_dict(), ensure_ascii=False)
        with self.database.transaction() as connection:
            (change,) = connection.execute(f"SELECT {NEXT}").fetchone()
            _put_aside(connection, instead, change)
            row = (at, domain, document, change, checksum(at, domain, document))
            columns = "(at, domain, document, change, crc) VALUES (?, ?, ?, ?, ?)"
            return int(connection.execute(f"INSERT INTO lessons {columns}", row).lastrowid or 0)

    def forget(self, numbers: Iterable[int]) -> int:
        """Put lessons into the bin; return how many.

        Raises:
            UnknownNameError: No lesson has one of the numbers.
            MemoryFileError: The file cannot be written.
        """
        known = {each.number for each in self.list()}
        for number in (wanted := tuple(dict.fromkeys(numbers))):
            if number not in known:
                raise UnknownNameError("lesson", f"L{number}", [f"L{each}" for each in sorted(known)])
        if wanted:
            with self.database.transaction() as connection:
                (change,) = connection.execute(f"SELECT {NEXT}").fetchone()
                _put_aside(connection, wanted, change)
        return len(wanted)

    def undo(self) -> tuple[KeptLesson, ...]:
        """Take back the last change of lessons; return those that it was about, as they are now.

        What was learned goes into the bin, what was forgotten comes out of it.

        Raises:
            MemoryFileError: The file cannot be written.
        """
        if not self.database.exists:
            return ()
        with self.database.transaction() as connection:
            (last,) = connection.execute("SELECT max(change) FROM lessons").fetchone()
            numbers = [row["id"] for row in connection.execute("SELECT id FROM lessons WHERE change = ?", (last,))]
            change = f"UPDATE lessons SET gone = NOT gone, change = {NEXT} WHERE change = ?"
            connection.execute(change, (last,))
        both = (*self.list(), *self.list(bin=True))
        return tuple(each for each in both if each.number in numbers)


def _put_aside(connection: sqlite3.Connection, numbers: Iterable[int], change: int) -> None:
    for number in numbers:
        connection.execute("UPDATE lessons SET gone = TRUE, change = ? WHERE id = ?", (change, number))
