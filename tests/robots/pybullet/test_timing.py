"""The time law of paths, on random ones: its limits hold at every tick, for each joint and for the base as a vector."""

import itertools

import numpy as np
import pytest

from robots.pybullet.description import SIZE, described, share_of_limit
from robots.pybullet.timing import TICK, MotionState, brake, profile, timed

BODY = described("")
LIMITS = BODY.motion_limits
SPREAD = np.array([1.0, 1.0, 1.0, 0.1, *[0.5] * 7])
MOST = 0.25 * BODY.settled


def random_points(seed: int) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    steps = random.normal(size=(random.integers(2, 6), SIZE)) * SPREAD * random.choice([0.02, 0.3, 1.0], (1, 1))
    return list(np.cumsum(steps, axis=0))


def shares(positions) -> tuple[float, float, float]:
    """Return the largest shares of the limits of speed, acceleration and jerk that successive targets use."""
    rested = [positions[0]] * 4 + list(positions) + [positions[-1]] * 4
    derivatives = [np.diff(rested, n=order, axis=0) / TICK**order for order in (1, 2, 3)]
    return tuple(
        float(np.max(share_of_limit(values, limit))) for values, limit in zip(derivatives, LIMITS, strict=True)
    )


def positions(points, **how) -> list[np.ndarray]:
    return [points[0], *(setpoint.state.position for setpoint in timed(points, LIMITS, **how))]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(
    "how", [{}, {"most": MOST}, {"most": MOST, "free": lambda _: True}], ids=["rest", "near", "far"]
)
def test_speed_acceleration_and_jerk_keep_their_limits_from_rest_to_rest(seed, how):
    points = random_points(seed)
    path = positions(points, **how)
    assert max(shares(path)) <= 1.0 + 1e-6
    np.testing.assert_allclose(path[-1], points[-1], atol=1e-9)


def test_a_long_drive_reaches_the_speed_of_the_base_along_its_path_and_no_more():
    goal = np.zeros(SIZE)
    goal[:2] = 2.0, 1.5
    slow = LIMITS.slowed(1.0, 0.3)
    speeds = [np.hypot(*setpoint.state.velocity[:2]) for setpoint in timed([0.0 * goal, goal], slow)]
    assert max(speeds) == pytest.approx(0.3)


def test_a_motion_that_rests_keeps_to_the_straight_legs():
    points = random_points(3)
    for point in positions(points):
        assert min(off_leg(point, a, b) for a, b in itertools.pairwise(points)) < 1e-6


def off_leg(point, start, end) -> float:
    along = end - start
    share = np.clip((point - start) @ along / (along @ along), 0.0, 1.0)
    return float(np.linalg.norm(start + share * along - point))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("free", [None, lambda _: False], ids=["untested", "not free"])
def test_a_curve_that_is_not_tested_or_not_free_stays_within_the_lag_of_a_robot_that_has_arrived(seed, free):
    points = [point / BODY.settled for point in random_points(seed)]
    for point in positions(random_points(seed), most=MOST, free=free):
        assert min(off_leg(point / BODY.settled, a, b) for a, b in itertools.pairwise(points)) < 1.5


def test_a_path_with_free_curves_takes_less_time():
    points = random_points(4)
    assert len(positions(points, most=MOST, free=lambda _: True)) < len(positions(points))


def test_the_fraction_grows_from_the_start_to_one():
    fractions = [setpoint.fraction for setpoint in timed(random_points(5), LIMITS)]
    assert fractions == sorted(fractions)
    assert 0.0 < fractions[0] < 0.1
    assert fractions[-1] == pytest.approx(1.0)


def test_a_motion_is_found_where_the_largest_acceleration_is_only_just_reached():
    acceleration, jerk = 20.0 / 3.0, 200.0 / 3.0
    for way in 2.0 * acceleration**3 / jerk**2 * np.array([1.0 - 1e-15, 1.0, 1.0 + 1e-15, 1.0 + 2.5e-15]):
        assert profile((0.0, 0.0, 0.0), (way, 0.0), 1.0, acceleration, jerk).duration == pytest.approx(0.4)


def test_a_waypoint_that_is_the_present_configuration_takes_no_time():
    assert list(timed([np.zeros(SIZE)] * 2, LIMITS)) == []


@pytest.mark.parametrize("seed", range(20))
def test_a_motion_is_stopped_anywhere_within_the_limits(seed):
    points = random_points(seed)
    setpoints = list(timed(points, LIMITS, most=MOST, free=lambda _: True))
    for tick in range(0, len(setpoints), 7):
        stop = list(brake(setpoints[tick].state, LIMITS))
        path = [points[0], *(setpoint.state.position for setpoint in setpoints[: tick + 1])]
        speed, acceleration, jerk = shares(path + [state.position for state in stop])
        assert max(speed, acceleration, jerk / 1.2) <= 1.0 + 1e-5
        assert len(stop) * TICK < 1.5


def test_what_rests_needs_no_brake():
    assert list(brake(MotionState(*np.zeros((3, SIZE))), LIMITS)) == []
