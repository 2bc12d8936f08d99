"""Worlds by name, wherever a person keeps theirs: this package, a folder of the setting ``domain_path``, or here."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from domains.reading.finding import DOMAIN_FILE, PDDL_FILE, WORLDS, worlds_in
from semantics.errors import UsageError

__all__ = ["named_worlds", "placed"]

HERE = (".", "..")
ENDINGS = (".yaml", ".yml", ".pddl")


def named_worlds(folders: Sequence[Path]) -> dict[str, tuple[Path, ...]]:
    """Return every world by name with its places, those of this package first."""
    return worlds_in((WORLDS, *folders))


def placed(name: str, folders: Sequence[Path]) -> str:
    """Return the path of a world that only `folders`, or the current folder, know by that name; else the name.

    A world of this package comes before a folder of its name here; ``.`` and ``..`` are always folders.

    Raises:
        UsageError: Several worlds of a person's own have this name.
    """
    if name in HERE:
        return f"{name}/"
    if not name or os.sep in name or "/" in name or name.endswith(ENDINGS):
        return name
    places = named_worlds(folders).get(name, ())
    is_shipped = bool(places) and places[0].parent == WORLDS
    if _holds_a_world(Path(name)) and not is_shipped and not any(_is_same(place, Path(name)) for place in places):
        places = (*places, Path(name))
    if len(places) > 1:
        shown = ", ".join(map(_as_path, places))
        raise UsageError(f"several worlds are named '{name}': {shown}; name one by its path")
    return name if not places or is_shipped else _as_path(places[0])


def _holds_a_world(folder: Path) -> bool:
    try:
        return any((folder / file).is_file() for file in (DOMAIN_FILE, PDDL_FILE))
    except (OSError, ValueError):  # no folder can have this name
        return False


def _is_same(place: Path, here: Path) -> bool:
    return place.resolve() == here.resolve()


def _as_path(place: Path) -> str:
    """Return a place so that it is never taken for a name."""
    return str(place) if len(place.parts) > 1 else f"./{place}"
