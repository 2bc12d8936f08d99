"""`checked` and `repaired`: the files of a memory, row by row, and how to go on with what is sound.

The files are the memory and the evidence beside it. A check reads every row as it is read in use, and changes nothing.
A repair first keeps a copy of the file. In a file that SQLite can read it then takes out the bad rows; of a damaged one
it saves every row that can still be read into a new file, which takes its place. A sound row is never lost.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from affordances.mapping.store import KEY as PIECE, read_piece
from graftwork.memory.evidence import store_beside
from graftwork.memory.rows import READERS
from graftwork.memory.store import database
from semantics.process.database import DAMAGE, BadRow, Database, RowError, fault_of, is_damage
from semantics.process.reading import read_bounded, real_path

MOST_DAMAGES = 20
MOST_BYTES = 500_000_000  # the largest file with a damaged first page that is repaired: it is read whole
PAGE = 4096  # the size of a page, in bytes: SQLite's default, which no file of this program changes
MOST_GAPS = 1_000_000
"""How many numbers of rows are tried one by one, where a damaged page parts what can be read from both ends."""


class Table(NamedTuple):
    """A table: the columns that identify a row, and the function that reads one and raises `RowError`."""

    key: Sequence[str]
    reader: Callable[[sqlite3.Row], object]


class KeptFile(NamedTuple):
    """A database with its tables, and the statement that drops references to rows that are not there."""

    database: Database
    tables: Mapping[str, Table]
    orphans: str = ""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What a check of a file found."""

    file: Path  # the file
    sound: Mapping[str, int]  # the number of sound rows in each table
    bad: tuple[BadRow, ...] = ()  # the rows that cannot be used
    damage: tuple[str, ...] = ()  # what SQLite says about the file as a whole; empty if it can read it

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong with it."""
        return not (self.bad or self.damage)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        bad = [{"table": row.table, "key": dict(row.key), "reason": row.reason} for row in self.bad]
        return {"file": str(self.file), "sound": dict(self.sound), "bad": bad, "damage": list(self.damage)}


class RepairedFile(NamedTuple):
    """What a repair of a file did: what it found, and the copy of the file before; None if nothing was to be done."""

    found: CheckedFile
    copy: Path | None


def checked(memory: Path) -> tuple[CheckedFile, ...]:
    """Check the files of a memory that are there; return what is in each.

    Raises:
        MemoryFileError, EvidenceFileError: A file cannot be opened, or is of another program or a later version.
    """
    return tuple(_read(kept)[0] for kept in _files(memory))


def repaired(memory: Path) -> tuple[RepairedFile, ...]:
    """Repair the files of a memory that are there; return what was done to each.

    Raises:
        MemoryFileError, EvidenceFileError: A file cannot be opened or written, or nothing of it can be read.
    """
    return tuple(map(_repaired, _files(memory)))


def _files(memory: Path) -> list[KeptFile]:
    rows = {table: Table(("id",), reader) for table, reader in READERS.items()}
    orphans = "UPDATE episodes SET subtree = NULL WHERE subtree NOT IN (SELECT id FROM subtrees)"
    evidence = KeptFile(store_beside(memory).database, {"evidence": Table(PIECE, read_piece)})
    return [kept for kept in (KeptFile(database(memory), rows, orphans), evidence) if kept.database.exists]


def _read(kept: KeptFile) -> tuple[CheckedFile, dict[str, list[sqlite3.Row]]]:
    """Return what is in a file, and the rows of each table that can be used."""
    sound: dict[str, list[sqlite3.Row]] = {table: [] for table in kept.tables}
    bad: list[BadRow] = []
    damage: list[str] = []
    try:
        with kept.database.reading() as connection:
            damage += _damage(connection)
            for name, (key, reader) in kept.tables.items():
                for row in _rows(connection, name, key, damage):
                    reason = _reason(row, reader)
                    if reason is None:
                        sound[name].append(row)
                    else:
                        bad.append(BadRow(name, {column: row[column] for column in key}, reason))
    except Exception as error:
        if not is_damage(error):
            raise
        damage.append(str(error.__cause__))
    counts = {table: len(rows) for table, rows in sound.items()}
    return CheckedFile(kept.database.path, counts, tuple(bad), tuple(dict.fromkeys(damage))), sound


def _damage(connection: sqlite3.Connection) -> list[str]:
    try:
        rows = connection.execute(f"PRAGMA integrity_check({MOST_DAMAGES})").fetchall()
    except DAMAGE as error:
        return [str(error)]
    return [str(row[0]) for row in rows if row[0] != "ok"]


def _reason(row: sqlite3.Row, reader: Callable[[sqlite3.Row], object]) -> str | None:
    """Return why a row is not used; None if it is."""
    try:
        reader(row)
    except RowError as error:
        return str(error)
    marked = fault_of(row)
    return None if marked is None else f"{marked}; it can be read now"


def _rows(connection: sqlite3.Connection, table: str, key: Sequence[str], damage: list[str]) -> Iterator[sqlite3.Row]:
    """Yield every row of a table that can be read: from both ends, and between the ends by number."""
    if not connection.execute("SELECT count(*) FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]:
        return
    found: dict[object, sqlite3.Row] = {}
    ends: list[int] = []
    for order in ("ASC", "DESC"):
        last = None
        try:
            columns = ", ".join(f"{column} {order}" for column in key)
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY {columns}"):
                last = row[key[0]]
                found[tuple(row[column] for column in key)] = row
            break
        except DAMAGE as error:
            damage.append(f"{table}: {error}")
            ends += [last] if isinstance(last, int) else []
    else:
        low, high = (min(ends), max(ends)) if len(ends) == 2 else (0, 0)
        for number in range(low + 1, min(high, low + MOST_GAPS)):
            with suppress(*DAMAGE):
                row = connection.execute(f"SELECT * FROM {table} WHERE id = ?", (number,)).fetchone()
                found |= {} if row is None else {(number,): row}
    yield from found.values()


def _repaired(kept: KeptFile) -> RepairedFile:
    found, sound = _read(kept)
    if found.is_sound:
        return RepairedFile(found, None)
    path = real_path(kept.database.path)  # what a link leads to: SQLite keeps the log there, and the link stays
    kept, copy = kept._replace(database=kept.database.elsewhere(path)), _free(path)
    try:
        if found.damage and not any(sound.values()):
            sound = _read_below_first_page(kept, copy)
            found = replace(found, sound={table: len(rows) for table, rows in sound.items()})
        if found.damage:
            _rebuild(kept, found, sound, copy)
        else:
            _take_out(kept, found, copy)
    except OSError as error:
        raise kept.database.failure("io", error) from error
    return RepairedFile(found, copy)


def _read_below_first_page(kept: KeptFile, copy: Path) -> dict[str, list[sqlite3.Row]]:
    """Return the rows of a file whose first page, with the names of the tables, is damaged.

    The tables of an empty file of the same kind begin at the same pages, so its first page is put in front of the rest.
    """
    empty, patched = (kept.database.elsewhere(copy.with_name(f"{copy.name}.{name}")) for name in ("empty", "patched"))
    try:
        with empty.transaction():
            pass
        head = bytearray(empty.path.read_bytes()[:PAGE])
        content = read_bounded(kept.database.path, MOST_BYTES)
        head[28:32] = (len(content) // PAGE).to_bytes(4, "big")  # the number of pages
        head[32:40] = bytes(8)  # no free pages
        head[92:96] = head[24:28]  # the number is of this version of the file
        patched.path.write_bytes(head + content[PAGE:])
        return _read(kept._replace(database=patched))[1]
    finally:
        for file in (empty.path, patched.path):
            _remove(file)


def _remove(file: Path) -> None:
    for part in (file, *_parts(file)[1:]):
        with suppress(OSError):
            part.unlink()


def _free(path: Path) -> Path:
    """Return a name for a copy that no file has."""
    name = f"{path.name}.before-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    names = (name if number == 1 else f"{name}-{number}" for number in range(1, 1_000_000))
    return next(path.with_name(each) for each in names if not path.with_name(each).exists())


def _take_out(kept: KeptFile, found: CheckedFile, copy: Path) -> None:
    """Delete the bad rows; remove the mark of those that can be read now."""
    with _undone([copy]):
        with kept.database.reading() as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        shutil.copymode(kept.database.path, copy)
        with kept.database.transaction() as connection:
            for bad in found.bad:
                _judge(connection, bad, kept.tables[bad.table].reader)


def _judge(connection: sqlite3.Connection, bad: BadRow, reader: Callable[[sqlite3.Row], object]) -> None:
    where, values = bad.where
    for row in connection.execute(f"SELECT * FROM {bad.table} WHERE {where}", values).fetchall():
        try:
            reader(row)
            connection.execute(f"UPDATE {bad.table} SET fault = NULL WHERE {where}", values)
        except RowError:
            connection.execute(f"DELETE FROM {bad.table} WHERE {where}", values)


def _rebuild(kept: KeptFile, found: CheckedFile, sound: Mapping[str, Sequence[sqlite3.Row]], copy: Path) -> None:
    """Put a new file with the sound rows in the place of a damaged one."""
    path = kept.database.path
    if not any(sound.values()):
        raise kept.database.failure("damaged", f"no row of it can be read: {found.damage[0]}")
    before = _state(path)
    copies = {file: copy.with_name(copy.name + file.name.removeprefix(path.name)) for file in _parts(path)}
    fresh = path.with_name(f"{copy.name}.new")
    with _undone([*copies.values(), fresh]):
        for file, target in copies.items():
            shutil.copy2(file, target)
            with target.open("rb") as written:
                os.fsync(written.fileno())
        _fill(kept.database.elsewhere(fresh), sound, kept.orphans)
        shutil.copymode(path, fresh)
        if _state(path) != before:
            raise kept.database.failure("locked", "")
    for file in _parts(path)[1:]:
        file.unlink()
    os.replace(fresh, path)


def _fill(fresh: Database, sound: Mapping[str, Sequence[sqlite3.Row]], orphans: str) -> None:
    """Write rows into a new file, in one transaction."""
    with fresh.transaction() as connection:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        for table, rows in sound.items():
            known = {row["name"] for row in connection.execute(f"PRAGMA table_info({table})")}
            for row in rows:
                values = {column: row[column] for column in row.keys() if column in known}  # noqa: SIM118 - a Row
                columns, places = ", ".join(values), ", ".join("?" * len(values))
                connection.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({places})", (*values.values(),))
        if orphans:
            connection.execute(orphans)


@contextmanager
def _undone(files: Iterable[Path]) -> Iterator[None]:
    """Remove new files if the block fails."""
    try:
        yield
    except BaseException:
        for file in files:
            _remove(file)
        raise


def _parts(path: Path) -> list[Path]:
    """Return the files of a database: the file itself, and its write-ahead log with its index if they are there."""
    return [path, *(part for end in ("-wal", "-shm") if (part := path.with_name(path.name + end)).exists())]


def _state(path: Path) -> list[tuple[int, int]]:
    return [(state.st_size, state.st_mtime_ns) for state in (part.stat() for part in _parts(path)[:2])]
