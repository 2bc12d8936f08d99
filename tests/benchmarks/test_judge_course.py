"""Pouring and wiping are judged by what happened at every look."""

import math

import numpy as np
import pybullet as p
import pytest

from benchmarks.judge import find_pour, judge
from tests.benchmarks.judged_room import TOP, Room

RADIUS, HEIGHT = 0.033, 0.085
RIM = TOP + HEIGHT
"""Height of the rim of a cup on the counter."""


@pytest.fixture
def table():
    """A counter with two cups and a bowl; the cup that pours stands aside."""
    room = Room("counter0", "cup0", "cup1", "cup2", "bowl0")
    room.put("cup0", -0.15, -0.3, TOP + HEIGHT / 2)
    room.put("cup1", 0, 0, TOP + HEIGHT / 2)
    room.put("cup2", 0.1, 0.25, TOP + HEIGHT / 2)
    room.put("bowl0", 0, -0.2, TOP + 0.036)
    for other in ("cup1", "cup2", "bowl0"):
        ids = room.names["cup0"], room.names[other]
        p.setCollisionFilterPair(*ids, -1, -1, 0, physicsClientId=room.client)
    room.begin()
    yield room
    room.close()


def tip(room, lip, degrees, heading=0.0):
    """Tip cup0 towards a heading so that its lip is at a point."""
    angle = math.radians(degrees)
    out = np.array([math.cos(heading), math.sin(heading), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    axis, side = math.sin(angle) * out + math.cos(angle) * up, math.cos(angle) * out - math.sin(angle) * up
    middle = np.array(lip) - axis * HEIGHT / 2 - side * RADIUS
    turn = p.getQuaternionFromAxisAngle((-out[1], out[0], 0.0), angle)
    room.put("cup0", *middle, turn=p.getEulerFromQuaternion(turn))


def pour(room, lip, start=30, end=100, heading=0.0):
    room.live(0.8, lambda share: tip(room, lip, start + (end - start) * share, heading))
    room.live(0.4, lambda share: tip(room, lip, end + (start - end) * share, heading))
    room.put("cup0", -0.15, -0.3, TOP + HEIGHT / 2)


GOOD = (-0.02, 0.0, RIM + 0.02)
"""Where a lip has to be: 20 mm before the middle of cup1 and 20 mm above its rim."""


def test_a_stream_that_lands_in_the_cup_is_poured(table):
    pour(table, GOOD)
    track = table.finish()
    assert judge({"and": ["poured(cup0, cup1)", "not_spilled()", "not_spilled(cup0)"]}, track).holds
    assert find_pour(track, "cup0", "cup1").lip == pytest.approx((0.02, 0.02), abs=0.002)
    assert "not over the opening" in judge("poured(cup0, cup2)", track).reasons[0]
    assert "no opening" not in judge("poured(cup1, cup0)", track).reasons[0]
    assert not judge("spilled(cup0)", track).holds


@pytest.mark.parametrize("heading", [0.5, 1.9, -2.5])
def test_it_may_come_from_any_side(table, heading):
    pour(table, (-0.02 * math.cos(heading), -0.02 * math.sin(heading), RIM + 0.015), heading=heading)
    assert judge("poured(cup0, cup1)", table.finish()).holds


def test_a_bowl_of_convex_pieces_takes_a_pour(table):
    pour(table, (-0.03, -0.2, TOP + 0.1))
    track = table.finish()
    assert judge({"and": ["poured(cup0, bowl0)", "not_spilled(cup0)"]}, track).holds


@pytest.mark.parametrize(
    ("lip", "end", "words"),
    [
        ((-0.065, 0.0, RIM + 0.02), 100, "65 mm beside the middle"),
        ((0.065, 0.0, RIM + 0.02), 100, "not over the opening"),
        ((-0.02, 0.045, RIM + 0.02), 100, "not over the opening"),
        ((-0.02, -0.2, RIM + 0.02), 100, "not over the opening"),
        ((0.02, 0.0, RIM + 0.03), 100, "lands beside the opening"),
        ((-0.02, 0.0, RIM + 0.15), 100, "mm above the rim lands beside"),
        ((-0.01, 0.028, RIM + 0.02), 100, "lands beside"),
        ((-0.02, 0.0, RIM - 0.1), 100, "below the rim"),
        (GOOD, 48, "tipped by 48 degrees at most; half full, it pours from 5"),
    ],
    ids=["beside", "beyond", "sideways", "over the bowl", "overshoot", "too high", "chord", "below", "48 degrees"],
)
def test_a_stream_that_misses_is_not_poured(table, lip, end, words):
    pour(table, lip, end=end)
    verdict = judge("poured(cup0, cup1)", table.finish())
    assert not verdict.holds
    assert words in verdict.reasons[0]


def test_one_look_of_spill_is_a_spill(table):
    table.live(0.5, lambda share: tip(table, GOOD, 30 + 60 * share))
    table.live(4 / 240, lambda share: tip(table, (-0.15, 0, RIM + 0.02), 90))
    table.live(0.5, lambda share: tip(table, GOOD, 90 - 60 * share))
    track = table.finish()
    for condition in ("poured(cup0, cup1)", "not_spilled(cup0)", "not_spilled()"):
        assert not judge(condition, track).holds, condition
    assert judge("spilled(cup0)", track).holds


def test_a_cup_that_is_tipped_on_its_way_spills(table):
    table.live(0.5, lambda share: tip(table, (-0.3 + 0.28 * share, 0, RIM + 0.02), 90))
    table.live(0.5, lambda share: tip(table, GOOD, 90 - 60 * share))
    assert "0.0" in judge("poured(cup0, cup1)", table.finish()).reasons[0]


def test_pouring_into_the_other_cup_is_not_a_spill_but_the_wrong_cup(table):
    pour(table, (0.08, 0.25, RIM + 0.02))
    track = table.finish()
    assert judge("not_spilled(cup0)", track).holds
    assert not judge("poured(cup0, cup1)", track).holds
    assert judge("poured(cup0, cup2)", track).holds


def test_pouring_where_the_cup_no_longer_stands_is_a_spill(table):
    table.put("cup1", 0.1, 0.0, TOP + HEIGHT / 2)
    pour(table, GOOD)
    assert not judge("poured(cup0, cup1)", table.finish()).holds


# Wiping: the counter is 0.4 m by 0.8 m; the sponge 0.10 m by 0.06 m.


@pytest.fixture
def dirty():
    room = Room("counter0", "sponge0", "sponge1", "block0")
    room.put("sponge0", -0.15, -0.37, TOP + 0.02)
    room.put("sponge1", 1, 0, 0.02)
    room.put("block0", 0.16, 0.36, TOP + 0.025)
    room.begin()
    yield room
    room.close()


def wipe(room, rows, tool="sponge0", lift=-0.0003, tilt=0.0, held=True):
    """Move a tool along y over rows in x, with a finger on it."""

    def move(row):
        def act(share):
            room.put(tool, row, -0.37 + 0.74 * share, TOP + 0.02 + lift, turn=(0, tilt, 0))
            if held:
                room.grip(tool, 0.03)

        return act

    for row in rows:
        room.live(1.5, move(row))
    room.leave()
    room.put(tool, 1, 0.5, 0.02)


ALL, HALF, THIRD = (-0.15, -0.05, 0.05, 0.1), (-0.15, -0.05, 0.05), (-0.15,)


def test_all_of_a_top_can_be_wiped(dirty):
    wipe(dirty, (-0.15, -0.05, 0.05, 0.15))
    track = dirty.finish()
    assert judge({"and": ["wiped(counter0, sponge0, 0.9)", "wiped(counter0, sponge0)"]}, track).holds
    assert "sponge1 touched 0.0%" in judge("wiped(counter0, sponge1, 0.1)", track).reasons[0]


def test_a_third_of_a_top_is_not_enough_but_all_of_a_region(dirty):
    wipe(dirty, (-0.15,))
    track = dirty.finish()
    assert judge("wiped(counter0, sponge0, 0.2)", track).holds
    assert "touched 2" in judge("wiped(counter0, sponge0, 0.5)", track).reasons[0]
    assert not judge("wiped(counter0, sponge0, 0.3)", track).holds
    assert judge("wiped(counter0, sponge0, 0.95, region=[[-0.19, -0.3, -0.11, 0.3]])", track).holds
    assert not judge("wiped(counter0, sponge0, 0.5, region=[[0.1, -0.3, 0.2, 0.3]])", track).holds
    assert "no cell" in judge("wiped(counter0, sponge0, 0.5, region=[[3, 3, 4, 4]])", track).reasons[0]
    assert judge(
        "wiped(counter0, sponge0, 0.1, region=[[0.13, 0.33, 0.19, 0.39], [-0.19, 0, -0.11, 0.1]])", track
    ).holds


@pytest.mark.parametrize(
    "how",
    [{"lift": 0.004}, {"held": False}, {"tilt": 0.3, "lift": 0.0141}],
    ids=["above it", "not in the hand", "on its edge"],
)
def test_what_hardly_touches_does_not_wipe(dirty, how):
    wipe(dirty, (-0.1, 0.1), **how)
    assert not judge("wiped(counter0, sponge0, 0.3)", dirty.finish()).holds


def test_cells_under_things_are_not_counted(dirty):
    track = dirty.finish()
    top = track.tops["counter0"]
    covered = ~top.free
    assert top.height == pytest.approx(TOP, abs=0.001)
    assert 10 <= covered.sum() <= 30
    assert all(
        np.abs(cell - [0.16, 0.36]).max() < 0.04 or np.abs(cell - [-0.15, -0.37]).max() < 0.06
        for cell in top.cells[covered]
    )
