"""Points and regions as values of actions: their text is exact, and what is no place is told with what is one."""

import math
import random

import pytest

from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint
from semantics.logic.place_value import PlaceKind, PlaceModel, place_text, read_place, read_value, value_text
from semantics.logic.quantity import Quantity, QuantityError
from semantics.logic.state import Action

WHERE = PlaceModel("where")


def test_the_text_of_random_places_is_read_back_exactly():
    chance = random.Random(5)
    for _ in range(500):
        numbers = [chance.choice([chance.uniform(-9, 9), chance.gauss(0, 1e-7), 0.1 + 0.2, 3.0]) for _ in range(6)]
        low, high = (tuple(f(a, b) for a, b in zip(numbers[:3], numbers[3:], strict=True)) for f in (min, max))
        for value in (MapPoint(*numbers[:2]), MapPoint(*numbers[:3]), Box(low, high), Quantity(numbers[0], "ml")):
            assert read_value(value_text(value)) == value


def test_the_text_of_an_action_with_a_point_and_a_turn():
    values = {"where": MapPoint(0.41, -0.12), "turn": Quantity(30, "deg")}
    action = Action("place", ("robot0", "block0", "table0")).with_values(values)
    assert str(action) == "(place robot0 block0 table0 :turn 30deg :where 0.41,-0.12m)"
    assert Action.read(str(action)) == action


def test_a_region_is_its_lowest_and_its_highest_corner():
    region = Box((0.2, -0.3, 0.72), (0.6, 0.3, 0.72))
    assert place_text(region) == "0.2,-0.3,0.72..0.6,0.3,0.72m"
    action = Action("place", ("block0",)).with_values({"where": region})
    assert Action.read(str(action)) == action


@pytest.mark.parametrize("text", ["0.4,0.1", "0.4m", "0.4,0.1cm", "table0", "nan,0m", "0.4,0.1,0.2,0.3m", "1,2..3,4m"])
def test_what_is_the_text_of_no_place(text):
    assert read_place(text) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1e999,0m", "no finite number"),
        ("1e9,0m", "the nearest is 1e+06m"),
        ("0,0..1,1,1m", "corner without a height"),
        ("1,0,0..0,1,1m", "the lowest corner of a region comes first"),
    ],
)
def test_a_place_that_cannot_be_is_told(text, why):
    with pytest.raises(QuantityError, match=why.replace("+", r"\+")):
        read_place(text)


def test_a_point_will_do_where_a_region_is_taken_and_not_the_other_way():
    point, region = MapPoint(0.4, 0.1), Box((0.0, 0.0, 0.7), (0.4, 0.2, 0.7))
    assert WHERE.fitting(point) == point
    assert WHERE.fitting(region) == region
    with pytest.raises(QuantityError, match=r"its middle is 0\.2,0\.1,0\.7m"):
        PlaceModel("to", PlaceKind.POINT).fitting(region)


@pytest.mark.parametrize("value", [3.0, "table0", None, True, MapPoint(math.nan, 0.0), MapPoint(0.0, math.inf)])
def test_what_is_no_place_is_refused(value):
    with pytest.raises(QuantityError, match="where"):
        WHERE.fitting(value)
