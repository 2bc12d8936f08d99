"""Where worlds stand: in this package, and in folders that a person keeps theirs in."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

__all__ = ["DOMAIN_FILE", "PDDL_FILE", "WORLDS", "worlds_in"]

WORLDS = Path(__file__).parent.parent
DOMAIN_FILE = "domain.yaml"
PDDL_FILE = "domain.pddl"


def worlds_in(folders: Iterable[Path]) -> dict[str, tuple[Path, ...]]:
    """Return the folders of the worlds that stand in `folders`, by name, sorted; a folder that is not there has none.

    A name that stands in several places has several folders.
    """
    found: dict[str, list[Path]] = {}
    for folder in dict.fromkeys(folders):
        for file in (*folder.glob(f"*/{DOMAIN_FILE}"), *folder.glob(f"*/{PDDL_FILE}")):
            places = found.setdefault(file.parent.name, [])
            if file.parent not in places:
                places.append(file.parent)
    return {name: tuple(found[name]) for name in sorted(found)}
