"""What the primitives of the hand have in common on all bodies: limits, and the point that a command means.

The hand's point is the middle between the fingertips. A point of a command without a height means a safe height above
what is there. Lengths are metres, in the frame of the scene.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import cos, radians, sin
from typing import Final, NamedTuple

from semantics.geometry.geometry import Box, Vector
from semantics.geometry.points import MapPoint, distance
from semantics.geometry.solids import Point
from semantics.logic.feedback import Code, Feedback
from semantics.logic.quantity import ValueModel
from semantics.logic.state import Command

SAFE_HEIGHT: Final = 0.1  # height above what is there to which the hand goes when none is said
SAFE_DROP: Final = 0.15  # the highest fall for which the fingers let go of a thing
FARTHEST_PUSH: Final = 0.5  # the longest way on which a thing is pushed by one command
AROUND: Final = 0.06  # how far beside the hand's point a thing may be that is under the hand
HAND_VALUES: Final[Mapping[str, tuple[ValueModel, ...]]] = {
    "grip": (ValueModel("force", "N", 1.0, 70.0),),
    "move_to": (
        ValueModel("height", "m", 0.0, 1.0),
        ValueModel("speed", "m/s", 0.02, 0.5),
        ValueModel("turn", "deg", -180.0, 180.0),
    ),
    "push": (ValueModel("direction", "deg", -360.0, 360.0), ValueModel("distance", "m", 0.005, FARTHEST_PUSH)),
    "turn": (ValueModel("angle", "deg", -180.0, 180.0),),
}
"""What the primitives of the hand take beside objects and points, by primitive."""
BY_HAND: Final = frozenset({*HAND_VALUES, "release"})
"""The primitives of the hand. What they change of things follows from where things are, and no model says it."""


class HandTarget(NamedTuple):
    """Where the hand goes."""

    x: float  # of the hand's point
    y: float  # of the hand's point
    z: float | None  # of the hand's point; None for a height above what is there
    above: float  # this height, of the underside of what is held, or of the hand's point if it holds nothing


def unfit_hand(command: Command) -> Feedback | None:
    """Return why a command for the hand does not say enough, or says too much; None if it is well-formed."""
    says = {*command.places, *command.values, *command.roles}
    match command.primitive:
        case "move_to":
            return _one_of(command, ("to", "over"), says) or _not_both(command, "height", says)
        case "push":
            return _one_of(command, ("to", "distance"), says) or _with(command, "distance", "direction", says)
        case "turn" if "angle" not in says:
            return _refusal(command, "it does not say by which angle.", "Say an angle from -180 to 180 deg.", "angle")
        case _:
            return None


def _one_of(command: Command, names: tuple[str, str], says: set[str]) -> Feedback | None:
    said = [name for name in names if name in says]
    if len(said) == 1:
        return None
    why = f"it says {'both' if said else 'neither'} '{names[0]}' {'and' if said else 'nor'} '{names[1]}'."
    return _refusal(command, why, "Say one of them.", *names)


def _not_both(command: Command, name: str, says: set[str]) -> Feedback | None:
    point = command.places.get("to")
    if name in says and isinstance(point, MapPoint) and point.z is not None:
        why = f"the point has the height {point.z:.3f} m, and another {name} is said."
        return _refusal(command, why, "Say one of them.", name)
    return None


def _with(command: Command, first: str, second: str, says: set[str]) -> Feedback | None:
    if (first in says) == (second in says):
        return None
    given, lacking = (first, second) if first in says else (second, first)
    return _refusal(command, f"it says a {given} and no {lacking}.", f"Say the {lacking} too.", lacking)


def _refusal(command: Command, why: str, how: str, *culprits: str) -> Feedback:
    return Feedback(Code.REFUSED_BY_BODY, str(command), why, how, culprits)


def hand_target(command: Command, over: Box | None) -> HandTarget:
    """Return where a well-formed `move_to` brings the hand.

    Args:
        command: The command.
        over: The bounds of the thing above which it goes; None if it says a point.
    """
    above = command.values.get("height", SAFE_HEIGHT)
    point = command.places.get("to")
    if isinstance(point, MapPoint):
        return HandTarget(point.x, point.y, point.z, above)
    box = over if over is not None else point
    if not isinstance(box, Box):
        raise TypeError(f"{command} has no point")
    return HandTarget(box.centre[0], box.centre[1], None, above)


def height_over(boxes: Iterable[Box], x: float, y: float) -> float:
    """Return the height of the highest of some boxes at a point; 0, the floor, if there is none."""
    return max((box.high[2] for box in boxes if box.above((x, y, 0.0), AROUND)), default=0.0)


def high_drop(what: str, name: str, drop: float, hand: Vector) -> Feedback | None:
    """Return why a hand does not let go of a thing that would fall, or None if it falls a safe way."""
    if drop <= SAFE_DROP:
        return None
    lower = drop - SAFE_DROP
    nearest = MapPoint(hand[0], hand[1], round(hand[2] - lower - 0.005, 3))
    why = f"{name} would fall {drop:.2f} m, and {SAFE_DROP:g} m is the most."
    how = f"Lower the hand by {lower:.2f} m first, to {nearest}; or put {name} down."
    return Feedback(Code.REFUSED_BY_BODY, what, why, how, (name,))


def push_goal(command: Command, middle: Point) -> Point | Feedback:
    """Return where a well-formed `push` brings the middle of a thing, or why this is too far."""
    point = command.places.get("to")
    start = MapPoint(*middle)
    if isinstance(point, MapPoint):
        goal = MapPoint(point.x, point.y)
    else:
        way, angle = command.values["distance"], radians(command.values["direction"])
        goal = start + MapPoint(way * cos(angle), way * sin(angle))
    far = distance(start, goal)
    if far <= FARTHEST_PUSH:
        return goal.x, goal.y
    nearest = start + (goal - start) * (FARTHEST_PUSH / far)
    why = f"the way of {far:.2f} m is longer than {FARTHEST_PUSH:g} m."
    how = f"Push it part of the way, to {nearest}, or pick it up and put it there."
    return Feedback(Code.REFUSED_BY_BODY, str(command), why, how, (command.roles["object"], "to"))
