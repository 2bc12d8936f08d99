"""What a language model is told of the values of things."""

from domains.reader import load_domain, load_scene
from graftwork.language.prompts import system_prompt
from semantics.logic.atoms import Atom
from semantics.logic.state import State


def prompt(world, scene_name, *told):
    domain = load_domain(world)
    scene = load_scene(domain, scene_name)
    facts = scene.facts.union(Atom(*fact) for fact in told)
    return system_prompt(domain.vocabulary(scene.things, scene.speaker), State(facts))


def test_things_of_one_class_with_other_values_stand_apart():
    text = prompt("kitchen", "full")
    assert "- mug0: mug, coffee mug; kind dishes; colour green; height 9.5cm; material porcelain;" in text
    assert "- mug1: mug, coffee mug; kind dishes; colour red; height 9.5cm; material porcelain;" in text
    assert "- can0 can1: can, tin" in text


def test_what_a_body_has_told_is_among_the_facts():
    assert "- colour: red_block blue" in prompt("tabletop", "four", ("colour", ("red_block", "blue")))


def test_a_thing_without_values_has_none():
    assert "- floor0: floor, ground; affords" in prompt("kitchen", "full")
