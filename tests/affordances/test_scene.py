from dataclasses import replace

import pytest

from affordances.scene import SENSED, WRITTEN, Scene
from semantics.geometry.geometry import PlanarPose
from tests.affordances.room import (
    DOMAIN,
    FRIDGE,
    TABLE_TOP,
    THINGS,
    atom,
    block,
    bowl,
    fridge,
    scene_file,
    seen,
    whereabouts,
)

IN_FRIDGE = atom("in milk0 fridge0")
ON_TABLE = atom("on milk0 table0")
STATED = {IN_FRIDGE: "last seen there"}
MILK_ON_TABLE = block("milk0", 0.5, 0.5, TABLE_TOP)
MILK_IN_FRIDGE = block("milk0", 3.3, 0.3, 0.4)


def started():
    return Scene.start(scene_file([ON_TABLE], STATED), DOMAIN)


def believed(*observations):
    """Return the scene after those sensings, in order, each newer than the last."""
    scene = started()
    for number, observation in enumerate(observations, start=1):
        scene = scene.updated(replace(observation, number=number, time=float(number)))
    return scene


def test_a_scene_starts_with_what_is_stated_and_nothing_of_the_truth():
    scene = started()
    assert set(scene.beliefs) == {IN_FRIDGE}
    assert scene.beliefs[IN_FRIDGE].source == "last seen there"
    assert ON_TABLE not in scene.beliefs
    assert scene.number == 0


def test_where_things_rest_is_believed_until_it_is_sensed_unless_they_are_hidden():
    on_shelf, apple, door = atom("on cup0 shelf0"), atom("on apple0 table0"), atom("closed fridge0")
    written = replace(scene_file([ON_TABLE, on_shelf, apple, door], STATED), hidden=frozenset({"cup0"}))
    scene = Scene.start(written, DOMAIN)
    assert {str(fact): belief.source for fact, belief in scene.beliefs.items()} == {
        "(in milk0 fridge0)": "last seen there",
        "(on apple0 table0)": WRITTEN,
    }
    looked = seen(searched={"table0"})
    assert apple not in scene.updated(replace(looked, number=1, time=1.0)).beliefs


def test_what_no_geometry_shows_is_believed_as_written_unless_it_is_of_something_hidden():
    clean, hidden = atom("clean milk0"), atom("clean cup0")
    written = replace(scene_file([ON_TABLE, clean, hidden], STATED), hidden=frozenset({"cup0"}))
    scene = Scene.start(written, DOMAIN)
    assert {fact for fact in scene.beliefs if fact.predicate == "clean"} == {clean}
    assert scene.beliefs[clean].source == WRITTEN
    dirty = replace(seen(MILK_ON_TABLE), told={clean: False}, number=1, time=1.0)
    assert clean not in scene.updated(dirty).beliefs


def test_a_scene_as_written_has_the_facts_and_the_beliefs_that_do_not_deny_them():
    facts = [ON_TABLE, atom("closed fridge0")]
    beliefs = {**STATED, atom("opened fridge0"): "somebody said so", atom("on apple0 table0"): "seen yesterday"}
    scene = Scene.as_written(scene_file(facts, beliefs), DOMAIN)
    assert {str(one) for one in scene.beliefs} == {"(on milk0 table0)", "(closed fridge0)", "(on apple0 table0)"}
    assert scene.beliefs[ON_TABLE].source == WRITTEN
    assert atom("reachable milk0 table0") in scene.state.atoms


def test_bookkeeping_that_is_stated_is_not_believed_but_computed():
    scene = Scene.as_written(scene_file([ON_TABLE, atom("free milk0"), atom("reachable milk0 shelf0")]), DOMAIN)
    assert set(scene.beliefs) == {ON_TABLE}
    assert atom("reachable milk0 shelf0") not in scene.state.atoms


def test_what_is_seen_replaces_what_was_believed_of_that_thing():
    scene = believed(seen(MILK_ON_TABLE))
    assert whereabouts(scene, "milk0").atom == ON_TABLE
    assert IN_FRIDGE not in scene.beliefs
    assert scene.beliefs[ON_TABLE].source == SENSED


def test_what_is_behind_a_shut_door_stays_believed():
    scene = believed(seen(fridge(0.0)), seen(fridge(0.0)))
    assert whereabouts(scene, "milk0").atom == IN_FRIDGE
    assert scene.beliefs[IN_FRIDGE].source == "last seen there"
    assert scene.beliefs[IN_FRIDGE].seen is None


