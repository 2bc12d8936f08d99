import itertools

import numpy as np
import pytest

from robots.pybullet.timing import halting_at

POINTS = [np.array([0.0, 0.0, 1.0]), np.array([0.5, -1.0, 1.0]), np.array([0.5, 0.2, 0.7])]
SPEEDS, ACCELERATIONS = np.array([0.75, 1.9, 0.45]), np.array([3.0, 7.6, 1.8])
TICK = 1 / 60


@pytest.fixture(scope="module")
def setpoints():
    return list(halting_at(POINTS, SPEEDS, ACCELERATIONS, TICK))


def test_every_setpoint_lies_on_the_straight_segments(setpoints):
    for setpoint in setpoints:
        assert min(off_segment(setpoint.target, a, b) for a, b in itertools.pairwise(POINTS)) < 1e-6


def off_segment(point, start, end) -> float:
    along = end - start
    share = np.clip((point - start) @ along / (along @ along), 0.0, 1.0)
    return float(np.linalg.norm(start + share * along - point))


def test_the_motion_rests_at_every_waypoint(setpoints):
    for point in POINTS[1:]:
        reached = [setpoint for setpoint in setpoints if np.allclose(setpoint.target, point, atol=1e-9)]
        assert reached
        assert np.allclose(reached[0].velocity, 0.0, atol=1e-6)


def test_no_speed_and_no_acceleration_is_beyond_its_limit(setpoints):
    speeds = np.array([np.zeros(3), *(setpoint.velocity for setpoint in setpoints)])
    assert np.all(np.abs(speeds) <= SPEEDS + 1e-9)
    assert np.all(np.abs(np.diff(speeds, axis=0)) / TICK <= ACCELERATIONS + 1e-6)


def test_the_fraction_grows_from_the_start_to_one(setpoints):
    fractions = [setpoint.fraction for setpoint in setpoints]
    assert fractions == sorted(fractions)
    assert 0.0 < fractions[0] < 0.1
    assert fractions[-1] == pytest.approx(1.0)


def test_a_waypoint_that_is_the_present_configuration_takes_no_time():
    assert list(halting_at([POINTS[0], POINTS[0]], SPEEDS, ACCELERATIONS, TICK)) == []
