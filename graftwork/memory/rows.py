"""The rows of a memory: what each says, and what is wrong with one that cannot be used.

A row is read by itself, so that a bad one costs nothing but itself. Its checksum covers the texts that it was learned
with; the counts of a subtree change later and are not covered. Whatever a text holds, a row is read or refused with a
`RowError`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graftwork.memory.store import checksum
from graftwork.memory.subtree import Subtree
from graftwork.record.episode import Episode
from semantics.logic.lesson import Lesson, read_lesson
from semantics.process.database import RowError

if TYPE_CHECKING:
    from graftwork.language.conversation import Turn

COVERED = {
    "episodes": ("at", "document"),
    "subtrees": ("key", "domain", "goal", "scene", "document", "at"),
    "lessons": ("at", "domain", "document"),
}
"""The columns that the checksum of a row covers, in order, by table."""
SAID = "said"  # the turns of a conversation in the document of an episode, if they are kept
COUNTS = ("worked", "failed", "failed_in_a_row")


def episode_of(row: sqlite3.Row) -> tuple[datetime, Episode]:
    """Return an episode, and when it was stored.

    Raises:
        RowError: The row cannot be used.
    """
    turns_of(row)
    document = _document("episodes", row)
    try:
        document.pop(SAID, None)
        return datetime.fromisoformat(row["at"]), Episode.from_dict(document)
    except Exception as error:  # whatever a text holds that anything may have written
        raise _unread(error) from error


def turns_of(row: sqlite3.Row) -> list[tuple[Turn, dict[str, str]]]:
    """Return the turns of a conversation that are kept with an episode, each with the classes of what it names.

    Raises:
        RowError: The row cannot be used.
    """
    from graftwork.language.conversation import read_turn  # few memories hold a conversation

    document = _document("episodes", row)
    try:
        return list(map(read_turn, document.get(SAID, ())))
    except Exception as error:  # whatever a text holds that anything may have written
        raise _unread(error) from error


def subtree_of(row: sqlite3.Row) -> Subtree:
    """Return a subtree.

    Raises:
        RowError: The row cannot be used.
    """
    document = _document("subtrees", row)
    if not all(isinstance(row[count], int) and row[count] >= 0 for count in COUNTS):
        raise RowError("its counts are no numbers from 0")
    try:
        subtree = Subtree.from_dict(document)
    except Exception as error:  # whatever a text holds that anything may have written
        raise _unread(error) from error
    if subtree.scene != row["scene"]:
        raise RowError("it was learned in another scene than its row says")
    return subtree


def lesson_of(row: sqlite3.Row) -> Lesson:
    """Return a lesson.

    Raises:
        RowError: The row cannot be used.
    """
    document = _document("lessons", row)
    try:
        return read_lesson(document)
    except Exception as error:  # whatever a text holds that anything may have written
        raise _unread(error) from error


READERS = {"episodes": episode_of, "subtrees": subtree_of, "lessons": lesson_of}  # the reader of the rows of each table


def is_sound(at: object, document: object, crc: object) -> bool:
    """Return whether the text of an episode is as it was written; without a checksum, whether it can be read."""
    try:
        if crc is None:
            _document("episodes", {"at": at, "document": document, "crc": crc})
        return crc in (None, checksum(at, document))  # type: ignore[arg-type]  # else a TypeError
    except (RowError, TypeError, UnicodeEncodeError):
        return False


def _document(table: str, row: Mapping[str, Any] | sqlite3.Row) -> dict[str, Any]:
    """Return the document of a row whose checksum is right, or which is from before there were any."""
    try:
        crc, document = checksum(*(row[column] for column in COVERED[table])), json.loads(row["document"])
        if row["crc"] is None:
            json.dumps(document, ensure_ascii=False, allow_nan=False).encode()  # no number or text that none can write
    except Exception as error:  # no text, no UTF-8, no JSON, or nested too deeply
        raise _unread(error) from error
    if row["crc"] not in (None, crc):
        raise RowError("its checksum is wrong: something other than this program has changed it")
    if not isinstance(document, dict):
        raise RowError("its document is no object")
    return document


def _unread(error: Exception) -> RowError:
    return RowError(f"it cannot be read ({type(error).__name__}: {error})")
