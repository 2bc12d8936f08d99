"""The way of a thing that is pushed: it stays on its surface, and runs into nothing. Pure geometry.

The footprint is moved along a straight line in small steps. At each step all its corners must lie over a surface of the
height on which the thing stands, and every other thing of this height must keep its distance. Metres.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, hypot
from typing import Final

from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint
from semantics.geometry.solids import Point, Solid, gap, height_gap
from semantics.logic.feedback import Code, Feedback

STRIDE: Final = 0.005  # distance between two tests on the way
CLEARANCE: Final = 0.008  # the least distance from other things on the way
RESTS: Final = 0.015  # how far the underside of a thing may be from the surface on which it stands
SUNK: Final = 0.003  # overlap in height that does not count: things that stand on one surface touch it


@dataclass(frozen=True)
class Slide:
    """A thing on its way along a surface."""

    name: str  # the thing
    solid: Solid  # the thing as it stands at the start
    goal: Point  # where its middle is to come
    surfaces: Sequence[tuple[str, Box]]  # level surfaces, by the name of the thing that offers each
    others: Mapping[str, Solid]  # the other things, as they stand, without what it carries and what carries it

    @property
    def length(self) -> float:
        """The length of the way."""
        return hypot(self.goal[0] - self.solid.at[0], self.goal[1] - self.solid.at[1])

    @property
    def direction(self) -> Point:
        """The direction of the way, as a unit vector; that of x for a way without length."""
        length = self.length
        if length == 0.0:
            return 1.0, 0.0
        return (self.goal[0] - self.solid.at[0]) / length, (self.goal[1] - self.solid.at[1]) / length

    def at(self, way: float) -> Solid:
        """Return the thing after a part of its way."""
        x, y = self.direction
        return self.solid.moved(self.solid.at[0] + way * x, self.solid.at[1] + way * y, self.solid.bottom)

    def under(self) -> tuple[tuple[str, Box], ...]:
        """Return the surfaces at the height on which it stands."""
        return tuple((name, box) for name, box in self.surfaces if abs(box.high[2] - self.solid.bottom) <= RESTS)


def unsafe_slide(slide: Slide, what: str) -> Feedback | None:
    """Return why a thing is not pushed along its whole way, with how far it is free; None if all of it is free.

    Args:
        slide: The way.
        what: The command, for the feedback.
    """
    under = slide.under()
    if not _rests_on(slide.solid, under):
        why = "it does not stand with its whole underside on one level surface."
        how = f"Pick {slide.name} up and put it down instead."
        return Feedback(Code.OBSTRUCTED, what, why, how, (slide.name,))
    near = {name: gap(slide.solid, other) for name, other in slide.others.items() if _beside(slide.solid, other)}
    steps = ceil(slide.length / STRIDE)
    for step in range(1, steps + 1):
        way = slide.length * step / steps
        moved, free = slide.at(way), slide.length * (step - 1) / steps
        if not _rests_on(moved, under):
            return _over_the_edge(slide, what, free, under)
        # What was as near at the start may stay so.
        hit = next((name for name, was in near.items() if gap(moved, slide.others[name]) < min(CLEARANCE, was)), None)
        if hit is not None:
            return _into(slide, what, free, hit)
    return None


def _beside(solid: Solid, other: Solid) -> bool:
    """Return whether two things take up some of the same heights."""
    return height_gap(solid, other) == 0.0 and min(solid.top - other.bottom, other.top - solid.bottom) > SUNK


def _rests_on(solid: Solid, surfaces: Sequence[tuple[str, Box]]) -> bool:
    return all(any(box.above((*corner, 0.0)) for _, box in surfaces) for corner in solid.corners)


def _over_the_edge(slide: Slide, what: str, free: float, under: Sequence[tuple[str, Box]]) -> Feedback:
    surfaces = tuple(dict.fromkeys(name for name, box in under if box.above((*slide.solid.middle, 0.0))))
    why = f"after {free:.3f} m of {slide.length:.3f} m it would reach over the edge of {' and '.join(surfaces)}."
    return Feedback(Code.NO_ROOM, what, why, _nearest(slide, free), (slide.name, *surfaces))


def _into(slide: Slide, what: str, free: float, hit: str) -> Feedback:
    why = f"after {free:.3f} m of {slide.length:.3f} m it would run into {hit}."
    how = f"Move {hit} out of the way. {_nearest(slide, free)}"
    return Feedback(Code.OBSTRUCTED, what, why, how, (slide.name, hit))


def _nearest(slide: Slide, free: float) -> str:
    x, y = slide.at(free).middle
    if free == 0.0:
        return "Push it in another direction, or pick it up and put it there."
    return f"The nearest point to which it can be pushed in this direction is {MapPoint(round(x, 3), round(y, 3))}."
