"""Where things are, as far as a program may know it, and what the hand reaches.

A place is the name of a thing, a point or a box. Lengths are metres, in the frame of the scene.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import degrees
from typing import NamedTuple

from bt.programs.values import Odd, Value, shown
from semantics.body.observation import HAND, Sighting
from semantics.geometry import points
from semantics.geometry.geometry import Box, Vector
from semantics.geometry.points import MapPoint
from semantics.logic.feedback import Code
from semantics.logic.quantity import Quantity


def metres(length: float | Quantity) -> float:
    """Return a length in metres; a plain number is one."""
    return length.to("m").number if isinstance(length, Quantity) else length


class NotSeen(Odd):
    """A thing whose place is not known, because it was not seen, or is no longer where it was."""

    code = Code.NOT_VISIBLE


class NoRoom(Odd):
    """Things do not find room where they are to stand."""

    code = Code.NO_ROOM


class ReachUntold(Odd):
    """A question about what is in reach, to a body that does not tell it."""

    code = Code.REFUSED_BY_BODY


class NoThing(Odd):
    """A name of nothing."""

    code = Code.UNKNOWN_NAME


class SensedPlaces(NamedTuple):
    """Where things are."""

    sightings: Mapping[str, Sighting]  # the things that were seen, by name
    names: Mapping[str, str]  # the thing that each written name means
    most: int  # the largest number of members of a list
    heading: float = points.NORTH  # where the viewer looks from whom left and right are said, in radians
    reaches: Callable[[Vector], bool] | None = None
    """Returns whether the hand can work at a point in space; None where the body does not tell."""

    def seen_from(self, viewer: str, views: Mapping[str, float]) -> SensedPlaces:
        """Return the places as another viewer sees them.

        Args:
            viewer: The name of an agent, or of furniture with a front.
            views: Where each viewer looks, in radians.

        Raises:
            Odd: It is not known where this viewer looks.
        """
        if viewer not in views:
            why = f"nobody knows where {viewer} looks: it is no agent and no furniture with a front, or not in view"
            raise NotSeen(
                why, f"Say it as seen from {' or '.join(sorted(views))}." if views else "Leave out seen_from."
            )
        return self._replace(heading=views[viewer])

    def sighting(self, name: str) -> Sighting:
        """Return the sighting of a thing.

        Raises:
            Odd: Nothing has this name, or it was not seen.
        """
        thing = self.names.get(name, name)
        if thing in self.sightings:
            return self.sightings[thing]
        if thing == HAND:
            raise NotSeen("nobody knows where the gripper is: this body does not tell it")
        if thing not in self.names.values():
            raise NoThing(f"a thing, a point or a box is needed, and {shown(name)} names none")
        if not self.sightings:
            raise NotSeen(f"nobody knows where {thing} is: this body senses no positions here")
        raise NotSeen(f"nobody knows where {thing} is: it is not in view, and not where it was seen last")

    def box(self, place: Value) -> Box:
        """Return the bounds of a place in space; those of a point have no size."""
        if isinstance(place, MapPoint):
            at = (place.x, place.y, place.z or 0.0)
            return Box(at, at)
        return place if isinstance(place, Box) else self.sighting(str(place)).box

    def point(self, place: Value) -> MapPoint:
        """Return the middle of a place in space."""
        return place if isinstance(place, MapPoint) else points.around(self.box(place))

    def region(self, place: Value) -> Box:
        """Return what things can be put on: the highest surface of a thing, or the top of its bounds."""
        if isinstance(place, Box):
            return place
        seen = self.sighting(str(place))
        return points.top_of(max(seen.surfaces, key=lambda surface: surface.high[2], default=seen.box))

    def yaw(self, thing: str) -> float:
        """Return how far a thing is turned about the vertical, in degrees.

        Raises:
            Odd: It was not seen, or is none of those that can be turned.
        """
        if (solid := self.sighting(thing).solid) is None:
            raise Odd(f"nobody knows how {thing} is turned")
        return degrees(solid.yaw)

    def side(self, area: Value, name: str, inset: float | Quantity = 0.0) -> MapPoint:
        """Return the middle of a side of a region, so far from the edge."""
        return points.side(self.region(area), name, metres(inset), self.heading)

    def corner(self, area: Value, name: str, inset: float | Quantity = 0.0) -> MapPoint:
        """Return a corner of a region, so far from its edges."""
        return points.corner(self.region(area), name, metres(inset), self.heading)

    def offset(self, place: Value, other: Value, name: str) -> float:
        """Return how many metres a place lies from another one in a direction."""
        return points.offset(self.point(place), self.point(other), name, self.heading)

    def grasped(self, place: Value) -> MapPoint:
        """Return where the hand works at a place: the middle of the top of furniture, and else the middle."""
        if isinstance(place, str) and self.sighting(place).solid is None and self.sighting(place).surfaces:
            return points.middle(self.region(place))
        return self.point(place)

    def on_top(self, point: MapPoint) -> Vector:
        """Return a point in space: one without a height lies on the highest surface or thing there, or on the floor."""
        tops = (box for seen in self.sightings.values() for box in (seen.box, *seen.surfaces))
        there = (box.high[2] for box in tops if box.above((point.x, point.y, 0.0)))
        return point.x, point.y, max(there, default=0.0) if point.z is None else point.z
