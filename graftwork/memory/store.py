"""The file of the memory: its schema, its place, and what is said when it cannot be used."""

from __future__ import annotations

from pathlib import Path

from graftwork.errors import MemoryFileError
from semantics.database import Database

__all__ = ["default_place", "opened"]


OURS = 0x47524654
"""SQLite application id of this program's memories ("GRFT")."""
MIGRATIONS = (
    """
    CREATE TABLE subtrees (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        domain TEXT NOT NULL,
        goal TEXT NOT NULL,
        scene TEXT NOT NULL,
        document TEXT NOT NULL,
        worked INTEGER NOT NULL DEFAULT 0,
        failed INTEGER NOT NULL DEFAULT 0,
        failed_in_a_row INTEGER NOT NULL DEFAULT 0,
        at TEXT NOT NULL,
        UNIQUE (key, domain, goal, scene)
    );
    CREATE TABLE episodes (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        document TEXT NOT NULL,
        subtree INTEGER REFERENCES subtrees (id) ON DELETE SET NULL
    );
    """,
)

_INSTEAD = "choose another with --memory FILE, or go without: --no-memory"
_REASONS = {
    "readonly": f"it cannot be written; make it writable, or {_INSTEAD}",
    "unable to open": f"it cannot be opened or made there; {_INSTEAD}",
    "folder": f"its folder cannot be made ({{}}); {_INSTEAD}",
    "foreign": f"it is a database of another program; {_INSTEAD}",
    "later": f"it was written by a later version of this program {{}}; {_INSTEAD}",
    "damaged": f"it is damaged, or no memory of this program; it was left as it is: move it away, or {_INSTEAD} ({{}})",
}


def opened(path: Path) -> Database:
    """Open or create the file.

    Raises:
        MemoryFileError: The file cannot be opened, is damaged, or belongs to another program or a later version.
    """
    database = Database(path, OURS, MIGRATIONS, _REASONS, MemoryFileError)
    with database.transaction():
        return database


def default_place() -> Path:
    """Return ``memory.sqlite`` in the user's data folder."""
    from platformdirs import user_data_dir

    return Path(user_data_dir("graftwork")) / "memory.sqlite"
