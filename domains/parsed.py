"""What was read from files is kept in the process by the digest of these files: what has not changed is parsed once.

Values are immutable, so that whoever reads the same files shares them, with what was computed from them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from semantics.process.reading import digests_of_reads, file_digest

__all__ = ["forget_parsed", "parsed"]

MOST = 24
"""How many values are kept."""

Value = TypeVar("Value")
_kept: OrderedDict[Hashable, tuple[Mapping[Path, bytes], Any]] = OrderedDict()


def parsed(key: Hashable, read: Callable[[], Value]) -> Value:
    """Return what `read` returns, or what it returned before if none of the files that it read then has changed.

    Args:
        key: Starts with the name of the caller.
        read: Reads files through `semantics.process.reading`.
    """
    entry = _kept.get(key)
    if entry is not None and all(file_digest(path) == digest for path, digest in entry[0].items()):
        value: Value = entry[1]
        return value
    with digests_of_reads() as files:
        value = read()
    _kept[key] = files, value
    while len(_kept) > MOST:
        _kept.popitem(last=False)
    return value


def forget_parsed() -> None:
    """Forget everything, for measurements."""
    _kept.clear()
