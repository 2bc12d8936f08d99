"""A lesson is written and read, and a mistake in one is named."""

import json

import pytest

from semantics.errors import UsageError
from semantics.logic.lesson import EFFECTS, READERS, read_lesson
from semantics.logic.reply import Reply
from semantics.logic.reply_form import document_of, read_document

FRIDGE = {
    "asked": ["(any ?x ?p)"],
    "sorts": ["?x milk or cold drink"],
    "given": ["(in ?x fridge0)", "(not (clean ?p))"],
    "words": ["tea"],
    "unless": ["open"],
    "also": ["(closed fridge0)"],
    "first": ["(clean ?p)"],
    "after": ["(not (opened fridge0))"],
    "choose": ["(on ?x table0)"],
    "choose_sorts": ["?x red mug"],
    "values": ["speed 20cm/s"],
    "text": "and shut the fridge again",
}


@pytest.mark.parametrize("document", [FRIDGE, {"phrase": "a drink", "meaning": "the juice"}, {"never": ["(on ?x ?p)"]}])
def test_a_lesson_comes_back_as_it_was_also_as_a_reply(document):
    lesson = read_lesson(document)
    assert read_lesson(json.loads(json.dumps(lesson.as_dict()))) == lesson
    assert lesson.as_dict() == document
    assert read_document(document_of(Reply(lesson))) == Reply(lesson)


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({**FRIDGE, "goals": []}, "goals"),
        ({"asked": ["(on ?x"], "also": ["(clean ?x)"]}, "'asked'"),
        ({"asked": ["(on ?x ?p)"]}, EFFECTS[0]),
        ({"instead": ["(on ?x table0)"]}, "'asked'"),
        ({"never": ["(not (on ?x ?p))"]}, "'never'"),
        ({"never": ["(on ?x ?p)"], "sorts": ["mug"]}, "'sorts'"),
        ({"never": ["(on ?x ?p)"], "sorts": ["?y mug"]}, "'?y'"),
        ({"asked": ["(on ?x ?p)"], "values": ["speed fast"]}, "'values'"),
        ({"phrase": "a drink"}, "'meaning'"),
        ({"also": "(clean ?x)", "words": [1]}, "'words'"),
        ({"also": 3}, "'also'"),
    ],
)
def test_a_mistake_in_a_lesson_is_named(document, told):
    with pytest.raises(UsageError, match=told.replace("?", r"\?")):
        read_lesson(document)


def test_a_lesson_is_told_in_words():
    told = read_lesson({**FRIDGE, "given": ["(in ?x fridge0)"], "choose": [], "after": [], "first": []}).told({})
    assert told.startswith("where it is asked that the milk or cold drink comes to a place and at the beginning")
    assert "if 'tea' is said unless 'open' is said" in told
    assert "rather, if there is such: the milk or cold drink is red mug; at: speed 20cm/s" in told
    assert read_lesson({"phrase": "a drink", "meaning": "the juice"}).told({}) == "'a drink' means 'the juice'"


def test_every_field_has_a_reader():
    assert {*FRIDGE, "instead", "never", "phrase", "meaning", "program"} == READERS.keys()
