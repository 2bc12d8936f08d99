"""Inverse and forward kinematics of the arm in one vertical plane, in closed form.

The base turns and drives in every direction and the column lifts, so the arm never has to leave the vertical plane
through its shoulder: joints 1, 3 and 5 stay at zero, joints 2, 4 and 6 form a planar chain with three angles, and joint
7 rolls the hand. Reach `r`, height `z` and pitch `phi` of the hand then have exactly one elbow-up solution. It takes
microseconds, never jumps between branches, and is checked against the joint limits. The lengths are those of the Franka
Panda (link table in Franka's control documentation).
"""

from __future__ import annotations

from math import acos, atan2, cos, hypot, pi, sin
from typing import NamedTuple

import numpy as np

from robots.pybullet.chassis import COLUMN, Configuration

__all__ = ["LimitExcess", "Reach", "bounds", "posture", "reach_of", "solve"]

SHOULDER = 0.333
UPPER, FORE, ELBOW = 0.316, 0.384, 0.0825
WRIST = 0.088
HAND = 0.107 + 0.105
LIMITS = {1: (-1.70, 1.70), 3: (-3.04, -0.1), 5: (0.02, 3.72), 6: (-2.87, 2.87)}

SHOULDER_TO_WRIST = "the distance from shoulder to wrist"
LENGTHS = ("column", SHOULDER_TO_WRIST)
"""What is limited in metres; the joints are in radians."""

_UPPER, _FORE = hypot(UPPER, ELBOW), hypot(FORE, ELBOW)
_UPPER_BEND, _FORE_BEND = atan2(ELBOW, UPPER), atan2(ELBOW, FORE)


class Reach(NamedTuple):
    """The pose of the fingertips relative to the robot.

    Attributes:
        r: Metres ahead of the centre of the base.
        z: Height above the floor in metres.
        phi: Pitch of the hand below the horizontal in radians: 0 points ahead, pi / 2 down.
        roll: Rotation of the hand about its axis in radians; at 0 the fingers close sideways.
    """

    r: float
    z: float
    phi: float
    roll: float = 0.0


class LimitExcess(NamedTuple):
    """Why the arm has no posture for a reach: what would be beyond its limits, and by how much.

    Attributes:
        what: The joint, or the distance from the shoulder to the wrist.
        value: What it would be, in radians or metres.
        low: The least value.
        high: The largest value.
    """

    what: str
    value: float
    low: float
    high: float

    @property
    def beyond(self) -> float:
        """How far the value is beyond its nearest limit, in radians or metres."""
        return max(self.low - self.value, self.value - self.high)

    def __str__(self) -> str:
        unit = "m" if self.what in LENGTHS else "rad"
        return (
            f"{self.what} would be {self.value:.2f} {unit}, within {self.low:.2f} and {self.high:.2f} {unit} it can be"
        )


def posture(reach: Reach, lift: float) -> Configuration | None:
    """Return the column's height and the arm's joints for a reach, or None outside of the limits."""
    solution = solve(reach, lift)
    return None if isinstance(solution, LimitExcess) else solution


def solve(reach: Reach, lift: float) -> Configuration | LimitExcess:
    """Return the column's height and the arm's joints for a reach, or what would be beyond its limits."""
    if not COLUMN[0] <= lift <= COLUMN[1]:
        return LimitExcess("column", lift, *COLUMN)
    s, c = sin(reach.phi), cos(reach.phi)
    x = reach.r - WRIST * s - HAND * c
    z = reach.z - lift - SHOULDER - WRIST * c + HAND * s
    # The wrist is at (x, z) from the shoulder; the law of cosines on upper arm, forearm and distance gives the elbow.
    distance = hypot(x, z)
    nearest, farthest = abs(_UPPER - _FORE) + 0.02, _UPPER + _FORE - 0.004
    if not nearest < distance < farthest:
        return LimitExcess(SHOULDER_TO_WRIST, distance, nearest, farthest)
    bend = acos((_UPPER**2 + distance**2 - _FORE**2) / (2 * _UPPER * distance))
    upper = atan2(x, z) - bend
    fore = atan2(x - _UPPER * sin(upper), z - _UPPER * cos(upper))
    shoulder = upper - _UPPER_BEND
    lean = fore + _FORE_BEND
    joints = (0.0, shoulder, 0.0, shoulder - lean, 0.0, lean + pi / 2 - reach.phi, _within_half_turn(reach.roll))
    for i, (low, high) in LIMITS.items():
        if not low <= joints[i] <= high:
            return LimitExcess(f"panda_joint{i + 1}", joints[i], low, high)
    return np.array([lift, *joints])


def bounds() -> tuple[Configuration, Configuration]:
    """Return the least and the largest configuration of the plane's postures; the base has no bounds."""
    arm = [LIMITS.get(i, (0.0, 0.0)) for i in range(7)]
    low, high = zip(*([(-np.inf, np.inf)] * 3), COLUMN, *arm, strict=True)
    return np.array(low), np.array(high)


def _within_half_turn(roll: float) -> float:
    """Return joint 7 for a roll; rolls that differ by half a turn are the same grasp for a two-finger hand."""
    return pi / 4 + (roll + pi / 2) % pi - pi / 2


def reach_of(configuration: Configuration) -> Reach:
    """Return the reach for a configuration whose arm lies in its vertical plane."""
    lift, shoulder, elbow, wrist = configuration[3], configuration[5], configuration[7], configuration[9]
    lean = shoulder - elbow
    phi = lean + pi / 2 - wrist
    fore, upper = lean - _FORE_BEND, shoulder + _UPPER_BEND
    s, c = sin(phi), cos(phi)
    r = _UPPER * sin(upper) + _FORE * sin(fore) + WRIST * s + HAND * c
    z = _UPPER * cos(upper) + _FORE * cos(fore) + WRIST * c - HAND * s
    return Reach(float(r), float(z + lift + SHOULDER), float(phi), float(configuration[10] - pi / 4))
