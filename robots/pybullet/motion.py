"""Motions as generators: each yields once for every control tick, so that cancelling one is closing it.

A failure inside a motion is raised as `Failed`, caught where the motion is driven, and told as `MotionProgress`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from math import ceil

import numpy as np

from robots.pybullet.chassis import SIZE, Chassis, Configuration
from semantics.feedback import Code, Feedback
from semantics.protocols import MotionProgress, MotionStatus

__all__ = ["TICK", "Failed", "Running", "Steps", "follow", "pause", "refused"]

TICK = 1.0 / 60.0
"""Seconds between two commands to the motors."""
SPEEDS = np.array([0.75, 0.75, 1.8, 0.45, *([1.9] * 7)])
"""Cruising speed of every joint, in metres or radians a second."""
YAW = 2
"""Index of the base's heading in a configuration."""
RAMP = 0.25
"""Seconds to come up to speed."""
SETTLED = np.array([0.006, 0.006, 0.01, 0.006, *([0.02] * 7)])
LOST = np.array([0.12, 0.12, 0.3, 0.12, *([0.5] * 7)])
"""Lag at which a motion counts as stuck when it lasts."""
PATIENCE = 0.6
"""Seconds of lag after which it does."""

Steps = Iterator[float]
"""A motion: each step gives the fraction done."""


class Failed(Exception):  # noqa: N818 -- an outcome that unwinds a motion, never seen outside this room
    """A motion that cannot go on.

    Attributes:
        feedback: Why.
    """

    def __init__(self, code: Code, what: str, why: str, culprits: Sequence[str] = (), how: str = "") -> None:
        self.feedback = Feedback(code, what, why, how, tuple(culprits))
        super().__init__(str(self.feedback))


class Running:
    """A motion that somebody advances; it satisfies `semantics.protocols.Motion`."""

    def __init__(self, chassis: Chassis, steps: Steps) -> None:
        self._chassis = chassis
        self._steps = steps
        self._progress = MotionProgress(MotionStatus.RUNNING)

    def poll(self) -> MotionProgress:
        """Return how far it is."""
        return self._progress

    def cancel(self) -> None:
        """Stop where it is, holding on to what is held."""
        if self._progress.stage is MotionStatus.RUNNING:
            why = "the motion was cancelled."
            self._end(
                MotionProgress(MotionStatus.FAILED, self._progress.fraction, Feedback(Code.CANCELLED, "motion", why))
            )
            if isinstance(self._steps, Generator):
                self._steps.close()

    def advance(self) -> bool:
        """Do one control tick; return whether it goes on."""
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


class _Refused:
    """A motion that was over before it began."""

    def __init__(self, feedback: Feedback) -> None:
        self._progress = MotionProgress(MotionStatus.FAILED, 0.0, feedback)

    def poll(self) -> MotionProgress:
        return self._progress

    def cancel(self) -> None:
        pass


def refused(feedback: Feedback) -> _Refused:
    """Return a motion that is already failed."""
    return _Refused(feedback)


def pause(seconds: float, fraction: float = 0.0) -> Steps:
    """Let time pass."""
    for _ in range(ceil(seconds / TICK)):
        yield fraction


def follow(chassis: Chassis, waypoints: Sequence[Configuration], *, pace: float = 1.0) -> Steps:
    """Drive every joint along straight segments through `waypoints`, slow at both ends, and come to rest.

    Raises:
        Failed: The body lags behind and does not catch up (`stuck`).
    """
    points = _unwound([chassis.target, *waypoints])
    spans = [float(np.max(np.abs(b - a) / SPEEDS)) / pace for a, b in pairwise(points)]
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
        late = late + TICK if np.any(np.abs(chassis.configuration() - target) > LOST) else 0.0
        if late > PATIENCE:
            raise _stuck()
    yield from _come_to_rest(chassis)


def _unwound(points: Sequence[Configuration]) -> list[Configuration]:
    """Return the same points with every turn of the base the shorter way round."""
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
        if np.all(np.abs(chassis.configuration() - chassis.target) < SETTLED):
            return
        yield 1.0
    if np.any(np.abs(chassis.configuration() - chassis.target) > LOST / 2):
        raise _stuck()


def _stuck() -> Failed:
    return Failed(Code.STUCK, "motion", "the body does not follow: something blocks it.")
