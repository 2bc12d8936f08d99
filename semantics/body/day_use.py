"""`DayUse`: what all processes of a person spend on language models in a day, in a file that they share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

from semantics.body.exchange import OFFLINE, Spent
from semantics.errors import BudgetSpentError, ModelError
from semantics.process.database import Database

OWNER = 0x47524D55  # SQLite application id of the files of what was spent ("GRMU")
MIGRATIONS = ("CREATE TABLE days (day TEXT PRIMARY KEY, calls INT NOT NULL, tokens INT NOT NULL, money REAL NOT NULL)",)
REASONS = dict.fromkeys(("foreign", "later", "damaged"), "it is no such file ({}); remove it to begin anew")


class DayFileError(BudgetSpentError):
    """The file of what was spent today cannot be used, so nothing more is spent."""

    def __init__(self, path: Path, reason: str) -> None:
        ModelError.__init__(self, str(path), f"what was spent today is not known: {reason}", f"mend that, {OFFLINE}")


class DayUse:
    """What all processes that share a file spend in a day; `today` returns which one it is."""

    def __init__(self, path: Path, today: Callable[[], date] = date.today) -> None:
        self._database = Database(path, OWNER, MIGRATIONS, REASONS, DayFileError)
        self._today = today

    def add(self, spent: Spent, check: Callable[[Spent], None]) -> None:
        """Add to what was spent today, unless `check` raises an error about what it was before."""
        day = self._today().isoformat()
        with self._database.transaction() as connection:
            row = connection.execute("SELECT calls, tokens, money FROM days WHERE day = ?", (day,)).fetchone()
            before = tuple(row or (0, 0, 0.0))
            check(before)
            after = (old + new for old, new in zip(before, spent, strict=True))
            connection.execute("INSERT OR REPLACE INTO days VALUES (?, ?, ?, ?)", (day, *after))
