"""What of a scene a request is about."""

import pytest

from affordances.scene import Scene
from domains.reader import load_domain, load_scene
from graftwork.language.relevance import rank_things, words_of
from semantics.logic.atoms import Atom
from semantics.logic.state import State

KITCHEN = load_domain("kitchen")
FULL = Scene.as_written(load_scene(KITCHEN, "full"), KITCHEN)


def first(words, count, state=FULL.state):
    return set(rank_things(words_of(words), FULL.world, state)[:count])


@pytest.mark.parametrize(
    ("words", "things"),
    [
        ("bring me the kettle", {"kettle0"}),
        ("bring me the ketle", {"kettle0"}),
        ("put the forks and the spoons into the sink", {"fork0", "spoon0", "sink0"}),
        ("bring me a can of soup", {"can0", "can1"}),
        ("all the fruit into the fridge", {"apple0", "banana0", "lemon0", "orange0", "fridge0"}),
        ("bring me mug1, not the water_bottle0", {"mug1", "water_bottle0"}),
    ],
)
def test_what_is_named_comes_first(words, things):
    assert first(words, len(things) + 3) >= things


def test_what_is_like_a_thing_that_is_not_here_comes_before_the_rest():
    assert first("a pear would be nice", 4) == {"apple0", "banana0", "lemon0", "orange0"}


def test_what_serves_a_use_that_is_spoken_of_comes_before_the_rest():
    assert first("I am thirsty", 12) >= {"cola0", "juice0", "milk0", "water_bottle0", "glass0", "glass1", "cup0"}


def test_what_an_action_takes_comes_with_it():
    assert "knife0" in first("chop it", 6)
    assert first("wipe it", 8) >= {"sponge0", "towel0"}


def test_a_value_that_is_said_counts():
    assert rank_things(words_of("the red mug"), FULL.world, FULL.state)[0] == "mug1"


def test_what_a_hand_holds_is_meant_by_words_that_name_nothing():
    held = State(FULL.state.atoms - {Atom("on", ("jam0", "shelf0"))} | {Atom("inhand", ("jam0", "robot0"))})
    assert "jam0" in first("put it down again", 3, held)
    assert "jam0" not in first("put it down again", 3)


def test_what_stands_with_something_named_comes_before_the_rest():
    ranks = [
        rank_things(words_of(words), FULL.world, FULL.state).index("spoon0") for words in ("the sink", "the shelf")
    ]
    assert ranks[0] < ranks[1]


def test_that_of_which_nothing_is_to_be_told_comes_last():
    ranked = rank_things(words_of("give the person the water"), FULL.world, FULL.state)
    assert set(ranked[-6:]) >= {"human0", "robot0", "water0", "oats0"}


def test_all_things_are_ranked_and_equal_requests_alike():
    for words in ("", "bring me the milk", "xyzzy " * 50):
        ranked = rank_things(words_of(words), FULL.world, FULL.state)
        assert sorted(ranked) == sorted(FULL.world.objects)
        assert ranked == rank_things(words_of(words), FULL.world, FULL.state)
