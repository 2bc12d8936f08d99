"""Inverse and forward kinematics of the arm in one vertical plane, in closed form.

The base turns and drives in every direction and the column lifts, so the arm hardly ever has to leave the vertical
plane through its shoulder: joints 1, 3 and 5 stay at zero, joints 2, 4 and 6 form a planar chain with three angles, and
joint 7 rolls the hand. Reach `r`, height `z` and pitch `phi` of the hand then have exactly one elbow-up solution. It
takes microseconds, never jumps between branches, and is checked against the joint limits. Lengths and limits are those
of a `BodyDescription`. `Mirror.turn_hand` leaves the plane, where no posture in it takes a thing from under a roof.
"""

from __future__ import annotations

from math import acos, atan2, cos, hypot, pi, sin
from typing import NamedTuple

import numpy as np

from robots.pybullet.description import LIFT, BodyDescription, Configuration, Links

SHOULDER_TO_WRIST = "the distance from shoulder to wrist"
IN_PLANE = (LIFT + 1, LIFT + 3, LIFT + 5)  # the indices of the joints that stay at zero
LENGTHS = ("column", SHOULDER_TO_WRIST)  # what is limited in metres; the joints are in radians


class Reach(NamedTuple):
    """The pose of the fingertips relative to the robot."""

    r: float  # metres ahead of the centre of the base
    z: float  # height above the floor in metres
    phi: float  # pitch of the hand below the horizontal in radians: 0 points ahead, pi / 2 down
    roll: float = 0.0  # rotation of the hand about its axis in radians; at 0 the fingers close sideways


class LimitExcess(NamedTuple):
    """Why the arm has no posture for a reach: what would be beyond its limits, and by how much."""

    what: str  # the joint, or the distance from the shoulder to the wrist
    value: float  # what it would be, in radians or metres
    low: float  # the least value
    high: float  # the largest value

    @property
    def beyond(self) -> float:
        """How far the value is beyond its nearest limit, in radians or metres."""
        return max(self.low - self.value, self.value - self.high)

    def __str__(self) -> str:
        unit = "m" if self.what in LENGTHS else "rad"
        return (
            f"{self.what} would be {self.value:.2f} {unit}, within {self.low:.2f} and {self.high:.2f} {unit} it can be"
        )


def posture(description: BodyDescription, reach: Reach, lift: float) -> Configuration | None:
    """Return the height of the arm's foot and the arm's joints for a reach, or None outside of the limits."""
    solution = solve(description, reach, lift)
    return None if isinstance(solution, LimitExcess) else solution


def solve(description: BodyDescription, reach: Reach, lift: float) -> Configuration | LimitExcess:
    """Return the column's height and the arm's joints for a reach, or what would be beyond its limits."""
    if not description.column[0] <= lift <= description.column[1]:
        return LimitExcess("column", lift, *description.column)
    links, (upper_arm, upper_bend, forearm, fore_bend) = description.links, _bends(description.links)
    s, c = sin(reach.phi), cos(reach.phi)
    x = reach.r - links.wrist * s - links.hand * c
    z = reach.z - lift - links.shoulder - links.wrist * c + links.hand * s
    # The wrist is at (x, z) from the shoulder; the law of cosines on upper arm, forearm and distance gives the elbow.
    distance = hypot(x, z)
    nearest, farthest = abs(upper_arm - forearm) + 0.02, upper_arm + forearm - 0.004
    if not nearest < distance < farthest:
        return LimitExcess(SHOULDER_TO_WRIST, distance, nearest, farthest)
    bend = acos((upper_arm**2 + distance**2 - forearm**2) / (2 * upper_arm * distance))
    upper = atan2(x, z) - bend
    fore = atan2(x - upper_arm * sin(upper), z - upper_arm * cos(upper))
    shoulder = upper - upper_bend
    lean = fore + fore_bend
    joints = (0.0, shoulder, 0.0, shoulder - lean, 0.0, lean + pi / 2 - reach.phi, _within_half_turn(reach.roll))
    for angle, coordinate in zip(joints, description.coordinates[LIFT + 1 :], strict=True):
        low, high = coordinate.limits
        if not low <= angle <= high:
            return LimitExcess(coordinate.joint, angle, low, high)
    return np.array([lift, *joints])


def bounds(description: BodyDescription) -> tuple[Configuration, Configuration]:
    """Return the least and the largest configuration of the plane's postures; a base that moves has no bounds."""
    low, high = (np.array(side) for side in zip(*(item.limits for item in description.coordinates), strict=True))
    for joint in IN_PLANE:
        low[joint] = high[joint] = 0.0
    if description.moves:
        low[:LIFT], high[:LIFT] = -np.inf, np.inf
    return low, high


def _bends(links: Links) -> tuple[float, float, float, float]:
    """Return the length of the upper arm and its angle at the elbow, then those of the forearm."""
    return (
        hypot(links.upper, links.elbow),
        atan2(links.elbow, links.upper),
        hypot(links.fore, links.elbow),
        atan2(links.elbow, links.fore),
    )


def _within_half_turn(roll: float) -> float:
    """Return joint 7 for a roll; rolls that differ by half a turn are the same grasp for a two-finger hand."""
    return pi / 4 + (roll + pi / 2) % pi - pi / 2


def reach_of(description: BodyDescription, configuration: Configuration) -> Reach:
    """Return the reach for a configuration whose arm lies in its vertical plane."""
    links, (upper_arm, upper_bend, forearm, fore_bend) = description.links, _bends(description.links)
    lift, shoulder, elbow, wrist = configuration[3], configuration[5], configuration[7], configuration[9]
    lean = shoulder - elbow
    phi = lean + pi / 2 - wrist
    fore, upper = lean - fore_bend, shoulder + upper_bend
    s, c = sin(phi), cos(phi)
    r = upper_arm * sin(upper) + forearm * sin(fore) + links.wrist * s + links.hand * c
    z = upper_arm * cos(upper) + forearm * cos(fore) + links.wrist * c - links.hand * s
    return Reach(float(r), float(z + lift + links.shoulder), float(phi), float(configuration[10] - pi / 4))
