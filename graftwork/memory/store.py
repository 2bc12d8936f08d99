"""The file of the memory: its schema, its place, and what is said when it cannot be used.

Each row has a checksum of what it says (`checksum`), so that a row that was changed by anything but this program is not
believed. Rows from before there were checksums have none, and are read all the same. A row that makes no sense has the
reason in its column ``fault``, and is not used.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graftwork.errors import MemoryFileError
from semantics.process.reading import read_table

if TYPE_CHECKING:
    from semantics.process.database import Database


OURS = 0x47524654  # SQLite application id of this program's memories ("GRFT")
_INSTEAD = "or choose another with --memory FILE, or go without: --no-memory"
_REASONS = {
    "foreign": "it is a database of another program",
    "later": "it was written by a later version of this program {}",
    "damaged": "it is damaged, or no memory of this program; it was left as it is ({}): save what can be read with "
    "graftwork memory repair",
}


@cache
def statements() -> Mapping[str, Any]:
    """Return the statements of ``store.yaml``."""
    tables: Mapping[str, Any] = read_table(__file__)
    return tables


def database(path: Path) -> Database:
    """Return the database of a memory; do not open it yet."""
    from semantics.process.database import Database  # the settings ask for the place only

    return Database(path, OURS, statements()["migrations"], _REASONS, MemoryFileError, _INSTEAD)


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
