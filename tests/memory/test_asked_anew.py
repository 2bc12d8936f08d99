"""What makes the same sentence be asked anew: what its words could mean has changed."""

import pytest

from tests.memory.kitchen import FRUIT, FRUIT_GOAL, World, domain, episode, learn_milk, recall


def test_all_the_fruit_is_asked_anew_when_there_is_a_new_fruit(memory):
    memory.remember(episode(FRUIT, goal=FRUIT_GOAL), World().subtree(FRUIT, FRUIT_GOAL))
    assert recall(memory, World(), FRUIT) is not None
    assert recall(memory, World().move("apple0", "on", "counter0"), FRUIT) is not None
    assert recall(memory, World().add("cup", "cup1"), FRUIT) is not None
    assert recall(memory, World().add("orange", "orange0"), FRUIT) is None
    assert recall(memory, World().without("banana0"), FRUIT) is None


def test_the_apple_is_asked_anew_when_there_is_another_apple(memory):
    sentence, goal = "put the apple on the counter", "(on apple0 counter0)"
    memory.remember(episode(sentence, goal=goal), World().subtree(sentence, goal))
    assert recall(memory, World(), sentence) is not None
    assert recall(memory, World().add("apple", "apple1"), sentence) is None


def test_a_noun_that_means_something_new_is_asked_anew(memory):
    sentence, goal = "put the glass on the counter", "(on cup0 counter0)"
    memory.remember(episode(sentence, goal=goal), World().subtree(sentence, goal))
    assert recall(memory, World(), sentence) is not None
    assert recall(memory, World().add("glass", "glass0"), sentence) is None


def test_a_thing_with_other_affordances_is_asked_anew(memory):
    learn_milk(memory, World())
    world = World()
    world.things["milk0"] = domain().thing("milk0", "cola")
    assert recall(memory, world) is None


def test_another_speaker_is_asked_anew(memory):
    learn_milk(memory, World())
    world = World()
    world.speaker = None
    assert recall(memory, world) is None


@pytest.mark.parametrize(
    ("sentence", "goal"),
    [
        ("put everything that is on the counter on the shelf", "(and (on sponge0 shelf0) (on juice0 shelf0))"),
        ("put the cup next to the milk", "(on cup0 counter0)"),
        ("tidy up", "(in banana0 fridge0)"),
        ("bring me something cold", "(inhand cola0 human0)"),
    ],
)
def test_a_sentence_whose_meaning_hangs_on_the_facts_is_asked_anew_when_one_changed(memory, sentence, goal):
    memory.remember(episode(sentence, goal=goal), World().subtree(sentence, goal))
    assert recall(memory, World(), sentence) is not None
    assert recall(memory, World().move("apple0", "on", "counter0"), sentence) is None


@pytest.mark.parametrize(
    ("sentence", "goal", "change"),
    [
        ("take out the milk", "(not (in milk0 fridge0))", ("milk0", "in", "trash0")),
        ("put everything from the shelf on the table", "(on mug0 table0)", ("apple0", "on", "shelf0")),
        ("take the mug and everything off the shelf", "(not (on mug0 shelf0))", ("apple0", "on", "shelf0")),
        ("throw away the cup that is on the table", "(in cup0 trash0)", ("cup0", "on", "shelf0")),
    ],
)
def test_what_is_meant_by_where_it_is_is_asked_anew_when_the_place_holds_something_else(memory, sentence, goal, change):
    memory.remember(episode(sentence, goal=goal), World().subtree(sentence, goal))
    assert recall(memory, World(), sentence) is not None
    assert recall(memory, World().move(*change), sentence) is None


def test_the_cup_hangs_on_the_facts_where_there_are_two(memory):
    sentence, goal = "put the cup on the counter", "(on cup0 counter0)"
    memory.remember(episode(sentence, goal=goal), World().add("cup", "cup1").subtree(sentence, goal))
    assert recall(memory, World().add("cup", "cup1"), sentence) is not None
    assert recall(memory, World().add("cup", "cup1", "shelf0"), sentence) is None


def test_a_verb_may_imply_where_to(memory):
    sentence, goal = "throw away the banana", "(in banana0 trash0)"
    memory.remember(episode(sentence, goal=goal), World().subtree(sentence, goal))
    assert recall(memory, World().move("banana0", "on", "shelf0"), sentence) is not None
