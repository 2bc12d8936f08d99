"""`Memory`: all episodes, and for each instruction the subtrees that worked, with their counts.

A recalled subtree replaces the language model, never the checks: its goal is checked, its plan validated, and its
effects sensed like those of a new one. After two failures in a row a subtree is not recalled until it works again.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from domains.model import Domain
from domains.problem import Problem
from graftwork.errors import MemoryFileError
from graftwork.memory.instruction import instruction_key
from graftwork.memory.store import default_place, opened
from graftwork.memory.subtree import Subtree, scene_of
from graftwork.record.episode import Episode, Outcome, Tried
from semantics.errors import UnknownNameError, UsageError
from semantics.goal import Goal
from semantics.state import Action, State
from semantics.vocabulary import Vocabulary

__all__ = ["Experience", "Memory", "Record"]

MOST_FAILURES_IN_A_ROW = 2
COUNTED_AS_FAILURE = frozenset({Outcome.FAILED, Outcome.REFUSED})


@dataclass(frozen=True, slots=True)
class Experience:
    """A goal and a plan that worked for the same instruction in the same kind of scene.

    Attributes:
        id: Number of the subtree.
        goal: The remembered goal; it must be checked like any other.
        actions: The plan that worked.
        as_before: Whether all facts that the plan needs still hold; otherwise only the goal is useful.
        optimal: Whether the plan is proved to be the cheapest from the current state.
        worked: How often it reached its goal.
        failed: How often it failed.
    """

    id: int
    goal: Goal
    actions: tuple[Action, ...]
    as_before: bool
    optimal: bool = False
    worked: int = 0
    failed: int = 0


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


_RECORDS = """
    SELECT episodes.id, episodes.at, episodes.document AS episode, subtrees.document AS subtree, worked, failed
    FROM episodes LEFT JOIN subtrees ON subtrees.id = episodes.subtree
"""

_TRIED = """
    SELECT json_extract(tried.value, '$.action') AS action, sum(json_extract(tried.value, '$.worked')) AS worked,
        sum(json_extract(tried.value, '$.failed')) AS failed, sum(json_extract(tried.value, '$.seconds')) AS seconds
    FROM episodes, json_each(episodes.document, '$.tried') AS tried
    WHERE json_extract(episodes.document, '$.domain') = ? GROUP BY 1
