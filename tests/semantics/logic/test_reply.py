"""Replies of every kind: their JSON form, what it refuses, and the schema that a server gets."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st

from semantics.logic.atoms import And, Atom, Equal, Exists, ForAll, Formula, Literal, Not, Or, Variable
from semantics.logic.correction import Correction, Insert, Move, Remove, Replace, StatementPlace, Wrap
from semantics.logic.goal import Goal, Question, Rejection
from semantics.logic.lesson import ANY, Lesson
from semantics.logic.quantity import Quantity
from semantics.logic.reply import (
    Answer,
    Choice,
    Control,
    ControlKind,
    PlanText,
    ProgramText,
    Query,
    QueryKind,
    Refusal,
    Reply,
    Tool,
    ToolName,
)
from semantics.logic.reply_form import FORMS, document_of, kind_of, read_document, reply_schema

WORDS = st.text("abcdefghij -?!.,", min_size=1, max_size=20).map(lambda text: " ".join(text.split())).filter(bool)
NAMES = st.sampled_from(["milk0", "fridge0", "cup3"])
FACTS = st.builds(lambda first, second: Atom("on", (first, second)), NAMES, NAMES)
VALUES = st.sampled_from([(), (("speed", Quantity(0.2, "m/s")),)])
STAGES = st.builds(lambda fact, values: Goal(fact, values=values), FACTS, VALUES)
WISHES = st.lists(st.tuples(st.builds(Literal, FACTS, st.booleans()), st.sampled_from([0.5, 1.0, 20.0])), max_size=2)
PLACES = st.lists(st.integers(0, 9), min_size=1, max_size=3).map(lambda path: StatementPlace(tuple(path)))
EDITS = st.one_of(
    st.builds(Replace, PLACES, NAMES, NAMES),
    st.builds(Insert, PLACES, WORDS),
    st.builds(Remove, PLACES),
    st.builds(Move, PLACES, PLACES),
    st.builds(Wrap, PLACES, WORDS, st.integers(1, 5)),
)
TEXTS = st.lists(WORDS, max_size=3).map(tuple)
BOUND = st.sampled_from([Atom("on", ("?x", "cup3")), Atom("handempty"), Equal("?x", "milk0")])
CONDITIONS: st.SearchStrategy[Formula] = st.recursive(
    st.one_of(FACTS, BOUND),
    lambda parts: st.one_of(
        parts.map(Not),
        st.lists(parts, max_size=2).map(lambda each: And(tuple(each))),
        st.lists(parts, max_size=2).map(lambda each: Or(tuple(each))),
        parts.map(lambda part: Exists((Variable("y", "fruit"),), part)),
        parts.map(lambda part: ForAll((Variable("y", "fruit"), Variable("z")), part)),
    ),
    max_leaves=4,
)
VARIABLES = st.sampled_from(["?x", "?p"])
PATTERNS = st.builds(Atom, st.sampled_from(["on", ANY]), st.tuples(VARIABLES, VARIABLES))
LITERALS = st.lists(st.builds(Literal, PATTERNS, st.booleans()), max_size=2).map(tuple)
LESSONS = st.builds(
    Lesson,
    asked=st.lists(st.builds(Literal, PATTERNS, st.booleans()), min_size=1, max_size=2).map(tuple),
    given=LITERALS,
    words=st.lists(WORDS.map(str.lower), max_size=2).map(tuple),
    instead=LITERALS,
    also=LITERALS,
    first=LITERALS,
    never=st.lists(PATTERNS, min_size=1, max_size=2).map(tuple),
)
CONTENTS = {
    "goal": st.builds(
        lambda first, later, wishes: Goal(
            first.formula, values=first.values, later=tuple(later), weights=tuple(wishes)
        ),
        STAGES,
        st.lists(STAGES, max_size=2),
        WISHES,
    ),
    "program": st.builds(ProgramText, WORDS.map(lambda words: f"say('{words}')\nif on(milk0, cup3):\n    pass")),
    "plan": st.builds(PlanText, st.lists(WORDS, min_size=1, max_size=3).map(tuple), st.one_of(st.just(""), WORDS)),
    "correction": st.builds(Correction, st.lists(EDITS, min_size=1, max_size=3).map(tuple)),
    "control": st.builds(Control, st.sampled_from(ControlKind), st.one_of(st.just(""), WORDS)),
    "query": st.builds(Query, st.sampled_from(QueryKind), TEXTS, st.one_of(st.none(), CONDITIONS)),
    "question": st.builds(Question, WORDS, TEXTS),
    "choice": st.builds(Choice, WORDS),
    "answer": st.builds(Answer, WORDS),
    "refusal": st.builds(Refusal, WORDS, TEXTS),
    "tool": st.builds(Tool, st.sampled_from(ToolName), WORDS),
    "lesson": LESSONS,
}


@pytest.mark.parametrize("kind", FORMS)
@given(data=st.data())
def test_what_is_written_is_read_as_the_same(kind: str, data: st.DataObject):
    reply = Reply(data.draw(CONTENTS[kind]), data.draw(st.one_of(st.just(""), WORDS)))
    document = json.loads(json.dumps(document_of(reply)))
    assert kind_of(reply.content) == kind
    assert read_document(document) == reply
    assert read_document(document["reply"]) == reply
    assert list(misfits(document["reply"], reply_schema([kind])["properties"]["reply"])) == []


@pytest.mark.parametrize("kind", FORMS)
@given(data=st.data())
def test_a_kind_that_is_not_allowed_is_refused_with_those_that_are(kind: str, data: st.DataObject):
    others = [other for other in FORMS if other != kind]
    refused = read_document(document_of(Reply(data.draw(CONTENTS[kind]))), others)
    assert isinstance(refused, Rejection)
    assert all(other in refused.feedback[0].how for other in others)


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (None, "no object"),
        ([], "no object"),
        ({"reply": "stop"}, "no object"),
        ({"reply": {}}, "no kind"),
        ({"reply": {"note": "well"}}, "no kind"),
        ({"goal": ["(on milk0 cup3)"], "refusal": "no"}, "only one of them"),
        ({"goal": ["(on milk0"], "note": None}, "')' is missing"),
        ({"goal": ["(on milk0 cup3)", "(and)"]}, "asks for nothing"),
        ({"goal": {"on": "milk0"}}, "no list"),
        ({"goal": ["(on milk0 cup3)"] * 25}, "at most 24"),
        ({"goal": ["(on milk0 cup3)"], "prefer": [{"fact": "(on cup3 milk0)", "weight": -1}]}, "a weight above 0"),
        ({"goal": ["(on milk0 cup3)"], "prefer": [{"fact": "(or (a b) (c d))", "weight": 1}]}, "one fact"),
        ({"goal": ["(on milk0 cup3)"], "preferr": []}, ""),
        ({"goal": ["(on milk0 cup3)"], "preferr": ["x"]}, "no such key"),
        ({"control": "explode"}, "'control' is one of stop"),
        ({"query": "where"}, "no object"),
        ({"query": {"ask": "whence", "about": []}}, "'ask' is one of where"),
        ({"query": {"ask": "which", "about": [], "that": "(on ?x"}}, "')' is missing"),
        ({"query": {"ask": "which", "about": [], "that": {"on": "?x"}}}, "no list"),
        ({"query": {"ask": "which", "about": [], "that": "(on ?x cup3) :speed 20cm/s"}}, "after the end"),
        ({"query": {"ask": "which", "about": ["(on cup3"], "that": "on ?x"}}, "')' is missing"),
        ({"tool": "hammer", "argument": "nail"}, "'tool' is one of look for"),
        ({"tool": "look for", "argument": ""}, "needs it"),
        ({"plan": [7]}, "no list"),
        ({"plan": [""]}, "empty"),
        ({"program": ["a"]}, "no text"),
        ({"correction": [{"explode": {}}]}, "an edit is one of replace"),
        ({"correction": [{"remove": {"step": 0}}]}, "no number of a step"),
        ({"correction": [{"remove": {"step": "first"}}]}, "no number of a step"),
        ({"question": {"text": "which"}}, "no text"),
    ],
)
def test_what_is_wrong_is_said(document: object, why: str):
    read = read_document(document)
    if not why:
        assert isinstance(read, Reply)
        return
    assert isinstance(read, Rejection)
    assert why in str(read)


def test_all_mistakes_of_a_goal_are_said_at_once():
    read = read_document({"goal": ["(on milk0", "(in ?x cup3)", "(on milk0 cup3) :speed slowly"]})
    assert isinstance(read, Rejection)
    assert len(read.feedback) == 3


def test_the_schema_is_in_the_strict_subset():
    """OpenAI's strict mode: objects closed, all keys required, no oneOf, defaults or discriminators, five levels."""
    schema = reply_schema(FORMS)
    assert _depth(schema) <= 5
    assert schema["type"] == "object"
    branches = schema["properties"]["reply"]["anyOf"]
    first = [next(iter(branch["properties"])) for branch in branches]
    assert first == list(FORMS)  # branches with an equal first key were refused
    for part in _parts(schema):
        assert part.keys() <= {"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum"}
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])


