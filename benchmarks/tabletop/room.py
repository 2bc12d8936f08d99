"""Whether an instruction can be carried out in a scene at all: whether there is free room where it says.

The published checks do not look at heights, so that a bowl in a corner did not matter to them. It does when a block has
to lie on the table there: a scene without room is drawn again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import cos, dist, pi, sin

from benchmarks.tabletop.board import BLOCK, REGIONS, Place, Spot, side_of

__all__ = ["free", "in_reach", "line_fits", "places_around", "region_fits", "shape_fits", "vertices"]

AIR = 0.03
"""Free space around a block for the fingers that set it down, metres."""
PITCH = 0.07
"""Distance of the middles of blocks that are set down side by side, metres."""
WITHIN = 0.055
"""How far from the middle of a region a block is put, at most, metres: the published 6 cm, with a little to spare."""
REACH = 0.25
"""How far from the middle of the table, along each of its axes, a block is put down, metres."""
STEP = 0.01
Obstacles = Mapping[str, Spot]


def in_reach(place: Place, limit: float = REACH) -> bool:
    """Return whether a block may be put down at a place of the map."""
    return max(map(abs, place)) <= limit


def free(place: Place, obstacles: Obstacles, air: float = AIR) -> bool:
    """Return whether a block at a place keeps `air` metres from all obstacles, which stand square to the table."""
    return all(
        max(abs(place[0] - spot.right), abs(place[1] - spot.top)) >= BLOCK / 2 + side_of(name) / 2 + air
        for name, spot in obstacles.items()
    )


def places_around(middle: Place, radius: float) -> Iterator[Place]:
    """Yield the places of a grid of 1 cm within a radius of a middle, in metres."""
    steps = range(-round(radius / STEP), round(radius / STEP) + 1)
    for across, ahead in product(steps, steps):
        place = (middle[0] + across * STEP, middle[1] + ahead * STEP)
        if dist(place, middle) <= radius:
            yield place


def region_fits(region: str, count: int, obstacles: Obstacles) -> bool:
    """Return whether so many blocks can lie on the table within 6 cm of the middle of a region."""
    at = REGIONS[region]
    # Blocks that share a region may lie towards the edge of the table; a single one finds its place nearer.
    limit = REACH if count == 1 else REACH + PITCH / 2
    open_places = [p for p in places_around(at, WITHIN) if in_reach(p, limit) and free(p, obstacles)]
    return _pick(open_places, count)


def _pick(places: Sequence[Place], count: int) -> bool:
    """Return whether so many of the places are a pitch apart from each other."""
    if count <= 1:
        return len(places) >= count
    for index, place in enumerate(places):
        rest = [p for p in places[index + 1 :] if max(abs(p[0] - place[0]), abs(p[1] - place[1])) >= PITCH - STEP / 10]
        if len(rest) >= count - 1 and _pick(rest, count - 1):
            return True
    return False


WAYS = {"horizontal": ((1.0, 0.0),), "vertical": ((0.0, 1.0),), "diagonal": ((1.0, 1.0), (1.0, -1.0))}


def line_fits(line: str, count: int, obstacles: Obstacles) -> bool:
    """Return whether so many blocks can lie in a line of a kind somewhere on the table, 7 or 10 cm apart."""
    grid = [-0.24 + 0.02 * step for step in range(25)]
    for (across, ahead), spacing, right, top in product(WAYS[line], (0.07, 0.1), grid, grid):
        row = [(right + across * spacing * k, top + ahead * spacing * k) for k in range(count)]
        if all(in_reach(place) and free(place, obstacles) for place in row):
            return True
    return False


def vertices(shape: str, size: float, middle: Place, turn: float = 0.0) -> list[Place]:
    """Return the corners of a triangle or square with equal sides of `size` metres around a middle.

    Unturned, a triangle has a vertex at the top and a square has its sides along the map's axes.
    """
    count = {"triangle": 3, "square": 4}[shape]
    radius, first = size / (2 * sin(pi / count)), pi / 2 if count == 3 else pi / 4
    angles = [first + turn + 2 * pi * k / count for k in range(count)]
    return [(middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in angles]


def shape_fits(shape: str, size: float, region: str, obstacles: Obstacles) -> bool:
    """Return whether a block can lie at each vertex of the unturned shape around a region."""
    places = vertices(shape, size, REGIONS[region])
    return all(in_reach(place) and free(place, obstacles) for place in places)
