"""The time law of every motion: a path with rounded corners, and a jerk-limited profile along its arc.

The arc of a path is counted in seconds at full speed, so that no limit of speed is broken where it grows by at most one
per second. At a corner, the direction turns as a smooth step of the arc; steps of near corners overlap. What a curve
leaves of the limits of acceleration and jerk at its speed is for the profile of the arc. So the limits hold at every
point of the path: for each joint, and for the base's x and y as one vector. The profiles are by ruckig: L. Berscheid,
T. Kröger, "Jerk-limited Real-time Trajectory Generation with Arbitrary Target States", RSS 2021.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from math import ceil, sqrt
from typing import Any, NamedTuple

import numpy as np
import ruckig
from numpy.typing import NDArray

from robots.pybullet.description import Configuration, MotionLimits, share_of_limit

TICK = 1.0 / 60.0  # seconds between two commands to the motors
UNMOVED = 1e-6  # the longest leg, in seconds at full speed, that is no motion
STRAIGHT = 1e-7  # the largest turn at a corner, as a share of the jerk in a second, that counts as none
SIZES = (1.0, 0.7, 0.45, 0.25)  # the sizes of curves that are tried, as shares of the largest ones that are of use
SMALLER = 0.7  # the share to which a curve that is not free is made smaller
SAMPLE = 0.04
"""Seconds at full speed between two points of a curve that are tested; the limits are tested eight times finer."""
CURVE_SPEED = 0.9  # the speed along a curve, as a share of that at which turning alone needs all of a limit
LONGEST_BRAKE = 4.0  # seconds; every motion can be stopped in less
BRAKE_JERK = 1.1  # the jerk of a stop, as a share of the limit: to stop comes first
RAMPS = (2, 3, 5, 8)  # shares of a stop, as one part in so many, in which its acceleration grows

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


class _Stretch(NamedTuple):
    """A part of a path: where it begins and ends on the arc, and the limits of the arc's speed and its derivatives."""

    start: float
    end: float
    speed: float
    acceleration: float
    jerk: float


