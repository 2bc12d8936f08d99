"""Which things an instruction means, and the true answers of questions, from where things are on the map.

Where two readings of a word are both usual, `certain` functions say whether they agree, so that the generator draws no
instance whose answer depends on the reading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from benchmarks.tabletop.board import CORNERS, DIRECTIONS, REGIONS, Spot, angle_off, apart, extent

__all__ = [
    "SLOPES",
    "along",
    "beyond",
    "chosen_corner",
    "clear_gap",
    "in_direction",
    "nearest_beyond",
    "ranked",
    "ranked_corners",
    "slope",
    "surely_beyond",
    "surely_beyond_region",
    "within_cone",
]

CONE = 45.0
"""A thing is to the left of another when their middles are at most so many degrees off that direction."""
OVERLAP = 0.01
"""By how much the extents of two things that are beside each other may overlap, metres."""
MARGIN = 0.02
"""How clearly two things differ, at least, where the order of things decides, metres."""

SLOPES = {"horizontal": (0.0, 0.3), "diagonal": (0.7, 1.3), "vertical": (10.0, inf)}
"""Between which slopes a line is called so, as published."""

Spots = Mapping[str, Spot]


def along(spot: Spot, direction: str) -> float:
    """Return how far a spot lies in a direction of the map, metres."""
    right, top, _ = DIRECTIONS[direction]
    return spot.right * right + spot.top * top


def beyond(spot: Spot, direction: str, base: Spot) -> bool:
    """Return whether a spot lies strictly on a side of another: the sign alone, as published."""
    return along(spot, direction) > along(base, direction)


def within_cone(name: str, direction: str, base: str, spots: Spots) -> bool:
    """Return whether a thing is beside another in a direction: within 45 degrees of it, and not overlapping it."""
    gap = along(spots[name], direction) - along(spots[base], direction)
    gap -= extent(name, spots[name]) + extent(base, spots[base])
    return gap >= -OVERLAP and angle_off(spots[base], spots[name], direction) <= CONE


def surely_beyond(names: Sequence[str], direction: str, base: str, spots: Spots) -> bool:
    """Return whether of each thing the sign and the cone say the same, and the sign is clear."""
    return all(
        within_cone(name, direction, base, spots) == beyond(spots[name], direction, spots[base])
        and abs(along(spots[name], direction) - along(spots[base], direction)) >= MARGIN
        for name in names
    )


def surely_beyond_region(names: Sequence[str], direction: str, region: str, spots: Spots) -> bool:
    """Return the same of the middle of a region, which has no extent here."""
    middle = Spot(*REGIONS[region])
    return all(
        (angle_off(middle, spots[name], direction) <= CONE) == beyond(spots[name], direction, middle)
        and abs(along(spots[name], direction) - along(middle, direction)) >= MARGIN
        for name in names
    )


def in_direction(names: Sequence[str], direction: str, spots: Spots) -> list[str]:
    """Return things as they are counted from a direction: the leftmost is the first from the left."""
    return sorted(names, key=lambda name: -along(spots[name], direction))


def nearest_beyond(names: Sequence[str], direction: str, base: str, spots: Spots) -> str | None:
    """Return the nearest thing strictly on a side of another, or None if none is there."""
    there = [name for name in names if beyond(spots[name], direction, spots[base])]
    return min(there, key=lambda name: apart(spots[name], spots[base]), default=None)


def ranked(names: Sequence[str], distance: str, base: str, spots: Spots) -> list[str]:
    """Return things from the closest or from the farthest to another thing."""
    return sorted(names, key=lambda name: apart(spots[name], spots[base]), reverse=distance == "farthest")


def ranked_corners(distance: str, base: Spot) -> list[str]:
    """Return the four corners from the closest or from the farthest to a spot."""
    return sorted(CORNERS, key=lambda name: apart(Spot(*REGIONS[name]), base), reverse=distance == "farthest")


def chosen_corner(distance: str, base: Spot) -> str:
    """Return the corner closest to or farthest from a spot."""
    return ranked_corners(distance, base)[0]


def slope(first: Spot, second: Spot) -> float:
    """Return the slope of the line through two spots, without its sign; infinite where they are one above the other."""
    across, ahead = abs(second.right - first.right), abs(second.top - first.top)
    return ahead / across if across else inf


def clear_gap(values: Sequence[float], index: int) -> bool:
    """Return whether the value at an index of an ordered list differs clearly from those beside it."""
    beside = [values[other] for other in (index - 1, index + 1) if 0 <= other < len(values)]
    return all(abs(values[index] - other) >= MARGIN for other in beside)
