from math import hypot, pi
from random import Random

import pytest

from robots.ground_plan import overlaps
from semantics.body.layout import Furniture
from semantics.geometry.geometry import PlanarPose
from semantics.geometry.ground_plan import FloorPlan, shift_apart

SIZE = (1.0, 0.6, 0.8)


def piece(name, x, y, yaw=0.0, model="counter", size=SIZE):
    return Furniture(name, model, PlanarPose(x, y, yaw), size)


def moved(plan, shift, share=1.0):
    return plan._replace(pose=PlanarPose(plan.pose.x + share * shift[0], plan.pose.y + share * shift[1], plan.pose.yaw))


@pytest.mark.parametrize("seed", range(40))
def test_the_shift_moves_a_rectangle_out_and_nothing_shorter_in_its_direction_does(seed):
    random = Random(seed)

    def drawn():
        pose = PlanarPose(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-pi, pi))
        return FloorPlan(pose, random.uniform(0.2, 0.6), random.uniform(0.2, 0.6))

    first, second = drawn(), drawn()
    shift = shift_apart(first, second)
    if shift is None:  # the middles are too far apart for the drawn sizes
        assert hypot(first.pose.x - second.pose.x, first.pose.y - second.pose.y) > 0.2
        return
    assert shift_apart(first, moved(second, shift, 1.001)) is None
    assert shift_apart(first, moved(second, shift, 0.99)) is not None


def test_turned_rectangles_whose_bounding_boxes_overlap_may_be_apart():
    first = FloorPlan(PlanarPose(0.0, 0.0, pi / 4), 0.5, 0.1)
    second = FloorPlan(PlanarPose(0.3, -0.3, pi / 4), 0.5, 0.1)
    assert shift_apart(first, second) is None
    assert shift_apart(first, moved(second, (-0.2, 0.2))) is not None


def test_furniture_that_overlaps_is_found_with_the_way_out():
    (found,) = overlaps((piece("a", 0.0, 0.0), piece("b", 0.5, 0.1), piece("c", 3.0, 0.0)))
    assert (found.first.name, found.second.name) == ("a", "b")
    assert found.shift == pytest.approx((0.1, 0.0))
    assert found.depth == pytest.approx(0.1)


def test_furniture_that_touches_does_not_overlap():
    assert not list(overlaps((piece("a", 0.0, 0.0), piece("b", 0.6, 0.0))))


def test_walls_may_meet_and_a_bin_may_stand_below_a_table():
    walls = (piece("a", 0.0, 0.0, 0.0, "wall", (4.0, 0.1, 2.0)), piece("b", 0.0, 0.0, pi / 2, "wall", (4.0, 0.1, 2.0)))
    assert not list(overlaps(walls))
    below = (piece("a", 0.0, 0.0, model="table"), piece("b", 0.0, 0.0, model="bin", size=(0.3, 0.3, 0.3)))
    assert not list(overlaps(below))
    assert list(overlaps((below[0], piece("b", 0.0, 0.0, model="bin", size=(0.3, 0.3, 0.79)))))
