import dataclasses

from affordances import Scene
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning.relevance.needed import needed, without_unneeded
from semantics.logic.atoms import Atom, Literal

KITCHEN = load_domain("kitchen")


def names(*atoms):
    return set(needed(KITCHEN, [frozenset(Literal(atom) for atom in atoms)]).capabilities)


def test_what_has_nothing_to_do_with_the_goal_is_left_out():
    assert not names(Atom("on", ("apple0", "table0"))) & {"chop", "fill", "boil", "wetten", "wet_swipe", "pour"}


def test_what_prepares_for_the_goal_is_kept():
    assert {"move", "grasp", "wetten", "wet_swipe"} <= names(Atom("clean", ("table0",)))
    assert {"unscrew", "receive_object", "fill", "draw"} <= names(Atom("liquid_in", ("lemonade0", "glass0")))


def test_a_denied_fact_needs_what_deletes_it():
    goal = [frozenset({Literal(Atom("closed", ("jar0",)), False)})]
    assert "unscrew" in needed(KITCHEN, goal).capabilities


def test_what_serves_no_thing_that_is_there_is_left_out():
    names = ("robot0", "apple0", "table0", "fridge0", "bowl0", "screw_jar0")
    things = {name: KITCHEN.thing(name, name[:-1]) for name in names}
    goal = [frozenset({Literal(Atom("in", ("apple0", "fridge0")))})]
    assert "unscrew" in needed(KITCHEN, goal).capabilities
    reduced = needed(KITCHEN, goal, things).capabilities
    assert "unscrew" not in reduced  # a lid to be screwed off, but on nothing that solid things are put into
    assert {"open", "grasp", "putin"} <= reduced.keys()
    jar = [frozenset({Literal(Atom("opened", ("screw_jar0",)))})]
    assert "unscrew" in needed(KITCHEN, jar, things).capabilities


def test_agents_keep_of_their_capabilities_what_is_kept():
    reduced = needed(KITCHEN, [frozenset({Literal(Atom("at", ("robot0", "table0")))})])
    assert set(reduced.capabilities) == {"move"}
    assert reduced.agents["robot"].capabilities == {"move"}
    assert (
        needed(KITCHEN, [frozenset({Literal(Atom("at", ("robot0", "table0")))})]).capabilities is reduced.capabilities
    )


def test_what_is_kept_for_some_agents_is_not_taken_for_others():
    goal = [frozenset({Literal(Atom("opened", ("fridge0",)))})]
    assert "open" in needed(KITCHEN, goal).agents["robot"].capabilities
    robot = dataclasses.replace(KITCHEN.agents["robot"], capabilities=frozenset({"move"}))
    slow = dataclasses.replace(KITCHEN, agents={**KITCHEN.agents, "robot": robot})
    assert needed(slow, goal).agents["robot"].capabilities == {"move"}


def test_relations_that_the_goal_does_not_ask_for_are_left_out():
    scene = load_scene(KITCHEN, "full")
    whole = Problem(KITCHEN, scene.things, Scene.as_written(scene, KITCHEN).state)
    beside = frozenset({Literal(Atom("left_of", ("fork0", "plate0")))})
    reduced = without_unneeded(whole.with_goal(beside))
    left = set(reduced.domain.capabilities)
    assert {"grasp", "place", "place_left_of"} <= left
    assert not left & {"place_right_of", "place_between", "place_left_of_seen_from", "chop"}
    assert reduced.goal == (beside,)
    assert reduced.objects.keys() == whole.objects.keys()
