"""Answers to questions of the offline interpreter."""

from types import SimpleNamespace

import pytest

from graftwork.language.answers import with_answer
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal, Question, Rejection
from semantics.logic.state import State
from tests.language.reading import read_checked
from tests.semantics.toy import vocabulary

WORLD = SimpleNamespace(vocabulary=vocabulary())


def ask(sentence, *answers):
    """Answer each question in turn; return what comes in the end."""
    given = []
    for said in answers:
        question = read(sentence, given)
        assert isinstance(question, Question), question
        given.append((question, said))
    return read(sentence, given)


def read(sentence, answers=()):
    return read_checked(sentence, WORLD, State(), taken, answers=answers)


def taken(goal):
    assert isinstance(goal, Goal)
    return CheckedGoal(goal, (frozenset(),))


@pytest.mark.parametrize(
    "said", ["yes", "Yes!", "yep", "ok", "OK.", "sure", "yes please", "1", "bench", "BENCH", " Bench. "]
)
def test_agreeing_takes_what_was_offered(said):
    assert str(ask("lay the hammer on the beach", said).goal) == "(on hammer0 bench0)"


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("yes", "(on screw0 bench0)"),
        ("2", "(on screw1 bench0)"),
        ("Screw1", "(on screw1 bench0)"),
        ("ANY SCREW", "(or (on screw0 bench0) (on screw1 bench0) (on screw2 bench0))"),
        ("4", "(or (on screw0 bench0) (on screw1 bench0) (on screw2 bench0))"),
        ("the hammer", "(on hammer0 bench0)"),
        ("no, the hammer", "(on hammer0 bench0)"),
    ],
)
def test_an_option_is_chosen_by_its_words_in_any_case_or_its_number(said, goal):
    assert str(ask("lay the screw on the bench", said).goal) == goal


@pytest.mark.parametrize("said", ["no", "No!", "nope", "no thanks", "neither", "none of them", "never mind"])
def test_no_ends_it_and_says_what_to_say_instead(said):
    answer = ask("lay the hammer on the beach", said)
    assert isinstance(answer, Rejection)
    assert [each.code for each in answer.feedback] == [Code.DECLINED]
    assert "'beach'" in answer.feedback[0].how


@pytest.mark.parametrize("said", ["0", "9", "99999999999999999999", "²", "the unicorn", ""])
def test_what_is_no_option_is_not_taken_for_one(said):
    assert isinstance(ask("lay the screw on the bench", said), Question | Rejection)


def test_agreeing_to_what_offers_nothing_is_asked_again():
    assert isinstance(ask("the hammer", "yes"), Question)


def test_two_doubts_are_answered_one_after_the_other():
    answer = ask("lay the screw on the beach", "2", "yes")
    assert str(answer.goal) == "(on screw1 bench0)"


def test_only_whole_words_are_replaced_however_they_are_spaced():
    question = ask("hand me  the   screw")
    assert with_answer("hand me  the   screw", question, "2") == "hand me  screw1"
    doubt = ask("lay the hammer in the box0 and the wrench on the bench and hand it to me")
    assert isinstance(doubt, Question)
    assert doubt.feedback.culprits == ("it",)
    assert with_answer("in the kit, hand it to me", doubt, "1") == f"in the kit, hand {doubt.options[0]} to me"


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("the second one", "(on screw1 bench0)"),
        ("Second", "(on screw1 bench0)"),
        ("number two please", "(on screw1 bench0)"),
        ("I meant the 3rd one", "(on screw2 bench0)"),
        ("the last one, I think", "(on screw2 bench0)"),
        ("no the first", "(on screw0 bench0)"),
        ("give me screw1", "(on screw1 bench0)"),
        ("all of them", "(and (on screw0 bench0) (on screw1 bench0) (on screw2 bench0))"),
        *(
            (any_of_them, "(or (on screw0 bench0) (on screw1 bench0) (on screw2 bench0))")
            for any_of_them in ("either", "any of them", "You choose.", "doesn't matter", "whichever is closer")
        ),
    ],
)
def test_a_place_among_the_things_all_of_them_or_any_answers(said, goal):
    assert str(ask("lay the screw on the bench", said).goal) == goal


def asking(words, *options):
    return Question("Which?", options, Feedback(Code.AMBIGUOUS, f"'{words}'", "there are several.", culprits=(words,)))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("both", "bring me cup0 and cup1"),
        ("the latter", "bring me cup1"),
        ("the former", "bring me cup0"),
        ("on the table", "bring me the cup on the table"),
        ("the one with the handle", "bring me the cup with the handle"),
        ("the blue one would be nice", "bring me the blue cup"),
        ("the third one", "bring me the third cup"),
    ],
)
def test_two_things_and_what_describes_one(said, meant):
    assert with_answer("bring me the cup", asking("the cup", "cup0", "cup1", "any cup"), said) == meant


def test_a_place_that_may_be_counted_in_two_ways_is_left_to_the_reader_who_tells_how_it_counts():
    question = asking("fruit", "all the fruit", "apple0", "orange0", "any fruit")
    assert with_answer("bring me fruit", question, "the second one") == "bring me the second fruit"
    assert with_answer("bring me fruit", question, "the last one") == "bring me orange0"
    assert with_answer("bring me fruit", question, "2") == "bring me apple0"


def test_words_of_the_place_are_not_said_twice():
    question = asking("beach", "bench")
    assert with_answer("lay it on the beach", question, "on the table") == "lay it on the table"


@pytest.mark.parametrize("said", ["both", "all", "either", "the last", "the second one"])
def test_a_yes_or_no_is_no_choice_among_things(said):
    assert with_answer("", asking("", "yes", "no"), said) not in ("yes", "no")
