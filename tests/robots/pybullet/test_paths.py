import itertools

import numpy as np
import pytest

from robots.pybullet import paths
from robots.pybullet.chassis import Configuration
from robots.pybullet.paths import PathQuery, free_path

LOW, HIGH = np.array([-2.0, -2.0, 0.5]), np.array([2.0, 2.0, 0.5])
START, GOAL = np.array([-1.0, 0.0, 0.5]), np.array([1.0, 0.0, 0.5])
STRIDE = np.array([0.05, 0.05, 0.05])


def beside_the_wall(configuration: Configuration) -> bool:
    """A wall at x = 0 leaves a gap from y = 1 to y = 1.4."""
    return abs(configuration[0]) > 0.1 or 1.0 < configuration[1] < 1.4


def in_the_open(_: Configuration) -> bool:
    return True


def walled_in(configuration: Configuration) -> bool:
    return abs(configuration[0]) > 0.1


def query(free=beside_the_wall) -> PathQuery:
    return PathQuery(START, GOAL, LOW, HIGH, STRIDE, free)


def test_a_path_goes_through_the_gap_and_is_free_between_its_waypoints():
    path = free_path(query())
    assert path is not None
    assert path[0] == pytest.approx(START)
    assert path[-1] == pytest.approx(GOAL)
    steps = [a + share * (b - a) for a, b in itertools.pairwise(path) for share in np.linspace(0.0, 1.0, 50)]
    assert all(map(beside_the_wall, steps))
    assert len(path) > 2


@pytest.mark.parametrize("seed", [1, 2, 7])
def test_one_seed_gives_one_path(seed):
    first, second = free_path(query(), seed=seed), free_path(query(), seed=seed)
    assert first is not None
    assert second is not None
    np.testing.assert_array_equal(first, second)


def test_two_seeds_give_two_paths():
    first, second = free_path(query(), seed=1), free_path(query(), seed=2)
    assert len(first) != len(second) or not np.allclose(first, second)


def test_with_nothing_in_the_way_the_path_is_straight():
    path = free_path(query(in_the_open))
    middle = START + 0.5 * (GOAL - START)
    assert all(np.linalg.norm(point[1:] - middle[1:]) < 1e-6 for point in path)


def test_a_joint_without_room_stays():
    assert all(point[2] == pytest.approx(0.5) for point in free_path(query()))


def test_where_there_is_no_path_the_search_ends_after_its_number_of_tests():
    tested = []

    def free(configuration: Configuration) -> bool:
        tested.append(configuration)
        return walled_in(configuration)

    assert free_path(query(free), most_tests=300) is None
    assert 300 <= len(tested) < 600


@pytest.mark.parametrize("end", [START, GOAL])
def test_an_end_that_is_not_free_is_refused_before_the_planner_is_asked(end, monkeypatch):
    asked = []
    monkeypatch.setattr(paths._TreeSearch, "_over", lambda _: asked.append(end) or True)
    assert free_path(query(lambda configuration: bool(np.any(configuration != end)))) is None
    assert not asked
