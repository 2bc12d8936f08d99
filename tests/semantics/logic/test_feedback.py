import json

import pytest

from semantics.logic.feedback import Code, Feedback, Level

EXAMPLES = {
    Code.UNREADABLE: Level.SYNTAX,
    Code.AMBIGUOUS: Level.SYNTAX,
    Code.UNKNOWN_NAME: Level.SEMANTIC,
    Code.CONTRADICTION: Level.SEMANTIC,
    Code.NO_PLAN: Level.SYMBOLIC,
    Code.EFFECT_MISSING: Level.SYMBOLIC,
    Code.OUT_OF_REACH: Level.PHYSICAL,
    Code.REFUSED_BY_BODY: Level.PHYSICAL,
    Code.TIMEOUT: Level.RUNTIME,
    Code.UNAVAILABLE: Level.RUNTIME,
    Code.DECLINED: Level.HUMAN,
    Code.QUESTION: Level.HUMAN,
}


def test_every_code_has_a_level_and_every_level_a_code():
    assert {code.level for code in Code} == set(Level)


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_first_and_last_code_of_a_level_lie_in_it(code):
    assert Feedback(code, "x", "y").level is EXAMPLES[code]


def test_the_levels_come_in_order():
    found = list(dict.fromkeys(code.level for code in Code))
    assert found == list(Level)


def test_a_record_is_read_as_what_why_and_how():
    assert str(Feedback(Code.NO_PLAN, "the goal", "it cannot be reached.", "Ask for less.")) == (
        "the goal: it cannot be reached. Ask for less."
    )
    assert str(Feedback(Code.NO_PLAN, "the goal", "it cannot be reached.")) == "the goal: it cannot be reached."


def test_a_record_is_plain_data():
    record = Feedback(Code.OBSTRUCTED, "pick", "cup0 stands there", culprits=("cup0",), recoverable=False)
    assert json.loads(json.dumps(record.as_dict())) == {
        "level": "physical",
        "code": "obstructed",
        "what": "pick",
        "why": "cup0 stands there",
        "how": "",
        "culprits": ["cup0"],
        "recoverable": False,
    }


@pytest.mark.parametrize("code", Code)
def test_a_record_is_read_back_from_its_data(code):
    record = Feedback(code, "pick", "cup0 stands there", "Move it.", ("cup0", "table0"), recoverable=False)
    assert Feedback.from_dict(json.loads(json.dumps(record.as_dict()))) == record


@pytest.mark.parametrize(
    ("field", "value"), [("code", "no-such-code"), ("code", None), ("unheard-of", 1), ("culprits", None)]
)
def test_what_is_no_record_is_refused(field, value):
    record = Feedback(Code.NO_PLAN, "x", "y").as_dict() | {field: value}
    with pytest.raises((KeyError, TypeError, ValueError)):
        Feedback.from_dict(record)
