"""`Database`: an SQLite file that threads, forks and several processes may share.

Each operation opens the file, does one transaction and closes it. Readers never wait (write-ahead log), writers wait
for each other, and nothing here ever deletes or replaces a file. A transaction that was committed is on the disk, also
after a power failure.

An error keeps its cause: a full disk, a read-only disk, missing rights, a locked file and a damaged file are told
apart, because a person has to do something else about each. A row that makes no sense is marked with the reason and not
used; it stays in the file, and the other rows are used.
"""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from copy import copy
from pathlib import Path
from typing import NamedTuple, TypeVar

from semantics.plain_text import shortened
from semantics.process.writing import OWNER_FOLDER, owners_only

LOGGER = logging.getLogger("graftwork")
Read = TypeVar("Read")

PATIENCE_SECONDS = 15.0
MOST_REASON = 200
LITTLE_SPACE = 1 << 20
"""With less space than this on its disk, bytes, an input or output error of SQLite is one of a full disk."""
CAUSES = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_PROTOCOL: "locked",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_IOERR: "io",
    sqlite3.SQLITE_NOMEM: "io",
    sqlite3.SQLITE_READONLY: "unwritable",
    sqlite3.SQLITE_PERM: "unwritable",
    sqlite3.SQLITE_CANTOPEN: "unable to open",
}
"""The reason for each primary error code of SQLite; any other error is of a damaged file."""
DAMAGE = (sqlite3.Error, UnicodeDecodeError, IndexError)
"""What a file raises whose names of tables and columns are damaged too."""
ALWAYS = {
    "locked": "another process has been writing to it all the time; try again",
    "full": "the disk is full; what the file holds is sound: make room, and try again",
    "io": "the disk did not take it or did not give it back ({}); the file was left as it is: look for a quota, a "
    "limit of file sizes, or a failing disk",
    "readonly": "it cannot be written, because its disk is read-only",
    "permission": "it cannot be opened or written, because you have no right to",
    "unwritable": "it cannot be written ({})",
    "unable to open": "it cannot be opened or made there ({})",
    "folder": "its folder cannot be made ({})",
    "link": "it is a link that leads to nothing ({}); remove the link, or name the file itself",
    "kind": "it is no file but {}",
}


class RowError(ValueError):
    """A row that cannot be used; its message is text that can be printed and stored."""

    def __init__(self, reason: str) -> None:
        super().__init__(shortened(reason.encode("utf-8", "backslashreplace").decode(), MOST_REASON))


class BadRow(NamedTuple):
    """A row that cannot be used."""

    table: str  # its table
    key: Mapping[str, object]  # the values of the columns that identify it
    reason: str  # what is wrong with it

    def __str__(self) -> str:
        """Return its place and the reason, such as ``episodes 7: ...``."""
        place = " ".join(map(str, self.key.values())).encode("utf-8", "backslashreplace").decode()
        return f"{self.table} {place}: {self.reason}"

    @property
    def where(self) -> tuple[str, tuple[object, ...]]:
        """The condition of SQL that finds it, and the values in it; a text may hold bytes that are no UTF-8."""
        tests = (
            f"{name} IS {'CAST(? AS TEXT)' if isinstance(value, str) else '?'}" for name, value in self.key.items()
        )
        values = (
            each.encode("utf-8", "surrogateescape") if isinstance(each, str) else each for each in self.key.values()
        )
        return " AND ".join(tests), tuple(values)


