"""CoPAL's requests and its key: what must be in a drink or on a pizza, and what may be."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from semantics.errors import UsageError
from semantics.hints import nearest

__all__ = ["GROUND_TRUTH", "SCENES", "Recipe", "named", "recipes"]

SCENES = {"barman": "cocktail", "pizza": "pizza"}
"""What CoPAL calls the scene of each world."""
GROUND_TRUTH = Path("copal_ground_truth", "cocktails_and_pizzas.json")
BASE = frozenset({"pizza_dough"})
"""What everything is put on, rather than put on it."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is asked for.

    Attributes:
        name: As the key calls it.
        world: Whose scene it is for.
        must: What the result must hold, in the names of the scene.
        may: What it may hold besides.
        notes: Names that were read as others.
    """

    name: str
    world: str
    must: frozenset[str]
    may: frozenset[str]
    notes: tuple[str, ...] = ()


def recipes(data: Path, world: str, substances: Collection[str]) -> Iterator[Recipe]:
    """Yield the recipe of each request of a world, with the names of its scene.

    Raises:
        UsageError: A request or an ingredient is not in the key or the scene.
    """
    key = json.loads((data / GROUND_TRUTH).read_text(encoding="utf-8"))
    titles = {title.split(" ", 1)[1]: title for title in key}
    for asked in requests(data, world):
        title = named(asked, titles)
        notes = [] if title.replace("_", " ").removesuffix(" Pizza") in asked else [f"'{asked}' is {title}"]
        found = key[titles[title]]
        must = _resolved([*found["ingredient"], *found["liquid"]], substances, notes)
        may = _resolved(found.get("optional", []), substances, notes, needed=False)
        yield Recipe(title.replace("_", " "), world, must, may, tuple(notes))


def requests(data: Path, world: str) -> Iterator[str]:
    """Yield what is asked for in a file of CoPAL's requests, such as "Bloody Mary cocktail"."""
    path = data / "copal_scenes" / f"user_requests_{SCENES[world]}.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.search(r"prepare (?:an? )?([^']+)'", line)
        if match:
            yield match[1].removesuffix(" cocktail").strip()


def named(word: str, names: Collection[str]) -> str:
    """Return the name that `word` stands for: the same parts in any order, else the most alike.

    Raises:
        UsageError: Nothing is like it.
    """
    parts = _parts(word)
    same = [name for name in names if _parts(name) == parts]
    close = same or nearest(word.replace(" ", "_"), tuple(names))
    if not close:
        raise UsageError(f"nothing in the scene is called '{word}'")
    return close[0]


def _parts(word: str) -> frozenset[str]:
    """Return the parts of a name, `sliced` as `slice`."""
    return frozenset("slice" if one == "sliced" else one for one in re.findall(r"[a-z]+", word.lower()))


def _resolved(
    words: Collection[str], substances: Collection[str], notes: list[str], *, needed: bool = True
) -> frozenset[str]:
    found = set()
    for word in words:
        if word in BASE:
            continue
        try:
            name = named(word, substances)
        except UsageError:
            if needed:
                raise
            notes.append(f"{word} is not there, and not needed")
            continue
        if name != word:
            notes.append(f"{word} is {name}")
        found.add(name)
    return frozenset(found)
