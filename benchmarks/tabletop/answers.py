"""The true answers of the templates that ask, from where things are at the beginning.

An answer is a number, yes or no, the name of a thing or colour, or names. Distances are those of middles, seen from
above.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from benchmarks.tabletop.board import REGIONS, Spot, apart
from benchmarks.tabletop.instance import Instance
from benchmarks.tabletop.referents import beyond, in_direction, ranked

__all__ = ["ANSWERS", "Answer", "same_answer", "true_answer"]

Answer = str | float | bool | frozenset[str]
"""A text, a number, yes or no, or names in any order."""
Spots = Mapping[str, Spot]


def _colour(name: str) -> str:
    return name.split("_")[0]


def _nth_colour(given: Instance, spots: Spots) -> str:
    return _colour(in_direction(list(spots), given.text("direction"), spots)[given.number("nth") - 1])


def _count_of_colour(given: Instance, spots: Spots) -> int:
    return sum(_colour(name) == given.text("color") for name in spots)


def _is_beyond(given: Instance, spots: Spots) -> bool:
    return beyond(spots[given.text("object:1")], given.text("relation"), spots[given.text("object:2")])


def _blocks_beyond(given: Instance, spots: Spots) -> frozenset[str]:
    base = spots[given.text("bowl")]
    return frozenset(name for name in given.blocks if beyond(spots[name], given.text("relation"), base))


def _nearest_block(given: Instance, spots: Spots) -> str:
    return ranked(given.blocks, given.text("distance"), given.text("bowl"), spots)[0]


def _count_beyond_region(names: tuple[str, ...], given: Instance, spots: Spots) -> int:
    middle = Spot(*REGIONS[given.text("region")])
    return sum(beyond(spots[name], given.text("relation"), middle) for name in names)


def _within(given: Instance, spots: Spots) -> frozenset[str]:
    thing, limit = given.text("object"), given.number("distance-threshold") / 100
    less = given.text("comparison") == "less"
    return frozenset(name for name in spots if name != thing and (apart(spots[name], spots[thing]) < limit) == less)


def _same_colour(given: Instance, spots: Spots) -> bool:
    block = in_direction(given.blocks, given.text("direction"), spots)[given.number("nth") - 1]
    return _colour(block) == _colour(given.text("bowl"))


def _more_blocks(given: Instance, spots: Spots) -> bool:
    return _count_beyond_region(given.blocks, given, spots) > _count_beyond_region(given.bowls, given, spots)


ANSWERS: Mapping[str, Callable[[Instance, Spots], Answer]] = {
    "L10": _nth_colour,
    "L11": _count_of_colour,
    "L12": _is_beyond,
    "L13": _blocks_beyond,
    "L14": _nearest_block,
    "L15": lambda given, spots: _count_beyond_region(given.blocks, given, spots),
    "L17": _within,
    "L18": _same_colour,
    "L19": _more_blocks,
}
"""By template, the true answer."""


def true_answer(given: Instance, spots: Spots) -> Answer:
    """Return the true answer of an instance of a template that asks, with things at these spots."""
    return ANSWERS[given.template](given, spots)


def same_answer(given: object, true: Answer) -> bool:
    """Return whether an answer is the true one, of the same type: 1 is not yes.

    Names may be given as a list, a tuple or a set, each once; a text may have spaces for underscores.
    """
    if isinstance(true, frozenset):
        if not isinstance(given, list | tuple | set | frozenset):
            return False
        names = [_plain(name) for name in given]
        return len(names) == len(set(names)) and set(names) == {_plain(name) for name in true}
    if isinstance(true, bool):
        return isinstance(given, bool) and given == true
    if isinstance(true, int | float):
        return isinstance(given, int | float) and not isinstance(given, bool) and given == true
    return isinstance(given, str) and _plain(given) == _plain(true)


def _plain(value: object) -> str:
    return str(value).strip().lower().replace(" ", "_").replace("grey", "gray")
