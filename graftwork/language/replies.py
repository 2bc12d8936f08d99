"""A reader of a language model's answer; the answer is only text and is never executed.

A correct answer is one JSON object. Other answers put it in a code fence, add prose before it, or break the JSON; from
those the reader takes the only balanced parenthesis after the word ``goal``. The result is checked like any other goal.
An answer that says two things is no answer: several objects, a goal beside a refusal, a key given twice, or text after
the object, which may take it back. White space, a closing fence and a final dot may follow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from affordances.elicitation.replies import NOTHING_MORE
from semantics.body.exchange import LONGEST_ANSWER, Unusable
from semantics.errors import FormulaError
from semantics.logic.atoms import literals
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Goal, split_values
from semantics.logic.parsing import parse_formula
from semantics.logic.quantity import QuantityError
from semantics.plain_text import plain, whole_characters

__all__ = ["ModelProposal", "read_reply"]

LONGEST_SENTENCE = 500
MOST_GOALS = 24
KEYS = frozenset({"goal", "question", "refusal"})
ANSWER_KEY = re.compile(r"""["'](?:goal|question|refusal)["']\s*:""", re.IGNORECASE)
OBJECT = re.compile(r"\{(?=\s*+[\"}])")
"""Where an object may begin; an error of the decoder looks at all lines before it, so it is not tried at each brace."""
CLOSED = re.compile(r"""["'`}\s]*+(?:\.\s*+)?""")
"""What may follow the goal of an answer with broken JSON."""


@dataclass(frozen=True, slots=True)
class ModelProposal:
    """The content of an answer; exactly one of the three fields is set.

    Attributes:
        goals: What is to hold, one after the other; one, unless the request says an order. None has a text.
        question: A question to the person.
        refusal: Why there is no goal.
    """

    goals: tuple[Goal, ...] = ()
    question: str | None = None
    refusal: str | None = None


def read_reply(text: str) -> ModelProposal | Unusable:
    """Read an answer."""
    if len(text) > LONGEST_ANSWER:
        return _unreadable(text, f"it has more than {LONGEST_ANSWER} characters", nonsense=True)
    found = _answer_object(text)
    if found is None:
        goal = _goal_in_broken_json(text)
        if goal is None:
            why = 'it holds no JSON object in which one of "goal", "question", "refusal" is a text'
            return _unreadable(text, why, nonsense=True)
        return _formulas([goal])
    fields, start, end = found
    if problem := _ambiguity(fields, text[:start], text[end:]):
        return _unreadable(text, problem)
    ((key, value),) = fields.filled or (("", ""),)
    if key == "goal" and isinstance(value, list) and len(value) <= MOST_GOALS and all(map(_is_text, value)):
        return _formulas(value)
    if not _is_text(value):
        return _unreadable(text, 'none of "goal", "question", "refusal" is a text')
    if key == "goal":
        return _formulas([value])
    return ModelProposal(question=_sentence(value)) if key == "question" else ModelProposal(refusal=_sentence(value))


class _Fields(dict[str, Any]):
    """A JSON object of an answer.

    Attributes:
        filled: Its keys of an answer with their values, without those that are null or empty; a key may occur twice.
    """

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        named = ((key.strip().lower(), value) for key, value in pairs)
        self.filled = [(key, _whole(value)) for key, value in named if key in KEYS and not _is_empty(value)]


def _whole(value: Any) -> Any:  # noqa: ANN401 - of JSON
    """Return texts in which each half of a character, which JSON may spell, is a replacement character."""
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return whole_characters(value) if isinstance(value, str) else value


def _is_empty(value: object) -> bool:
    return not value.strip() if isinstance(value, str) else value in (None, False, [], {})


def _ambiguity(fields: _Fields, before: str, after: str) -> str:
    """Return why an object is not the only thing that an answer says; empty if it is."""
    if len(fields.filled) > 1:
        return f"it gives {' and '.join(key for key, _ in fields.filled)}, and only one of them is an answer"
    if not NOTHING_MORE.fullmatch(after):
        return "there is text after the JSON object"
    if ANSWER_KEY.search(before) or _goal_in_broken_json(before) is not None:
        return "it holds more than one answer"
    return ""


def _unreadable(text: str, why: str, *, nonsense: bool = False) -> Unusable:
    how = 'Answer with {"goal": "(...)", "question": null, "refusal": null} and nothing else.'
    reason = Feedback(Code.UNREADABLE, _sentence(text[:LONGEST_ANSWER]) or "an empty answer", why, how)
    return Unusable((reason,), nonsense=nonsense)


def _sentence(text: str) -> str:
    """Return text of a model on one line, without control characters, cut at `LONGEST_SENTENCE` characters."""
    clean = " ".join(plain(text).split())
    return clean if len(clean) <= LONGEST_SENTENCE else f"{clean[:LONGEST_SENTENCE]}…"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(_sentence(value))


def _formulas(goals: Sequence[str]) -> ModelProposal | Unusable:
    """Read the conditions of an answer; report the mistakes of all of them."""
    read, mistakes = [], []
    for goal in goals:
        how = "Write one PDDL condition with balanced parentheses, made of and, or, not and (predicate thing ...)."
        try:
            condition, said = split_values(goal)
            formula, why = parse_formula(condition), "it asks for nothing"
        except FormulaError as error:
            formula, why = None, str(error)
        except QuantityError as error:
            formula, why, how = None, str(error), "Write a number and a unit behind the name, such as :speed 20cm/s."
        if formula is not None and any(literals(formula)):
            read.append(Goal(formula, values=said))
        else:
            mistakes.append(Feedback(Code.UNREADABLE, _sentence(goal), why, how))
    return Unusable(tuple(mistakes)) if mistakes else ModelProposal(tuple(read))


def _answer_object(text: str) -> tuple[_Fields, int, int] | None:
    """Return the first JSON object in `text` with one of our keys, and its bounds; None if there is none."""
    decoder = json.JSONDecoder(object_pairs_hook=_Fields)
    begin = OBJECT.search(text)
    while begin:
        start = begin.start()
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            value, end = None, start + 1
        if isinstance(value, _Fields) and any(key.strip().lower() in KEYS for key in value):
            return value, start, end
        begin = OBJECT.search(text, end)
    return None


def _goal_in_broken_json(text: str) -> str | None:
    """Return the outermost parenthesis after the word ``goal``, if there is one, and no text after it; else None."""
    word = text.lower().find("goal")
    if word < 0 or ANSWER_KEY.search(text, word + len("goal")):
        return None
    outermost: list[tuple[int, int]] = []
    for start, end in _balanced(text, word):
        while outermost and start < outermost[-1][0]:
            outermost.pop()
        outermost.append((start, end))
    if len(outermost) != 1 or not CLOSED.fullmatch(text, outermost[0][1]):
        return None
    return text[outermost[0][0] : outermost[0][1]]


def _balanced(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of every balanced parenthesis from `start` on, in one pass."""
    opened: list[int] = []
    for index in range(start, len(text)):
        if text[index] == "(":
            opened.append(index)
        elif text[index] == ")" and opened:
            yield opened.pop(), index + 1
