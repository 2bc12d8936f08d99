"""Things that are named by their values, their states and their ranks."""

import pytest

from semantics.logic.atoms import Atom
from semantics.logic.state import State
from semantics.logic.vocabulary import Attribute, Predicate, Thing, Vocabulary
from semantics.words.english import superlatives
from semantics.words.names import Ambiguous, NameIndex, Resolved, Unknown

ATTRIBUTES = {
    "colour": Attribute("colour", ("red", "blue", "white", "light_blue"), {"azure": "light_blue"}),
    "material": Attribute("material", ("wood", "steel"), {"wooden": "wood"}),
    "size": Attribute("size", unit="cm", more=("big", "large", "good"), less=("small",)),
}
PREDICATES = {
    "opened": Predicate("opened", ("carry",), "{0} is open"),
    "on": Predicate("on", ("carry", "carry"), "{0} is on {1}"),
    "free": Predicate("free", ("carry",), "{0} is free", goal=False),
}


def thing(name, **values):
    pairs = sorted((attribute, value) for attribute, all_of in values.items() for value in all_of)
    return Thing(name, name.rstrip("0123456789"), frozenset({"carry"}), attributes=tuple(pairs))


THINGS = (
    thing("cup0", colour=["blue"]),
    thing("cup1", colour=["red", "white"]),
    thing("cup2"),
    thing("bowl0", size=[10.0]),
    thing("bowl1", size=[16.0]),
    thing("bowl2", size=[12.0]),
    thing("bowl3", size=[12.0]),
    thing("bowl4"),
    thing("spoon0", material=["wood"]),
    thing("spoon1", material=["steel"]),
    thing("can0"),
    thing("can1"),
    thing("red_box", colour=["blue"]),
)
WORDS = Vocabulary(
    domain="toy",
    predicates=PREDICATES,
    things={one.name: one for one in THINGS},
    classes={one.class_name: frozenset() for one in THINGS},
    attributes=ATTRIBUTES,
)
OPENED = State(frozenset({Atom("opened", ("can0",))}))


def resolved(words, state=OPENED, **others):
    return NameIndex(WORDS, state=state).resolve(words, **others)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("the red cup", ["cup1"]),
        ("a white cup", ["cup1"]),
        ("the red white cup", ["cup1"]),
        ("the cup that is red", ["cup1"]),
        ("the cup which is not blue", ["cup1"]),
        ("the cups that are not red", ["cup0"]),
        ("the wooden spoon", ["spoon0"]),
        ("a wood spoon", ["spoon0"]),
        ("the spoon made of wood", ["spoon0"]),
        ("the spoon that is made of steel", ["spoon1"]),
        ("all cans that are not open", ["can1"]),
        ("the cans that aren't open", ["can1"]),
        ("the open can", ["can0"]),
        ("the opened can", ["can0"]),
        ("everything that is white", ["cup1"]),
        ("something wooden", ["spoon0"]),
        ("all blue things", ["cup0", "red_box"]),
        ("everything that is blue", ["cup0", "red_box"]),
        ("the biggest bowl", ["bowl1"]),
        ("the largest bowls", ["bowl1"]),
        ("the smallest bowl", ["bowl0"]),
        ("the big bowl", ["bowl1"]),
        ("the fourth biggest bowl", ["bowl0"]),
        ("the three biggest bowls", ["bowl1", "bowl2", "bowl3"]),
        ("a wooden spooon", ["spoon0"]),
        ("the red box", ["red_box"]),
    ],
)
def test_a_description_names_what_has_all_its_traits(words, names):
    found = resolved(words)
    assert isinstance(found, Resolved), found
    assert (sorted(found.names), found.choose) == (names, len(names))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("the blue spoon", "there is no blue spoon here; the colour of spoon0 and spoon1 is not known"),
        ("the azure cup", "cup0 is blue, cup1 is red and white, the colour of cup2 is not known"),
        ("the open spoon", "there is no open spoon here; spoon0 and spoon1 are not known to be open"),
        ("the red wooden spoon", "there is no red wooden spoon here; the colour of spoon0 and spoon1 is not known"),
        ("the cup that is not open and red", "after 'cup' it is not understood"),
        ("the biggest cup", "the size of none of cup0, cup1, cup2 is known"),
        ("the fifth biggest bowl", "there are only 4 here: bowl1, bowl2, bowl3, bowl0"),
        ("the two red cups", "there is only 1 here: cup1"),
        ("a big bowl", "it does not say how big it must be"),
        ("a good bowl", "it does not say how good it must be"),
        ("the bigger bowl", "'bigger' compares two things, and 5 fit: bowl0, bowl1, bowl2, bowl3, bowl4"),
        ("the free cup", "nothing is known of 'free'"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(words, why):
    found = resolved(words)
    assert isinstance(found, Unknown | Ambiguous)
    assert why in found.why


def test_a_denied_trait_that_everything_has_is_told():
    both = State(frozenset({Atom("opened", ("can0",)), Atom("opened", ("can1",))}))
    found = resolved("the can that is not open", both)
    assert isinstance(found, Unknown)
    assert found.why == "there is no can that is not open here; can0 and can1 are open"


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("the second biggest bowl", ("bowl2", "bowl3")),
        ("the two biggest bowls", ("bowl1 and bowl2", "bowl1 and bowl3")),
    ],
)
def test_equal_things_lead_to_a_question_that_an_answer_settles(words, options):
    found = resolved(words)
    assert isinstance(found, Ambiguous)
    assert found.options == options


def test_a_value_that_a_body_has_told_takes_the_place_of_that_of_the_file():
    painted = State(frozenset({Atom("colour", ("cup0", "red")), Atom("colour", ("cup2", "red"))}))
    found = resolved("the red cups", painted)
    assert isinstance(found, Resolved)
    assert found.names == ("cup0", "cup1", "cup2")
    assert isinstance(resolved("the blue cup", painted), Unknown)


def test_only_things_at_the_place_count():
    found = resolved("the biggest bowl", among=frozenset({"bowl0", "bowl2"}))
    assert isinstance(found, Resolved)
    assert found.names == ("bowl2",)


def test_an_assumption_about_a_state_or_a_rank_is_told():
    assert "by what is believed to be not open" in resolved("all cans that are not open").note
    assert "of bowl1 (16cm), bowl2 (12cm), bowl3 (12cm), bowl0 (10cm)" in resolved("the biggest bowl").note
    assert resolved("the red cup").note == ""


def test_superlatives_have_their_usual_spelling():
    for adjective, word in {"big": "biggest", "large": "largest", "heavy": "heaviest", "good": "best"}.items():
        assert word in superlatives(adjective)
    assert "most expensive" in superlatives("expensive")
