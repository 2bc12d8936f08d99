"""The judge on rooms made by hand: a sink 0.6 m square with its rim at 0.85 m, a shelf, a fridge and a person."""

import pytest

from benchmarks.judging import Touch, Truth

UP, ASIDE, DOWN = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, -1.0)
SINK = (
    ((0.0, 0.0, 0.0), (0.6, 0.6, 0.69)),
    ((0.0, 0.0, 0.69), (0.03, 0.6, 0.85)),
    ((0.57, 0.0, 0.69), (0.6, 0.6, 0.85)),
    ((0.03, 0.0, 0.69), (0.57, 0.03, 0.85)),
    ((0.03, 0.57, 0.69), (0.57, 0.6, 0.85)),
)
FRIDGE = (
    ((2.0, 0.0, 0.0), (2.5, 0.6, 0.4)),
    ((2.0, 0.0, 1.17), (2.5, 0.6, 1.2)),
    ((2.0, 0.0, 0.4), (2.03, 0.6, 1.17)),
    ((2.0, 0.0, 0.4), (2.5, 0.03, 1.17)),
    ((2.0, 0.57, 0.4), (2.5, 0.6, 1.17)),
)
SHELF = (((4.0, 0.0, 0.37), (5.0, 0.3, 0.4)), ((4.0, 0.0, 0.77), (5.0, 0.3, 0.8)), ((4.0, 0.0, 0.0), (4.02, 0.3, 1.2)))
PLACES = {
    "sink0": ((0.0, 0.0, 0.0), (0.6, 0.6, 0.85)),
    "fridge0": ((2.0, 0.0, 0.0), (2.5, 0.6, 1.2)),
    "shelf0": ((4.0, 0.0, 0.0), (5.0, 0.3, 1.2)),
    "human0": ((6.0, 0.0, 0.0), (6.6, 0.5, 1.6)),
}


def truth(at, *touched, size=(0.1, 0.06, 0.04)):
    """Return a room with one thing, the middle of its bottom at a point, touched by others: name, height and push."""
    x, y, z = at
    low, high = (x - size[0] / 2, y - size[1] / 2, z), (x + size[0] / 2, y + size[1] / 2, z + size[2])
    touches = tuple(Touch(other, (x, y, height), push) for other, height, push in touched)
    return Truth(
        {**PLACES, "sponge0": (low, high)},
        {"sponge0": touches},
        {"fridge0": 0.0},
        {"sink0": SINK, "fridge0": FRIDGE, "shelf0": SHELF},
    )


def in_sink(at, *touched, **fields):
    return truth(at, *touched, **fields).lies_in("sponge0", "sink0")


def test_a_thing_on_the_bottom_of_a_sink_lies_in_it():
    assert in_sink((0.3, 0.3, 0.69), ("sink0", 0.69, UP))
    assert in_sink((0.081, 0.3, 0.69), ("sink0", 0.69, UP))


def test_a_thing_on_others_in_a_sink_lies_in_it_as_long_as_it_is_below_the_rim():
    assert in_sink((0.3, 0.3, 0.8), ("bowl0", 0.8, UP))
    assert not in_sink((0.3, 0.3, 0.845), ("bowl0", 0.845, UP))


def test_a_tall_thing_that_stands_in_a_sink_lies_in_it():
    assert in_sink((0.3, 0.3, 0.69), ("sink0", 0.69, UP), size=(0.06, 0.06, 0.3))


@pytest.mark.parametrize("at", [(0.015, 0.3, 0.85), (0.3, 0.585, 0.85), (0.05, 0.05, 0.85), (0.3, 0.3, 0.85)])
def test_a_thing_on_the_rim_is_not_in_the_sink(at):
    assert not in_sink(at, ("sink0", 0.85, UP))


def test_a_thing_that_leans_over_the_rim_is_not_in_the_sink():
    assert not in_sink((0.06, 0.3, 0.75), ("sink0", 0.75, UP), ("sink0", 0.85, UP), size=(0.1, 0.02, 0.12))


