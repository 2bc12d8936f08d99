"""Where a thing stands that is put at a point or in a region, and the nearest free point where it cannot."""

import random
import re
from math import hypot, pi

import pytest

from robots.placement import Site, misplacement, said_spots
from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint
from semantics.geometry.solids import Solid, gap
from semantics.logic.feedback import Code

TABLE = Solid("box", (1.0, 0.6, 0.0), (0.0, 0.0, 0.72))
BLOCK = Solid("box", (0.04, 0.04, 0.04), (9.0, 9.0, 0.0))
CUP = Solid("cylinder", (0.08, 0.08, 0.1), (0.2, 0.1, 0.72))
SITE = Site("table0", (TABLE,), {"cup0": CUP})


def spots(where, thing=BLOCK, site=SITE):
    return list(said_spots(where, thing, site))


def suggested(wrong):
    x, y = re.search(r"point is ([-\d.]+),([-\d.]+)m", wrong.how).groups()
    return MapPoint(float(x), float(y))


def test_at_a_point_the_middle_comes_there():
    (put,) = spots(MapPoint(-0.3, 0.1))
    assert put.at == (-0.3, 0.1, 0.72)


def test_its_yaw_counts_for_whether_it_stands():
    near_edge = MapPoint(0.479, 0.0)
    assert spots(near_edge)
    assert not spots(near_edge, BLOCK.moved(0.0, 0.0, 0.0, pi / 4))


def test_every_spot_of_a_region_is_inside_and_free():
    region = Box((0.0, 0.0, 0.72), (0.4, 0.25, 0.72))
    found = spots(region)
    assert len(found) > 50
    for put in found:
        assert 0.02 <= put.at[0] <= 0.38
        assert 0.02 <= put.at[1] <= 0.23
        assert gap(put, CUP) >= 0.01


def test_a_region_smaller_than_the_thing_holds_its_middle():
    (put, *_) = spots(Box((-0.301, 0.1, 0.72), (-0.3, 0.101, 0.72)))
    assert -0.301 <= put.at[0] <= -0.3


def test_a_region_without_a_usual_place_is_used_up_to_its_neighbours():
    tower = Solid("box", (0.04, 0.04, 0.04), (0.048, 0.0, 0.76))
    below = Solid("box", (0.04, 0.04, 0.04), (0.0, 0.0, 0.72))
    top = Solid("box", (0.04, 0.04, 0.0), (0.0, 0.0, 0.76))
    site = Site("block0", (top,), {"block1": tower})
    found = spots(Box((-0.001, -0.001, 0.76), (0.001, 0.001, 0.76)), below, site)
    assert found
    assert all(0.003 <= gap(put, tower) < 0.01 for put in found)


def test_the_height_of_a_place_chooses_the_board():
    boards = tuple(TABLE.moved(0.0, 0.0, height) for height in (0.3, 0.7, 1.1))
    site = Site("shelf0", boards, {})
    assert spots(MapPoint(0.0, 0.0, 0.75), site=site)[0].bottom == 0.7
    assert not spots(MapPoint(0.0, 0.0, 5.0), site=site)


@pytest.mark.parametrize("seed", range(5))
def test_the_point_that_is_suggested_is_free_and_nearly_the_nearest(seed):
    chance = random.Random(seed)
    for _ in range(20):
        where = MapPoint(chance.uniform(-1.0, 1.0), chance.uniform(-1.0, 1.0))
        if spots(where):
            continue
        nearest = suggested(misplacement(where, BLOCK, SITE))
        assert spots(nearest)
        far = hypot(nearest.x - where.x, nearest.y - where.y)
        around = (MapPoint(chance.uniform(-0.48, 0.48), chance.uniform(-0.28, 0.28)) for _ in range(200))
        free = [point for point in around if spots(point)]
        assert far <= min(hypot(point.x - where.x, point.y - where.y) for point in free) + 0.02


def test_a_point_where_something_stands_names_it():
    wrong = misplacement(MapPoint(0.2, 0.12), BLOCK, SITE)
    assert (wrong.code, wrong.culprits) == (Code.NO_ROOM, ("cup0",))
    assert wrong.why == "cup0 takes the room at 0.2,0.12m."


def test_a_point_beside_the_surface_names_the_surface():
    wrong = misplacement(MapPoint(0.2, 0.5), BLOCK, SITE)
    assert (wrong.code, wrong.culprits) == (Code.OUT_OF_REACH, ("table0",))
    assert suggested(wrong) == MapPoint(0.2, 0.279)


def test_a_point_out_of_reach_gets_one_in_reach():
    wrong = misplacement(MapPoint(0.45, 0.0), BLOCK, SITE, lambda put: put.at[0] < 0.0)
    assert -0.03 < suggested(wrong).x < 0.0


def test_where_there_is_no_room_at_all_no_point_is_suggested():
    full = Site("table0", (TABLE,), {"crate0": Solid("box", (1.0, 0.6, 0.3), (0.0, 0.0, 0.72))})
    assert misplacement(MapPoint(0.0, 0.0), BLOCK, full).how == "Make room on table0."
