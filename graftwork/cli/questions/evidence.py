"""What ``graftwork affordances ask --save FILE`` does: take evidence into the mapping in a file."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from affordances.mapping import Evidence, EvidenceStore, ObjectAffordances, read_mapping, written
from semantics.errors import UsageError

__all__ = ["keeper"]

YAML = (".yaml", ".yml")


def keeper(file: Path | None) -> Callable[[Sequence[Evidence]], None]:
    """Return what keeps evidence in a file; the file is looked at before, so that a wrong one is told early.

    Raises:
        UsageError: The file cannot be used.
    """
    if file is None:
        return lambda _: None
    if file.parent.is_dir() and not os.access(file.parent, os.W_OK):
        raise UsageError(f"{file}: nothing can be written in the folder {file.parent.absolute()}")
    if file.suffix.lower() not in YAML:
        store = EvidenceStore(file)
        store.load()
        return store.add
    if not file.parent.is_dir():
        raise UsageError(f"{file}: there is no folder {file.parent}")
    _mapping(file)
    return lambda evidence: _add(file, evidence)


def _mapping(file: Path) -> ObjectAffordances:
    return read_mapping(file) if file.exists() else ObjectAffordances()


def _add(file: Path, evidence: Sequence[Evidence]) -> None:
    """Add to what the file holds by now, which may be more than when the asking began."""
    if not evidence:
        return
    with _alone(file.parent):
        part = file.with_name(f".{file.name}.part")
        part.write_text(written(_mapping(file).with_evidence(*evidence)), encoding="utf-8")
        part.replace(file)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process adds to a file of the folder; the file is replaced, so it cannot be the lock."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