"""


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Memory:
    """A memory file; several threads and processes may use it at the same time."""

    def __init__(self, path: Path | str | None = None, *, now: Callable[[], datetime] = _utc_now) -> None:
        """Open or create the file at `path`, by default in the user's data folder.

        Raises:
            MemoryFileError: The file cannot be opened, is damaged, or belongs to another program or a later version.
        """
        self.path = Path(path) if path is not None else default_place()
        self._store = opened(self.path)
        self._now = now

    def remember(self, episode: Episode, subtree: Subtree | None = None) -> int:
        """Store an episode and update the counts of its subtree; return the episode's number.

        Args:
            episode: The episode.
            subtree: The goal and plan of the episode. It is stored when the goal was achieved; a failure is counted
                when it is stored already and the goal was not reached.

        Raises:
            MemoryFileError: The file cannot be written.
        """
        at = self._now().isoformat(timespec="seconds")
        with self._store.transaction() as connection:
            key = instruction_key(episode.instruction)
            number = _weigh(connection, episode, subtree, at) if key and subtree is not None else None
            document = json.dumps(episode.as_dict(), ensure_ascii=False)
            row = connection.execute(
                "INSERT INTO episodes (at, document, subtree) VALUES (?, ?, ?) RETURNING id", (at, document, number)
            )
            return int(row.fetchone()["id"])

    def recall(self, instruction: str, vocabulary: Vocabulary, domain: Domain, state: State) -> Experience | None:
        """Return the best experience with the same instruction in the same kind of scene, or None.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        with self._store.reading() as connection:
            rows = connection.execute(
                "SELECT * FROM subtrees WHERE key = ? AND domain = ? AND failed_in_a_row < ? "
                "ORDER BY worked - failed DESC, at DESC, id DESC",
                (instruction_key(instruction), domain.name, MOST_FAILURES_IN_A_ROW),
            ).fetchall()
        for row in rows:
            subtree = self._subtree(row["document"])
            if subtree.scene == scene_of(instruction, subtree.goal, vocabulary, state):
                worked, asked = row["worked"], row["worked"] + row["failed"]
                note = f"this was asked before, and so understood it worked {worked} of {asked} times"
                return Experience(
                    id=row["id"],
                    goal=Goal(subtree.goal, instruction, (note,)),
                    actions=subtree.actions,
                    as_before=subtree.as_before(vocabulary, state),
                    optimal=subtree.still_optimal(Problem(domain, vocabulary.things, state)),
                    worked=worked,
                    failed=row["failed"],
                )
        return None

    def tried(self, domain: str) -> tuple[Tried, ...]:
        """Return the successes and failures of each action in the episodes of a world, sorted by action.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        with self._store.reading() as connection:
            rows = connection.execute(_TRIED, (domain,)).fetchall()
        return tuple(sorted(Tried.from_dict(dict(row)) for row in rows))

    def list(self) -> tuple[Record, ...]:
        """Return all episodes, the latest first.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        with self._store.reading() as connection:
            rows = connection.execute(f"{_RECORDS} ORDER BY episodes.id DESC").fetchall()
        return tuple(map(self._record, rows))

    def show(self, number: int) -> Record:
        """Return one episode.

        Raises:
            UnknownNameError: No episode has this number.
            MemoryFileError: The file cannot be read.
        """
        with self._store.reading() as connection:
            row = connection.execute(f"{_RECORDS} WHERE episodes.id = ?", (number,)).fetchone()
            if row is None:
                raise _unknown(connection, number)
        return self._record(row)

    def forget(self, number: int | None = None) -> int:
        """Delete one episode and the subtree it learned or used, or everything; return the number of deleted episodes.

        Raises:
            UnknownNameError: No episode has this number.
            MemoryFileError: The file cannot be written.
        """
        with self._store.transaction() as connection:
            if number is None:
                connection.execute("DELETE FROM subtrees")
                return connection.execute("DELETE FROM episodes").rowcount
            row = connection.execute("DELETE FROM episodes WHERE id = ? RETURNING subtree", (number,)).fetchone()
            if row is None:
                raise _unknown(connection, number)
            connection.execute("DELETE FROM subtrees WHERE id = ?", (row["subtree"],))
            return 1

    def _record(self, row: sqlite3.Row) -> Record:
        subtree = None if row["subtree"] is None else self._subtree(row["subtree"])
        try:
            episode = Episode.from_dict(json.loads(row["episode"]))
            at = datetime.fromisoformat(row["at"])
        except (ValueError, UsageError) as error:
            raise MemoryFileError(self.path, f"episode {row['id']} cannot be read: {error}") from error
        return Record(row["id"], at, episode, subtree, row["worked"] or 0, row["failed"] or 0)

    def _subtree(self, document: str) -> Subtree:
        try:
            return Subtree.from_dict(json.loads(document))
        except (ValueError, KeyError, TypeError, AttributeError, UsageError) as error:
            raise MemoryFileError(self.path, f"a subtree in it cannot be read: {error}") from error


def _weigh(connection: sqlite3.Connection, episode: Episode, subtree: Subtree, at: str) -> int | None:
    """Count a success or a failure; return the subtree's number if it is stored."""
    identity = (instruction_key(episode.instruction), episode.domain, str(subtree.goal), subtree.scene)
    if episode.outcome is Outcome.ACHIEVED and subtree.scene:
        connection.execute(
            "INSERT INTO subtrees (key, domain, goal, scene, document, worked, at) VALUES (?, ?, ?, ?, ?, 1, ?) "
            "ON CONFLICT (key, domain, goal, scene) DO UPDATE SET "
            "worked = worked + 1, failed_in_a_row = 0, document = excluded.document, at = excluded.at",
            (*identity, json.dumps(subtree.as_dict(), ensure_ascii=False), at),
        )
    where = "WHERE key = ? AND domain = ? AND goal = ? AND scene = ?"
    if episode.outcome in COUNTED_AS_FAILURE:
        counts = "failed = failed + 1, failed_in_a_row = failed_in_a_row + 1"
        connection.execute(f"UPDATE subtrees SET {counts} {where}", identity)
    row = connection.execute(f"SELECT id FROM subtrees {where}", identity).fetchone()
    return None if row is None else int(row["id"])


def _unknown(connection: sqlite3.Connection, number: int) -> UnknownNameError:
    numbers = [str(row["id"]) for row in connection.execute("SELECT id FROM episodes")]
    return UnknownNameError("episode", str(number), numbers)
