"""The file of the memory: its schema, its place, and what is said when it cannot be used.

Each row has a checksum of what it says (`checksum`), so that a row that was changed by anything but this program is not
believed. Rows from before there were checksums have none, and are read all the same. A row that makes no sense has the
reason in its column ``fault``, and is not used.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from graftwork.errors import MemoryFileError

if TYPE_CHECKING:
    from semantics.process.database import Database


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
    """
    ALTER TABLE subtrees ADD COLUMN crc INTEGER;
    ALTER TABLE subtrees ADD COLUMN fault TEXT;
    ALTER TABLE episodes ADD COLUMN crc INTEGER;
    ALTER TABLE episodes ADD COLUMN fault TEXT;
    """,
)

_INSTEAD = "or choose another with --memory FILE, or go without: --no-memory"
_REASONS = {
    "foreign": "it is a database of another program",
    "later": "it was written by a later version of this program {}",
    "damaged": "it is damaged, or no memory of this program; it was left as it is ({}): save what can be read with "
    "graftwork memory repair",
}


def database(path: Path) -> Database:
    """Return the database of a memory; do not open it yet."""
    from semantics.process.database import Database  # the settings ask for the place only

    return Database(path, OURS, MIGRATIONS, _REASONS, MemoryFileError, _INSTEAD)


def opened(path: Path) -> Database:
    """Open or create the file.

    Raises:
        MemoryFileError: The file cannot be opened, is damaged, or belongs to another program or a later version.
    """
    opening = database(path)
    with opening.transaction():
        return opening


def checksum(*texts: str) -> int:
    """Return the CRC-32 of texts that are stored together.

    Raises:
        UnicodeEncodeError: A text has no form in UTF-8.
    """
    return zlib.crc32("\0".join(texts).encode())


def default_place() -> Path:
    """Return ``memory.sqlite`` in the user's data folder."""
    from platformdirs import user_data_dir

    return Path(user_data_dir("graftwork")) / "memory.sqlite"
