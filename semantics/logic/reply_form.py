"""The JSON form of a `Reply`: ``{"reply": {KIND: CONTENT, …, "note": NOTE}}``.

Each kind has its form once, in `FORMS`, from which replies are read and written and the schema for a server is made
(OpenAI's strict subset: no ``oneOf``, no defaults, all keys required, and each branch of ``anyOf`` with a first key of
its own).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, NamedTuple

from semantics.errors import FormulaError, UsageError
from semantics.hints import hint
from semantics.logic.atoms import And, Exists, ForAll, Formula, Literal, Not, Or, literals, names_in, walked
from semantics.logic.correction import Correction, Edit, Insert, Move, Remove, Replace, StatementPlace, Wrap
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, Question, Rejection, split_values
from semantics.logic.lesson import READERS, TEXTS as ONE_TEXT, Lesson, read_lesson
from semantics.logic.parsing import parse_formula
from semantics.logic.quantity import QuantityError
from semantics.logic.reply import (
    Answer,
    Choice,
    Content,
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
from semantics.plain_text import plain, whole_characters
from semantics.schemas import object_schema

VERSION = 1
LONGEST_SENTENCE = 500
MOST_GOALS = 24
MOST_PARTS = 200
MOST_WEIGHT = 1e6  # the most goals of a reply, parts of any other list in it, and value of a wish


def kind_of(content: Content) -> str:
    """Return the kind of a content, such as ``goal``."""
    return next(kind for kind, form in FORMS.items() if isinstance(content, form.type))


def document_of(reply: Reply) -> dict[str, Any]:
    """Return a reply as JSON data."""
    written = FORMS[kind_of(reply.content)].write(reply.content)
    return {"version": VERSION, "reply": {**written, "note": reply.note or None}}


class _MistakeError(Exception):
    """What is wrong with a document."""

    def __init__(self, *feedback: Feedback) -> None:
        self.feedback = feedback
        super().__init__()


class Form(NamedTuple):
    """The form of one kind of reply."""

    type: type  # the class of its content
    keys: Mapping[str, Any]  # the schema of each of its keys, its own kind first
    read: Callable[[Mapping[str, Any]], Content]  # reads the content from an object with these keys
    write: Callable[[Any], dict[str, Any]]  # returns the object


LESSON = tuple(name for name in READERS if name != "text")
TEXT = {"type": "string"}
TEXT_OR_NULL = {"type": ["string", "null"]}
NUMBER = {"type": "number"}
TEXTS = {"type": "array", "items": TEXT}
TEXTS_OR_NULL = {"type": ["array", "null"], "items": TEXT}


def _one_of(names: type[StrEnum]) -> dict[str, Any]:
    return {"type": "string", "enum": [str(name) for name in names]}


def reply_schema(kinds: Collection[str]) -> dict[str, Any]:
    """Return the schema of a reply of some kinds."""
    branches = [object_schema({**form.keys, "note": TEXT_OR_NULL}) for kind, form in FORMS.items() if kind in kinds]
    return object_schema({"reply": {"anyOf": branches}})


def read_document(document: object, kinds: Collection[str] = ()) -> Reply | Rejection:
    """Read a reply from JSON data: ``{"reply": {…}}``, or the inner object alone.

    Args:
        document: The data.
        kinds: The kinds that are allowed; empty for all.

    Returns: The reply, or all that is wrong with it.
    """
    inner = document.get("reply", document) if isinstance(document, Mapping) else None
    if not isinstance(inner, Mapping):
        return Rejection((_wrong("the reply", "it is no object."),))
    filled = {str(key): value for key, value in inner.items() if not _is_empty(value)}
    named = [kind for kind in FORMS if kind in filled]
    if len(named) != 1:
        why = f"it gives {' and '.join(named)}; only one of them is an answer." if named else "it has no kind."
        return Rejection((_wrong("the reply", why),))
    (kind,), allowed = named, kinds or FORMS
    if kind not in allowed:
        how = f"Answer with one of: {', '.join(name for name in FORMS if name in allowed)}."
        return Rejection((Feedback(Code.UNREADABLE, f"the reply '{kind}'", "it is no answer here.", how, (kind,)),))
    form = FORMS[kind]
    if unknown := filled.keys() - {*form.keys, "note", "version"}:
        name = min(unknown)
        how = hint(name, (*form.keys, "note"), "key", kind, "What can be said")
        why = f"a {kind} has no such key."
        return Rejection((Feedback(Code.UNREADABLE, f"'{sentence_in(name)}'", why, how, (name,)),))
    if lacking := [key for key, schema in form.keys.items() if key not in filled and "null" not in schema["type"]]:
        return Rejection((_wrong(f"'{lacking[0]}'", f"a {kind} needs it, and it is not there."),))
    try:
        return Reply(form.read(filled), sentence_in(filled["note"]) if isinstance(filled.get("note"), str) else "")
    except _MistakeError as mistake:
        return Rejection(mistake.feedback)


def sentence_in(text: str) -> str:
    """Return text of a model on one line, without control characters, cut at `LONGEST_SENTENCE` characters."""
    clean = " ".join(plain(whole_characters(text)).split())
    return clean if len(clean) <= LONGEST_SENTENCE else f"{clean[:LONGEST_SENTENCE]}…"


def _is_empty(value: object) -> bool:
    return not value.strip() if isinstance(value, str) else value in (None, False, [], {})


def _wrong(what: str, why: str, how: str = "") -> Feedback:
    return Feedback(Code.UNREADABLE, what, why, how or 'Answer with {"reply": {KIND: …}} and nothing else.')


def _text(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _MistakeError(_wrong(f"'{key}'", "it is no text."))
    return sentence_in(value)


def _texts(fields: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = fields.get(key) or []
    value = [value] if isinstance(value, str) else value
    if not isinstance(value, list) or len(value) > MOST_PARTS or not all(isinstance(each, str) for each in value):
        raise _MistakeError(_wrong(f"'{key}'", f"it is no list of at most {MOST_PARTS} texts."))
    texts = tuple(filter(None, map(sentence_in, value)))
    if value and not texts:
        raise _MistakeError(_wrong(f"'{key}'", "it is empty."))
    return texts


def _named(fields: Mapping[str, Any], key: str, names: type[StrEnum]) -> Any:  # noqa: ANN401 - a member of `names`
    text = " ".join(_text(fields, key).lower().replace("_", " ").split())
    if text not in [str(name) for name in names]:
        raise _MistakeError(_wrong(f"'{text}'", f"'{key}' is one of {', '.join(names)}."))
    return names(text)


def _goal(fields: Mapping[str, Any]) -> Goal:
    """Read the conditions of a goal, one after the other, with its wishes; report the mistakes of all of them."""
    value = fields["goal"]
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or len(texts) > MOST_GOALS or not all(isinstance(text, str) for text in texts):
        raise _MistakeError(_wrong("'goal'", f"it is no list of at most {MOST_GOALS} conditions."))
    read, mistakes = list[Goal](), list[Feedback]()
    for text in map(whole_characters, texts):
        goal = read_condition(text)
        (mistakes if isinstance(goal, Feedback) else read).append(goal)  # type: ignore[arg-type]
    wishes = list(_wishes(fields.get("prefer") or [], mistakes))
    if mistakes:
        raise _MistakeError(*mistakes)
    first, *later = read
    return replace(first, later=tuple(later), weights=tuple(wishes))


def read_condition(text: str, *, free: bool = False) -> Goal | Feedback:
    """Read one condition in PDDL with its values; it may quantify. Return why it is none.

    Args:
        text: The condition.
        free: Whether variables may stand in it that no quantifier binds, and no values.
    """
    how = "Write one PDDL condition with balanced parentheses: and, or, not, forall, exists, (predicate thing ...)."
    formula: Formula | None
    try:
        condition, said = (text, ()) if free else split_values(text)
        formula, why = parse_formula(condition, variables=True, adl=True), "it asks for nothing"
        if not free and (unbound := _free_variables(formula)):
            formula, why = None, f"{unbound[0]} stands there without a forall or exists around it."
    except FormulaError as error:
        formula, why = None, str(error)
    except QuantityError as error:
        formula, why, how = None, str(error), "Write a number and a unit behind the name, such as :speed 20cm/s."
    if formula is not None and (free or any(not isinstance(part, And | Or | Not) for part, _ in walked(formula))):
        return Goal(formula, values=said)
    return Feedback(Code.UNREADABLE, sentence_in(text), why, how)


def _free_variables(formula: Formula) -> list[str]:
    """Return the variables of a condition that no quantifier binds anywhere in it."""
    parts = [part for part, _ in walked(formula)]
    bound = {f"?{each.name}" for part in parts if isinstance(part, ForAll | Exists) for each in part.variables}
    return sorted({name for name in names_in(formula) if name.startswith("?")} - bound)


def _wishes(value: object, mistakes: list[Feedback]) -> Iterator[tuple[Literal, float]]:
    for wish in value if isinstance(value, list) else [value]:
        fact, weight = (wish.get("fact"), _number(wish.get("weight"))) if isinstance(wish, Mapping) else (None, None)
        goal = read_condition(fact) if isinstance(fact, str) else None
        told = list(literals(goal.formula)) if isinstance(goal, Goal) else []
        if len(told) == 1 and weight is not None and 0 < weight < MOST_WEIGHT:
            yield told[0], weight
        else:
            mistakes.append(_wrong(sentence_in(str(wish)), "a wish is one fact with a weight above 0."))


def _number(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else None
    except (ValueError, OverflowError):
        return None


def _plan(fields: Mapping[str, Any]) -> PlanText:
    value = fields["plan"]
    lines = value.splitlines() if isinstance(value, str) else value
    return PlanText(_texts({"plan": lines}, "plan"), _text(fields, "brief"))


def _lines(fields: Mapping[str, Any], key: str) -> str:
    if not isinstance(fields.get(key), str):
        raise _MistakeError(_wrong(f"'{key}'", "it is no text."))
    return whole_characters(fields[key])


def _place(edit: Mapping[str, Any], key: str) -> StatementPlace:
    """Return the place of a step: its number from 1, or ``2.1.3`` for one inside another."""
    numbers = str(edit.get(key, "")).split(".")
    if not all(number.isascii() and number.isdigit() and 0 < int(number[:6]) < 10_000 for number in numbers):
        raise _MistakeError(_wrong(f"'{key}'", "it is no number of a step."))
    return StatementPlace(tuple(int(number) - 1 for number in numbers))


STEP = {"type": ["integer", "string"]}
EDITS: Mapping[str, tuple[Mapping[str, Any], Callable[[Mapping[str, Any]], Edit]]] = {
    "replace": (
        {"step": STEP, "old": TEXT, "new": TEXT},
        lambda edit: Replace(_place(edit, "step"), _text(edit, "old"), _text(edit, "new")),
    ),
    "insert": ({"before": STEP, "text": TEXT}, lambda edit: Insert(_place(edit, "before"), _lines(edit, "text"))),
    "remove": ({"step": STEP}, lambda edit: Remove(_place(edit, "step"))),
    "move": ({"step": STEP, "before": STEP}, lambda edit: Move(_place(edit, "step"), _place(edit, "before"))),
    "wrap": (
        {"step": STEP, "head": TEXT, "count": {"type": "integer"}},
        lambda edit: Wrap(_place(edit, "step"), _lines(edit, "head"), int(str(edit.get("count", 1)))),
    ),
}


def _correction(fields: Mapping[str, Any]) -> Correction:
    value = fields["correction"]
    edits = []
    for each in value if isinstance(value, list) else [value]:
        ((kind, edit),) = each.items() if isinstance(each, Mapping) and len(each) == 1 else (("", None),)
        if kind not in EDITS or not isinstance(edit, Mapping):
            raise _MistakeError(_wrong("'correction'", f"an edit is one of {', '.join(EDITS)}."))
        try:
            edits.append(EDITS[kind][1](edit))
        except (TypeError, ValueError, UsageError):
            raise _MistakeError(_wrong(f"'{kind}'", "it cannot be read.")) from None
    return Correction(tuple(edits))


def _edit(edit: Edit) -> dict[str, Any]:
    kind, parts = type(edit).__name__.lower(), (getattr(edit, name) for name in edit.__match_args__)
    steps = (
        ".".join(str(index + 1) for index in part.path) if isinstance(part, StatementPlace) else part for part in parts
    )
    return {kind: dict(zip(EDITS[kind][0], steps, strict=True))}


def _goal_fields(goal: Goal) -> dict[str, Any]:
    wishes = [{"fact": str(literal), "weight": weight} for literal, weight in goal.weights]
    return {"goal": [str(stage) for stage in goal.stages], "prefer": wishes or None}


def _plain(content: type, **keys: Any) -> Form:
    """Return the form of a content whose fields, in order, are texts, lists of texts, or names of an enumeration."""
    schemas = {key: _one_of(part) if isinstance(part, type) else part for key, part in keys.items()}

    def read(fields: Mapping[str, Any], key: str) -> object:
        if isinstance(keys[key], type):
            return _named(fields, key, keys[key])
        return _texts(fields, key) if "items" in schemas[key] else _text(fields, key)

    def write(value: Any) -> dict[str, Any]:  # noqa: ANN401 - a content
        parts = {key: getattr(value, name) for key, name in zip(keys, value.__match_args__, strict=False)}
        return {key: (list(part) if isinstance(part, tuple) else str(part)) or None for key, part in parts.items()}

    return Form(content, schemas, lambda fields: content(*(read(fields, key) for key in keys)), write)


EDIT_SCHEMAS = [object_schema({kind: object_schema(keys)}) for kind, (keys, _) in EDITS.items()]
FORMS: Mapping[str, Form] = {
    "goal": Form(
        Goal,
        {"goal": TEXTS, "prefer": {**TEXTS_OR_NULL, "items": object_schema({"fact": TEXT, "weight": NUMBER})}},
        _goal,
        _goal_fields,
    ),
    "program": _plain(ProgramText, program=TEXT)._replace(
        read=lambda fields: ProgramText(_lines(fields, "program").strip("\n"))
    ),
    "plan": _plain(PlanText, plan=TEXTS, brief=TEXT_OR_NULL)._replace(read=_plan),
    "correction": Form(
        Correction,
        {"correction": {**TEXTS, "items": {"anyOf": EDIT_SCHEMAS}}},
        _correction,
        lambda content: {"correction": list(map(_edit, content.edits))},
    ),
    "control": _plain(Control, control=ControlKind, request=TEXT_OR_NULL),
    "query": Form(
        Query,
        {"query": object_schema({"ask": _one_of(QueryKind), "about": TEXTS, "that": TEXT_OR_NULL})},
        lambda fields: _query(fields["query"]),
        lambda told: {"query": {"ask": str(told.asked), "about": [*told.about], "that": told.that and str(told.that)}},
    ),
    "question": _plain(Question, question=TEXT, options=TEXTS_OR_NULL),
    "choice": _plain(Choice, choice=TEXT),
    "answer": _plain(Answer, answer=TEXT),
    "refusal": _plain(Refusal, refusal=TEXT, missing=TEXTS_OR_NULL),
    "tool": _plain(Tool, tool=ToolName, argument=TEXT),
    "lesson": Form(
        Lesson,
        {"lesson": object_schema({name: TEXT_OR_NULL if name in ONE_TEXT else TEXTS_OR_NULL for name in LESSON})},
        lambda fields: _lesson(fields["lesson"]),
        lambda lesson: {"lesson": {name: lesson.as_dict().get(name) for name in LESSON}},
    ),
}
"""The form of each kind of reply, by its name."""


def _lesson(value: object) -> Lesson:
    if not isinstance(value, Mapping):
        raise _MistakeError(_wrong("'lesson'", "it is no object."))
    try:
        return read_lesson({str(key): part for key, part in value.items() if part is not None})
    except UsageError as error:
        raise _MistakeError(_wrong("the lesson", f"{error}.")) from error


def _query(value: object) -> Query:
    if not isinstance(value, Mapping):
        raise _MistakeError(_wrong("'query'", "it is no object."))
    about, that = _texts(value, "about"), _texts(value, "that")
    conditions = [*that, *(text for text in about if text.startswith("("))]  # one among the names is understood too
    goals = [read_condition(text, free=True) for text in conditions]
    if mistakes := [goal for goal in goals if isinstance(goal, Feedback)]:
        raise _MistakeError(*mistakes)
    parts = tuple(goal.formula for goal in goals if isinstance(goal, Goal))
    whole = And(parts) if len(parts) > 1 else next(iter(parts), None)
    return Query(_named(value, "ask", QueryKind), tuple(name for name in about if name not in conditions), whole)
