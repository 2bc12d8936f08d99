from itertools import combinations
from math import dist, pi

import pytest

from robots.arrangement import arranged, bounds
from robots.furniture import fittings
from robots.perturb import MOVE, perturbed
from semantics.body.layout import Furniture, Layout, MovableObject, Person, RobotStart, Shape
from semantics.geometry.geometry import Box, PlanarPose

CARTON = Shape("box", (0.065, 0.065, 0.18))
BALL = Shape("sphere", (0.065, 0.065, 0.065))
TRAY = Shape("open-box", (0.3, 0.2, 0.04))
SEEDS = range(1, 21)

LAYOUT = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0, 0.0)),
    (
        Furniture("table0", "table", PlanarPose(2.0, 0.0, pi), (1.2, 0.6, 0.72)),
        Furniture("fridge0", "fridge", PlanarPose(0.0, 2.0, -pi / 2), (0.6, 0.55, 1.2)),
    ),
    (
        MovableObject("apple0", BALL, "on", "table0", (-0.2, 0.1)),
        MovableObject("bread0", Shape("box", (0.18, 0.065, 0.07)), "on", "table0", (-0.05, 0.1)),
        MovableObject("tray0", TRAY, "on", "table0", (0.3, 0.0)),
        MovableObject("lemon0", BALL, "on", "tray0", (0.05, 0.0)),
        MovableObject("edge0", BALL, "on", "table0", (0.56, 0.26)),
        MovableObject("milk0", CARTON, "in", "fridge0", (-0.12, 0.05), level=1),
        MovableObject("cola0", CARTON, "in", "fridge0", (0.12, 0.05), level=1),
        MovableObject("tomato0", BALL, "in", "fridge0", (-0.12, 0.05), level=0),
    ),
    (Person("human0", PlanarPose(-1.0, -1.0)),),
)


def boxes(layout: Layout) -> dict[str, Box]:
    spots = arranged(layout)
    return {piece.name: bounds(piece.shape, spots[piece.name]) for piece in layout.pieces}


def test_seed_zero_is_the_layout_as_written():
    assert perturbed(LAYOUT, 0) == LAYOUT


def test_a_seed_gives_the_same_layout_each_time_and_another_seed_another():
    assert perturbed(LAYOUT, 7) == perturbed(LAYOUT, 7)
    assert len({str(perturbed(LAYOUT, seed)) for seed in SEEDS}) == len(SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_two_pieces_share_room_but_a_carrier_and_its_load(seed):
    found = boxes(perturbed(LAYOUT, seed))
    for one, other in combinations(found, 2):
        if {one, other} == {"tray0", "lemon0"}:
            continue
        a, b = found[one], found[other]
        assert any(a.high[i] <= b.low[i] or b.high[i] <= a.low[i] for i in range(3)), (one, other)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_piece_stays_within_the_edges_of_what_it_was_on_or_in(seed):
    layout = perturbed(LAYOUT, seed)
    offered = {item.name: fittings(item) for item in layout.furniture}
    for piece in layout.pieces:
        if piece.where == "tray0":
            continue
        region, box = offered[piece.where].region(piece.relation, piece.level), boxes(layout)[piece.name]
        assert all(region.low[i] <= box.low[i] and box.high[i] <= region.high[i] for i in (0, 1)), piece.name
        assert box.low[2] == pytest.approx(region.high[2] if piece.relation == "on" else region.low[2])


def test_pieces_move_by_at_most_the_limit_and_do_move_and_turn():
    for seed in SEEDS:
        after = {piece.name: piece for piece in perturbed(LAYOUT, seed).pieces}
        for piece in LAYOUT.pieces:
            assert dist(piece.offset, after[piece.name].offset) <= MOVE + 1e-9
            assert (piece.relation, piece.where) == (after[piece.name].relation, after[piece.name].where)
        assert after["apple0"].offset != LAYOUT.pieces[0].offset
        assert after["milk0"].yaw != 0.0


def test_what_is_in_the_fridge_changes_compartments_with_the_seed():
    levels = [{piece.name: piece.level for piece in perturbed(LAYOUT, seed).pieces} for seed in SEEDS]
    assert {found["milk0"] for found in levels} == {0, 1}
    assert {found["tomato0"] for found in levels} == {0, 1}


def test_what_stands_on_a_tray_moves_with_it():
    layout = perturbed(LAYOUT, 3)
    before, after = arranged(LAYOUT), arranged(layout)
    assert after["tray0"] != before["tray0"]
    apart = dist(after["lemon0"][:2], after["tray0"][:2])
    assert apart == pytest.approx(dist(before["lemon0"][:2], before["tray0"][:2]))


def test_the_robot_starts_from_another_pose_clear_of_furniture():
    for seed in SEEDS:
        pose = perturbed(LAYOUT, seed).robot.pose
        assert pose != LAYOUT.robot.pose
        assert not any(fittings(item).box.above((pose.x, pose.y, 0.0), 0.4) for item in LAYOUT.furniture)
