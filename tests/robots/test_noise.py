"""The errors of a camera follow from a seed, and come as often as they are said to."""

from statistics import mean, stdev

import pytest

from robots.noise import Noise
from semantics.body.observation import AgentView, Detection, Observation, Sighting
from semantics.geometry.geometry import Box, PlanarPose
from semantics.geometry.solids import Solid


def thing(name: str, x: float, size: float = 0.1) -> Detection:
    box = Box((x, 0.0, 0.0), (x + size, size, size))
    return Detection("pear", Sighting(name, box, interior=box, solid=Solid("box", box.size, (x, 0.0, 0.0))))


ROBOT = {"robot0": AgentView(PlanarPose(-2.0, 0.05), ("held",), gripper=0.5)}
THINGS = (thing("pear0", 1.0), thing("held", 0.0))


def seen(number: int, *found: Detection) -> Observation:
    contacts = frozenset({frozenset({"pear0", "table0"})})
    return Observation(number=number, detections=found or THINGS, agents=ROBOT, contacts=contacts)


def over(noise: Noise) -> list[Observation]:
    return [noise(seen(number)) for number in range(2000)]


def labels(each: Observation) -> dict[str, str]:
    return {found.sighting.name: found.label for found in each.detections}


def test_without_errors_nothing_changes():
    assert Noise()(seen(1)) == seen(1)


def test_the_same_seed_and_sensing_have_the_same_errors():
    noise = {"misses": 0.3, "position_sigma": 0.01}
    assert over(Noise(1, **noise)) == over(Noise(1, **noise))
    assert over(Noise(1, **noise)) != over(Noise(2, **noise))


def test_things_are_missed_with_what_touches_them_and_what_is_held_is_not():
    sensed = over(Noise(3, misses=0.1))
    assert mean("pear0" not in labels(each) for each in sensed) == pytest.approx(0.1, abs=0.02)
    assert all("held" in labels(each) for each in sensed)
    assert all(bool(each.contacts) == ("pear0" in labels(each)) for each in sensed)


def test_false_names_are_those_of_the_thing():
    names = {"pear0": ["avocado", "apple"]}
    told = [labels(each) for each in over(Noise(4, false_names=0.05, names=names))]
    assert mean(each["pear0"] != "pear" for each in told) == pytest.approx(0.05, abs=0.015)
    assert {each["pear0"] for each in told} == {"pear", "avocado", "apple"}
    assert {each["held"] for each in told} == {"pear"}


def test_positions_err_as_a_whole():
    moved = [found.sighting for each in over(Noise(5, position_sigma=0.01)) for found in each.detections[:1]]
    assert stdev(each.box.low[0] for each in moved) == pytest.approx(0.01, abs=0.001)
    assert all(each.box == each.interior and each.solid.at[0] == each.box.low[0] for each in moved)


@pytest.mark.parametrize(("front", "hidden"), [(0.2, True), (0.05, False)], ids=["large", "small"])
def test_what_stands_in_front_hides_a_thing(front: float, hidden: bool):
    far, near = thing("pear0", 1.0), Detection("box", Sighting("b", Box((0.7, -0.1, 0.0), (0.9, 0.2, 2 * front))))
    assert ("pear0" not in labels(Noise(occlusion=1.0)(seen(1, far, near)))) is hidden
