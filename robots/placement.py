"""Where a thing stands that is put at a point or in a region, and what is wrong with a place where it cannot stand.

At a point, the middle of the thing comes there. In a region, it comes to any free place: wholly inside where the
region has room for it, and else with its middle inside. The thing has to stand on the surface with its whole outline;
on a surface that is smaller, with its middle near the middle of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import hypot, inf
from typing import NamedTuple

from semantics.geometry.geometry import Box
from semantics.geometry.places import is_clear, spread, stands
from semantics.geometry.points import MapPoint
from semantics.geometry.solids import Solid, height_gap
from semantics.logic.feedback import Code
from semantics.logic.place_value import PlaceValue, place_text

BESIDE = 0.003  # the smallest gap to a neighbour at a point that was said, in metres
APART = 0.01  # the gap to neighbours that is kept where there is a choice, in metres
TOO_HIGH = 0.3  # the largest difference of a height that was said from that of the surface, in metres
TRIES = 200  # the number of points of a region that are looked at on each surface
STEP = 0.02  # the distance of the points among which the nearest free one is looked for, in metres
ROUNDED = 3  # decimals of a point that is suggested


class SaidPlace(NamedTuple):
    """What was said of how a thing is to be put down."""

    where: PlaceValue | None = None  # the point, or the region; None for any place
    turn: float | None = None  # the yaw of the thing in the frame of the scene, in radians; None for any


class Site(NamedTuple):
    """What a thing is put on."""

    name: str  # its name
    surfaces: Sequence[Solid]  # its tops, or the floors of its interiors, by their `top`
    others: Mapping[str, Solid]  # the things beside which there has to be room

    @property
    def everywhere(self) -> Box:
        """A region around all surfaces."""
        spans = [[(top.at[axis] - top.radius, top.at[axis] + top.radius) for top in self.surfaces] for axis in (0, 1)]
        west, south = (min((low for low, _ in span), default=inf) for span in spans)
        east, north = (max((high for _, high in span), default=-inf) for span in spans)
        return Box((west, south, 0.0), (east, north, 0.0))


class Misplacement(NamedTuple):
    """Why a thing cannot be put at a place."""

    code: Code  # the code of the failure
    why: str  # the reason, a sentence
    how: str  # what to do about it: the nearest free point
    culprits: tuple[str, ...]  # what takes the room, or the target


def _always(_: Solid) -> bool:
    return True


def said_spots(where: PlaceValue, thing: Solid, site: Site) -> Iterator[Solid]:
    """Yield the thing as it would stand, at the point or at free places of the region, the middle of it first.

    Where a region has no place as far from other things as usual, such as the top of a block beside a tower, it comes
    as near to them as at a point.
    """
    is_point, found = isinstance(where, MapPoint), False
    for put in _spots(where, thing, site, BESIDE if is_point else APART):
        found = True
        yield put
    if not (found or is_point):
        yield from _spots(where, thing, site, BESIDE)


def _spots(where: PlaceValue, thing: Solid, site: Site, apart: float) -> Iterator[Solid]:
    """Yield the thing at the places where it stands so far from everything else."""
    for surface in _by_height(where, site.surfaces):
        wished = _wished(where, thing, surface)
        yield from (put for put in wished if stands(surface, put) and not _blocking(put, site, apart))


def _by_height(where: PlaceValue, surfaces: Sequence[Solid]) -> list[Solid]:
    """Return the surfaces that a place may mean: the nearest in height first, if it has a height."""
    height = where.z if isinstance(where, MapPoint) else where.high[2]
    if height is None or (isinstance(where, Box) and where.low[2] == where.high[2] == 0.0):
        return list(surfaces)
    near = [surface for surface in surfaces if abs(surface.top - height) <= TOO_HIGH]
    return sorted(near, key=lambda surface: abs(surface.top - height))


def _in_region(region: Box, thing: Solid, surface: Solid) -> Iterator[Solid]:
    """Yield the thing over points of the part of a region that is over a surface, the middle first."""
    spans = []
    for axis, direction in enumerate(((1.0, 0.0), (0.0, 1.0))):
        over = surface.at[axis], surface.reach(direction)
        low, high = max(region.low[axis], over[0] - over[1]), min(region.high[axis], over[0] + over[1])
        if low > high:
            return
        room = thing.reach(direction)
        spans.append((low + room, high - room) if high - low > 2 * room else (low, high))
    (left, right), (near, far) = spans
    for u, v in spread(0, TRIES):
        yield thing.moved(left + u * (right - left), near + v * (far - near), surface.top)


def _blocking(put: Solid, site: Site, apart: float) -> list[str]:
    """Return what takes the room of a thing, sorted."""
    return sorted(
        name
        for name, other in site.others.items()
        if hypot(other.at[0] - put.at[0], other.at[1] - put.at[1]) < other.radius + put.radius + apart
        and height_gap(put, other) == 0.0
        and not is_clear(put, other, apart)
    )


def misplacement(
    where: PlaceValue, thing: Solid, site: Site, reachable: Callable[[Solid], bool] = _always
) -> Misplacement:
    """Return why there is no spot for a thing at a place, with the nearest free point where it can stand.

    Args:
        where: The place that was said.
        thing: The thing, with the yaw that it would have.
        site: What it is put on.
        reachable: Whether the body can put it there.
    """
    point = (
        MapPoint(*((low + high) / 2 for low, high in zip(where.low, where.high, strict=True)))
        if isinstance(where, Box)
        else where
    )
    nearest = _nearest(point, thing, site, reachable)
    how = f"The nearest free point is {place_text(nearest)}." if nearest else f"Make room on {site.name}."
    over = [
        surface
        for surface in _by_height(where, site.surfaces)
        if any(stands(surface, put) for put in _wished(where, thing, surface))
    ]
    if not over:
        why = f"{place_text(where)} is no place on {site.name} where all of it would stand."
        return Misplacement(Code.OUT_OF_REACH, why, how, (site.name,))
    takers = dict.fromkeys(
        name for surface in over for put in _wished(where, thing, surface) for name in _blocking(put, site, BESIDE)
    )
    why = f"{' and '.join(takers) or site.name} takes the room at {place_text(where)}."
    return Misplacement(Code.NO_ROOM, why, how, tuple(takers) or (site.name,))


def _wished(where: PlaceValue, thing: Solid, surface: Solid) -> Iterator[Solid]:
    if isinstance(where, MapPoint):
        return iter([thing.moved(where.x, where.y, surface.top)])
    return _in_region(where, thing, surface)


def _nearest(point: MapPoint, thing: Solid, site: Site, reachable: Callable[[Solid], bool]) -> MapPoint | None:
    """Return the free point nearest to another one, in whole millimetres; None if there is none."""
    choices = [
        thing.moved(round(x, ROUNDED), round(y, ROUNDED), surface.top)
        for surface in site.surfaces
        for x, y in _grid(point, thing, surface)
    ]
    choices.sort(key=lambda put: hypot(put.at[0] - point.x, put.at[1] - point.y))
    free = (
        put
        for put in choices
        if any(surface.top == put.bottom and stands(surface, put) for surface in site.surfaces)
        and not _blocking(put, site, APART)
        and reachable(put)
    )
    found = next(free, None)
    return None if found is None else MapPoint(found.at[0], found.at[1])


def _grid(point: MapPoint, thing: Solid, surface: Solid) -> Iterator[tuple[float, float]]:
    """Yield points over a surface, and the point that a wished one becomes when it is moved over it."""
    rooms = [max(surface.reach(axis) - thing.reach(axis), 0.0) for axis in ((1.0, 0.0), (0.0, 1.0))]
    lows, highs = (
        [middle + sign * room for middle, room in zip(surface.middle, rooms, strict=True)] for sign in (-1, 1)
    )
    inside = 10**-ROUNDED
    yield surface.middle
    yield (
        min(max(point.x, lows[0] + inside), max(highs[0] - inside, lows[0])),
        min(max(point.y, lows[1] + inside), max(highs[1] - inside, lows[1])),
    )
    counts = [int(2 * room / STEP) for room in rooms]
    for i in range(counts[0] + 1):
        for j in range(counts[1] + 1):
            yield lows[0] + i * STEP, lows[1] + j * STEP
