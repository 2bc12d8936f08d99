"""The threshold, and instances that are not like their class."""

from dataclasses import replace

from hypothesis import given, settings, strategies as st

from affordances.mapping import Evidence, ObjectAffordances, believed_things
from domains.reader import load_domain, load_scene
from tests.affordances.mapping.drawn import NOON, pieces

KITCHEN = load_domain("kitchen")
THINGS = load_scene(KITCHEN, "small").things
NOTHING = ObjectAffordances()


def affords(things, name):
    return things[name].affordances


def test_without_further_evidence_nothing_changes():
    assert believed_things(THINGS, KITCHEN, NOTHING) == dict(THINGS)


def test_a_class_that_failed_again_and_again_loses_the_affordance():
    evidence = ObjectAffordances([Evidence.failed("cup", "carry", body="fake", times=10, at=NOON)])
    found = believed_things(THINGS, KITCHEN, evidence)
    assert affords(THINGS, "cup0") - affords(found, "cup0") == {"carry"}
    assert all(found[name] == THINGS[name] for name in THINGS if name != "cup0")


def test_a_lower_threshold_keeps_it():
    evidence = ObjectAffordances([Evidence.failed("cup", "carry", body="fake", times=10, at=NOON)])
    assert "carry" in affords(believed_things(THINGS, KITCHEN, evidence, 0.4), "cup0")


def test_a_class_that_three_models_and_a_robot_speak_for_gains_one():
    said = [Evidence.asked("cup", "scoop", True, model=name, strategy="logic", at=NOON) for name in "abc"]
    said += [Evidence.asked("cup", "stir", True, model=name, strategy="logic", at=NOON) for name in "abc"]
    assert "stir" in affords(believed_things(THINGS, KITCHEN, ObjectAffordances(said)), "cup0")


def test_an_affordance_that_the_world_does_not_name_is_not_given():
    evidence = ObjectAffordances([Evidence.worked("cup", "levitate", body="fake", times=100, at=NOON)])
    assert believed_things(THINGS, KITCHEN, evidence) == dict(THINGS)


def broken_cup(**said):
    cup = THINGS["cup0"]
    affordances = cup.affordances - {"liquid-contain", "pour"} | {"pierce"}
    return {**THINGS, "cup0": replace(cup, affordances=affordances, **said)}


@settings(deadline=None)
@given(
    st.lists(pieces(("cup", "table", "robot"), ("pour", "liquid-contain", "pierce", "carry", "location")), max_size=9)
)
def test_no_evidence_gives_back_what_an_instance_lacks_or_takes_what_it_has_beyond_its_class(evidence):
    found = believed_things(broken_cup(), KITCHEN, ObjectAffordances(evidence))
    assert not affords(found, "cup0") & {"liquid-contain", "pour"}
    assert "pierce" in affords(found, "cup0")


def test_a_thing_lacks_what_is_said_of_it_even_if_its_class_gains_it_later():
    learned = ObjectAffordances([Evidence.worked("cup", "stack", body="fake", times=30, at=NOON)])
    assert "stack" in affords(believed_things(THINGS, KITCHEN, learned), "cup0")
    assert "stack" not in affords(believed_things(broken_cup(lacks=frozenset({"stack"})), KITCHEN, learned), "cup0")


def test_a_thing_keeps_what_is_said_of_it_even_if_its_class_loses_it_later():
    learned = ObjectAffordances([Evidence.failed("cup", "carry", body="fake", times=30, at=NOON)])
    assert "carry" not in affords(believed_things(THINGS, KITCHEN, learned), "cup0")
    assert "carry" in affords(believed_things(broken_cup(gains=frozenset({"carry"})), KITCHEN, learned), "cup0")


SCENE = """
domain: kitchen
things:
  floor0: {class: floor}
  table0: {class: table, pose: [1.9, 0.5, 3.1416], size: [1.2, 0.6, 0.72]}
  robot0: {class: robot, pose: [0.0, 0.0, 1.5708], at: floor0}
  cup0: {class: cup, on: table0, offset: [-0.3, 0.1], lacks: [pour, liquid-contain, stack], affords: [pierce]}
  cup1: {class: cup, on: table0, offset: [0.3, 0.1]}
"""


def test_a_broken_cup_of_a_scene_file_stays_broken(tmp_path):
    path = tmp_path / "broken.yaml"
    path.write_text(SCENE, encoding="utf-8")
    things = load_scene(KITCHEN, path).things
    learned = ObjectAffordances(
        Evidence.worked("cup", name, body="fake", times=40, at=NOON) for name in ("pour", "liquid-contain", "stack")
    )
    found = believed_things(things, KITCHEN, learned)
    assert affords(found, "cup1") - affords(found, "cup0") == {"pour", "liquid-contain", "stack"}
    assert affords(found, "cup0") - affords(found, "cup1") == {"pierce"}


@settings(deadline=None)
@given(st.lists(pieces(("table", "human"), ("location", "actor", "support")), max_size=9))
def test_structural_types_are_no_matter_of_evidence(evidence):
    found = believed_things(THINGS, KITCHEN, ObjectAffordances(evidence))
    assert {"actor", "location"} <= affords(found, "human0")
    assert "location" in affords(found, "table0")
    assert "actor" not in affords(found, "table0")


def test_a_thing_of_a_class_that_the_world_does_not_know_keeps_what_it_has():
    thing = replace(THINGS["cup0"], name="yo0", class_name="yo_yo")
    assert affords(believed_things({"yo0": thing}, KITCHEN, NOTHING), "yo0") == thing.affordances