def _parts(schema: Any) -> Iterator[dict[str, Any]]:
    yield schema
    for part in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from _parts(part)
    if "items" in schema:
        yield from _parts(schema["items"])


def _depth(schema: Any) -> int:
    """Return how many objects stand in each other; a union and a list are no levels."""
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    inner += [schema["items"]] if "items" in schema else []
    return (schema.get("type") == "object") + max(map(_depth, inner), default=0)


TYPES = {"string": str, "null": type(None), "array": list, "object": dict, "number": (int, float), "integer": int}


def misfits(value: Any, schema: Any, where: str = "") -> Iterator[str]:
    """Yield where a value does not obey a schema of the strict subset."""
    if "anyOf" in schema:
        if not any(not list(misfits(value, branch)) for branch in schema["anyOf"]):
            yield f"{where}: no branch fits {value!r}"
        return
    types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if not any(isinstance(value, TYPES[name]) for name in types) or value not in schema.get("enum", [value]):
        yield f"{where}: {value!r} is no {types}"
    if isinstance(value, dict):
        keys = schema["properties"]
        yield from (f"{where}: {key}" for key in value.keys() ^ keys.keys())
        for key in value.keys() & keys.keys():
            yield from misfits(value[key], keys[key], f"{where}.{key}")
    if isinstance(value, list):
        for each in value:
            yield from misfits(each, schema["items"], f"{where}[]")


def test_a_goal_may_quantify_and_compare():
    read = read_document({"goal": ["(forall (?x - fruit) (imply (< (size ?x) 10) (on ?x shelf0)))"]})
    assert isinstance(read, Reply)