def test_what_is_not_in_an_opened_and_searched_container_is_no_longer_believed_there():
    assert whereabouts(believed(seen(FRIDGE)), "milk0").atom == IN_FRIDGE
    assert whereabouts(believed(seen(FRIDGE, searched=["fridge0"])), "milk0") is None


def test_what_a_search_could_have_missed_stays_believed_and_what_it_could_not_does_not():
    both = (MILK_ON_TABLE, block("apple0", 0.2, 0.2, TABLE_TOP))
    scene = believed(seen(*both), seen(searched=["table0"], undetectable={"table0": frozenset({"apple0"})}))
    assert whereabouts(scene, "milk0") is None
    assert whereabouts(scene, "apple0").atom == atom("on apple0 table0")


def test_searching_one_place_says_nothing_of_another():
    assert whereabouts(believed(seen(searched=["table0", "shelf0"])), "milk0").atom == IN_FRIDGE


def test_a_belief_that_is_seen_becomes_sensed_and_keeps_its_age():
    scene = believed(seen(FRIDGE), seen(MILK_IN_FRIDGE), seen(MILK_IN_FRIDGE))
    found = scene.beliefs[IN_FRIDGE]
    assert found.source == SENSED
    assert (found.since, found.seen) == (0.0, 3.0)


def test_what_was_seen_in_the_fridge_is_believed_after_the_door_is_shut():
    scene = believed(seen(MILK_IN_FRIDGE), seen(fridge(0.0)))
    assert scene.beliefs[IN_FRIDGE].seen == 1.0
    assert {atom("closed fridge0"), IN_FRIDGE} <= scene.state.atoms
    assert atom("opened fridge0") not in scene.beliefs


def test_the_door_is_always_taken_as_sensed():
    assert atom("ajar fridge0") in believed(seen(FRIDGE), seen(fridge(0.4))).beliefs


def test_a_held_thing_is_in_the_hand_alone_even_when_out_of_view():
    scene = believed(seen(MILK_ON_TABLE), seen(held={"robot0": ("milk0",)}))
    assert whereabouts(scene, "milk0").atom == atom("inhand milk0 robot0")
    assert atom("hand_occupied robot0") in scene.state.atoms
    assert ON_TABLE not in scene.beliefs


def test_a_hand_that_is_sensed_empty_holds_nothing_although_nobody_sees_what_it_held():
    scene = believed(seen(held={"robot0": ("milk0",)}), seen())
    assert whereabouts(scene, "milk0") is None


def test_a_thing_in_mid_air_is_nowhere():
    assert whereabouts(believed(seen(MILK_ON_TABLE), seen(block("milk0", 0.5, 0.5, 2.0))), "milk0") is None


def test_what_is_in_a_bowl_stays_believed_in_it_when_the_bowl_moves_unseen():
    scene = believed(
        seen(bowl("bowl0", 0.5, 0.5, TABLE_TOP), block("apple0", 0.5, 0.5, TABLE_TOP + 0.01)),
        seen(held={"robot0": ("bowl0",)}),
    )
    assert whereabouts(scene, "apple0").atom == atom("in apple0 bowl0")
    assert whereabouts(scene, "bowl0").atom == atom("inhand bowl0 robot0")


def test_the_robot_is_at_one_place_at_a_time():
    scene = believed(seen(pose=PlanarPose(0.5, -0.5)), seen(pose=PlanarPose(3.3, -0.7)))
    assert whereabouts(scene, "robot0").atom == atom("at robot0 fridge0")


def test_a_sensing_that_was_taken_in_changes_nothing():
    scene = started().updated(seen(MILK_ON_TABLE))
    assert scene.updated(seen(MILK_IN_FRIDGE)) is scene


def test_a_scene_does_not_change_when_it_is_updated():
    scene = started()
    scene.updated(seen(MILK_ON_TABLE))
    assert set(scene.beliefs) == {IN_FRIDGE}


def test_a_predicate_that_no_test_senses_stays_as_stated():
    scene = Scene.start(scene_file(beliefs={atom("clean milk0"): "washed"}), DOMAIN)
    assert atom("clean milk0") in scene.updated(seen(MILK_ON_TABLE)).state.atoms


@pytest.mark.parametrize("name", sorted(THINGS))
def test_nothing_is_ever_in_two_places(name):
    observation = seen(
        bowl("bowl0", 0.3, 0.3, TABLE_TOP),
        block("apple0", 0.3, 0.3, TABLE_TOP + 0.01),
        MILK_IN_FRIDGE,
        held={"robot0": ("cup0",)},
    )
    placing = [one for one in believed(observation).beliefs if len(one.args) == 2 and one.args[0] == name]
    assert len(placing) <= 1
