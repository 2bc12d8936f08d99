"""Quantities: reading and writing, units, ranges."""

import math

import pytest
from hypothesis import given, strategies as st

from semantics.logic.quantity import UNITS, Dimension, Quantity, QuantityError, ValueModel, base_unit
from semantics.logic.state import Action

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(NUMBERS, st.sampled_from(list(UNITS)))
def test_what_is_written_is_read_back(number: float, unit: str) -> None:
    quantity = Quantity(number, unit)
    assert Quantity.read(str(quantity)) == quantity


@given(st.dictionaries(st.sampled_from(["amount", "speed", "turn"]), st.builds(Quantity, NUMBERS, st.just("ml"))))
def test_an_action_with_values_is_read_back(values: dict[str, Quantity]) -> None:
    action = Action("pour", ("robot0", "bottle0")).with_values(values)
    assert Action.read(str(action)) == action


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [("30ml", "l", 0.03), ("0.5 m/s", "cm/s", 50.0), ("10 seconds", "min", 1 / 6), ("180deg", "rad", math.pi)],
)
def test_conversion(text: str, unit: str, number: float) -> None:
    assert Quantity.read(text).to(unit).number == pytest.approx(number)


@pytest.mark.parametrize("text", ["", "ml", "30 ml more", "nan", "inf", "1e999", "30 mI", "--3m", "3 m / s"])
def test_what_is_no_quantity(text: str) -> None:
    with pytest.raises(QuantityError):
        Quantity.read(text)


@pytest.mark.parametrize("text", ["(pour a :amount)", "(pour a :amount 30ml 20)", "(pour a :amount 30ml b 20)"])
def test_an_action_with_a_value_too_few(text: str) -> None:
    with pytest.raises(QuantityError):
        Action.read(text)


def test_each_dimension_has_one_first_unit() -> None:
    assert {base_unit(unit) for unit in UNITS} == {unit for unit, known in UNITS.items() if known.factor == 1.0}
    assert {known.dimension for known in UNITS.values()} == set(Dimension)


def test_a_value_out_of_range_names_the_nearest() -> None:
    speed = ValueModel("speed", "cm/s", 10.0, 70.0)
    assert speed.fitting(Quantity(0.5, "m/s")) == Quantity(50.0, "cm/s")
    with pytest.raises(QuantityError, match=r"10cm/s to 70cm/s; the nearest is 70cm/s"):
        speed.fitting(Quantity(2.0, "m/s"))
    with pytest.raises(QuantityError, match=r"is a length and no speed; expected m/s or cm/s or km/h"):
        speed.fitting(Quantity(2.0, "m"))
