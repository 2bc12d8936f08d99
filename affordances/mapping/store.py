"""`EvidenceStore`: evidence in an SQLite database that any number of processes may share.

Writing joins evidence of the same voice by the same rule as in a mapping. A row that makes no sense is marked with the
reason and not used; the others are. `load_mapping` reads a mapping from SQLite or YAML.

    GraftworkError
    └── UsageError                      exit 2
        └── EvidenceFileError           the file of the evidence cannot be opened, read or written

`semantics.errors` defines the roots; for a mapping in YAML that cannot be read, see `domains.errors.DomainFileError`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from affordances.mapping.document import read_mapping
from affordances.mapping.evidence import Evidence, EvidenceSource
from affordances.mapping.object_affordances import ObjectAffordances
from semantics.errors import UsageError
from semantics.process.database import Database, RowError
from semantics.process.reading import read_table

YAML = frozenset({".yaml", ".yml"})  # endings of a mapping in YAML; a file with any other ending is read as SQLite
OURS = 0x47524F41  # application id of the databases of this module ("GROA")
COLUMNS = ("class", "affordance", "source", "share", "by", "how", "times", "at")
KEY = ("class", "affordance", "source", "by", "how")
_REASONS = {
    "foreign": "it is a database of another program; choose another file",
    "later": "a later version of this program wrote it {}",
    "damaged": "it is damaged, or no evidence of this program; it was left as it is ({}): save what can be read with "
    "graftwork memory repair, or move it away",
}


class EvidenceFileError(UsageError):
    """The file of the evidence cannot be opened, read or written; it is left unchanged.

    Attributes:
        path: The file.
        reason: What is wrong with it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"evidence {path}: {reason}")


class EvidenceStore:
    """Reads and writes the file of the evidence; the first write creates the file.

    Several threads and processes, forks among them, may use the file at the same time.

    Attributes:
        path: The file.
        database: The transactions on it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = Database(path, OURS, read_table(__file__)["migrations"], _REASONS, EvidenceFileError)

    def load(self) -> ObjectAffordances:
        """Return all stored evidence; an empty mapping when there is no file.

        Raises:
            EvidenceFileError: The file cannot be read.
        """
        return ObjectAffordances(self._rows())

    def add(self, evidence: Iterable[Evidence]) -> None:
        """Add evidence in one transaction: all of it, or nothing.

        Raises:
            EvidenceFileError: The file cannot be written.
        """
        pieces = list(ObjectAffordances(evidence))
        if not pieces:
            return
        with self.database.transaction() as connection:
            for piece in pieces:
                _write(connection, piece)

    def forget(self, class_name: str, affordance: str | None = None) -> int:
        """Delete the evidence about a class, or about one of its affordances; return the number of deleted pieces.

        Raises:
            EvidenceFileError: The file cannot be written.
        """
        if not self.database.exists:
            return 0
        with self.database.transaction() as connection:
            if affordance is None:
                return connection.execute("DELETE FROM evidence WHERE class = ?", (class_name,)).rowcount
            pair = (class_name, affordance)
            return connection.execute("DELETE FROM evidence WHERE class = ? AND affordance = ?", pair).rowcount

    def _rows(self) -> tuple[Evidence, ...]:
        if not self.database.exists:
            return ()
        with self.database.reading() as connection:
            has_table = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'evidence'").fetchone()[0]
            if not has_table:
                return ()
            marked = ", fault" if _is_marked(connection) else ""
            rows = connection.execute(f"SELECT {', '.join(COLUMNS)}{marked} FROM evidence").fetchall()
        return tuple(piece for _, piece in self.database.sound("evidence", KEY, rows, read_piece))


def _is_marked(connection: sqlite3.Connection) -> bool:
    """Return whether the file is of a version that marks bad rows."""
    return any(row["name"] == "fault" for row in connection.execute("PRAGMA table_info(evidence)"))


def load_mapping(path: Path) -> ObjectAffordances:
    """Read a mapping; a file whose name does not end in .yaml or .yml is read as SQLite.

    Raises:
        DomainFileError: A YAML file cannot be used; the error lists all problems with their line and column.
        EvidenceFileError: There is no such file, or it cannot be read.
    """
    if path.suffix.lower() in YAML:
        return read_mapping(path)
    store = EvidenceStore(path)
    if not store.database.exists:
        raise EvidenceFileError(path, "there is no such file")
    return store.load()


def _write(connection: sqlite3.Connection, piece: Evidence) -> None:
    key = (piece.class_name, piece.affordance, str(piece.source), piece.by, piece.how)
    where = "class = ? AND affordance = ? AND source = ? AND by = ? AND how = ?"
    merged = piece
    before = connection.execute(f"SELECT * FROM evidence WHERE {where} AND fault IS NULL", key).fetchone()
    with suppress(RowError):  # a bad row is replaced
        merged = read_piece(before).with_another(piece) if before else piece
    at = merged.at.isoformat() if merged.at else None
    row = (*merged[:2], str(merged.source), merged.share, merged.by, merged.how, merged.times, at)
    connection.execute(f"INSERT OR REPLACE INTO evidence ({', '.join(COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def read_piece(row: sqlite3.Row) -> Evidence:
    """Return what a row says.

    Raises:
        RowError: It makes no sense.
    """
    name, affordance, source, share, by, how, times, at = (row[column] for column in COLUMNS)
    if not (isinstance(share, float) and 0.0 <= share <= 1.0 and isinstance(times, int) and times >= 1):
        raise RowError(f"it makes no sense (a share of {share} in {times} times)")
    try:
        "".join((name, affordance, by, how)).encode()  # text that can be stored
        moment = None if at is None else datetime.fromisoformat(at)
        return Evidence(name, affordance, EvidenceSource(source), share, by, how, times, moment)
    except (TypeError, ValueError) as error:
        raise RowError(f"it makes no sense ({error})") from error
