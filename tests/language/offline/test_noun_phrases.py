"""Exceptions, amounts, uses, nouns that are left out and typing errors, with the real kitchen."""

import pytest

from graftwork.language.offline import interpret
from semantics.logic.atoms import dnf
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.parsing import parse_formula
from tests.language.offline.test_described import read as described
from tests.language.offline.test_kitchen_places import believed


def read(sentence):
    return interpret(sentence, *believed())


UNDERSTOOD = {
    # exceptions
    "put all the fruit but the apple on the shelf": "(and (on banana0 shelf0) (on lemon0 shelf0) (on orange0 shelf0))",
    "put all the fruit on the shelf except the apple": (
        "(and (on banana0 shelf0) (on lemon0 shelf0) (on orange0 shelf0))"
    ),
    "put all the fruit, except for the apple, on the shelf": (
        "(and (on banana0 shelf0) (on lemon0 shelf0) (on orange0 shelf0))"
    ),
    "bring me the mugs, but not the red one": "(inhand mug0 human0)",
    "bring me not the red mug but the other one": "(inhand mug0 human0)",
    "take all the fruit but the apple and the lemon to the sink": "(and (in banana0 sink0) (in orange0 sink0))",
    "throw away all but one of the cans": "(or (in can0 trash0) (in can1 trash0))",
    "throw away all the cans except can0": "(in can1 trash0)",
    "bring me a fruit other than the banana": (
        "(or (inhand apple0 human0) (inhand lemon0 human0) (inhand orange0 human0))"
    ),
    "put everything in the fridge but the milk on the table": (
        "(and (on cheese0 table0) (on cola0 table0) (on tomato0 table0))"
    ),
    # amounts
    "put half of the glasses in the sink": "(or (in glass0 sink0) (in glass1 sink0))",
    "put a couple of cans in the sink": "(and (in can0 sink0) (in can1 sink0))",
    "put at least two of the mugs in the sink": "(and (in mug0 sink0) (in mug1 sink0))",
    "put most of the mugs in the sink": "(and (in mug0 sink0) (in mug1 sink0))",
    "put one of each fruit in the sink": (
        "(and (in apple0 sink0) (in banana0 sink0) (in lemon0 sink0) (in orange0 sink0))"
    ),
    # uses
    "bring me something to cut the bread with": "(inhand knife0 human0)",
    "bring me a bowl to put the fruit in": "(inhand bowl0 human0)",
    "bring me something red one can drink": "(inhand cola0 human0)",
    # nouns that are left out
    "put the red mug on the table and the other one in the sink": "(and (on mug1 table0) (in mug0 sink0))",
    "put a can in the sink and another one in the trash": (
        "(or (and (in can0 sink0) (in can1 trash0)) (and (in can1 sink0) (in can0 trash0)))"
    ),
    "put one of the mugs on the table and the other in the sink": (
        "(or (and (on mug0 table0) (in mug1 sink0)) (and (on mug1 table0) (in mug0 sink0)))"
    ),
    "put the red mug on the table and the others in the sink": "(and (on mug1 table0) (in mug0 sink0))",
    "put the apple in the sink and the rest of the fruit on the shelf": (
        "(and (in apple0 sink0) (on banana0 shelf0) (on lemon0 shelf0) (on orange0 shelf0))"
    ),
    "put the apple and the lemon on the tray and bring them both to me": (
        "(and (on apple0 tray0) (on lemon0 tray0) (inhand apple0 human0) (inhand lemon0 human0))"
    ),
    "put the red mug next to the other one": "(next_to mug1 mug0)",
    "fill a glass with water and put the glass on the counter": (
        "(or (and (liquid_in water0 glass0) (on glass0 counter0)) (and (liquid_in water0 glass1) (on glass1 counter0)))"
    ),
    "open the fridge and put the apple inside": "(and (opened fridge0) (in apple0 fridge0))",
    "open the fridge and put the apple in there": "(and (opened fridge0) (in apple0 fridge0))",
    # by what belongs to it
    "bring me the table's apple": "(inhand apple0 human0)",
    "open the fridge's door": "(opened fridge0)",
    "wipe the table with the apple on it": "(clean table0)",
    "put the glass of lemonade on the counter": "(on glass1 counter0)",
    "put the glass that has the lemonade in it on the counter": "(on glass1 counter0)",
    # typing errors
    "brng me teh aplpe": "(inhand apple0 human0)",
    "plaec the bananna on the countre": "(on banana0 counter0)",
}