@pytest.mark.parametrize("at", [(0.7, 0.3, 0.7), (-0.1, 0.3, 0.7), (0.3, -0.1, 0.7), (0.3, 0.3, 1.2), (0.7, 0.7, 0.0)])
def test_a_thing_beside_or_above_a_sink_is_not_in_it(at):
    assert not in_sink(at)


@pytest.mark.parametrize("holder", ["robot0", "human0"])
def test_what_is_held_is_neither_in_nor_on_anything(holder):
    assert not in_sink((0.3, 0.3, 0.69), ("sink0", 0.69, UP), (holder, 0.7, ASIDE))
    on_shelf = truth((4.5, 0.15, 0.4), ("shelf0", 0.4, UP), (holder, 0.42, ASIDE))
    assert not on_shelf.rests_on("sponge0", "shelf0")


def test_a_thing_in_a_fridge_lies_within_three_walls_and_behind_the_front():
    assert truth((2.3, 0.3, 0.4), ("fridge0", 0.4, UP)).lies_in("sponge0", "fridge0")
    assert not truth((2.47, 0.3, 0.4), ("fridge0", 0.4, UP)).lies_in("sponge0", "fridge0")
    assert not truth((2.6, 0.3, 0.4)).lies_in("sponge0", "fridge0")
    assert not truth((2.3, 0.3, 1.2), ("fridge0", 1.2, UP)).lies_in("sponge0", "fridge0")


@pytest.mark.parametrize("height", [0.4, 0.8])
def test_a_thing_that_a_board_holds_up_rests_on_the_shelf(height):
    assert truth((4.5, 0.15, height), ("shelf0", height, UP)).rests_on("sponge0", "shelf0")


def test_a_thing_that_hangs_against_a_side_does_not_rest_on_the_shelf():
    assert not truth((4.5, 0.15, 0.5), ("shelf0", 0.52, ASIDE)).rests_on("sponge0", "shelf0")
    assert not truth((4.5, 0.15, 0.5), ("shelf0", 0.5, ASIDE)).rests_on("sponge0", "shelf0")


def test_a_thing_that_hangs_by_its_top_or_is_pressed_from_above_does_not_rest_on_the_shelf():
    assert not truth((4.5, 0.15, 0.37), ("shelf0", 0.4, UP)).rests_on("sponge0", "shelf0")
    assert not truth((4.5, 0.15, 0.33), ("shelf0", 0.37, DOWN)).rests_on("sponge0", "shelf0")


def test_a_thing_on_another_thing_or_beyond_the_edge_or_on_the_floor_does_not_rest_on_the_shelf():
    assert not truth((4.5, 0.15, 0.45), ("bowl0", 0.45, UP)).rests_on("sponge0", "shelf0")
    assert not truth((4.5, 0.31, 0.4), ("shelf0", 0.4, UP)).rests_on("sponge0", "shelf0")
    assert not truth((4.5, 0.15, 0.0), ("shelf0", 0.0, UP), ("floor0", 0.0, UP)).rests_on("sponge0", "shelf0")


def test_a_person_has_what_stands_in_the_outstretched_hand_alone():
    assert truth((6.5, 0.2, 0.93), ("human0", 0.93, UP)).has("human0", "sponge0")
    assert not truth((6.5, 0.2, 0.93), ("human0", 0.93, UP), ("robot0", 0.95, ASIDE)).has("human0", "sponge0")
    assert not truth((6.5, 0.2, 0.93), ("human0", 0.95, ASIDE)).has("human0", "sponge0")
    assert not truth((6.1, 0.2, 1.65), ("human0", 1.65, UP)).has("human0", "sponge0")
    assert not truth((6.5, 0.2, 0.0), ("human0", 0.02, ASIDE), ("floor0", 0.0, UP)).has("human0", "sponge0")
