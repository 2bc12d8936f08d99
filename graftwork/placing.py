"""Worlds by name, wherever a person keeps theirs: in this package, or in a folder of the setting ``domain_path``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from domains.reading.finding import WORLDS, worlds_in
from semantics.errors import UsageError

__all__ = ["named_worlds", "placed"]


def named_worlds(folders: Sequence[Path]) -> dict[str, tuple[Path, ...]]:
    """Return every world by name with its places, those of this package first."""
    return worlds_in((WORLDS, *folders))


def placed(name: str, folders: Sequence[Path]) -> str:
    """Return the path of a world that only `folders` know by that name; anything else is given back as it is.

    Raises:
        UsageError: Several worlds have this name.
    """
    if not folders or os.sep in name or "/" in name or Path(name).suffix:
        return name
    places = named_worlds(folders).get(name, ())
    if len(places) > 1:
        shown = ", ".join(map(str, places))
        raise UsageError(f"several worlds are named '{name}': {shown}; name one by its path")
    return name if not places or places[0].parent == WORLDS else str(places[0])
