"""`Scenery`: what stood where at one moment, read from plain data, with distances and directions seen from above.

Lengths are in metres, angles in degrees; a place is the middle of a footprint with the height of the underside.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import degrees, pi, radians
from typing import Any

from robots.arrangement import GROUND
from semantics.geometry.relations import Arrangement, Placed
from semantics.geometry.solids import Solid

__all__ = ["RESTS", "Scenery", "written_solid"]

RESTS = 0.012
"""How far an underside may be above or below the top that carries it."""


def written_solid(solid: Solid) -> dict[str, Any]:
    """Return an outline as plain data."""
    return {"form": solid.form, "size": list(solid.size), "at": list(solid.at), "yaw": degrees(solid.yaw)}


def _read(written: Mapping[str, Any]) -> Solid:
    return Solid(written["form"], tuple(written["size"]), tuple(written["at"]), radians(written["yaw"]))


class Scenery:
    """What `benchmarks.words.poses.look` has written down.

    Args:
        written: That.
    """

    def __init__(self, written: Mapping[str, Any]) -> None:
        self._written = written
        self.things = {name: _read(each) for name, each in written["things"].items()}
        self.robot: str = written["robot"]
        self.doors: Mapping[str, list[float]] = written["doors"]
        self.numbers: Mapping[str, float] = written["numbers"]
        self.gripper: float = written["gripper"]

    @property
    def hand(self) -> tuple[float, ...]:
        """Where the hand of the robot is."""
        return tuple(self._written["hand"])

    def solid(self, name: str) -> Solid:
        """Return the outline of a thing or of a piece of furniture.

        Raises:
            KeyError: There is none of that name.
        """
        return self.things[name] if name in self.things else self._parts[name][0]

    def middle(self, name: str) -> tuple[float, float, float]:
        """Return the middle of a thing."""
        solid = self.solid(name)
        return (*solid.middle, solid.bottom + solid.size[2] / 2)

    def heading(self, viewer: str, beside: str) -> float:
        """Return where somebody looks who sees a thing, in radians: the robot at its place, or who stands opposite."""
        views = self._written["views"]
        works_at = [name for name in self._carriers(beside) if name in views] or [self.robot]
        return float(views[works_at[0]]) + (0.0 if viewer == "robot" else pi)

    def _carriers(self, name: str) -> list[str]:
        """Return the furniture with a top under a thing, the nearest first."""
        thing = self.solid(name)
        below = {
            other: thing.bottom - top.top
            for other, (_, *tops) in self._parts.items()
            for top in tops
            if top.covers(thing.middle) and top.top <= thing.bottom + RESTS
        }
        return sorted(below, key=lambda other: below[other])

    @cached_property
    def _parts(self) -> Mapping[str, list[Solid]]:
        return {name: [_read(part) for part in parts] for name, parts in self._written["furniture"].items()}

    @cached_property
    def arrangement(self) -> Arrangement:
        """What stands where, as relations of places see it."""
        ground = Placed(Solid("box", (GROUND, GROUND, 0.0), (0.0, 0.0, 0.0)))
        furniture = {name: Placed(body, tuple(tops)) for name, (body, *tops) in self._parts.items()}
        things = {name: Placed(solid) for name, solid in self.things.items()}
        return Arrangement({"floor0": ground, **furniture, **things}, self._written["heading"], self._written["views"])

    @cached_property
    def facts(self) -> frozenset[str]:
        """The facts that are true, without relations of places."""
        return frozenset(self._written["facts"])