@pytest.mark.parametrize("sentence", UNDERSTOOD)
def test_a_noun_phrase_means_its_things_and_no_others(sentence):
    answer = read(sentence)
    assert isinstance(answer, Goal), answer
    assert not answer.later
    assert set(dnf(answer.formula)) == set(dnf(parse_formula(UNDERSTOOD[sentence])))


DOUBTED = {
    "bring me a slice of bread": "how much of it, as 'slice' says, cannot be asked for",
    "bring me half of the milk": "there is only one milk here",
    "bring me the other mug": "it does not say than which one",
    "bring me the one on the counter": "nothing was named before that it can stand for",
    "bring me two different cheeses": "there is only 1 here",
    "take the jam, but not the lid": "no such thing is known",
    "put everything else in the sink": "it does not say than which one",
    "bring me everything but the plate": "it does not say which things",
    "put the plate except the fork on the table": "'except': what must not be cannot be said",
    "bring me the apple without the plate": "'without': ",
    "throw away all the fruit except a mug": "it does not say which",
    "put all the fruit except the apple on the table in the sink": "'on the table' can belong to all of it",
    "bring me the left mug": "where these are is not known",
    "bring me the mug closest to the sink": "how far away these are is not known",
    "bring me the apple which i like": "after 'apple' it is not understood",
    "put two mugs in the sink and the other one on the table": "there is no other one here",
    "put a can in the sink and then another one in the trash": "what comes later speaks of the same one",
}


@pytest.mark.parametrize("sentence", DOUBTED)
def test_a_noun_phrase_that_is_not_sure_is_asked_about_or_refused_with_the_reason(sentence):
    answer = read(sentence)
    assert isinstance(answer, Question | Rejection), answer
    feedback = answer.feedback if isinstance(answer, Rejection) else (answer.feedback,)
    assert any(DOUBTED[sentence] in each.why for each in feedback), feedback


@pytest.mark.parametrize(
    ("sentence", "note"),
    [
        ("put all the fruit but the apple in the sink", "'all the fruit but the apple' was read as banana0 and lemon0"),
        ("bring me something to cut the bread with", "was read as knife0, by what one can cut with."),
        ("put the red mug on the table and the other one in the sink", "'the other one' was read as 'the other mug'."),
        ("take a glass and put the glass on the table", "'the glass' was read as 'a glass'."),
        ("brng me the milk", "'brng' was taken for a typing error of 'bring'."),
        ("put half of the glasses in the sink", "'half of the glasses' was read as any 1 of glass0, glass1."),
    ],
)
def test_what_a_noun_phrase_was_taken_for_is_told(sentence, note):
    answer = read(sentence)
    assert isinstance(answer, Goal), answer
    assert any(note in each for each in answer.notes), answer.notes


def test_a_word_that_is_near_to_two_is_not_corrected():
    assert not isinstance(read("clese the fridge"), Goal)


def test_an_instruction_with_a_slip_keeps_its_own_words():
    assert read("brng me the milk").text == "brng me the milk"


def test_a_name_with_an_adjective_has_the_noun_of_its_class():
    answer = described("put all but the blue block in the red bowl", "tabletop", "four")
    assert isinstance(answer, Goal), answer
    assert str(answer) == "(and (in green_block red_bowl) (in red_block red_bowl) (in yellow_block red_bowl))"
