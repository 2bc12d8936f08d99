"""Motions as generators: each yields once per control tick, so that closing the generator cancels the motion.

A failure in a motion raises `Failed`; `Running` catches it and reports it as `MotionProgress`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from math import ceil

import numpy as np

from robots.pybullet.chassis import Chassis
from robots.pybullet.description import SIZE, YAW, Configuration
from semantics.feedback import Code, Feedback
from semantics.protocols import MotionProgress, MotionStatus

__all__ = ["TICK", "Failed", "Running", "Steps", "follow", "pause"]

TICK = 1.0 / 60.0
"""Seconds between two commands to the motors."""
RAMP = 0.25
"""Seconds to reach the cruising speed."""
PATIENCE = 0.6
"""Seconds of a lag from which on a motion may be stuck after which the motion counts as stuck."""

Steps = Iterator[float]
"""A motion: each step yields the fraction done."""


class Failed(Exception):  # noqa: N818 -- an outcome that unwinds a motion and never leaves this package
    """A motion cannot continue.

    Attributes:
        feedback: The reason.
    """

    def __init__(self, code: Code, what: str, why: str, culprits: Sequence[str] = (), how: str = "") -> None:
        self.feedback = Feedback(code, what, why, how, tuple(culprits))
        super().__init__(str(self.feedback))


class Running:
    """A running motion, which `PyBulletRobot` advances; implements `semantics.protocols.Motion`."""

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
        try:
            self._progress = MotionProgress(MotionStatus.RUNNING, max(self._progress.fraction, next(self._steps)))
        except StopIteration:
            self._end(MotionProgress(MotionStatus.DONE, 1.0))
        except Failed as failed:
            self._end(MotionProgress(MotionStatus.FAILED, self._progress.fraction, failed.feedback))
        return self._progress.stage is MotionStatus.RUNNING

    def _end(self, progress: MotionProgress) -> None:
        self._progress = progress
        self._chassis.hold()


def pause(seconds: float, fraction: float = 0.0) -> Steps:
    """Wait, and yield the same fraction at each control tick."""
    for _ in range(ceil(seconds / TICK)):
        yield fraction


def follow(chassis: Chassis, waypoints: Sequence[Configuration], *, pace: float = 1.0) -> Steps:
    """Move all joints along straight segments through `waypoints`, with ramps at both ends, and come to rest.

    Raises:
        Failed: The robot lags behind and does not catch up (`stuck`).
    """
    points = [chassis.target, *waypoints]
    if chassis.description.moves:
        points = _unwound(points)
    spans = [float(np.max(np.abs(b - a) / chassis.description.speeds)) / pace for a, b in pairwise(points)]
    total = sum(spans)
    if total < 1e-6:
        return
    times = np.concatenate([[0.0], np.cumsum(spans)])
    track = np.array(points)
    ramp = min(RAMP, total)
    duration = total + ramp
    late = 0.0
    for i in range(1, ceil(duration / TICK) + 1):
        now, before = (_progress(min(t, duration), total, ramp) for t in (i * TICK, (i - 1) * TICK))
        target = _at(times, track, now)
        chassis.command(target, (target - _at(times, track, before)) / TICK)
        yield now / total
        late = late + TICK if np.any(np.abs(chassis.configuration() - target) > chassis.description.lost) else 0.0
        if late > PATIENCE:
            raise _stuck()
    yield from _come_to_rest(chassis)


def _unwound(points: Sequence[Configuration]) -> list[Configuration]:
    """Return the same points with yaw angles such that the base always turns the shorter way."""
    yaws = np.unwrap([point[YAW] for point in points])
    unwound = []
    for point, yaw in zip(points, yaws, strict=True):
        turned = point.copy()
        turned[YAW] = yaw
        unwound.append(turned)
    return unwound


def _progress(t: float, total: float, ramp: float) -> float:
    """Return the distance covered after `t` seconds of a trapezoid of speed 1 with ramps at both ends."""
    if t < ramp:
        return t * t / (2 * ramp)
    if t > total:
        return total - (total + ramp - t) ** 2 / (2 * ramp)
    return t - ramp / 2


def _at(times: Configuration, track: Configuration, now: float) -> Configuration:
    return np.array([np.interp(now, times, track[:, i]) for i in range(SIZE)])


def _come_to_rest(chassis: Chassis) -> Steps:
    chassis.command(chassis.target, np.zeros(SIZE))
    for _ in range(ceil(PATIENCE / TICK)):
        if np.all(np.abs(chassis.configuration() - chassis.target) < chassis.description.settled):
            return
        yield 1.0
    if np.any(np.abs(chassis.configuration() - chassis.target) > chassis.description.lost / 2):
        raise _stuck()


def _stuck() -> Failed:
    return Failed(Code.STUCK, "motion", "the body does not follow: something blocks it.")
