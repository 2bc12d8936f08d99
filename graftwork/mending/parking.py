"""Where a repair may set something down meanwhile, as the body sees the room."""

from __future__ import annotations

from math import dist

from bt.repairing import Parking
from graftwork.staging.opening import Stage
from semantics.state import State

__all__ = ["parking_of"]

NO_FURNITURE = 100.0
"""What has no place to work at (the floor) counts as this far, in metres: something is set down there only for want of
anything better."""
WHEREABOUTS = "at"


def parking_of(stage: Stage) -> Parking:
    """Return who knows how far each place is from where the robot is, between where it stands to work at them.

    Where a body tells nothing of that, one place is as good as another.
    """
    seen, robot = stage.robot.observation(), stage.robot.name
    stands = {name: one.stand for name, one in seen.sightings.items() if one.stand is not None}
    if not stands:
        return Parking()

    def distance(place: str, state: State) -> float:
        there = stands.get(place)
        if there is None:
            return NO_FURNITURE
        at = (atom.args[1] for atom in state.atoms if atom.predicate == WHEREABOUTS and atom.args[:1] == (robot,))
        here = next((stands[name] for name in sorted(at) if name in stands), None)
        return 0.0 if here is None else dist((here.x, here.y), (there.x, there.y))

    return Parking(distance)
