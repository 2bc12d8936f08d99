"""`Database`: an SQLite file that threads, forks and several processes may share.

Each operation opens the file, does one transaction and closes it. Readers never wait (write-ahead log), writers wait
for each other, and nothing here ever deletes or replaces a file.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

__all__ = ["Database"]

PATIENCE_SECONDS = 15.0
IN_MESSAGES = ("readonly", "unable to open", "locked", "full")
"""What the message of an SQLite error contains; any other error is of a damaged file."""
ALWAYS = {"locked": "another process has been writing to it all the time; try again", "full": "the disk is full"}


class Database:
    """Transactions on a file.

    Args:
        path: The file; the first transaction creates it.
        owner: The application id of the files of this kind.
        migrations: Script number n brings a file from version n to version n + 1.
        reasons: What to say for ``readonly`` and ``unable to open``, for ``folder`` (which cannot be made), ``foreign``
            (a file of another program), ``later`` (of a later version of this one) and ``damaged``; ``{}`` stands for
            the detail.
        error: Makes the error from the path and the reason. Every method raises it.
    """

    def __init__(
        self,
        path: Path,
        owner: int,
        migrations: Sequence[str],
        reasons: Mapping[str, str],
        error: Callable[[Path, str], Exception],
    ) -> None:
        self.path = path
        self._owner = owner
        self._migrations = migrations
        self._reasons = {**ALWAYS, **reasons}
        self._error = error

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection for reading; do not wait for writers.

        SQLite needs a writable folder for the write-ahead log; in any other, the file is opened as immutable.
        """
        is_writable = os.access(self.path.parent, os.W_OK) or self.path.with_name(f"{self.path.name}-wal").exists()
        immutable = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
        with self._connected(str(self.path) if is_writable else immutable) as connection:
            self._version(connection)
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection inside a write transaction, which is committed completely or not at all."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise self._failure("folder", error.strerror) from error
        with self._connected(str(self.path)) as connection:
            self._version(connection)
            _log_ahead(connection)
            connection.execute("BEGIN IMMEDIATE")
            try:
                self._migrate(connection)
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @contextmanager
    def _connected(self, uri: str) -> Iterator[sqlite3.Connection]:
        try:
            opened = sqlite3.connect(uri, timeout=PATIENCE_SECONDS, isolation_level=None, uri=uri.startswith("file:"))
        except ValueError as error:  # the path contains a null character
            raise self._failure("damaged", error) from error
        except sqlite3.Error as error:
            raise self._told(error) from error
        try:
            with closing(opened) as connection:
                connection.row_factory = sqlite3.Row
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("PRAGMA secure_delete = ON")  # SQLite overwrites deleted content
                yield connection
        except sqlite3.Error as error:
            raise self._told(error) from error

    def _told(self, error: sqlite3.Error) -> Exception:
        return self._failure(next((key for key in IN_MESSAGES if key in str(error)), "damaged"), error)

    def _failure(self, key: str, detail: object) -> Exception:
        return self._error(self.path, self._reasons[key].replace("{}", str(detail)))

    def _version(self, connection: sqlite3.Connection) -> int:
        """Return the version of the file; refuse one of another program, or of a later version of this one."""
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        # Last: another process may be creating the file now.
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        if owner != self._owner and (owner or version or tables):
            raise self._failure("foreign", "")
        if version > len(self._migrations):
            raise self._failure("later", f"(schema {version}, known {len(self._migrations)})")
        return int(version)

    def _migrate(self, connection: sqlite3.Connection) -> None:
        version = self._version(connection)
        for number, script in enumerate(self._migrations[version:], version + 1):
            for statement in filter(str.strip, script.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute(f"PRAGMA application_id = {self._owner}")


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log once; ignore a lock, because another process is then doing the same."""
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
