"""Where worlds are: the files that a world begins with, the folders of the worlds that are known by name, and bases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

WORLDS = Path(__file__).parent
"""The folder of the built-in worlds."""
DOMAIN_FILE = "domain.yaml"
PDDL_FILE = "domain.pddl"
ENDINGS = (".yaml", ".yml", ".pddl")


@dataclass(frozen=True, slots=True)
class Ancestry:
    """The worlds that a world extends.

    Attributes:
        bases: Their names, by the path of their files, the nearest first.
        files: Its own scenes and cases and theirs, by folder and name.
        removed: Where names of theirs are removed, by sort and name.
    """

    bases: dict[str, str] = field(default_factory=dict)
    files: dict[str, dict[str, Path]] = field(default_factory=dict)
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
