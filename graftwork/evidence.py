"""Evidence beside the memory: where it is kept."""

from __future__ import annotations

from pathlib import Path

__all__ = ["evidence_file"]


def evidence_file(memory: Path | None) -> Path | None:
    """Return the file of the evidence that belongs to a memory: ``memory.affordances.sqlite`` beside it."""
    return None if memory is None else memory.with_suffix(".affordances.sqlite")
