import pytest
from hypothesis import given, strategies as st

from affordances.elicitation.replies import affordance_named, read_list, read_yes_no
from semantics.logic.feedback import Code, Feedback

NAMES = ("contain", "cut", "dry-swipe", "grasp", "heat-resistance", "liquid", "liquid-contain")


@pytest.mark.parametrize(
    "text",
    [
        '{"answer": "yes"}',
        "yes",
        "Yes.",
        "**Yes**",
        '"yes"',
        "YES!",
        "Yes, it is.",
        "Yes it can be cut.",
        "yes\nBecause …",
        '```json\n{"answer": "Yes"}\n```',
        '{"answer": true}',
        "true",
        "<think>no? no.</think>yes",
        "Answer: yes",
    ],
)
def test_a_plain_yes_is_read(text: str):
    assert read_yes_no(text) is True


@pytest.mark.parametrize("text", ['{"answer": "no"}', "No.", "no, it is not", "NO", '{"answer": false}', "No - never"])
def test_a_plain_no_is_read(text: str):
    assert read_yes_no(text) is False


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "maybe",
        "Yes and no.",
        "No idea",
        "Not yes",
        "I would say yes",
        "yesterday",
        "yes or no?",
        "{}",
        "[]",
        '{"answer": "perhaps"}',
        '{"answer": null}',
        '{"answer": ["yes"]}',
        '{"refusal": "I cannot"}',
        "1",
        "Yes? No.",
        '{"answer": "yes"} but rather not',
        '{"answer": "yes"} {"answer": "yes"}',
        '{"answer": "yes", "answer": "yes"}',
        '```json\n{"answer": "yes"}\n```\nor not',
    ],
)
def test_anything_else_is_neither_and_never_a_yes(text: str):
    read = read_yes_no(text)
    assert isinstance(read, Feedback)
    assert read.code is Code.UNREADABLE


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str):
    assert isinstance(read_yes_no(text), bool | Feedback)
    assert read_list(text, NAMES) is not None


@pytest.mark.parametrize(
    "text",
    [
        '{"affordances": ["cut", "grasp"]}',
        '["cut", "grasp"]',
        'Here it is:\n```json\n["grasp", "cut", "cut"]\n```',
        '{"affordances": ["Cut", "GRASP"]}',
        'Sure: {"affordances": ["cut","grasp"]}.',
    ],
)
def test_a_list_is_read_whatever_stands_before_it(text: str):
    read = read_list(text, NAMES)
    assert not isinstance(read, Feedback)
    assert read.names == {"cut", "grasp"}
    assert not read.feedback


def test_an_empty_list_says_no_to_everything():
    read = read_list('{"affordances": []}', NAMES)
    assert not isinstance(read, Feedback)
    assert read.names == frozenset()


def test_other_spellings_are_taken_for_what_they_surely_are():
    read = read_list('["heat_resistance", "Liquid Contain", "heat-resistence"]', NAMES)
    assert not isinstance(read, Feedback)
    assert read.names == {"heat-resistance", "liquid-contain"}


def test_a_name_that_nothing_carries_is_reported_with_the_nearest():
    read = read_list('["grasp", "swipe", 7]', NAMES)
    assert not isinstance(read, Feedback)
    assert read.names == {"grasp"}
    assert [each.culprits for each in read.feedback] == [("swipe",), ("7",)]
    assert "dry-swipe" in read.feedback[0].how


@pytest.mark.parametrize(
    "text",
    [
        '["cut"] is wrong',
        '["cut"] ["grasp"]',
        "",
        "cut and grasp",
        '{"affordances": "cut"}',
        '["fly", "sing"]',
        "null",
        "{}",
    ],
)
def test_what_is_no_list_is_feedback(text: str):
    assert isinstance(read_list(text, NAMES), Feedback)


def test_a_short_word_is_not_mended():
    assert affordance_named("cat", NAMES) is None
    assert affordance_named("liquids", NAMES) == "liquid"
