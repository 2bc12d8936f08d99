"""Answers to questions of the offline interpreter."""

from types import SimpleNamespace

import pytest

from graftwork.language.answers import with_answer
from semantics.logic.feedback import Code
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
