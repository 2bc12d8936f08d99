"""Where things find room to stand side by side: free points of the map, judged by bounds seen from above.

Lengths are metres, in the frame of the scene. Bounds are boxes along the axes of the scene, so that a turned thing
takes more room than it needs, and never less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import hypot

from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint

GAP = 0.03  # the gap to everything else that is kept where none is said: the room of the fingers that let go
STEP = 0.01  # the smallest distance of the points that are looked at
ACROSS = 24  # at most so many steps across a circle
TRIES = 20_000  # how many points are tried in all for several things, before there is no room

Size = tuple[float, float]


def is_free(point: MapPoint, size: Size, others: Sequence[Box], gap: float = GAP) -> bool:
    """Return whether a thing of a size along x and y, with its middle at a point, keeps a gap from all others."""
    return all(
        max(
            abs(point.x - other.centre[0]) - (size[0] + other.size[0]) / 2,
            abs(point.y - other.centre[1]) - (size[1] + other.size[1]) / 2,
        )
        >= gap
        for other in others
    )


def free_points(
    centre: MapPoint,
    radius: float,
    count: int,
    size: Size,
    others: Sequence[Box],
    gap: float = GAP,
    *,
    preferred: Callable[[MapPoint], bool] = lambda _: True,
) -> list[MapPoint]:
    """Return points within a radius of a centre where things can stand side by side; an empty list without room.

    Args:
        centre: The middle of the circle; a single thing comes as near to it as possible.
        radius: The largest distance of the middle of a thing from the centre.
        count: The number of things, from 1.
        size: Of the largest thing, along x and y.
        others: The bounds of all that must not be touched.
        gap: The gap that is kept between them, and to the others.
        preferred: Which points are taken if there are enough of them, such as those within reach.
    """
    free = [point for point in _grid(centre, radius) if is_free(point, size, others, gap)]
    if count == 1:
        near = sorted(free, key=lambda point: hypot(point.x - centre.x, point.y - centre.y))
        return [next(filter(preferred, near), near[0])] if near else []
    pitch = size[0] + gap - STEP / 10, size[1] + gap - STEP / 10
    best = _side_by_side([*filter(preferred, free)], count, pitch, iter(range(TRIES)))
    return best or _side_by_side(free, count, pitch, iter(range(TRIES)))


def _grid(centre: MapPoint, radius: float) -> Iterator[MapPoint]:
    step = max(STEP, 2 * radius / ACROSS)
    steps = range(-int(radius / step), int(radius / step) + 1)
    for across, ahead in product(steps, steps):
        if hypot(across, ahead) * step <= radius:
            yield MapPoint(centre.x + across * step, centre.y + ahead * step, centre.z)


def _side_by_side(free: Sequence[MapPoint], count: int, pitch: Size, tries: Iterator[int]) -> list[MapPoint]:
    """Return so many of the points, each at least a pitch along x or along y from the others."""
    if count == 1:
        return list(free[:1])
    for index, point in enumerate(free):
        if next(tries, None) is None:
            return []
        rest = [p for p in free[index + 1 :] if abs(p.x - point.x) >= pitch[0] or abs(p.y - point.y) >= pitch[1]]
        chosen = _side_by_side(rest, count - 1, pitch, tries) if len(rest) >= count - 1 else []
        if chosen:
            return [point, *chosen]
    return []
