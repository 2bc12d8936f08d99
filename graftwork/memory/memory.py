"""`Memory`: all episodes, for each instruction the subtrees that worked, with their counts, and what was taught.

A recalled subtree replaces the language model, never the checks: its goal is checked, its plan validated, and its
effects sensed like those of a new one. After two failures in a row a subtree is not recalled until it works again.

Each row is read by itself. One that cannot be read, or whose checksum is wrong, is marked with the reason and not used
any more; all others are. Learning the same again replaces it.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from domains.model import Domain
from domains.problem import Problem
from graftwork.errors import MemoryFileError
from graftwork.memory.instruction import form_of, instruction_key
from graftwork.memory.lessons import LessonStore
from graftwork.memory.rows import READERS, SAID, episode_of, is_sound, subtree_of, turns_of
from graftwork.memory.store import checksum, database, default_place, opened, statements
from graftwork.memory.subtree import Subtree
from graftwork.record.episode import Episode, Outcome, Tried
from semantics.errors import UnknownNameError, UsageError
from semantics.logic.goal import Goal
from semantics.logic.state import Action, State
from semantics.logic.vocabulary import Vocabulary
from semantics.process.database import BadRow

if TYPE_CHECKING:
    from graftwork.language.conversation import Turn
    from semantics.logic.lesson import NumberedLesson

MOST_FAILURES_IN_A_ROW = 2
_ARGUMENT = re.compile(r"(?<= )[\w-]+")
MOST_ALIKE = 16  # how many sentences that are like another one are looked at
EPISODE = "id, at, document, subtree, crc, fault"
SUBTREE = "id, key, domain, goal, scene, document, worked, failed, failed_in_a_row, at, crc, fault"
COUNTED_AS_FAILURE = frozenset({Outcome.FAILED, Outcome.REFUSED})


@dataclass(frozen=True, slots=True)
class Experience:
    """A goal and a plan, or a program, that worked for the same instruction in the same kind of scene.

    Attributes:
        id: Number of the subtree.
        goal: The remembered goal; it must be checked like any other. None for a program.
        actions: The plan that worked.
        as_before: Whether all facts that the plan needs still hold; otherwise only the goal is useful.
        optimal: Whether the plan is proved to be the cheapest from the current state.
        worked: How often it reached its goal.
        failed: How often it failed.
        program: The text of the program; empty for a goal.
    """

    id: int
    goal: Goal | None
    actions: tuple[Action, ...]
    as_before: bool
    optimal: bool = False
    worked: int = 0
    failed: int = 0
    program: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A stored episode.

    Attributes:
        id: Its number.
        at: When it was stored, UTC.
        episode: The episode.
        subtree: The subtree that it learned or used, if it is still stored.
        worked: How often that subtree reached its goal.
        failed: How often that subtree failed.
    """

    id: int
    at: datetime
    episode: Episode
    subtree: Subtree | None = None
    worked: int = 0
    failed: int = 0


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Memory:
    """A memory file; several threads and processes, forks among them, may use it at the same time.

    Attributes:
        path: The file.
        taught: What a person has taught.
    """

    def __init__(
        self, path: Path | str | None = None, *, now: Callable[[], datetime] = _utc_now, make: bool = True
    ) -> None:
        """Open the file at `path`, by default in the user's data folder.

        Args:
            path: The file.
            now: Returns the time of an episode, UTC.
            make: Whether to make the file if there is none; without it, there is nothing to read before the first
                episode is stored.

        Raises:
            MemoryFileError: The file cannot be opened, is damaged, or belongs to another program or a later version.
        """
        self.path = Path(path) if path is not None else default_place()
        self._store = database(self.path)
        if make or (self._store.exists and not self._store.is_current):
            opened(self.path)
        self._now = now
        self.taught = LessonStore(self._store, now)

    def remember(
        self,
        episode: Episode,
        subtree: Subtree | None = None,
        said: Sequence[Mapping[str, Any]] = (),
        words: str = "",
    ) -> int:
        """Store an episode and update the counts of its subtree; return the episode's number.

        Args:
            episode: The episode.
            subtree: The goal and plan of the episode. It is stored when the goal was achieved; a failure is counted
                when it is stored already and the goal was not reached.
            said: The turns of its conversation, as documents, if they are to be kept.
            words: The instruction as it was read; empty if that is as it was said.

        Raises:
            MemoryFileError: The file cannot be written.
        """
        at = self._now().isoformat(timespec="seconds")
        with self._store.transaction() as connection:
            key = instruction_key(words := words or episode.instruction)
            number = _weigh(connection, episode, subtree, at, words) if key and subtree is not None else None
            told = episode.as_dict() | ({SAID: list(said)} if said else {})
            document = json.dumps(told, ensure_ascii=False)
            row = (at, document, number, checksum(at, document))
            stored = connection.execute("INSERT INTO episodes (at, document, subtree, crc) VALUES (?, ?, ?, ?)", row)
            return int(stored.lastrowid or 0)

    def recall(self, instruction: str, vocabulary: Vocabulary, domain: Domain, state: State) -> Experience | None:
        """Return the best experience with the same instruction in the same kind of scene, or None.

        Experience in a world that this one extends counts too, after its own: the scene tells whether the classes of
        its things are equal, and the goal and the plan are checked like new ones.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        worlds = [domain.name, *domain.ancestry.bases.values()]
        rows = self._rows(
            f"SELECT {SUBTREE} FROM subtrees WHERE key = ? AND failed_in_a_row < ? "
            "AND domain IN (SELECT value FROM json_each(?)) "
            "ORDER BY domain = ? DESC, worked - failed DESC, at DESC, id DESC",
            (instruction_key(instruction), MOST_FAILURES_IN_A_ROW, json.dumps(worlds), domain.name),
        )
        for row, subtree in self._store.sound("subtrees", ["id"], rows, subtree_of):
            if subtree.scene == subtree.scene_now(instruction, vocabulary, state):
                worked, asked = row["worked"], row["worked"] + row["failed"]
                note = f"this was asked before, and so understood it worked {worked} of {asked} times"
                return Experience(
                    id=row["id"],
                    goal=subtree.goal and replace(subtree.goal, text=instruction, notes=(note,)),
                    actions=subtree.actions,
                    as_before=subtree.as_before(vocabulary, state),
                    optimal=subtree.still_optimal(Problem(domain, vocabulary.things, state)),
                    worked=worked,
                    failed=row["failed"],
                    program="" if subtree.goal else subtree.told,
                )
        return None

    def recall_alike(
        self, instruction: str, vocabulary: Vocabulary, domain: Domain, read: Callable[[], object]
    ) -> Experience | None:
        """Return the goal of an instruction that differs in its arguments only from one that worked, or None.

        The grammar decides, never a likeness: the instruction has the same words but for its nouns, the grammar reads
        it without any assumption, and the goal has the form of that which the other was understood as. So a negation,
        an exception, a number or an order more is another instruction.

        Args:
            instruction: The instruction.
            vocabulary: The names of the world.
            domain: The world.
            read: Reads the instruction by the grammar.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        form = form_of(instruction_key(instruction), vocabulary)
        rows = self._rows(
            f"SELECT {SUBTREE} FROM subtrees WHERE domain = ? AND form = ? AND failed_in_a_row < ? AND worked > failed "
            "ORDER BY at DESC LIMIT ?",
            (domain.name, form, MOST_FAILURES_IN_A_ROW, MOST_ALIKE),
        )
        goal = read() if rows and "*" in form else None
        if not isinstance(goal, Goal) or goal.notes or goal.every:
            return None
        for row, subtree in self._store.sound("subtrees", ["id"], rows, subtree_of):
            if subtree.goal is not None and _masked(subtree.goal) == _masked(goal):
                worked, failed = row["worked"], row["failed"]
                note = f"read like '{row['key']}', which worked {worked} of {worked + failed} times"
                return Experience(row["id"], replace(goal, notes=(note,)), (), False, False, worked, failed)
        return None

    def distrust(self, instruction: str, domain: str) -> None:
        """Recall nothing any more that worked for an instruction, because a person has corrected it.

        Raises:
            MemoryFileError: The file cannot be written.
        """
        with self._store.transaction() as connection:
            connection.execute(
                "UPDATE subtrees SET failed = failed + 1, failed_in_a_row = ? WHERE key = ? AND domain = ?",
                (MOST_FAILURES_IN_A_ROW, instruction_key(instruction), domain),
            )

    def lessons(self, domain: Domain) -> tuple[NumberedLesson, ...]:
        """Return what was taught that holds in a world, oldest first.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        return self.taught.of(domain) if self._rows("SELECT id FROM lessons WHERE NOT gone LIMIT 1") else ()

    def turns(self, domain: str, scene: str, vocabulary: Vocabulary) -> list[Turn]:
        """Return the last turns of the conversation in a scene that were kept, oldest first.

        They begin after the last that names something which is no longer there: "it" is never what was meant before.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        from graftwork.language.conversation import MOST_TURNS  # most memories are asked for no conversation

        rows = self._rows(statements()["said"], (domain, scene, MOST_TURNS))
        turns: list[Turn] = []
        things = vocabulary.things
        kept = (turns for _, turns in self._store.sound("episodes", ["id"], rows[::-1], turns_of))
        for turn, classes in chain.from_iterable(kept):
            is_there = all(name in things and things[name].class_name == kind for name, kind in classes.items())
            turns = [*turns, turn] if is_there else []
        return turns[-MOST_TURNS:]

    def tried(self, domain: str) -> tuple[Tried, ...]:
        """Return the successes and failures of each action in the episodes of a world, sorted by action.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        return tuple(sorted(filter(None, map(_tried, self._rows(statements()["tried"], (domain,))))))

    def labels(self) -> dict[str, tuple[str, float]]:
        """Return the class of each label of which a person has let one thing be treated so, with its probability.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        rows = self._rows(statements()["treated"])
        treated = (each for row in rows for each in json.loads(row["document"]).get("treatments", ()))
        return {str(each["label"]): (str(each["class"]), float(each["probability"])) for each in treated}

    def list(self) -> tuple[Record, ...]:
        """Return all episodes, the latest first.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        return self._records(self._rows(f"SELECT {EPISODE} FROM episodes ORDER BY id DESC"), "")

    def show(self, number: int) -> Record:
        """Return one episode.

        Raises:
            UnknownNameError: No episode has this number.
            MemoryFileError: The file cannot be read, or this episode cannot.
        """
        rows = self._rows(f"SELECT {EPISODE} FROM episodes WHERE id = ?", (number,))
        if not rows:
            raise self._unknown(number)
        records = self._records(rows, "WHERE id = ?", (rows[0]["subtree"],))
        if not records:
            raise MemoryFileError(self.path, f"episode {number} cannot be used: see graftwork memory check")
        return records[0]

    def set_aside(self) -> tuple[BadRow, ...]:
        """Return the rows that were found to be bad, and are not used.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        return tuple(
            BadRow(table, {"id": row["id"]}, row["fault"])
            for table in READERS
            for row in self._rows(f"SELECT id, fault FROM {table} WHERE fault IS NOT NULL ORDER BY id")
        )

    def forget(self, number: int | None = None) -> int:
        """Delete one episode and the subtree it learned or used, or everything; return the number of deleted episodes.

        Raises:
            UnknownNameError: No episode has this number.
            MemoryFileError: The file cannot be written.
        """
        if not self._store.exists:
            if number is None:
                return 0
            raise self._unknown(number)
        with self._store.transaction() as connection:
            if number is None:
                connection.execute("DELETE FROM subtrees")
                connection.execute("DELETE FROM lessons")
                return connection.execute("DELETE FROM episodes").rowcount
            row = connection.execute("DELETE FROM episodes WHERE id = ? RETURNING subtree", (number,)).fetchone()
            if row is None:
                raise self._unknown(number)
            connection.execute("DELETE FROM subtrees WHERE id = ?", (row["subtree"],))
            return 1

    def _rows(self, query: str, values: Sequence[object] = ()) -> Sequence[sqlite3.Row]:
        """Return the rows of a query; none if there is no file yet."""
        if not self._store.exists:
            return ()
        with self._store.reading() as connection:
            connection.create_function("is_sound", 3, is_sound, deterministic=True)
            return connection.execute(query, values).fetchall()

    def _records(
        self, episodes: Sequence[sqlite3.Row], where: str, values: Sequence[object] = ()
    ) -> tuple[Record, ...]:
        """Return records of episodes with the subtrees for which a condition of SQL holds."""
        subtrees = self._rows(f"SELECT {SUBTREE} FROM subtrees {where}", values)
        learned = {
            row["id"]: (subtree, int(row["worked"]), int(row["failed"]))
            for row, subtree in self._store.sound("subtrees", ["id"], subtrees, subtree_of)
        }
        return tuple(
            Record(row["id"], at, episode, *learned.get(row["subtree"], ()))
            for row, (at, episode) in self._store.sound("episodes", ["id"], episodes, episode_of)
        )

    def _unknown(self, number: int) -> UnknownNameError:
        numbers = [str(row["id"]) for row in self._rows("SELECT id FROM episodes")]
        return UnknownNameError("episode", str(number), numbers)


