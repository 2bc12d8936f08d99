"""The time law of every motion: a path with rounded corners, and a jerk-limited profile along its arc.

The arc of a path is counted in seconds at full speed, so that no limit of speed is broken where it grows by at most one
per second. A corner is rounded by a curve whose direction turns from one leg to the next as a smooth step. The speed
along a curve is constant, and such that turning alone stays within acceleration and jerk; between two curves the arc
follows the fastest profile of limited jerk. So the limits hold at every point of the path: for each joint, and for the
base's x and y as one vector. L. Berscheid, T. Kröger, "Jerk-limited Real-time Trajectory Generation with Arbitrary
Target States", RSS 2021, computes the profiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, product
from math import ceil, sqrt
from typing import Any, NamedTuple

import numpy as np
import ruckig

from robots.pybullet.description import Configuration, MotionLimits, share_of_limit

__all__ = ["TICK", "Free", "MotionState", "Setpoint", "brake", "profile", "timed"]

TICK = 1.0 / 60.0
"""Seconds between two commands to the motors."""
UNMOVED = 1e-6
"""The longest leg, in seconds at full speed, that is no motion."""
STRAIGHT = 1e-7
"""The largest turn at a corner, as a share of the jerk in a second, that counts as none."""
SHARES = (1.0, 0.6, 0.36, 0.2)
"""The sizes of a curve that are tried, as shares of the largest one that is of use."""
SAMPLE = 0.04
"""Seconds at full speed between two tested points of a curve."""
LONGEST_BRAKE = 4.0
"""Seconds; every motion can be stopped in less."""
RAMPS = (2, 3, 5, 8)
"""Shares of a stop, as one part in so many, in which its acceleration grows."""

Free = Callable[[Configuration], bool]
"""Whether a configuration keeps the clearance with which the straight legs of a path were tested."""


class MotionState(NamedTuple):
    """Where something is, how fast it moves, and how this changes, in metres or radians and seconds."""

    position: Configuration
    velocity: Configuration
    acceleration: Configuration


class Setpoint(NamedTuple):
    """What the motors are told at one control tick, and the fraction of the motion that is done."""

    state: MotionState
    fraction: float


class _Corner(NamedTuple):
    """The curve between two legs: the tangents before and after it, half its length, and the speed along it."""

    point: Configuration
    before: Configuration
    after: Configuration
    half: float
    speed: float

    def state(self, along: float, speed: float) -> MotionState:
        """Return the state `along` the curve, from 0 to twice `half`."""
        u, turn = along / (2 * self.half), self.after - self.before
        path = self.point + (along - self.half) * self.before + 2 * self.half * (u**3 - u**4 / 2) * turn
        velocity = self.before + (3 * u**2 - 2 * u**3) * turn
        return MotionState(path, velocity * speed, turn * (3 * u * (1 - u) / self.half) * speed**2)


class _Stretch(NamedTuple):
    """The straight rest of a leg: where it begins, its tangent, and the profile of its arc."""

    start: Configuration
    tangent: Configuration
    profile: Any

    def state(self, time: float) -> MotionState:
        """Return the state after some seconds."""
        arc, speed, acceleration = (values[0] for values in self.profile.at_time(time))
        return MotionState(self.start + self.tangent * arc, self.tangent * speed, self.tangent * acceleration)


def timed(
    points: Sequence[Configuration],
    limits: MotionLimits,
    *,
    deviation: Configuration | None = None,
    free: Free | None = None,
) -> Iterator[Setpoint]:
    """Yield the setpoints of a motion from rest at the first point to rest at the last one.

    Args:
        points: The configurations to pass, the present one first.
        limits: The limits of the motion.
        deviation: How far each coordinate may pass from a corner; None to rest at each corner.
        free: The test of curves that pass farther away.
    """
    points = _without_needless(points, limits)
    legs = [(b - a, share_of_limit(b - a, limits.speed)) for a, b in pairwise(points)]
    tangents, lengths = [leg / length for leg, length in legs], [length for _, length in legs]
    if not legs:
        return
    corners = [_Corner(points[0], tangents[0], tangents[0], 0.0, 0.0)]
    for i, point in enumerate(points[1:-1]):
        room = min(lengths[i] * (0.5 if i else 0.8), lengths[i + 1] * (0.5 if i + 3 < len(points) else 0.8))
        corners.append(_rounded(point, tangents[i], tangents[i + 1], room, limits, deviation, free))
    corners.append(_Corner(points[-1], tangents[-1], tangents[-1], 0.0, 0.0))
    yield from _sampled(_pieces(corners, lengths, limits), points[-1])


def _without_needless(points: Sequence[Configuration], limits: MotionLimits) -> list[Configuration]:
    """Return the points without those that repeat one or lie on the straight line between their neighbours."""
    kept = [points[0]]
    for point in points[1:]:
        if share_of_limit(point - kept[-1], limits.speed) < UNMOVED:
            continue
        if len(kept) > 1:
            before, after = (leg / share_of_limit(leg, limits.speed) for leg in (kept[-1] - kept[-2], point - kept[-1]))
            if share_of_limit(after - before, limits.jerk) < STRAIGHT:
                kept.pop()
        kept.append(point)
    return kept


def _rounded(
    point: Configuration,
    before: Configuration,
    after: Configuration,
    room: float,
    limits: MotionLimits,
    deviation: Configuration | None,
    free: Free | None,
) -> _Corner:
    """Return the largest curve at a corner, at most `room` to either side, that is allowed."""
    if deviation is None:
        return _Corner(point, before, after, 0.0, 0.0)
    turn = after - before
    bend, twist = 0.75 * share_of_limit(turn, limits.acceleration), 1.5 * share_of_limit(turn, limits.jerk)
    most = min(room, max(bend, sqrt(twist)))  # a larger curve would not be faster
    near = float(np.min(deviation / np.maximum(np.abs(turn), 1e-12))) / 0.1875
    halves = [most * share for share in SHARES if most * share > near] if free is not None else []
    for half in (*halves, min(most, near)):
        speed = min(1.0, sqrt(half / bend), (half**2 / twist) ** (1 / 3))
        corner = _Corner(point, before, after, half, speed)
        if half <= near or all(map(free or bool, _along(corner))):
            return corner
    raise AssertionError(halves)


def _along(corner: _Corner) -> Iterator[Configuration]:
    """Yield the points of a curve at which it is tested."""
    for share in np.linspace(0.0, 2 * corner.half, ceil(2 * corner.half / SAMPLE) + 1)[1:-1]:
        yield corner.state(float(share), 0.0).position


def _pieces(
    corners: Sequence[_Corner], lengths: Sequence[float], limits: MotionLimits
) -> Iterator[tuple[float, Callable[[float], MotionState]]]:
    """Yield the duration of each piece of a path, and its state after some seconds."""
    straights, rates = [], []
    for (a, b), length in zip(pairwise(corners), lengths, strict=True):
        straights.append(max(length - a.half - b.half, 0.0))
        rates.append([1 / share_of_limit(a.after, limit) for limit in (limits.acceleration, limits.jerk)])
    speeds = [corner.speed for corner in corners]
    for i, (straight, rate) in enumerate(zip(straights, rates, strict=True)):
        speeds[i + 1] = min(speeds[i + 1], _reachable(speeds[i], straight, *rate))
    for i in reversed(range(len(straights))):
        speeds[i] = min(speeds[i], _reachable(speeds[i + 1], straights[i], *rates[i]))
    for i, (straight, rate) in enumerate(zip(straights, rates, strict=True)):
        corner = corners[i]
        if straight > UNMOVED:
            line = profile((0.0, speeds[i], 0.0), (straight, speeds[i + 1]), 1.0, *rate)
            yield line.duration, _Stretch(corner.point + corner.half * corner.after, corner.after, line).state
        following = corners[i + 1]
        if following.half > 0.0:
            yield 2 * following.half / speeds[i + 1], _passing(following, speeds[i + 1])


def _passing(corner: _Corner, speed: float) -> Callable[[float], MotionState]:
    return lambda time: corner.state(time * speed, speed)


def _reachable(speed: float, length: float, acceleration: float, jerk: float) -> float:
    """Return the highest speed, at most 1, to which `speed` can change within a length, at rest in acceleration."""

    def needed(other: float) -> float:
        change = abs(other - speed)
        gentle = change < acceleration**2 / jerk
        seconds = 2 * sqrt(change / jerk) if gentle else change / acceleration + acceleration / jerk
        return seconds * (speed + other) / 2

    if needed(1.0) <= length:
        return 1.0
    low, high = speed, max(speed, 1.0)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if needed(middle) <= length else (low, middle)
    return low


def profile(
    start: tuple[float, float, float], goal: tuple[float, float], speed: float, acceleration: float, jerk: float
) -> Any:  # noqa: ANN401 - a trajectory of ruckig
    """Return the fastest motion of one number from position, speed and acceleration to a position and a speed."""
    given = ruckig.InputParameter(1)
    given.current_position, given.current_velocity, given.current_acceleration = ([value] for value in start)
    given.target_position, given.target_velocity = ([value] for value in goal)
    given.max_velocity, given.max_acceleration, given.max_jerk = [speed], [acceleration], [jerk]
    trajectory = ruckig.Trajectory(1)
    ruckig.Ruckig(1).calculate(given, trajectory)
    return trajectory


def _sampled(
    pieces: Iterable[tuple[float, Callable[[float], MotionState]]], goal: Configuration
) -> Iterator[Setpoint]:
    """Yield the states of a path at each tick; the last one is at rest at the goal."""
    timed_pieces = list(pieces)
    total, now, passed = sum(duration for duration, _ in timed_pieces), TICK, 0.0
    for duration, state_at in timed_pieces:
        while now < min(passed + duration, total - 1e-9):
            yield Setpoint(state_at(now - passed), now / total)
            now += TICK
        passed += duration
    if timed_pieces:
        yield Setpoint(MotionState(goal, 0.0 * goal, 0.0 * goal), 1.0)


def brake(state: MotionState, limits: MotionLimits) -> Iterator[MotionState]:
    """Yield the states of a stop: the shortest one of its kind within the limits, at most `LONGEST_BRAKE`.

    The acceleration that is there fades, while that of the stop fades in, stays, and fades out, each linearly. If
    the speed would grow too high meanwhile, each coordinate loses the former as soon as it can.
    """
    if not np.any((state.velocity, state.acceleration)):
        return
    soonest = 1.0 + np.ceil(1.2 * np.abs(state.acceleration) / limits.jerk / TICK)
    soonest[:2] = max(soonest[:2])
    for ticks, part, early in product(range(2, ceil(LONGEST_BRAKE / TICK)), RAMPS, (False, True)):
        ramp = max(1, ticks // part)
        states = _stop(state, ticks, ramp, np.minimum(soonest, ticks) if early else np.full(len(soonest), ramp))
        jerks = np.diff(states.acceleration, axis=0) / TICK
        shares = ((states.velocity, limits.speed), (states.acceleration, limits.acceleration), (jerks, limits.jerk))
        if all(np.max(share_of_limit(values, limit)) <= 1.0 + UNMOVED for values, limit in shares):
            break
    yield from (MotionState(*(values[i] for values in states)) for i in range(1, ticks + 1))


def _stop(state: MotionState, ticks: int, ramp: int, fade: Configuration) -> MotionState:
    """Return the states, as rows, of a stop; the times are control ticks, `fade` those of each coordinate."""
    time = np.arange(ticks + 1.0)[:, None]
    fading = np.maximum(1.0 - time / fade, 0.0)
    stopping = np.minimum(np.minimum(time, ticks - time) / ramp, 1.0) / ((ticks - ramp) * TICK)
    kept = state.velocity + state.acceleration * fade * TICK / 2
    accelerations = state.acceleration * fading - kept * stopping
    before, after = accelerations[:-1], accelerations[1:]
    speeds = np.vstack([state.velocity, state.velocity + np.cumsum((before + after) / 2, axis=0) * TICK])
    steps = speeds[:-1] * TICK + (2 * before + after) * TICK**2 / 6
    return MotionState(np.vstack([state.position, state.position + np.cumsum(steps, axis=0)]), speeds, accelerations)
