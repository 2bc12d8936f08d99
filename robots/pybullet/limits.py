"""The limits of the joints: positions, speeds and forces, and of motions: speed, acceleration and jerk.

Every command is checked before it is sent: by itself, and as the next one after those before it. A command beyond a
limit, or one that is no number, raises an error that names the joint, and nothing is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import pybullet
from numpy.typing import NDArray

from robots.errors import JointLimitError
from robots.pybullet.description import SIZE, BodyDescription, Configuration, share_of_limit
from robots.pybullet.timing import TICK

Values = NDArray[np.float64]
ROUNDING: Final = 1e-6  # what a value may be beyond its limit because of rounding, in the unit of the value
PLANE: Final = 2  # how many coordinates are the place of the base, which move as one vector
JERK_ALLOWANCE: Final = 1.2
"""What the jerk of successive commands may be, as a share of its limit: they are samples of a motion."""


class JointLimits(NamedTuple):
    """The limits of some joints; positions in metres or radians, forces in newtons or newton metres."""

    names: tuple[str, ...]  # the names of the joints
    low: Values  # the least position of each
    high: Values  # the largest position of each; infinite for a joint that turns on and on
    speed: Values  # the largest speed of each, per second
    force: Values  # the largest force of each

    def check(self, positions: Values, speeds: Values, forces: Sequence[float]) -> None:
        """Check a command to all the joints.

        Raises:
            JointLimitError: A value is beyond its limit, or no number.
        """
        self.check_positions(positions)
        self._check("speed", speeds, -self.speed, self.speed)
        self._check("force", np.asarray(forces), np.zeros(len(self.names)), self.force)

    def check_positions(self, positions: Values) -> None:
        """Check positions of all the joints.

        Raises:
            JointLimitError: A value is beyond its limit, or no number.
        """
        self._check("position", positions, self.low, self.high)

    def _check(self, quantity: str, values: Values, low: Values, high: Values) -> None:
        within = (low - ROUNDING <= values) & (values <= high + ROUNDING)  # false for a value that is no number
        if not within.all():
            joint = int(np.argmin(within))
            raise JointLimitError(
                self.names[joint], quantity, float(values[joint]), float(low[joint]), float(high[joint])
            )

    def within(self, positions: Values) -> Values:
        """Return the nearest positions that are allowed."""
        return np.clip(positions, self.low, self.high)


def joint_limits(client: int, body: int, joints: Sequence[int]) -> JointLimits:
    """Return the limits of the joints of a loaded body."""
    infos = [pybullet.getJointInfo(body, joint, physicsClientId=client) for joint in joints]
    bounds = [(info[8], info[9]) if info[8] <= info[9] else (-np.inf, np.inf) for info in infos]
    low, high = np.array(bounds, dtype=np.float64).T
    names = tuple(info[1].decode() for info in infos)
    return JointLimits(names, low, high, np.array([info[11] for info in infos]), np.array([info[10] for info in infos]))


class CommandedMotion:
    """The motion that successive commands make, one at each control tick: its speed and its acceleration."""

    def __init__(self, description: BodyDescription) -> None:
        self._names = [row.joint or "the base" for row in description.coordinates]
        limits = description.motion_limits
        most = (limits.speed, limits.acceleration, JERK_ALLOWANCE * limits.jerk)
        self._limits = tuple(zip(("speed", "acceleration", "jerk"), most, strict=True))
        self._rates = (np.zeros(SIZE), np.zeros(SIZE))

    def advance(self, step: Configuration) -> None:
        """Go on by the change of position in a tick.

        Raises:
            JointLimitError: Speed, acceleration or jerk would be beyond its limit, or no number; nothing changes.
        """
        speed = step / TICK
        acceleration = (speed - self._rates[0]) / TICK
        jerk = (acceleration - self._rates[1]) / TICK
        for (quantity, limit), values in zip(self._limits, (speed, acceleration, jerk), strict=True):
            if not share_of_limit(values, limit) <= 1.0 + ROUNDING:  # also for what is no number
                raise self._beyond(quantity, values, limit)
        self._rates = (speed, acceleration)

    def _beyond(self, quantity: str, values: Configuration, limit: Configuration) -> JointLimitError:
        worst = int(np.argmax(np.abs(values) / limit))
        name, value, most = self._names[worst], float(values[worst]), float(limit[worst])
        if worst < PLANE:
            name, value = "the base", float(np.hypot(*values[:PLANE]))
        return JointLimitError(name, quantity, value, -most, most)
