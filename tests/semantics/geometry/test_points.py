"""The geometry of points and regions, against figures worked out by hand and laws that hold for any numbers."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from semantics.errors import UnknownNameError
from semantics.geometry.geometry import Box
from semantics.geometry.points import (
    CORNERS,
    DIRECTIONS,
    SIDES,
    MapPoint,
    around,
    between,
    circle,
    corner,
    direction,
    distance,
    hull,
    line,
    middle,
    offset,
    side,
    top_of,
    toward,
)

TABLE = Box((1.0, 2.0, 0.0), (3.0, 3.0, 0.7))
COORDINATES = st.floats(-10, 10)
POINTS = st.builds(MapPoint, COORDINATES, COORDINATES, st.none() | COORDINATES)
FLAT = st.builds(MapPoint, COORDINATES, COORDINATES)


def near(one, other):
    assert one.coordinates == pytest.approx(other.coordinates, abs=1e-9)


def test_a_point_without_a_height_leaves_the_height_of_the_other():
    high, flat = MapPoint(1, 2, 3), MapPoint(0.5, 0.5)
    assert high + flat == MapPoint(1.5, 2.5, 3)
    assert flat + high == MapPoint(1.5, 2.5, 3)
    assert high - flat == MapPoint(0.5, 1.5, 3)
    assert flat - high == MapPoint(-0.5, -1.5)
    assert high * 2 == MapPoint(2, 4, 6)
    assert flat * 2 == MapPoint(1, 1)


def test_a_point_is_said_with_its_coordinates():
    assert str(MapPoint(0.1 + 0.2, -1)) == "(0.3, -1)"
    assert str(MapPoint(1, 2, 0.12345)) == "(1, 2, 0.1235)"


def test_a_distance_is_measured_in_space_or_on_the_map():
    assert distance(MapPoint(0, 0, 0), MapPoint(2, 3, 6)) == 7
    assert distance(MapPoint(0, 0), MapPoint(3, 4, 100)) == 5


@pytest.mark.parametrize(
    ("direction", "metres"), [("left", -2), ("east", 2), ("top", -1), ("south", 1), ("up", 3), ("down", -3)]
)
def test_how_far_a_point_lies_in_a_direction(direction, metres):
    assert offset(MapPoint(3, 1, 4), MapPoint(1, 2, 1), direction) == metres


@given(POINTS, POINTS)
def test_opposite_directions_have_opposite_offsets(one, other):
    for here, there in (("left", "right"), ("top", "bottom"), ("up", "down"), ("west", "east"), ("north", "south")):
        assert offset(one, other, here) == -offset(one, other, there)


def test_halfway_and_a_share_of_the_way():
    near(between(MapPoint(0, 0, 0), MapPoint(2, 4, 6)), MapPoint(1, 2, 3))
    near(between(MapPoint(0, 0), MapPoint(2, 4), 0.25), MapPoint(0.5, 1))


@given(FLAT, FLAT, st.floats(-3, 3))
def test_toward_goes_so_far_and_no_farther(one, other, metres):
    moved = toward(one, other, metres)
    if distance(one, other) < 1e-6:
        return
    assert distance(one, moved) == pytest.approx(abs(metres), abs=1e-6)
    assert distance(moved, other) == pytest.approx(abs(distance(one, other) - metres), abs=1e-6)


def test_toward_itself_is_nowhere_else():
    assert toward(MapPoint(1, 1), MapPoint(1, 1), 5) == MapPoint(1, 1)


@given(POINTS, POINTS, st.integers(2, 30))
def test_a_line_begins_and_ends_at_its_points_in_equal_steps(one, other, count):
    points = line(one, other, count)
    assert len(points) == count
    assert (distance(points[0], one), distance(points[-1], other)) == (0, pytest.approx(0, abs=1e-9))
    steps = [distance(a, b) for a, b in pairwise(points)]
    assert steps == pytest.approx([steps[0]] * (count - 1), abs=1e-9)
    assert sum(steps) == pytest.approx(distance(points[0], points[-1]), abs=1e-6)


def test_a_line_of_one_point_is_its_begin():
    assert line(MapPoint(1, 2), MapPoint(3, 4), 1) == [MapPoint(1, 2)]


@given(POINTS, st.floats(0, 5), st.integers(1, 30))
def test_a_circle_is_round_and_begins_at_the_right(centre, radius, count):
    points = circle(centre, radius, count)
    assert len(points) == count
    assert all(distance(centre, point) == pytest.approx(radius, abs=1e-9) for point in points)
    assert {point.z for point in points} == {centre.z}
    near(points[0], centre + MapPoint(radius, 0))
    if count % 4 == 0:
        near(points[count // 4], centre + MapPoint(0, radius))


def test_the_corners_and_sides_of_a_region_lie_on_its_top():
    assert around(TABLE) == MapPoint(2.0, 2.5, 0.35)
    assert middle(TABLE) == MapPoint(2.0, 2.5, 0.7)
    assert top_of(TABLE) == Box((1.0, 2.0, 0.7), (3.0, 3.0, 0.7))
    assert corner(TABLE, "top left") == MapPoint(1.0, 3.0, 0.7)
    assert corner(TABLE, "bottom right", 0.25) == MapPoint(2.75, 2.25, 0.7)
    assert side(TABLE, "left") == MapPoint(1.0, 2.5, 0.7)
    assert side(TABLE, "top", 0.125) == MapPoint(2.0, 2.875, 0.7)


@pytest.mark.parametrize("ask", [lambda: side(TABLE, "up"), lambda: corner(TABLE, "left")])
def test_a_side_or_corner_that_there_is_not_is_refused(ask):
    with pytest.raises(UnknownNameError):
        ask()


def test_a_direction_that_there_is_not_is_refused():
    with pytest.raises(UnknownNameError, match="direction"):
        offset(MapPoint(0, 0), MapPoint(1, 1), "lft")


def test_the_corners_go_round_clockwise():
    turns = [math.atan2(point.y - 2.5, point.x - 2.0) for point in (corner(TABLE, name) for name in CORNERS)]
    assert turns == sorted(turns, reverse=True)
    assert {*SIDES} <= {*DIRECTIONS}


def test_the_hull_holds_every_box():
    assert hull([Box((0, 0, 0), (1, 1, 1)), Box((-1, 0.5, 0.2), (0.5, 3, 0.4))]) == Box((-1, 0, 0), (1, 3, 1))


@pytest.mark.parametrize("heading", [0.0, 0.5, math.pi / 2, 3.0, -2.0])
def test_wherever_the_viewer_looks_the_right_is_a_quarter_turn_clockwise_of_it(heading):
    ways = {name: direction(name, heading) for name in DIRECTIONS}
    assert ways["top"] == ways["north"]
    assert (ways["top"].x, ways["top"].y) == pytest.approx((math.cos(heading), math.sin(heading)))
    assert (ways["right"].x, ways["right"].y) == pytest.approx((ways["top"].y, -ways["top"].x))
    for one, other in (("left", "right"), ("top", "bottom"), ("up", "down"), ("above", "below")):
        assert distance(ways[one] + ways[other], MapPoint(0.0, 0.0)) == pytest.approx(0.0)


def test_sides_corners_offsets_and_circles_are_said_from_the_viewer():
    region, heading = Box((0.0, 0.0, 0.0), (4.0, 2.0, 1.0)), 0.0
    assert side(region, "top", 0.5, heading) == MapPoint(3.5, 1.0, 1.0)
    assert side(region, "left", 0.0, heading) == MapPoint(2.0, 2.0, 1.0)
    assert corner(region, "top left", 0.0, heading) == MapPoint(4.0, 2.0, 1.0)
    assert corner(region, "bottom right", 0.25, heading) == MapPoint(0.25, 0.25, 1.0)
    assert side(region, "top", 0.5, 0.3) == MapPoint(3.5, 1.0, 1.0)  # looking aslant: the side that lies most there
    assert offset(MapPoint(3.0, 1.0), MapPoint(1.0, 4.0), "left", heading) == -3.0
    first, second, *_ = circle(MapPoint(0.0, 0.0), 1.0, 4, heading)
    assert (round(first.x, 9), round(first.y, 9)) == (0.0, -1.0)
    assert (round(second.x, 9), round(second.y, 9)) == (1.0, 0.0)


def test_an_unknown_direction_is_told_with_the_nearest():
    with pytest.raises(UnknownNameError, match="left"):
        direction("lefft")
