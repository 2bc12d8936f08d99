"""A mapping from a file of either sort: YAML or SQLite."""

from __future__ import annotations

from pathlib import Path

from affordances.mapping.errors import EvidenceFileError
from affordances.mapping.object_affordances import ObjectAffordances
from affordances.mapping.reader import read_mapping
from affordances.mapping.store import EvidenceStore

__all__ = ["load_mapping"]

YAML = frozenset({".yaml", ".yml"})


def load_mapping(path: Path) -> ObjectAffordances:
    """Read a mapping; what does not end in .yaml or .yml is taken for SQLite.

    Raises:
        DomainFileError: A YAML file that cannot be used; lists every problem with its line and column.
        EvidenceFileError: There is no such file, or it cannot be read.
    """
    if path.suffix.lower() in YAML:
        return read_mapping(path)
    if not path.exists():
        raise EvidenceFileError(path, "there is no such file")
    return EvidenceStore(path).load()