class Database:
    """Transactions on a file.

    Args:
        path: The file; the first transaction creates it.
        owner: The application id of the files of this kind.
        migrations: Script number n brings a file from version n to version n + 1.
        reasons: What to say for ``foreign`` (a file of another program), ``later`` (of a later version of this one) and
            ``damaged``; ``{}`` stands for the detail.
        error: The error that every method raises; it takes the path and the reason.
        instead: What else a caller may do about any error, as a clause, or empty.
    """

    def __init__(
        self,
        path: Path,
        owner: int,
        migrations: Sequence[str],
        reasons: Mapping[str, str],
        error: type[Exception],
        instead: str = "",
    ) -> None:
        self.path = path
        self._owner = owner
        self._migrations = migrations
        self._reasons = {**ALWAYS, **reasons}
        self._error = error
        self._instead = f"; {instead}" if instead else ""

    def elsewhere(self, path: Path) -> Database:
        """Return a database of the same kind in another file."""
        other = copy(self)
        other.path = path
        return other

    @property
    def exists(self) -> bool:
        """Whether there is a file; a link that leads to nothing, or anything that is no file, is refused."""
        try:
            found = self.path.stat()
        except FileNotFoundError as error:
            if self.path.is_symlink():
                raise self.failure("link", os.readlink(self.path)) from error
            return False
        except NotADirectoryError:
            return False
        except OSError as error:  # such as a loop of links, or a name that is too long
            raise self.failure("link" if error.errno == errno.ELOOP else "unable to open", error.strerror) from error
        except ValueError as error:  # the name holds a null character
            raise self.failure("unable to open", error) from error
        if not stat.S_ISREG(found.st_mode):
            raise self.failure("kind", "a folder" if stat.S_ISDIR(found.st_mode) else "a pipe, a socket or a device")
        return True

    @property
    def is_current(self) -> bool:
        """Whether there is a file and it has the latest schema."""
        if not self.exists:
            return False
        with self.reading() as connection:
            return self._version(connection) == len(self._migrations)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection for reading; do not wait for writers, and make no file.

        SQLite needs a writable folder for the write-ahead log; in any other, the file is opened as immutable.
        """
        if not self.exists:
            raise self.failure("unable to open", "there is no such file")
        is_writable = os.access(self.path.parent, os.W_OK) or self.path.with_name(f"{self.path.name}-wal").exists()
        with self._connected("mode=rw" if is_writable else "mode=ro&immutable=1") as connection:
            self._version(connection)
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection inside a write transaction, which is committed completely or not at all."""
        if not self.exists:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=OWNER_FOLDER)
            except OSError as error:
                raise self.failure("folder", error.strerror) from error
            with suppress(OSError):  # SQLite says why, and gives its own files beside this one the same rights
                os.close(owners_only(self.path, os.O_WRONLY | os.O_CREAT))
        with self._connected("mode=rwc") as connection:
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

    def sound(
        self, table: str, key: Sequence[str], rows: Iterable[sqlite3.Row], reader: Callable[[sqlite3.Row], Read]
    ) -> list[tuple[sqlite3.Row, Read]]:
        """Return the rows that can be used, each with what it says; mark the others, and log why.

        Args:
            table: The table of the rows.
            key: The columns that identify a row.
            rows: The rows, with all columns; rows that are marked already are left out.
            reader: Returns what a row says; it raises `RowError` if the row cannot be used.
        """
        sound: list[tuple[sqlite3.Row, Read]] = []
        bad: list[BadRow] = []
        for row in rows:
            if fault_of(row) is None:
                try:
                    sound.append((row, reader(row)))
                except RowError as error:
                    bad.append(BadRow(table, {column: row[column] for column in key}, str(error)))
        if bad:
            self._mark(bad)
        return sound

    def _mark(self, bad: Sequence[BadRow]) -> None:
        """Mark rows in their column ``fault``; leave a file that cannot be written as it is."""
        for each in bad:
            LOGGER.warning("%s: %s; it is not used (graftwork memory check)", self.path, each)
        try:
            with self.transaction() as connection:
                for each in bad:
                    where, values = each.where
                    connection.execute(f"UPDATE {each.table} SET fault = ? WHERE {where}", (each.reason, *values))
        except self._error as error:
            LOGGER.debug("no row was marked: %s", error)

    @contextmanager
    def _connected(self, mode: str) -> Iterator[sqlite3.Connection]:
        try:
            place = f"{self.path.absolute().as_uri()}?{mode}"
            opened = sqlite3.connect(place, timeout=PATIENCE_SECONDS, isolation_level=None, uri=True)
            with closing(opened) as connection:
                connection.row_factory = sqlite3.Row
                # Text that is no UTF-8 makes its own row unusable, and not the whole query.
                connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("PRAGMA secure_delete = ON")  # SQLite overwrites deleted content
                connection.execute("PRAGMA synchronous = FULL")  # a commit returns when it is on the disk
                yield connection
        except DAMAGE as error:
            raise self.failure(self._cause(error), error) from error

    def _cause(self, error: Exception) -> str:
        """Return the reason for an error of SQLite, which has one code for what a person has to tell apart."""
        cause = CAUSES.get(_primary(error), "damaged")
        folder = self.path.parent
        try:
            disk = os.statvfs(folder)
        except OSError:
            return cause
        if cause == "io" and disk.f_bavail * disk.f_frsize < LITTLE_SPACE:
            return "full"
        if cause in ("unwritable", "unable to open"):
            if disk.f_flag & os.ST_RDONLY:
                return "readonly"
            place = self.path if self.path.exists() else folder
            if not os.access(place, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids):
                return "permission"
        return cause

    def failure(self, key: str, detail: object) -> Exception:
        """Return the error for a reason, by its key, with its detail."""
        return self._error(self.path, self._reasons[key].replace("{}", str(detail)) + self._instead)

    def _version(self, connection: sqlite3.Connection) -> int:
        """Return the version of the file; refuse one of another program, or of a later version of this one."""
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        # Last: another process may be creating the file now.
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        if owner != self._owner and (owner or version or tables):
            raise self.failure("foreign", "")
        if version > len(self._migrations):
            raise self.failure("later", f"(schema {version}, known {len(self._migrations)})")
        return int(version)

    def _migrate(self, connection: sqlite3.Connection) -> None:
        version = self._version(connection)
        for number, script in enumerate(self._migrations[version:], version + 1):
            for statement in filter(str.strip, script.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute(f"PRAGMA application_id = {self._owner}")


def fault_of(row: sqlite3.Row) -> str | None:
    """Return why a row was marked; None for a row that was not, or is in a file from before rows were marked."""
    return row["fault"] if "fault" in row.keys() else None  # noqa: SIM118 - iterating over a row gives its values


def is_damage(error: Exception) -> bool:
    """Return whether an error of a database says that the file is damaged, and not that it cannot be used now."""
    cause = error.__cause__
    return isinstance(cause, DAMAGE) and _primary(cause) not in CAUSES


def _primary(error: BaseException) -> int:
    """Return the primary error code of SQLite; an error that Python raises itself has none."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log once; ignore a lock, because another process is then doing the same."""
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    try:
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if CAUSES.get(_primary(error)) != "locked":
            raise
