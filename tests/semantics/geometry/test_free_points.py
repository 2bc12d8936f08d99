"""Free points: what stands around keeps its gap, and things stand side by side within the radius."""

from itertools import combinations
from math import hypot

import pytest

from semantics.geometry.free_points import GAP, free_points, is_free
from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint

BLOCK = (0.04, 0.04)
CENTRE = MapPoint(1.0, 2.0, 0.7)


def around(x, y, half):
    return Box((x - half, y - half, 0.7), (x + half, y + half, 0.74))


@pytest.mark.parametrize(("gap", "free"), [(0.029, True), (0.031, False)])
def test_a_point_is_free_up_to_the_gap(gap, free):
    assert is_free(MapPoint(0.07, 0.0), BLOCK, [around(0.0, 0.0, 0.02)], gap) is free


def test_a_thing_that_is_clear_along_one_axis_is_clear():
    assert is_free(MapPoint(0.0, 0.08), BLOCK, [around(0.0, 0.0, 0.02)])
    assert not is_free(MapPoint(0.03, 0.03), BLOCK, [around(0.0, 0.0, 0.02)])


def test_a_single_thing_comes_to_the_centre_or_as_near_as_there_is_room():
    assert free_points(CENTRE, 0.05, 1, BLOCK, []) == [CENTRE]
    (point,) = free_points(CENTRE, 0.1, 1, BLOCK, [around(1.0, 2.0, 0.02)])
    assert is_free(point, BLOCK, [around(1.0, 2.0, 0.02)])
    assert hypot(point.x - CENTRE.x, point.y - CENTRE.y) == pytest.approx(0.07)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_several_things_stand_side_by_side_within_the_radius_clear_of_the_others(count):
    others = [around(1.11, 2.0, 0.02)]
    points = free_points(CENTRE, 0.055, count, BLOCK, others)
    assert len(points) == count
    for point in points:
        assert hypot(point.x - CENTRE.x, point.y - CENTRE.y) <= 0.055 + 1e-9
        assert is_free(point, BLOCK, others)
    for one, other in combinations(points, 2):
        assert max(abs(one.x - other.x), abs(one.y - other.y)) >= BLOCK[0] + GAP - 0.0011


@pytest.mark.parametrize("count", [1, 5])
def test_without_room_there_are_no_points(count):
    others = [around(1.0, 2.0, 0.1)] if count == 1 else []
    assert free_points(CENTRE, 0.055, count, BLOCK, others) == []


def test_a_search_that_would_last_is_given_up():
    assert free_points(CENTRE, 0.3, 60, BLOCK, []) == []


@pytest.mark.parametrize("count", [1, 2])
def test_preferred_points_come_first_and_others_only_where_they_are_not_enough(count):
    right = free_points(CENTRE, 0.1, count, BLOCK, [], preferred=lambda point: point.x > 1.02)
    assert all(point.x > 1.02 for point in right)
    assert min(hypot(point.x - 1.0, point.y - 2.0) for point in right) <= 0.1
    none = free_points(CENTRE, 0.1, count, BLOCK, [], preferred=lambda _: False)
    assert none == free_points(CENTRE, 0.1, count, BLOCK, [])
