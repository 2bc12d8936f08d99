from math import pi

import pytest

from robots.arrangement import arranged, bounds, extents, hollow, tray_top
from robots.furniture import fittings
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.errors import UsageError
from semantics.geometry.geometry import PlanarPose

BOX = Shape("box", (0.2, 0.1, 0.3))
BALL = Shape("sphere", (0.07, 0.07, 0.07))
BOWL = Shape("open-box", (0.2, 0.2, 0.07))
TABLE = Furniture("table0", "table", PlanarPose(2.0, 0.0, pi), (1.2, 0.6, 0.72))
FRIDGE = Furniture("fridge0", "fridge", PlanarPose(0.0, 2.0, -pi / 2), (0.6, 0.55, 1.2))


def layout(*pieces):
    return Layout(RobotStart("robot0", PlanarPose(0.0, 0.0)), (TABLE, FRIDGE), pieces)


def test_an_offset_goes_to_the_right_as_seen_from_the_front_and_then_towards_the_front():
    # The table's front faces the origin along -x: who looks at it from there has -y on the right hand.
    spot = arranged(layout(MovableObject("apple0", BALL, "on", "table0", (0.3, 0.1))))["apple0"]
    assert (spot.x, spot.y, spot.z) == pytest.approx((1.9, -0.3, 0.72))


def test_a_level_is_the_floor_of_that_compartment():
    found = arranged(layout(*(MovableObject(f"milk{i}", BOX, "in", "fridge0", level=i) for i in (0, 1))))
    floors = [part.low[2] for part in fittings(FRIDGE).compartments]
    assert [found[f"milk{i}"].z for i in (0, 1)] == pytest.approx(floors)


def test_a_piece_in_a_bowl_stands_on_the_bowls_floor_and_one_on_a_box_on_its_top():
    pieces = (
        MovableObject("apple0", BALL, "in", "bowl0"),
        MovableObject("bowl0", BOWL, "on", "table0"),
        MovableObject("book0", BOX, "on", "table0", (0.4, 0.0)),
        MovableObject("lemon0", BALL, "on", "book0"),
    )
    found = arranged(layout(*pieces))
    assert found["bowl0"].z == pytest.approx(0.72)
    assert found["apple0"].z == pytest.approx(0.73)
    assert found["lemon0"].z == pytest.approx(1.02)


def test_a_piece_turns_with_what_carries_it():
    pieces = (
        MovableObject("bowl0", BOWL, "on", "table0", yaw=0.5),
        MovableObject("apple0", BALL, "in", "bowl0", yaw=0.25),
    )
    found = arranged(layout(*pieces))
    assert found["bowl0"].yaw == pytest.approx(pi + 0.5)
    assert found["apple0"].yaw == pytest.approx(pi + 0.75)


def test_a_piece_on_the_floor_lies_where_the_offset_says():
    spot = arranged(layout(MovableObject("apple0", BALL, "on", "floor0", (0.5, -1.0))))["apple0"]
    assert spot[:3] == (-1.0, 0.5, 0.0)


@pytest.mark.parametrize(
    ("pieces", "reason"),
    [
        ([MovableObject("apple0", BALL, "on", "nowhere0")], "nowhere0"),
        ([MovableObject("apple0", BALL, "in", "table0")], "nothing can be in table0"),
        ([MovableObject("a0", BOX, "on", "b0"), MovableObject("b0", BOX, "on", "a0")], "in a ring"),
    ],
)
def test_a_piece_that_stands_nowhere_is_refused(pieces, reason):
    with pytest.raises(UsageError, match=reason):
        arranged(layout(*pieces))


def test_a_turned_box_takes_more_room_and_a_turned_ball_does_not():
    assert extents(BOX, pi / 2) == pytest.approx((0.1, 0.2))
    assert extents(BOX, 0.5)[0] > 0.2
    assert extents(BALL, 0.5) == (0.07, 0.07)


def test_only_an_open_box_is_hollow_and_its_top_is_its_floor():
    spot = arranged(layout(MovableObject("bowl0", BOWL, "on", "table0")))["bowl0"]
    box = bounds(BOWL, spot)
    space = hollow(BOWL, box)
    assert box.contains(space.low)
    assert tray_top(BOWL, box).high[2] == pytest.approx(space.low[2])
    assert hollow(BOX, bounds(BOX, spot)) is None
    assert tray_top(BOX, bounds(BOX, spot)).high[2] == pytest.approx(spot.z + 0.3)
