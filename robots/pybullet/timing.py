"""The timing of a path with limits of speed, acceleration and jerk, by ruckig.

The robot rests at each waypoint and all joints start and stop together. So it keeps exactly to the straight segments
that were tested for collisions. L. Berscheid, T. Kröger, "Jerk-limited Real-time Trajectory Generation with Arbitrary
Target States", RSS 2021.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

import numpy as np

from robots.pybullet.description import Configuration

__all__ = ["Setpoint", "halting_at"]

JERK_TIME = 0.1
"""Seconds in which a joint reaches its largest acceleration."""
UNMOVED = 1e-6
"""The largest change, in metres and radians, that is not a motion."""


class Setpoint(NamedTuple):
    """What the motors are told at one control tick: positions, speeds, and the fraction of the motion that is done."""

    target: Configuration
    velocity: Configuration
    fraction: float


def halting_at(
    points: Sequence[Configuration], speeds: Configuration, accelerations: Configuration, tick: float
) -> Iterator[Setpoint]:
    """Yield the setpoints of a motion that rests at each point.

    Args:
        points: The configurations to pass, the present one first.
        speeds: The largest speed of each joint, in metres or radians per second.
        accelerations: The largest acceleration of each joint, in metres or radians per second squared.
        tick: Seconds between two setpoints.
    """
    legs = [(a, b) for a, b in pairwise(points) if np.max(np.abs(b - a)) > UNMOVED]
    for number, (start, end) in enumerate(legs):
        for setpoint in _leg(start, end, speeds, accelerations, tick):
            yield setpoint._replace(fraction=(number + setpoint.fraction) / len(legs))


def _leg(
    start: Configuration, end: Configuration, speeds: Configuration, accelerations: Configuration, tick: float
) -> Iterator[Setpoint]:
    """Yield the setpoints from rest at `start` to rest at `end`, on a straight line."""
    import ruckig

    given = ruckig.InputParameter(len(start))
    given.current_position, given.target_position = start.tolist(), end.tolist()
    given.max_velocity, given.max_acceleration = speeds.tolist(), accelerations.tolist()
    given.max_jerk = (accelerations / JERK_TIME).tolist()
    given.synchronization = ruckig.Synchronization.Phase
    trajectory = ruckig.Trajectory(len(start))
    ruckig.Ruckig(len(start)).calculate(given, trajectory)
    for i in range(1, ceil(trajectory.duration / tick) + 1):
        position, velocity, _ = trajectory.at_time(min(i * tick, trajectory.duration))
        yield Setpoint(np.array(position), np.array(velocity), min(1.0, i * tick / trajectory.duration))
