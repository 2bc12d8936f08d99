from dataclasses import replace
from math import pi

import pytest

from robots.furniture import AREA, MODELS, fittings
from semantics.body.layout import Furniture
from semantics.errors import UnknownNameError
from semantics.geometry.furnishing import FURNITURE_PARAMETERS
from semantics.geometry.geometry import Box, PlanarPose, to_world

SIZE = (1.0, 0.6, 0.9)
QUARTERS = (0.0, pi / 2, pi, -pi / 2)


def piece(model, yaw=0.0):
    return Furniture(f"{model}0", model, PlanarPose(2.0, 1.0, yaw), SIZE)


def inside(part: Box, whole: Box) -> bool:
    return whole.contains(part.low, 1e-6) and whole.contains(part.high, 1e-6)


@pytest.mark.parametrize("yaw", QUARTERS)
@pytest.mark.parametrize("model", MODELS)
def test_what_is_offered_lies_within_the_body(model, yaw):
    found = fittings(piece(model, yaw))
    parts = [*found.surfaces, *found.compartments, *([found.interior] if found.interior else [])]
    assert bool(parts) == (model not in ("dock", "mesh", "wall"))  # the places of a mesh are those of its class
    for part in parts:
        assert inside(part, found.box)
        assert all(length > 0 for length in part.size)


@pytest.mark.parametrize("yaw", QUARTERS)
@pytest.mark.parametrize("model", sorted(MODELS.keys() - {"drawer", "wall"}))
def test_a_robot_stands_before_the_front_and_faces_it(model, yaw):
    found = fittings(piece(model, yaw))
    ahead = to_world(found.stand, 1.0, 0.0)
    assert not found.box.above((found.stand.x, found.stand.y, 0.0), 0.3)
    assert found.box.above((*ahead, 0.0), 0.1)
    front = to_world(piece(model, yaw).pose, 1.0, 0.0)
    assert ((front[0] - 2.0) * (found.stand.x - 2.0) + (front[1] - 1.0) * (found.stand.y - 1.0)) > 0


@pytest.mark.parametrize("model", MODELS)
def test_compartments_lie_in_the_interior_the_lowest_first_and_do_not_overlap(model):
    found = fittings(piece(model))
    floors = [part.low[2] for part in found.compartments]
    assert floors == sorted(floors)
    for part in found.compartments:
        assert inside(part, found.interior)
    for lower, upper in zip(found.compartments, found.compartments[1:], strict=False):
        assert lower.high[2] < upper.low[2]


def test_a_quarter_turn_swaps_width_and_depth():
    assert fittings(piece("table")).box.size == pytest.approx((0.6, 1.0, 0.9))
    assert fittings(piece("table", pi / 2)).box.size == pytest.approx((1.0, 0.6, 0.9))


def test_only_the_fridge_and_the_cabinet_have_a_door():
    assert [model for model in MODELS if fittings(piece(model)).hinged] == ["cabinet", "fridge"]


@pytest.mark.parametrize("model", ["drawer", "wall"])
def test_a_wall_is_no_place_and_that_of_a_drawer_is_its_cabinet(model):
    assert fittings(piece(model)).stand is None


def tops(model, **parameters):
    return [round(part.high[2], 3) for part in fittings(with_parameters(model, **parameters)).surfaces]


def with_parameters(model, **parameters):
    return replace(piece(model), parameters=tuple(parameters.items()))


def test_a_number_of_boards_divides_a_shelf_evenly_and_a_list_says_their_heights():
    assert tops("shelf", boards=3.0) == [0.3, 0.6, 0.9]
    assert tops("shelf", boards=1.0) == [0.9]
    assert tops("shelf", boards=(0.2, 0.7)) == [0.2, 0.7]


@pytest.mark.parametrize("boards", range(4))
def test_boards_divide_a_cabinet_into_one_compartment_more(boards):
    found = fittings(with_parameters("cabinet", boards=float(boards), base=0.1))
    assert len(found.compartments) == boards + 1
    assert found.compartments[0].low[2] == found.interior.low[2] == 0.1
    heights = [part.size[2] for part in found.compartments]
    assert max(heights) - min(heights) < 0.02


def test_heights_of_boards_in_a_cabinet_are_those_of_their_tops():
    found = fittings(with_parameters("cabinet", boards=(0.3, 0.6)))
    assert [part.low[2] for part in found.compartments[1:]] == pytest.approx([0.3, 0.6])


def test_the_handle_of_a_door_is_where_it_is_said_to_be():
    assert fittings(with_parameters("cabinet", handle=0.7)).handle == 0.7
    assert fittings(piece("fridge")).handle == pytest.approx(0.72 * SIZE[2])


def test_a_basin_is_as_deep_as_it_is_said_to_be():
    assert fittings(with_parameters("sink", basin=0.3)).interior.size[2] == pytest.approx(0.3)


def test_every_model_with_parameters_is_built_and_every_model_that_is_built_has_an_entry():
    assert {*FURNITURE_PARAMETERS, AREA} == set(MODELS)


def test_a_level_that_is_too_high_or_too_low_is_the_nearest_one():
    shelf = fittings(piece("shelf"))
    assert shelf.region("on", 9) == shelf.surfaces[-1]
    assert shelf.region("on", -1) == shelf.surfaces[0]
    assert shelf.region("in") is None


def test_an_unknown_model_is_refused_with_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean table"):
        fittings(piece("tabel"))
