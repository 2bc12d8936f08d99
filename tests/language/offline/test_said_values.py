"""Speeds, durations and amounts in a sentence: what stands beside the goal, and what is refused."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings, strategies as st

from graftwork.language.offline import interpret
from graftwork.language.offline.said_values import quantity_in, with_quantities
from semantics.logic.feedback import Code
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.quantity import Quantity, ValueModel
from semantics.words.english import spoken_number
from tests.language.offline.test_kitchen import kitchen
from tests.semantics.toy import vocabulary

SPEED = ValueModel("speed", "cm/s", 5.0, 75.0, words={"slowly": 20.0, "very slowly": 10.0, "fast": 75.0})
SCRUB = ValueModel("speed", "cm/s", 1.0, 10.0, words={"slowly": 2.0})
FORCE = ValueModel("force", "N", 1.0, 40.0, words={"gently": 2.0})
TIME = ValueModel("duration", "s", 0.0, 600.0)
LIFT = ValueModel("lift_height", "cm", 1.0, 50.0)
DEPTH = ValueModel("depth", "cm", 1.0, 50.0)
SHOP = {"carry": (SPEED,), "hand": (FORCE, SPEED), "scrub": (SCRUB,), "wait": (TIME,), "lift": (DEPTH, LIFT)}
LIKE = replace(vocabulary(), values={"carry": (SPEED,), "hand": (FORCE, SPEED), "wait": (TIME,)})
UNLIKE = replace(vocabulary(), values=SHOP)


def values(sentence, words=LIKE):
    goal = interpret(sentence, words)
    assert isinstance(goal, Goal), goal
    return {name: str(quantity) for name, quantity in goal.values}


def refused(sentence, words=LIKE):
    answer = interpret(sentence, words)
    assert isinstance(answer, Rejection), answer
    return answer.feedback[0]


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("two", 2), ("a", 1), ("ten", 10), ("seventeen", 17), ("twenty-five", 25), ("twenty five", 25), ("ninety", 90),
        ("half a", 0.5), ("half an", 0.5), ("one and a half", 1.5), ("2 and a half", 2.5), ("a quarter", 0.25),
        ("three quarters of an", 0.75), ("a quarter of a", 0.25), ("half of an", 0.5),
        ("a hundred", 100), ("two hundred and fifty", 250), ("three hundred twelve", 312), ("zero", 0),
    ],
)  # fmt: skip
def test_a_number_in_words_is_that_number(words, number):
    assert spoken_number(tuple(words.split())) == number


@pytest.mark.parametrize(
    "words", ["", "cup", "twenty ten", "five twenty", "hundred hundred", "and a half", "ten two", "two of a"]
)
def test_other_words_are_no_number(words):
    assert spoken_number(tuple(words.split())) is None


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("wait ten seconds .", "10s"), ("wait for half a minute .", "0.5min"), ("wait one and a half hours .", "1.5h"),
        ("at 20 cm/s .", "20cm/s"), ("at 20cm/s .", "20cm/s"), ("at 0.5 m/s , then", "0.5m/s"),
        ("at twenty-five centimetres per second .", "25cm/s"), ("30 ml of milk .", "30ml"),
        ("turn 90 degrees .", "90deg"),
        ("two hundred and fifty millilitres of milk .", "250ml"), ("wait a second .", "1s"),
        ("at two kilometres per hour .", "2km/h"), ("wait three quarters of an hour .", "0.75h"),
        ("wait 2 mins .", "2min"), ("wait a minute and a half .", "1.5min"), ("wait 1 minute 30 seconds .", "1.5min"),
        ("wait two minutes and a half , then", "2.5min"), ("wait an hour and six minutes .", "1.1h"),
    ],
)  # fmt: skip
def test_a_number_with_a_unit_is_one_word(text, quantity):
    found = list(filter(None, map(quantity_in, with_quantities(text.split()))))
    assert found == [Quantity.read(quantity)]


def test_two_quantities_are_no_longer_one() -> None:
    found = with_quantities(["at", "20", "cm/s", "and", "5", "s", "and", "wait", "5", "s", "and", "2", "min", "."])
    assert found == ["at", "20cm/s", "and", "5s", "and", "wait", "5s", "and", "2min", "."]


@pytest.mark.parametrize(
    "text", ["bring me a second cup .", "the second cup .", "two l bottles .", "two cups .", "put it in m .", "a m ."]
)
def test_what_may_be_part_of_a_name_is_no_quantity(text):
    assert with_quantities(text.split()) == text.split()


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("lay the hammer on the bench slowly", {"speed": "20cm/s"}),
        ("slowly lay the hammer on the bench", {"speed": "20cm/s"}),
        ("Slowly, lay the hammer on the bench.", {"speed": "20cm/s"}),
        ("lay the hammer on the bench, slowly", {"speed": "20cm/s"}),
        ("lay the hammer very slowly on the bench", {"speed": "10cm/s"}),
        ("please lay the hammer on the bench at 0.3 m/s, thanks", {"speed": "0.3m/s"}),
        ("lay the hammer on the bench at a speed of 30 cm/s", {"speed": "30cm/s"}),
        ("lay the hammer on the bench with a speed of twenty cm per second", {"speed": "20cm/s"}),
        (
            "lay the hammer on the bench at thirty cm/s and hand me the wrench gently",
            {"force": "2N", "speed": "30cm/s"},
        ),
        ("hand me the wrench slowly and gently", {"force": "2N", "speed": "20cm/s"}),
        ("hand me the wrench", {}),
    ],
)
def test_what_is_said_of_the_way_stands_beside_the_goal(sentence, said):
    assert values(sentence) == said


def test_the_goal_is_that_of_the_sentence_without_it():
    for said in ("slowly", "at 30 cm/s", "gently"):
        assert (
            interpret(f"lay the hammer on the bench {said}", LIKE).formula
            == interpret("lay the hammer on the bench", LIKE).formula
        )


def test_a_word_means_for_each_capability_what_the_world_says():
    assert values("lay the hammer on the bench slowly", UNLIKE) == {
        "carry.speed": "20cm/s", "hand.speed": "20cm/s", "scrub.speed": "2cm/s"
    }  # fmt: skip


def test_each_stage_has_its_own():
    goal = interpret("lay the hammer on the bench slowly, then hand me the wrench fast, then push in the drawer", LIKE)
    assert isinstance(goal, Goal)
    assert [dict(stage.values) for stage in goal.stages] == [
        {"speed": Quantity(20, "cm/s")},
        {"speed": Quantity(75, "cm/s")},
        {},
    ]


def test_that_of_a_step_on_the_way_holds_for_what_it_leads_to():
    assert values("seize the hammer slowly, then lay it on the bench") == {"speed": "20cm/s"}


def test_each_word_for_a_value_is_noted():
    goal = interpret("hand me the wrench slowly", LIKE)
    assert goal.notes == ("'slowly' was read as speed 20cm/s.",)
    assert interpret("hand me the wrench at 20 cm/s", LIKE).notes == ()
    assert str(goal) == "(held wrench0 smith0) :speed 20cm/s"


@pytest.mark.parametrize(
    ("sentence", "words", "code", "why"),
    [
        ("hand me the wrench slowly and lay the hammer on the bench fast", LIKE, Code.AMBIGUOUS,
         "said twice: 'slowly' and 'fast'"),
        ("lay the hammer on the bench at 3 kg", LIKE, Code.NOT_UNDERSTOOD, "it is a mass, and nothing"),
        ("lay the hammer on the bench at 3 cm", UNLIKE, Code.AMBIGUOUS, "the depth or the lift_height"),
        ("lay the hammer on the bench in ten seconds", LIKE, Code.NOT_UNDERSTOOD, "in 10s"),
        ("after ten seconds, lay the hammer on the bench", LIKE, Code.NOT_UNDERSTOOD, "after 10s"),
        ("slowly", LIKE, Code.NOT_UNDERSTOOD, "slowly"),
        ("lay the hammer on the bench dearly", LIKE, Code.UNKNOWN_NAME, "'dearly'"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_so_is_refused_and_not_dropped(sentence, words, code, why):
    feedback = refused(sentence, words)
    assert feedback.code is code
    assert why in f"{feedback.what} {feedback.why}"


def test_a_name_tells_which_of_two_is_meant():
    assert values("lay the hammer on the bench with a depth of 3 cm", UNLIKE) == {"depth": "3cm"}
    assert values("lay the hammer on the bench with a lift height of 3 cm", UNLIKE) == {"lift_height": "3cm"}


def test_without_values_in_the_world_nothing_is_taken_out():
    assert refused("lay the hammer on the bench slowly", vocabulary()).code is Code.UNKNOWN_NAME


def test_the_kitchen_knows_slow_and_fast():
    for sentence, speed in (
        ("drive slowly to the table", "20cm/s"),
        ("go to the table at 20 cm/s", "20cm/s"),
        ("bring me the milk, slowly", "20cm/s"),
        ("quickly bring me the milk", "75cm/s"),
    ):
        assert values(sentence, kitchen()[0]) == {"speed": speed}


WAITING = "(waited robot0)"
MILK = "(inhand milk0 human0)"


@pytest.mark.parametrize(
    ("sentence", "stages"),
    [
        ("wait ten seconds", [(WAITING, "10s")]),
        ("wait for half a minute.", [(WAITING, "0.5min")]),
        ("please wait here for 2.5 minutes", [(WAITING, "2.5min")]),
        ("wait one and a half minutes", [(WAITING, "1.5min")]),
        ("wait half a minute thirty seconds", [(WAITING, "1min")]),
        ("wait", [(WAITING, None)]),
        ("wait ten seconds, then bring me the milk", [(WAITING, "10s"), (MILK, None)]),
        ("wait ten seconds and bring me the milk", [(WAITING, "10s"), (MILK, None)]),
        ("bring me the milk and wait 5 s", [(MILK, None), (WAITING, "5s")]),
        ("wait 5 s, bring me the milk and wait 6 s", [(WAITING, "5s"), (MILK, None), (WAITING, "6s")]),
        ("before bringing me the milk, wait a minute", [(WAITING, "1min"), (MILK, None)]),
    ],
)
def test_waiting_is_done_where_it_is_said(sentence, stages):
    goal = interpret(sentence, kitchen()[0])
    assert isinstance(goal, Goal), goal
    read = [(str(stage.formula), dict(stage.values).get("duration")) for stage in goal.stages]
    assert [(formula, quantity and str(quantity)) for formula, quantity in read] == stages


@pytest.mark.parametrize(
    "sentence",
    [
        "wait until the milk is warm",
        "wait for the milk",
        "wait in ten seconds",
        "wait ten",
        "wait 5 kg",
        "set it to one",
    ],
)
def test_other_waiting_is_refused(sentence):
    refused(sentence, kitchen()[0])


SAID = {"20 cm/s": "20cm/s", "0.5 m/s": "0.5m/s", "ten seconds": "10s", "half a minute": "0.5min", "slowly": "20cm/s"}
PARTS = st.sampled_from([
    "bring me the milk", "drive to the table", "wait", "open the fridge", "then", "and", ",", ".", "at", "for", "with",
    "of", "a speed of", "30 ml", "2 kg", "it", "before", "first", "one and a half", "a", "second", "1.5", "m/s", *SAID,
])  # fmt: skip


@given(parts=st.lists(PARTS, min_size=1, max_size=9))
@settings(max_examples=400, deadline=None)
def test_nothing_that_is_said_of_the_way_is_dropped(parts):
    sentence = " ".join(parts)
    assume(not {("half a minute", "ten seconds"), ("half a minute",) * 2} & {*pairwise(parts)})  # one duration
    answer = interpret(sentence, kitchen()[0])
    assert isinstance(answer, Goal | Question | Rejection)
    if isinstance(answer, Goal):
        kept = {str(quantity) for stage in answer.stages for _, quantity in stage.values}
        assert {SAID[part] for part in parts if part in SAID} <= kept, str(answer)
        assert not {"30 ml", "2 kg"} & set(parts)


def test_a_word_that_belongs_to_a_name_stays_there():
    words = replace(LIKE, synonyms={**LIKE.synonyms, "fast lane": "bench"})
    for said, speed in (("", {}), (" fast", {"speed": "75cm/s"}), (" slowly", {"speed": "20cm/s"})):
        goal = interpret(f"lay the hammer{said} on the fast lane", words)
        assert str(goal.formula) == "(on hammer0 bench0)"
        assert values(f"lay the hammer{said} on the fast lane", words) == speed


def test_two_speeds_are_not_added():
    assert isinstance(interpret("bring me the milk 0.5 m/s 20 cm/s", kitchen()[0]), Rejection)
    answer = interpret("bring me the milk at 0.5 m/s at 20 cm/s", kitchen()[0])
    assert "its speed is said twice" in str(answer)


@pytest.mark.parametrize("digits", [9, 16, 30, 309, 400])
def test_a_number_of_many_digits_is_a_quantity_like_any_other(digits):
    (token, _) = with_quantities([*("9" * digits, "cm/s"), "."])
    quantity = quantity_in(token)
    assert quantity is not None
    assert quantity.number > 1e8
    assert quantity.unit == "cm/s"
