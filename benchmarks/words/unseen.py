"""`Unseen`: what the files call hidden is not in view before the robot stands in front of it.

The body without physics sees everything that is in no shut container, from wherever it stands. With hidden things in
the scene, it sees them from near alone, and no piece of furniture counts as looked at from farther away.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from math import hypot

from semantics.body.observation import Observation

__all__ = ["Unseen"]

NEAR, FRONT = 1.3, 0.3
"""How near a robot comes to a thing that it notices, and to the place from which it looks at furniture, in metres."""


class Unseen:
    """Takes hidden things out of sensings, until each was noticed once.

    Args:
        hidden: Names of the things.
    """

    def __init__(self, hidden: Collection[str]) -> None:
        self._hidden = set(hidden)
        self._looked_at = set[str]()

    def __call__(self, seen: Observation) -> Observation:
        """Return a sensing without what has not been noticed."""
        robot = next(view.pose for view in seen.agents.values() if view.gripper is not None)
        for name, sighting in seen.sightings.items():
            x, y, _ = sighting.box.centre
            if name in self._hidden and (name in seen.held or hypot(x - robot.x, y - robot.y) <= NEAR):
                self._hidden.discard(name)
            stand = sighting.stand
            if stand is not None and hypot(stand.x - robot.x, stand.y - robot.y) <= FRONT:
                self._looked_at.add(name)
        furniture = {name for name, sighting in seen.sightings.items() if sighting.stand is not None}
        return replace(
            seen.without(self._hidden),
            searched=seen.searched - self._hidden - (furniture - self._looked_at),
        )
