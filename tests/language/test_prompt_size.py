"""The prompts keep within their bounds and hold what the acceptable goals of the household need."""

from dataclasses import replace

import pytest

from affordances.scene import Belief, Scene, Seen
from benchmarks.words.prompt_size import load_tokenizer, measure_coverage, measure_parts, request_among, request_in
from semantics.geometry.geometry import Box

MOST_RULES, MOST_WORLD, MOST_OF_ALL, MOST_OF_SCENE = 600, 800, 1800, 600
LEAST_TOLD = 0.95


def test_the_full_kitchen_keeps_within_its_bounds():
    for words in ("bring me the milk", "I am thirsty", "put all the fruit into the fridge and wipe the table"):
        parts = measure_parts(request_in("full", words))
        assert parts["rules"] <= MOST_RULES
        assert parts["world"] <= MOST_WORLD
        assert parts["all"] <= MOST_OF_ALL


@pytest.mark.parametrize("count", [70, 300, 1000])
def test_what_depends_on_the_scene_keeps_within_its_bound_however_much_there_is(count):
    for words in ("bring me an apple", "I am thirsty", "put all the fruit into the fridge, then wipe the table"):
        asked = request_among(count, words)
        beliefs = {fact: Belief(fact, "sensed", 0.0, 25.0) for fact in asked.state.atoms}
        box = Box((-2.345, 1.234, 0.777), (-2.3, 1.3, 0.8))
        seen = {name: Seen(box, 25.0) for name in asked.world.objects}
        believed = Scene(asked.world, beliefs, 100.0, 1, seen)
        assert measure_parts(asked)["scene and request"] <= MOST_OF_SCENE
        assert measure_parts(replace(asked, believed=believed, viewer="human0"))["scene and request"] <= MOST_OF_SCENE


def test_every_acceptable_goal_is_named_and_nearly_every_one_told_in_detail():
    covered = measure_coverage()
    assert covered.goals > 100
    assert covered.unnamed == ()
    assert len(covered.untold) <= (1 - LEAST_TOLD) * covered.goals, covered.untold


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the package, when it is imported
def test_a_real_tokenizer_finds_the_prompt_less_than_half_as_long_as_it_was():
    count = load_tokenizer()
    if count is None:
        pytest.skip("needs the package bpe-openai")
    assert measure_parts(request_in("full", "bring me the milk"), count)["all"] < 2300  # it was 4,784
