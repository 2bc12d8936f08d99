"""What is free, what is held, and in which area a thing lies."""

from dataclasses import replace

import pytest

from affordances.facts import sense
from semantics.body.observation import AgentView, Observation, Sighting
from semantics.geometry.geometry import Box, PlanarPose
from semantics.geometry.solids import solid_of
from semantics.logic.vocabulary import Thing

TOP = 0.7
THINGS = {
    "table0": Thing("table0", "table", frozenset({"support"})),
    "left": Thing("left", "area", frozenset({"area"})),
    "right": Thing("right", "area", frozenset({"area"})),
    "a": Thing("a", "block", frozenset({"carry", "support"})),
    "b": Thing("b", "block", frozenset({"carry", "support"})),
    "robot0": Thing("robot0", "robot", frozenset({"actor"})),
}


def flat(name: str, low: tuple[float, float], high: tuple[float, float]) -> Sighting:
    slab = Box((*low, TOP - 0.03), (*high, TOP))
    return Sighting(name, slab, surfaces=(slab,))


PLACES = (flat("table0", (0, 0), (2, 1)), flat("left", (0, 0), (1, 1)), flat("right", (1, 0), (2, 1)))


def cube(name: str, x: float, y: float, bottom: float = TOP) -> Sighting:
    box = Box((x - 0.02, y - 0.02, bottom), (x + 0.02, y + 0.02, bottom + 0.04))
    return Sighting(name, box, surfaces=(box,))


def facts(test: str, *cubes: Sighting, held: tuple[str, ...] = ()) -> set[str]:
    sightings = {sighting.name: sighting for sighting in (*PLACES, *cubes)}
    agents = {"robot0": AgentView(PlanarPose(0, 0), held)}
    return {str(atom)[1:-1] for atom in sense(Observation(sightings=sightings, agents=agents), THINGS, (test,))}


def test_a_thing_lies_in_the_area_below_its_centre_and_in_one_only():
    assert facts("lies", cube("a", 0.5, 0.5), cube("b", 1.5, 0.5)) == {"lies a left", "lies b right"}
    assert facts("lies", cube("a", 0.99, 0.5)) == {"lies a left"}
    assert facts("lies", cube("a", 1.01, 0.5)) == {"lies a right"}


@pytest.mark.parametrize(("bottom", "lies"), [(TOP + 0.014, True), (TOP + 0.016, False), (TOP - 0.3, False)])
def test_what_is_above_or_below_an_area_does_not_lie_there(bottom: float, lies: bool):
    assert (facts("lies", cube("a", 0.5, 0.5, bottom)) == {"lies a left"}) is lies


def test_what_stands_on_another_thing_or_is_held_lies_nowhere():
    assert facts("lies", cube("a", 0.5, 0.5), cube("b", 0.5, 0.5, TOP + 0.04)) == {"lies a left"}
    assert facts("lies", cube("a", 0.5, 0.5), held=("a",)) == set()


def test_what_carries_something_is_not_clear_and_what_is_held_is_not_takeable():
    tower = cube("a", 0.5, 0.5), cube("b", 0.5, 0.5, TOP + 0.04)
    assert {"clear b", "clear a"} & facts("clear", *tower) == {"clear b"}
    apart = cube("a", 0.5, 0.5), cube("b", 1.5, 0.5)
    assert {"clear a", "clear b"} <= facts("clear", *apart, held=("b",))
    assert {"takeable a", "takeable b"} & facts("takeable", *apart, held=("b",)) == {"takeable a"}


def test_a_hand_is_free_or_holds_something():
    assert facts("hand_free") == {"hand_free robot0"}
    assert facts("hands_free") == {"hands_free"}
    assert facts("held") == set()
    assert facts("hand_free", held=("a",)) == facts("hands_free", held=("a",)) == set()
    assert facts("held", held=("a",)) == {"held a"}


def test_only_what_stands_on_furniture_is_on_furniture():
    assert facts("on_furniture", cube("a", 0.5, 0.5), cube("b", 0.5, 0.5, TOP + 0.04)) == {"on_furniture a"}


def aside(*cubes: Sighting) -> set[str]:
    outlined = (replace(each, solid=solid_of(each.box)) for each in cubes)
    return facts("aside", *outlined)


def test_what_lies_off_the_middle_of_its_area_is_aside_where_there_is_room_nearer_to_it():
    assert aside(cube("a", 0.5, 0.5)) == set()
    assert aside(cube("a", 0.5, 0.555)) == set()
    assert aside(cube("a", 0.5, 0.6)) == {"aside a left"}
    assert aside(cube("a", 0.5, 0.6), cube("b", 0.5, 0.5)) == {"aside a left"}


def test_where_the_middle_is_taken_nothing_is_aside():
    plate = replace(cube("b", 0.5, 0.5), box=Box((0.4, 0.4, TOP), (0.6, 0.6, TOP + 0.04)))
    assert aside(cube("a", 0.5, 0.65), plate) == set()
