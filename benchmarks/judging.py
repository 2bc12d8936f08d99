"""A judge who shares no code with the robot: goals decided on the simulator's own poses, contacts and door angles.

It looks a second of simulated time after the end. What it asks is stricter than what the robot senses: a thing on
something touches it and rests over it, a thing in something lies within its walls, what a person has touches the hand
and not the robot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

__all__ = ["VERDICTS", "Truth", "Verdict"]

Corners = tuple[tuple[float, float, float], tuple[float, float, float]]
NEAR = 0.02


@dataclass(frozen=True, slots=True)
class Truth:
    """What the simulator says, one second after the end.

    Attributes:
        bounds: Lowest and highest corner of everything, metres.
        contacts: Pairs of names that touch.
        doors: How far each door stands open, 0 to 1.
    """

    bounds: Mapping[str, Corners]
    contacts: frozenset[frozenset[str]]
    doors: Mapping[str, float]

    def middle(self, name: str) -> tuple[float, float, float]:
        """Return the centre of a thing's bounds."""
        (a, b, c), (x, y, z) = self.bounds[name]
        return ((a + x) / 2, (b + y) / 2, (c + z) / 2)

    def touch(self, one: str, other: str) -> bool:
        """Return whether two things touch."""
        return frozenset((one, other)) in self.contacts

    def over(self, thing: str, place: str) -> bool:
        """Return whether a thing's middle lies within a place's outline."""
        x, y, _ = self.middle(thing)
        low, high = self.bounds[place]
        return low[0] <= x <= high[0] and low[1] <= y <= high[1]

    def rests_on(self, thing: str, place: str) -> bool:
        """Return whether a thing touches a place from above, within its outline, and is held by nobody."""
        held = any(self.touch(thing, name) for name in ("robot0", "human0"))
        above_floor = self.bounds[thing][0][2] > NEAR
        return self.touch(thing, place) and self.over(thing, place) and above_floor and not held

    def lies_in(self, thing: str, container: str) -> bool:
        """Return whether a thing's middle lies within a container's bounds, and nobody holds it."""
        held = any(self.touch(thing, name) for name in ("robot0", "human0"))
        within = all(
            low <= value <= high + NEAR
            for low, value, high in zip(
                self.bounds[container][0], self.middle(thing), self.bounds[container][1], strict=True
            )
        )
        return within and not held

    def has(self, person: str, thing: str) -> bool:
        """Return whether a thing is in a person's hand: touches the person, not the robot, well above the floor."""
        return self.touch(thing, person) and not self.touch(thing, "robot0") and self.bounds[thing][0][2] > 0.3


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
