"""A judge who shares no code with the robot: goals decided on the simulator's own blocks, contact points and angles.

It looks a second of simulated time after the end. What it asks is stricter than what the robot senses: what holds a
thing up on something pushes it upwards at its underside; a thing in something lies with its whole outline within the
walls, its lowest point below their rim; what a person has stands in the outstretched hand and not in the robot's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["VERDICTS", "Touch", "Truth", "Verdict"]

Point = tuple[float, float, float]
Corners = tuple[Point, Point]
NEAR = 0.01
"""How far from a thing's lowest point is still its underside, and how far it lies below a rim at least, in metres."""
SLACK = 0.005
"""How far bounds may reach into a wall, in metres: the simulator grows those of some solids."""
UPWARDS = 0.7
"""Upward part of the direction in which what holds a thing up pushes it."""
HAND = (0.85, 1.05)
"""Heights between which a person holds out a hand, in metres."""


class Touch(NamedTuple):
    """A point at which a thing is touched: by what, where, and the direction in which it is pushed."""

    other: str
    point: Point
    push: Point


@dataclass(frozen=True, slots=True)
class Truth:
    """What the simulator says, one second after the end.

    Attributes:
        bounds: Lowest and highest corner of everything, metres.
        touches: For each movable thing, where it is touched.
        doors: How far each door stands open, 0 to 1.
        blocks: For each piece of furniture, lowest and highest corner of what it is made of, its door not included.
    """

    bounds: Mapping[str, Corners]
    touches: Mapping[str, tuple[Touch, ...]]
    doors: Mapping[str, float]
    blocks: Mapping[str, tuple[Corners, ...]]

    def middle(self, name: str) -> Point:
        """Return the centre of a thing's bounds."""
        (a, b, c), (x, y, z) = self.bounds[name]
        return ((a + x) / 2, (b + y) / 2, (c + z) / 2)

    def touch(self, thing: str, other: str) -> bool:
        """Return whether something touches a thing."""
        return any(touch.other == other for touch in self.touches[thing])

    def held(self, thing: str) -> bool:
        """Return whether the robot or the person touches a thing."""
        return self.touch(thing, "robot0") or self.touch(thing, "human0")

    def over(self, thing: str, place: str) -> bool:
        """Return whether a thing's middle lies within a place's outline."""
        x, y, _ = self.middle(thing)
        low, high = self.bounds[place]
        return low[0] <= x <= high[0] and low[1] <= y <= high[1]

    def borne(self, thing: str, by: str) -> tuple[Point, ...]:
        """Return the points at a thing's underside at which something pushes it upwards."""
        underside = self.bounds[thing][0][2] + NEAR
        mine = (touch for touch in self.touches[thing] if touch.other == by)
        return tuple(touch.point for touch in mine if touch.push[2] >= UPWARDS and touch.point[2] <= underside)

    def rests_on(self, thing: str, place: str) -> bool:
        """Return whether a place holds a thing up, within its outline, off the floor, and nobody holds it."""
        off_the_floor = self.bounds[thing][0][2] > 2 * NEAR
        return bool(self.borne(thing, place)) and self.over(thing, place) and off_the_floor and not self.held(thing)

    def walls(self, thing: str, container: str) -> tuple[Corners | None, ...]:
        """Return the nearest wall of a container at the height of a thing's lowest point, before and behind on x and y.

        A wall lies beside the thing's middle, and reaches at least `NEAR` higher than its lowest point.
        """
        at, height = self.middle(thing), self.bounds[thing][0][2] + NEAR
        level = [block for block in self.blocks[container] if block[0][2] <= height <= block[1][2]]
        found: list[Corners | None] = []
        for i in (0, 1):
            beside = [block for block in level if block[0][1 - i] <= at[1 - i] <= block[1][1 - i]]
            before = [block for block in beside if block[1][i] <= at[i]]
            behind = [block for block in beside if block[0][i] >= at[i]]
            found.append(max(before, key=lambda block: block[1][i], default=None))
            found.append(min(behind, key=lambda block: block[0][i], default=None))
        return tuple(found)

    def lies_in(self, thing: str, container: str) -> bool:
        """Return whether a thing's whole outline lies within a container's walls and its lowest point below their rim.

        A container with a door has a wall less; there the outline stays within its outer bounds. Nobody holds it.
        """
        walls = self.walls(thing, container)
        if walls.count(None) > (container in self.doors):
            return False
        (low, high), outer = self.bounds[thing], self.bounds[container]
        edges = [
            wall[1 - side % 2][side // 2] if wall else outer[side % 2][side // 2] for side, wall in enumerate(walls)
        ]
        within = all(edges[2 * i] - SLACK <= low[i] and high[i] <= edges[2 * i + 1] + SLACK for i in (0, 1))
        return within and not self.held(thing)

    def has(self, person: str, thing: str) -> bool:
        """Return whether a thing stands in a person's outstretched hand, and the robot has let go of it."""
        in_hand = any(HAND[0] <= height <= HAND[1] for _, _, height in self.borne(thing, person))
        return in_hand and not self.touch(thing, "robot0")


Verdict = Callable[[Truth], bool]
FRUIT = ("apple0", "banana0", "lemon0", "orange0")
OPEN, SHUT = 0.7, 0.05

VERDICTS: Mapping[str, Verdict] = {
    "put the apple on the counter": lambda truth: truth.rests_on("apple0", "counter0"),
    "bring me the milk": lambda truth: truth.has("human0", "milk0"),
    "put the sponge and the cup in the sink": lambda truth: all(
        truth.lies_in(name, "sink0") for name in ("sponge0", "cup0")
    ),
    "put all the fruit on the shelf": lambda truth: all(truth.rests_on(name, "shelf0") for name in FRUIT),
    "open the fridge": lambda truth: truth.doors["fridge0"] >= OPEN,
    "put the juice in the fridge and close it": lambda truth: (
        truth.lies_in("juice0", "fridge0") and truth.doors["fridge0"] <= SHUT
    ),
}
"""By sentence, what has to be so afterwards."""
