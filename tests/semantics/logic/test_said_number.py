"""The nearest amount that can be had, where the one that was said cannot."""

import pytest
from hypothesis import given, strategies as st

from semantics.logic.atoms import And, Arithmetic, Atom, Compare
from semantics.logic.quantity import Quantity, ValueModel
from semantics.logic.said_number import SaidNumber, shortfall

PORTION, LEVEL, INSIDE, ROOM = Atom("portion"), Atom("level", ("b",)), Atom("level", ("g",)), Atom("volume", ("g",))
ENOUGH = Compare(">=", LEVEL, PORTION)
FITS = Compare("<=", Arithmetic("+", (INSIDE, PORTION)), ROOM)
SENTENCES = {"level": ("{0} holds {value}", "l"), "volume": ("{0} has room for {value}", "l"), "portion": ("", "l")}
AMOUNT = ValueModel("amount", "ml", 1.0, 1000.0, number="portion")


def said(text=None, condition=None, model=AMOUNT):
    quantity = None if text is None else Quantity.read(text)
    return (SaidNumber(model, PORTION, "l", condition or And((ENOUGH, FITS)), SENTENCES, quantity),)


def numbers(level=0.5, inside=0.1, room=0.25, portion=0.05):
    return {PORTION: portion, LEVEL: level, INSIDE: inside, ROOM: room}


def test_too_little_is_told_with_what_is_there():
    short = shortfall(said("30ml"), numbers(level=0.02))
    assert short == ("b holds 20ml, and 30ml are asked", "At most 20ml.", ("b",), (PORTION, 0.02))


def test_the_nearest_amount_also_fits_the_other_conditions():
    short = shortfall(said("80cl"), numbers())
    assert short is not None
    assert short.how == "At most 15cl."
    assert short.culprits == ("b",)


def test_nothing_said_is_as_much_as_the_number_is_in_the_world():
    assert shortfall(said(), numbers()) is None
    short = shortfall(said(), numbers(inside=0.21))
    assert short is not None
    assert short[:3] == ("g holds 210ml, g has room for 250ml, and 50ml are asked", "At most 40ml.", ("g",))
    assert short.nearest == (PORTION, pytest.approx(0.04))


def test_an_amount_below_the_range_of_the_value_is_not_offered():
    short = shortfall(said("30ml"), numbers(level=0.0005))
    assert short is not None
    assert (short.how, short.nearest) == ("No amount will do now.", None)


def test_a_smallest_amount_is_told():
    least = Compare(">=", PORTION, Arithmetic("*", (0.5, LEVEL)))
    short = shortfall(said("30ml", least), numbers(level=0.5))
    assert short is not None
    assert short.how == "At least 250ml."


def test_of_a_condition_that_is_not_linear_no_amount_is_offered():
    curved = Compare("<=", Arithmetic("*", (PORTION, PORTION)), ROOM)
    short = shortfall(said("800ml", curved), numbers(room=0.25))
    assert short is not None
    assert short.how == ""


def test_a_number_without_a_value_is_left_to_the_check_of_the_condition():
    assert shortfall(said("30ml"), {PORTION: 0.05}) is None


@given(st.floats(0.001, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.integers(1, 1000))
def test_what_is_offered_can_be_had(level, inside, room, asked):
    there = numbers(level, inside, room)
    short = shortfall(said(f"{asked}ml"), there)
    if short is None:
        assert asked / 1000 <= level + 1e-6
        assert inside + asked / 1000 <= room + 1e-6
    elif short.how.startswith("At most"):
        offered = short.how.removeprefix("At most ").removesuffix(".")
        assert Quantity.read(offered).base < asked
        assert shortfall(said(offered), there) is None
    else:
        assert min(level, room - inside) == pytest.approx(min(level, room - inside, 0.001))
