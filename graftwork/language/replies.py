"""A tolerant reader of a language model's answer; the answer is only text and is never executed.

A correct answer is one JSON object. Other answers put it in a code fence, add prose, or break the JSON; from those the
reader takes the longest balanced parenthesis after the word ``goal``. The result is checked like any other goal, so
tolerance is safe here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from semantics.atoms import Formula, literals
from semantics.errors import FormulaError
from semantics.feedback import Code, Feedback
from semantics.parsing import parse_formula

__all__ = ["ModelProposal", "Unreadable", "read_reply"]

LONGEST_REPLY = 20_000
LONGEST_SENTENCE = 500


@dataclass(frozen=True, slots=True)
class ModelProposal:
    """The content of an answer; exactly one of the three fields is set."""

    goal: Formula | None = None
    question: str | None = None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An answer that cannot be used.

    Attributes:
        feedback: The reasons.
        nonsense: Whether the answer does not even have the form of one.
    """

    feedback: tuple[Feedback, ...]
    nonsense: bool = False


def read_reply(text: str) -> ModelProposal | Unreadable:
    """Read an answer."""
    text = text[:LONGEST_REPLY]
    fields = _json_object(text)
    goal = fields.get("goal") if fields else _goal_in_broken_json(text)
    if isinstance(goal, str) and goal.strip():
        return _formula(goal)
    if question := _sentence(fields.get("question")):
        return ModelProposal(question=question)
    if refusal := _sentence(fields.get("refusal")):
        return ModelProposal(refusal=refusal)
    why = 'it holds no JSON object in which one of "goal", "question", "refusal" is a text'
    how = 'Answer with {"goal": "(...)", "question": null, "refusal": null}.'
    reason = Feedback(Code.UNREADABLE, printable(text) or "an empty answer", why, how)
    return Unreadable((reason,), nonsense=not fields)


def printable(text: str) -> str:
    """Return text of a model on one line, without control characters, cut at `LONGEST_SENTENCE` characters."""
    clean = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return clean if len(clean) <= LONGEST_SENTENCE else f"{clean[:LONGEST_SENTENCE]}…"


def _sentence(value: object) -> str:
    return printable(value) if isinstance(value, str) else ""


def _formula(goal: str) -> ModelProposal | Unreadable:
    try:
        formula, why = parse_formula(goal), "it asks for nothing"
    except FormulaError as error:
        formula, why = None, str(error)
    if formula is not None and any(literals(formula)):
        return ModelProposal(goal=formula)
    how = "Write one PDDL condition with balanced parentheses, made of and, or, not and (predicate thing ...)."
    return Unreadable((Feedback(Code.UNREADABLE, printable(goal), why, how),))


def _json_object(text: str) -> dict[str, Any]:
    """Return the first JSON object in `text` with one of our keys, else an empty one."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        try:
            value, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and value.keys() & {"goal", "question", "refusal"}:
            return value
        start = text.find("{", start + 1)
    return {}


def _goal_in_broken_json(text: str) -> str | None:
    """Return the longest balanced parenthesis after the word ``goal``."""
    word = text.lower().find("goal")
    if word < 0:
        return None
    start, end = max(_balanced(text, word), key=lambda span: span[1] - span[0], default=(0, 0))
    return text[start:end] or None


def _balanced(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of every balanced parenthesis from `start` on, in one pass."""
    opened: list[int] = []
    for index in range(start, len(text)):
        if text[index] == "(":
            opened.append(index)
        elif text[index] == ")" and opened:
            yield opened.pop(), index + 1
