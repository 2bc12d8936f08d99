"""Motions as generators: each yields once per control tick, so that closing the generator cancels the motion.

A failure in a motion raises `Failed`; `Running` catches it and reports it as `MotionProgress`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import chain
from math import ceil
from typing import NamedTuple

import numpy as np

from robots.errors import JointLimitError
from robots.pybullet.chassis import Chassis
from robots.pybullet.description import Configuration
from robots.pybullet.timing import TICK, Free, timed
from robots.pybullet.turns import take_turns
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.logic.feedback import Code, Feedback

CORNER = 0.25
"""How far a motion may pass from an untested corner, as a share of the lag at which the robot has arrived there."""
PATIENCE = 0.6  # seconds of a lag from which on a motion may be stuck after which the motion counts as stuck

Steps = Iterator[float]
"""A motion: each step yields the fraction done."""


class ArmPath(NamedTuple):
    """A free path from the current configuration."""

    waypoints: tuple[Configuration, ...]  # the configurations to pass on straight segments
    halting: bool = False  # whether the robot rests at each of them, because the path has little clearance


class Failed(Exception):  # noqa: N818 -- an outcome that unwinds a motion and never leaves this package
    """A motion cannot continue.

    Attributes:
        feedback: The reason.
    """

    def __init__(self, code: Code, what: str, why: str, culprits: Sequence[str] = (), how: str = "") -> None:
        self.feedback = Feedback(code, what, why, how, tuple(culprits))
        super().__init__(str(self.feedback))


class LaggingJoint(Exception):  # noqa: N818 -- an outcome, which `Rig` turns into a `Failed` that names what is touched
    """A joint does not follow its commands.

    Attributes:
        joint: The name of the joint.
    """

    def __init__(self, joint: str, lag: float, most: float) -> None:
        super().__init__(f"{joint} is {lag:.2f} behind its command, and {most:.2f} is the most")
        self.joint = joint


class Running:
    """A running motion, which `PyBulletRobot` advances; implements `semantics.body.protocols.Motion`."""

    def __init__(self, chassis: Chassis, steps: Steps) -> None:
        self._chassis = chassis
        self._steps = steps
        self._progress = MotionProgress(MotionStatus.RUNNING)

    def poll(self) -> MotionProgress:
        """Return the progress."""
        return self._progress

    def cancel(self) -> None:
        """Stop at the current configuration and keep the held object."""
        if self._progress.stage is MotionStatus.RUNNING:
            why = "the motion was cancelled."
            self._end(
                MotionProgress(MotionStatus.FAILED, self._progress.fraction, Feedback(Code.CANCELLED, "motion", why))
            )
            if isinstance(self._steps, Generator):
                self._steps.close()

    def advance(self) -> bool:
        """Do one control tick; return whether the motion continues."""
        if self._progress.stage is not MotionStatus.RUNNING:
            return False
        if self._chassis.braking:  # what was cancelled before; this motion begins at rest
            return True
        try:
            self._progress = MotionProgress(MotionStatus.RUNNING, max(self._progress.fraction, next(self._steps)))
        except StopIteration:
            self._end(MotionProgress(MotionStatus.DONE, 1.0))
        except Failed as failed:
            self._end(MotionProgress(MotionStatus.FAILED, self._progress.fraction, failed.feedback))
        except JointLimitError as error:
            self._end(MotionProgress(MotionStatus.FAILED, self._progress.fraction, _refused(error)))
        return self._progress.stage is MotionStatus.RUNNING

    def _end(self, progress: MotionProgress) -> None:
        self._progress = progress
        self._chassis.hold()


def _refused(error: JointLimitError) -> Feedback:
    how = f"The nearest {error.quantity} that {error.joint} takes is {error.nearest:.4g}."
    return Feedback(Code.REFUSED_BY_BODY, "motion", f"{error}.", how, (error.joint,))


def pause(seconds: float, fraction: float = 0.0) -> Steps:
    """Wait, and yield the same fraction at each control tick."""
    for _ in range(ceil(seconds / TICK)):
        yield fraction


def halt(chassis: Chassis) -> Steps:
    """Brake, and wait until the robot rests."""
    chassis.hold()
    while chassis.braking:
        yield 1.0


def follow(
    chassis: Chassis,
    waypoints: Sequence[Configuration],
    *,
    pace: float = 1.0,
    speed: float | None = None,
    halting: bool = False,
    free: Free | None = None,
) -> Steps:
    """Move all joints along straight segments through `waypoints`, and come to rest.

    Args:
        chassis: The robot.
        waypoints: The configurations to pass.
        pace: The share of the cruising speed.
        speed: The most speed of the base, in metres per second; by default its cruising speed.
        halting: Whether the robot rests at each waypoint, so that it keeps to the segments exactly.
        free: The test of what a curve at a corner passes; without it, curves are very small.

    Raises:
        LaggingJoint: The robot lags behind and does not catch up.
        JointLimitError: A waypoint is beyond the limit of a joint; nothing moves.
    """
    points = chassis.description.unwound([chassis.target, *waypoints])
    for point in points:
        chassis.check_positions(point)
    limits, lost = chassis.description.motion_limits.slowed(pace, speed), chassis.description.lost
    most = None if halting else CORNER * chassis.description.settled
    late, setpoint = 0.0, None
    setpoints = timed(points, limits, most=most, free=free)
    first = yield from take_turns(lambda: next(setpoints, None))  # the curves are tested before it
    for setpoint in chain([first] if first else [], setpoints):
        chassis.command(*setpoint.state)
        yield setpoint.fraction
        late = late + TICK if np.any(np.abs(chassis.configuration() - chassis.target) > lost) else 0.0
        if late > PATIENCE:
            _check_lag(chassis, lost)
    if setpoint is not None:
        yield from _come_to_rest(chassis)


def _come_to_rest(chassis: Chassis) -> Steps:
    for _ in range(ceil(PATIENCE / TICK)):
        if np.all(np.abs(chassis.configuration() - chassis.target) < chassis.description.settled):
            return
        yield 1.0
    _check_lag(chassis, chassis.description.lost / 2)


def _check_lag(chassis: Chassis, most: Configuration) -> None:
    """Check that no joint is farther than `most` from its target.

    Raises:
        LaggingJoint: One is.
    """
    lag = np.abs(chassis.configuration() - chassis.target)
    worst = int(np.argmax(lag / most))
    if lag[worst] > most[worst]:
        raise LaggingJoint(chassis.description.coordinates[worst].joint, float(lag[worst]), float(most[worst]))