def _masked(goal: Goal) -> list[tuple[str, object]]:
    """Return the conditions and values of a goal with numbers in the place of its things."""
    forms = list[tuple[str, object]]()
    for stage in goal.stages:
        numbers = {name: f"*{at}" for at, name in enumerate(dict.fromkeys(_ARGUMENT.findall(str(stage.formula))))}
        masked = _ARGUMENT.sub(lambda match: numbers[match[0]], str(stage.formula))  # noqa: B023 - it is called here
        forms.append((masked, stage.values))
    return forms


def _tried(row: sqlite3.Row) -> Tried | None:
    """Return the results of an action; None if an episode without a checksum tells nonsense about it."""
    try:
        tried = Tried.from_dict(dict(row))
    except (TypeError, ValueError, KeyError, UsageError):
        return None
    return tried if min(tried[1:]) >= 0 and math.isfinite(tried.seconds) else None


def _weigh(connection: sqlite3.Connection, episode: Episode, subtree: Subtree, at: str, words: str) -> int | None:
    """Count a success or a failure; return the subtree's number if it is stored."""
    identity = (instruction_key(words), episode.domain, subtree.told, subtree.scene)
    if episode.outcome is Outcome.ACHIEVED and subtree.scene:
        row = (*identity, json.dumps(subtree.as_dict(), ensure_ascii=False), at)
        crc = checksum(*row)
        connection.execute(
            "INSERT INTO subtrees (key, domain, goal, scene, document, at, crc, form, worked) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1) "
            "ON CONFLICT (key, domain, goal, scene) DO UPDATE SET worked = worked + 1, failed_in_a_row = 0, "
            "document = excluded.document, at = excluded.at, crc = excluded.crc, form = excluded.form, fault = NULL",
            (*row, crc, subtree.form or None),
        )
    where = "WHERE key = ? AND domain = ? AND goal = ? AND scene = ?"
    if episode.outcome in COUNTED_AS_FAILURE:
        counts = "failed = failed + 1, failed_in_a_row = failed_in_a_row + 1"
        connection.execute(f"UPDATE subtrees SET {counts} {where}", identity)
    row = connection.execute(f"SELECT id FROM subtrees {where}", identity).fetchone()
    return None if row is None else row["id"]
