import pytest

from domains.reader import load_domain, load_scene
from graftwork.memory.instruction import instruction_key, is_described, things_named
from tests.memory.kitchen import World


@pytest.mark.parametrize(
    ("sentence", "key"),
    [
        ("Open the fridge.", "open the fridge"),
        ("Hey robot, would you please open the fridge? Thank you!", "open the fridge"),
        ("I'd like you to open the fridge, thanks", "open the fridge"),
        ("I\N{RIGHT SINGLE QUOTATION MARK}d like you to open the fridge", "open the fridge"),
        ("open the fridge for the robot", "open the fridge for the robot"),
        ("can you put the can on the table", "put the can on the table"),
        ("don't open the fridge", "don't open the fridge"),
        ("Öffne den Kühlschrank", "öffne den kühlschrank"),
        ("please", "please"),
        ("?!", ""),
    ],
)
def test_a_key_holds_the_words_that_matter(sentence, key):
    assert instruction_key(sentence) == key
    assert instruction_key(key) == key


@pytest.mark.parametrize(
    ("key", "nouns"),
    [
        ("put the apples on the shelf", {"apple": {"apple0"}, "shelf": {"shelf0"}}),
        ("bring me cola0", {"cola0": {"cola0"}}),
        ("put all the fruit in the bin", {"fruit": {"apple0", "banana0"}, "bin": {"trash0"}}),
        ("bring me every beverage", {"beverage": {"milk0", "juice0", "cola0"}}),
        ("follow that person", {"person": {"human0"}}),
        ("bring the people the milk carton", {"person": {"human0"}, "milk carton": {"milk0"}}),
        ("dance", {}),
    ],
)
def test_the_nouns_of_a_sentence_name_things_by_class_kind_symbol_and_synonym(key, nouns):
    assert things_named(key, World().vocabulary) == nouns


def test_the_longest_noun_is_taken():
    vocabulary = World().add("orange", "orange0").vocabulary
    assert things_named("bring me the orange juice", vocabulary) == {"orange juice": {"juice0"}}
    assert things_named("bring me the orange", vocabulary) == {"orange": {"orange0"}}


@pytest.mark.parametrize(
    ("key", "described"),
    [
        ("bring me the red cup", True),
        ("bring me something red", True),
        ("bring me a wooden spoon", True),
        ("put the biggest bowl on the table", True),
        ("put all cans that are not open in the sink", True),
        ("put the cup that is clean on the table", True),
        ("put the cup on the plate of its color", True),
        ("put the cups on the matching plates", True),
        ("open the fridge", False),
        ("take the milk and open the fridge", False),
        ("close the fridge and clean the table", False),
        ("bring me the orange juice", False),
        ("bring me the cup", False),
    ],
)
def test_a_sentence_that_says_what_a_thing_is_like_is_told_from_others(key, described):
    domain = load_domain("kitchen")
    vocabulary = domain.vocabulary(load_scene(domain, "full").things)
    assert is_described(key, vocabulary) == described
