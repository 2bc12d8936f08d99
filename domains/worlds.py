"""Where worlds are: the files that a world begins with, the folders of the worlds that are known by name, and bases.

A world has a name if it is in this package, in a folder of the setting ``domain_path``, or in the current folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from semantics.errors import UsageError
from semantics.process.reading import real_path

WORLDS = Path(__file__).parent  # the folder of the built-in worlds
DOMAIN_FILE = "domain.yaml"
PDDL_FILE = "domain.pddl"
ENDINGS = (".yaml", ".yml", ".pddl")
HERE = (".", "..")


@dataclass(frozen=True, slots=True)
class Ancestry:
    """The worlds that a world extends."""

    bases: dict[str, str] = field(default_factory=dict)  # their names, by the path of their files, the nearest first
    # its own scenes and cases and theirs, by folder and name
    files: dict[str, dict[str, Path]] = field(default_factory=dict)
    # where names of theirs are removed, by sort and name
    removed: dict[tuple[str, str], str] = field(default_factory=dict)


def available_domains() -> tuple[str, ...]:
    """Return the names of the built-in worlds, sorted."""
    return tuple(sorted(path.parent.name for path in WORLDS.glob(f"*/{DOMAIN_FILE}")))


def worlds_in(folders: Iterable[Path]) -> dict[str, tuple[Path, ...]]:
    """Return the folders of the worlds in `folders`, by name, sorted; missing folders are ignored.

    A name that occurs in several of them has several folders.
    """
    worlds: dict[str, list[Path]] = {}
    for folder in dict.fromkeys(folders):
        for file in (*folder.glob(f"*/{DOMAIN_FILE}"), *folder.glob(f"*/{PDDL_FILE}")):
            places = worlds.setdefault(file.parent.name, [])
            if file.parent not in places:
                places.append(file.parent)
    return {name: tuple(worlds[name]) for name in sorted(worlds)}


def placed(name: str, folders: Sequence[Path]) -> str:
    """Return the path of a world that is found only in `folders` or the current folder; else return the name.

    A world of this package takes precedence over a folder of the same name; ``.`` and ``..`` are always folders.

    Raises:
        UsageError: Several worlds outside this package have this name.
    """
    if name in HERE:
        return f"{name}/"
    if not name or os.sep in name or "/" in name or name.endswith(ENDINGS):
        return name
    places = worlds_in((WORLDS, *folders)).get(name, ())
    is_shipped = bool(places) and places[0].parent == WORLDS
    here = Path(name)
    if not is_shipped and _holds_a_world(here) and real_path(here) not in map(real_path, places):
        places = (*places, here)
    if len(places) > 1:
        shown = ", ".join(map(_as_path, places))
        raise UsageError(f"several worlds are named '{name}': {shown}; name one by its path")
    return name if not places or is_shipped else _as_path(places[0])


def _holds_a_world(folder: Path) -> bool:
    try:
        return any((folder / file).is_file() for file in (DOMAIN_FILE, PDDL_FILE))
    except (OSError, ValueError):  # no folder can have this name
        return False


def _as_path(place: Path) -> str:
    """Return a path in a form that cannot be mistaken for a name."""
    return str(place) if len(place.parts) > 1 else f"./{place}"
