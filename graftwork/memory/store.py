"""The file of the memory: an SQLite database, its schema, and the translation of its errors.

Each operation opens the file, performs one transaction and closes it, so that threads, forks and several processes can
share it. Readers never wait (write-ahead log); writers wait for each other. This module never deletes or replaces a
file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from graftwork.errors import MemoryFileError

__all__ = ["Store", "default_place"]


OURS = 0x47524654
"""SQLite application id of this program's memories ("GRFT")."""
PATIENCE_SECONDS = 15.0

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
"""Script number n brings a database from version n to version n + 1."""

_INSTEAD = "choose another with --memory FILE, or go without: --no-memory"
_REASONS = (
    ("readonly", f"it cannot be written; make it writable, or {_INSTEAD}"),
    ("unable to open", f"it cannot be opened or made there; {_INSTEAD}"),
    ("locked", "another process has been writing to it all the time; try again"),
    ("full", "the disk is full"),
)
_DAMAGED = f"it is damaged, or no memory of this program; it was left as it is: move it away, or {_INSTEAD}"


class Store:
    """Transactions on the memory's file."""

    def __init__(self, path: Path) -> None:
        """Open or create the file.

        Raises:
            MemoryFileError: The file cannot be opened, is damaged, or belongs to another program or a later version.
        """
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise MemoryFileError(path, f"its folder cannot be made ({error.strerror}); {_INSTEAD}") from error
        with self.transaction():
            pass

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection for reading; do not wait for writers.

        Raises:
            MemoryFileError: The file cannot be read.
        """
        try:
            with closing(self._connected()) as connection:
                yield connection
        except sqlite3.Error as error:
            raise MemoryFileError(self.path, _reason(error)) from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection inside a write transaction, which is committed completely or not at all.

        Raises:
            MemoryFileError: The file cannot be read or written.
        """
        with self.reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                self._migrate(connection)
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=PATIENCE_SECONDS, isolation_level=None)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # SQLite overwrites deleted content
        _log_ahead(connection)
        return connection

    def _migrate(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if owner != OURS and (owner or version or tables):
            raise MemoryFileError(self.path, f"it is a database of another program; {_INSTEAD}")
        if version > len(MIGRATIONS):
            reason = f"it was written by a later version of this program (schema {version}, known {len(MIGRATIONS)})"
            raise MemoryFileError(self.path, f"{reason}; {_INSTEAD}")
        for number in range(version, len(MIGRATIONS)):
            for statement in filter(str.strip, MIGRATIONS[number].split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        if owner != OURS:
            connection.execute(f"PRAGMA application_id = {OURS}")


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log once; ignore a lock, because another process is then doing the same."""
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise


def _reason(error: sqlite3.Error) -> str:
    text = str(error)
    return next((reason for part, reason in _REASONS if part in text), f"{_DAMAGED} ({text})")


def default_place() -> Path:
    """Return ``memory.sqlite`` in the user's data folder."""
    from platformdirs import user_data_dir

    return Path(user_data_dir("graftwork")) / "memory.sqlite"