class _Path:
    """A path with rounded corners; `size` is the share of the useful size that the curves have.

    Attributes:
        length: Its length.
        at: Where the corners are.
        halves: How far the curve of each reaches to either side.
        away: How far each coordinate passes from the corners, as a share of `halves`.
    """

    def __init__(self, points: Sequence[Configuration], limits: MotionLimits, size: float) -> None:
        legs = np.diff(points, axis=0)
        lengths = share_of_limit(legs, limits.speed)
        tangents = legs / lengths[:, None]
        self.length = float(lengths.sum())
        turns = np.diff(tangents, axis=0)
        corner = share_of_limit(turns, limits.jerk) > STRAIGHT
        self.at, self._turns = np.cumsum(lengths)[:-1][corner], turns[corner]
        self._start, self._tangent, self._limits = points[0], tangents[0], limits
        bend, twist = (share_of_limit(self._turns, limit) for limit in limits[1:])
        useful = np.maximum(0.75 * bend, np.sqrt(1.5 * twist))
        room = 2.0 * np.minimum(lengths[:-1], lengths[1:])[corner]
        self.halves = size * np.min([useful, room, self.at, self.length - self.at], axis=0)
        self.away = 0.1875 * np.abs(self._turns)

    def derivatives(self, arc: float | NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the configuration at an arc, and its first three derivatives by it, as the first axis."""
        away = np.asarray(arc)[..., None] - self.at + self.halves
        u = np.clip(away / (2 * self.halves), 0.0, 1.0)
        inside = (away >= 0.0) & (away <= 2 * self.halves)
        steps = (
            2 * self.halves * (u**3 - u**4 / 2) + np.maximum(away - 2 * self.halves, 0.0),
            3 * u**2 - 2 * u**3,
            3 * u * (1 - u) / self.halves,
            1.5 * (1 - 2 * u) / self.halves**2 * inside,
        )
        derivatives: NDArray[np.float64] = np.array(steps) @ self._turns
        derivatives[0] += self._start + np.asarray(arc)[..., None] * self._tangent
        derivatives[1] += self._tangent
        return derivatives

    def state(self, arc: float, speed: float, acceleration: float) -> MotionState:
        """Return the state at an arc, for its speed and its acceleration."""
        position, tangent, bend, _ = self.derivatives(arc)
        return MotionState(position, tangent * speed, bend * speed**2 + tangent * acceleration)

    def curves(self) -> list[tuple[float, float]]:
        """Return where the curves begin and end; those that overlap are one."""
        curves: list[tuple[float, float]] = []
        for start, end in sorted(zip((self.at - self.halves).tolist(), (self.at + self.halves).tolist(), strict=True)):
            before = curves.pop() if curves and start < curves[-1][1] + UNMOVED else (start, end)
            curves.append((before[0], max(before[1], end)))
        return curves

    def stretches(self) -> Iterator[_Stretch]:
        """Yield the parts of the path: curves, and what is straight between them."""
        before = 0.0
        for start, end in (*self.curves(), (self.length, self.length)):
            if start - before > UNMOVED:
                yield self._stretch(before, start)
            if end - start > UNMOVED:
                yield self._stretch(start, end)
            before = end

    def _stretch(self, start: float, end: float) -> _Stretch:
        """Return a part of the path with its limits."""
        inside = (self.at > start) & (self.at < end)
        at, halves = self.at[inside], self.halves[inside]
        arcs = np.linspace(start, end, ceil((end - start) / SAMPLE) * 8) if len(at) else np.array([(start + end) / 2])
        knots = (at, *(at + side * halves * inner for side in (-1, 1) for inner in (1 - UNMOVED, 1 + UNMOVED)))
        _, tangent, bend, twist = self.derivatives(np.concatenate([arcs, *knots]))
        speeds, accelerations, jerks = self._limits
        turning, twisting = 1.02 * _most(bend, accelerations), 1.02 * _most(twist, jerks)
        speed = min(1.0 / _most(tangent, speeds), CURVE_SPEED / max(sqrt(turning), np.cbrt(twisting), 0.1))
        # The jerk of the path is twist * speed**3 + 3 * bend * speed * acceleration + tangent * jerk.
        left, cross = 1.0 - twisting * speed**3, 3.06 * _most(bend, jerks) * speed
        acceleration = (1.0 - turning * speed**2) / _most(tangent, accelerations)
        acceleration = min(acceleration, left / 2 / max(cross, UNMOVED))
        return _Stretch(start, end, speed, acceleration, (left - cross * acceleration) / _most(tangent, jerks))


def _most(values: NDArray[np.float64], limit: Configuration) -> float:
    return float(np.max(share_of_limit(values, limit)))


def timed(
    points: Sequence[Configuration],
    limits: MotionLimits,
    *,
    most: Configuration | None = None,
    free: Free | None = None,
) -> Iterator[Setpoint]:
    """Yield the setpoints of a motion from rest at the first point to rest at the last one.

    Args:
        points: The configurations to pass, the present one first.
        limits: The limits of the motion.
        most: How far each coordinate may pass from a corner if this is not tested; None to rest at each.
        free: The test of what the curves pass.
    """
    distinct = [points[0]]
    for point in points[1:]:
        if share_of_limit(point - distinct[-1], limits.speed) > UNMOVED:
            distinct.append(point)
    paths = [[a, b] for a, b in pairwise(distinct)] if most is None else [distinct] * (len(distinct) > 1)
    for number, corners in enumerate(paths):
        rounded = (_rounded(corners, limits, size, most, free) for size in (SIZES if len(corners) > 2 else SIZES[:1]))
        for setpoint in _sampled(*min(rounded, key=lambda each: sum(p.duration for p in each[1])), corners[-1]):
            yield setpoint._replace(fraction=(number + setpoint.fraction) / len(paths))


def _rounded(
    points: Sequence[Configuration], limits: MotionLimits, size: float, most: Configuration | None, free: Free | None
) -> tuple[_Path, list[Any]]:
    """Return a path whose curves are free, or small enough to need no test, and the profiles of its arc."""
    path = _Path(points, limits, size)
    if most is not None:
        small = np.minimum(path.halves, 1.0 / np.max(path.away / most, axis=1))
        if free is None:
            path.halves = small
            free = bool
        for share in (*[SMALLER] * 4, 0.0):
            for start, end in path.curves():
                inside = (path.at > start) & (path.at < end) & (path.halves > small)
                arcs = np.linspace(start, end, ceil((end - start) / SAMPLE) + 1)[1:-1]
                if np.any(inside) and not all(map(free, path.derivatives(arcs)[0])):
                    path.halves[inside] = np.maximum(small, share * path.halves)[inside]
    return path, _profiles(list(path.stretches()))


def _profiles(stretches: Sequence[_Stretch]) -> list[Any]:
    """Return the fastest profile of the arc on each part of a path, at rest at both ends of the whole."""
    speeds = [0.0, *(min(a.speed, b.speed) for a, b in pairwise(stretches)), 0.0]
    for i, stretch in enumerate(stretches):
        speeds[i + 1] = _reachable(speeds[i], speeds[i + 1], stretch)
    for i in reversed(range(len(stretches))):
        speeds[i] = _reachable(speeds[i + 1], speeds[i], stretches[i])
    return [
        profile((0.0, speeds[i], 0.0), (stretch.end - stretch.start, speeds[i + 1]), *stretch[2:])
        for i, stretch in enumerate(stretches)
    ]


def _reachable(speed: float, wanted: float, stretch: _Stretch) -> float:
    """Return the speed nearest to the wanted one to which `speed` can grow, without acceleration at the ends."""
    length, acceleration, jerk = stretch.end - stretch.start, stretch.acceleration, stretch.jerk

    def fits(other: float) -> bool:
        change = other - speed
        gentle = change < acceleration**2 / jerk
        seconds = 2 * sqrt(change / jerk) if gentle else change / acceleration + acceleration / jerk
        return seconds * (speed + other) / 2 <= length

    if wanted <= speed or fits(wanted):
        return wanted
    low, high = speed, wanted
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
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
    try:
        ruckig.Ruckig(1).calculate(given, trajectory)
    except ruckig.RuckigError:  # where the largest acceleration is only just reached, it may find nothing
        given.max_acceleration = [acceleration * (1.0 - UNMOVED)]
        ruckig.Ruckig(1).calculate(given, trajectory)
    return trajectory


def _sampled(path: _Path, profiles: Sequence[Any], goal: Configuration) -> Iterator[Setpoint]:
    """Yield the states of a path at each tick; the last one is at rest at the goal."""
    total, now = sum(each.duration for each in profiles), TICK
    passed, arc = 0.0, 0.0
    for each in profiles:
        while now < min(passed + each.duration, total - UNMOVED):
            further, speed, acceleration = (values[0] for values in each.at_time(now - passed))
            yield Setpoint(path.state(arc + further, speed, acceleration), now / total)
            now += TICK
        passed, arc = passed + each.duration, arc + each.at_time(each.duration)[0][0]
    yield Setpoint(MotionState(goal, 0.0 * goal, 0.0 * goal), 1.0)


def brake(state: MotionState, limits: MotionLimits) -> Iterator[MotionState]:
    """Yield the states of a stop: the shortest one of its kind within the limits, at most `LONGEST_BRAKE`.

    The acceleration that is there fades, while that of the stop fades in, stays, and fades out, each linearly. If
    the speed would grow too high meanwhile, each coordinate loses the former as soon as it can.
    """
    if not np.any((state.velocity, state.acceleration)):
        return
    soonest = np.maximum(np.ceil(np.abs(state.acceleration) / limits.jerk / TICK), 1.0)
    soonest[:2] = max(soonest[:2])
    for ticks, part, early in product(range(2, ceil(LONGEST_BRAKE / TICK)), RAMPS, (False, True)):
        ramp = max(1, ticks // part)
        states = _stop(state, ticks, ramp, np.minimum(soonest, ticks) if early else np.full(len(soonest), ramp))
        jerks = np.diff(states.acceleration, axis=0) / TICK
        if max(map(_most, (*states[1:], jerks / BRAKE_JERK), limits)) <= 1.0 + UNMOVED:
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
