"""A program ends with an answer, which has a type and is written down."""

import pytest

from bt.programs.values import Odd, answer_of
from semantics.geometry.geometry import Box
from semantics.geometry.points import MapPoint
from semantics.logic.feedback import Code
from semantics.logic.quantity import Quantity
from tests.bt.programs.worlds import Stage, failure, said

THINGS = ["apple0", "cup0"]


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        (3, "number", "3"),
        (0.25, "number", "0.25"),
        (True, "yes or no", "yes"),
        (False, "yes or no", "no"),
        ("apple0", "name", "apple0"),
        ("round", "text", "round"),
        (["apple0", "cup0"], "names", "apple0, cup0"),
        ([], "names", "nothing"),
        (["apple0", 3, [True]], "list", "apple0, 3, yes"),
        ([0.1 + 0.2], "list", "0.3"),
    ],
)
def test_a_value_is_an_answer_with_a_type(value, kind, words):
    answer = answer_of(value, THINGS)
    assert (answer.type, answer.value, answer.text) == (kind, value, words)


def test_a_quantity_and_a_point_are_answers_as_plain_data():
    answer = answer_of([Quantity(30, "ml"), MapPoint(0.1, 0.25), MapPoint(1, 2, 3)], THINGS)
    assert (answer.type, answer.value) == ("list", ["30ml", [0.1, 0.25], [1, 2, 3]])
    assert answer.text == "30ml, (0.1, 0.25), (1, 2, 3)"
    assert answer_of(Quantity(30, "ml"), THINGS).type == "quantity"
    assert answer_of(MapPoint(1, 2, 3), THINGS).type == "point"


def test_a_box_is_no_answer():
    with pytest.raises(Odd, match="an answer is a number"):
        answer_of(Box((0, 0, 0), (1, 1, 1)), THINGS)


def answered(text, **options):
    stage = Stage(text, **options)
    end = stage.run()
    assert end.status == "success", str(end.reason)
    return stage


def test_the_answer_is_kept_and_recorded_with_the_time():
    stage = answered("move(end=table0)\nreturn len(objects('fruit'))")
    assert stage.tree.answer.as_dict() == {"type": "number", "value": 2}
    (event,) = stage.journal.of("answer")
    assert event == {"e": "answer", "t": event["t"], "type": "number", "value": 2, "text": "2"}
    assert event["t"] > 0


def test_nothing_after_the_answer_is_done():
    assert said("for x in [1, 2, 3]:\n    say('at ' + x)\n    if x == 2:\n        return x\nsay('never')") == [
        "at 1",
        "at 2",
    ]


def test_the_result_of_a_function_may_be_the_answer():
    text = "def held(x):\n    return [x, 1 == 1]\n\n\nreturn held(cup0)"
    assert answered(text).tree.answer.as_dict() == {"type": "list", "value": ["cup0", True]}


@pytest.mark.parametrize(
    "text", ["pass", "return", "def f():\n    return 1\n\n\nx = f()", "def f():\n    pass\n\n\nreturn f()"]
)
def test_a_program_without_a_result_answers_nothing(text):
    stage = answered(text)
    assert stage.tree.answer is None
    assert not stage.journal.of("answer")


def test_the_answer_of_a_person_may_be_the_answer():
    assert answered("return ask('Which?')", answers=["cup0"]).tree.answer.as_dict() == {"type": "name", "value": "cup0"}


def test_a_program_that_fails_answers_nothing():
    stage = Stage("try:\n    return 1 / 0\nexcept:\n    fail('no')")
    assert stage.run().status == "failure"
    assert stage.tree.answer is None


def test_an_answer_without_a_value_fails_at_its_place():
    reason = failure("move(end=table0)\nreturn [1, 2][3]")
    assert (reason.code, reason.what.split(":")[0]) == (Code.EXCEPTION, "line 2, column 8")


def test_a_program_that_begins_anew_answers_anew():
    stage = answered("return on(apple0, table0)")
    stage.tree.restart()
    assert stage.run().status == "success"
    assert [event["value"] for event in stage.journal.of("answer")] == [True, True]
