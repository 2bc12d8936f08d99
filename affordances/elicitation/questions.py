"""Questions about an affordance: one yes/no question, or several joined by ``&``, ``|`` and ``!``.

``(Is {} made to hold a liquid?) & !(Is {} a liquid?)`` asks a model at most two questions, each in its own request,
because models answer several questions in one request less reliably (AutoGPT+P, section III-A). ``{}`` stands for the
class. Kleene's three-valued logic joins the answers: a part without an answer makes the whole unknown, unless the other
parts decide it. Evaluation stops as soon as the first parts decide the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from semantics.errors import FormulaError
from semantics.logic.atoms import And, Atom, Formula, Not, Or

SLOT = "{}"  # stands for the class in a question
_VOWELS = frozenset("aeiou")
_ARTICLE = re.compile(r"\b([Aa]) \{\}")


def filled(text: str, words: str) -> str:
    """Replace ``{}`` by the words of a class; change "a" to "an" before a vowel."""
    if words[:1].lower() in _VOWELS:
        text = _ARTICLE.sub(r"\1n {}", text)
    return text.replace(SLOT, words)


def decide(question: Formula, answer: Callable[[str], bool | None]) -> bool | None:
    """Evaluate a question from the answers to its plain questions, which are asked in order and only as far as needed.

    Args:
        question: The question.
        answer: Answers a plain question; returns None when the answer is unknown.
    """
    if isinstance(question, Atom):
        return answer(question.predicate)
    if isinstance(question, Not):
        truth = decide(question.part, answer)
        return None if truth is None else not truth
    assert isinstance(question, And | Or), question
    settles, unknown = isinstance(question, Or), False
    for part in question.parts:
        truth = decide(part, answer)
        if truth is settles:
            return settles
        unknown = unknown or truth is None
    return None if unknown else not settles


def parse_question(text: str) -> Formula:
    """Parse a question, whose plain questions are atoms. ``!`` binds tighter than ``&``, and ``&`` tighter than ``|``.

    A text that begins with neither a parenthesis nor ``!`` is a plain question.

    Raises:
        FormulaError: A parenthesis is missing, or there is text outside of the parentheses.
    """
    if not text.lstrip().startswith(("(", "!")):
        return _plain(text.strip(), 0, text)
    reader = _QuestionReader(text)
    question = reader.either()
    reader.end()
    return question


def _plain(text: str, at: int, whole: str) -> Atom:
    if not text:
        raise _mistake("a question is missing", whole, at)
    return Atom(text)


def _mistake(reason: str, text: str, at: int) -> FormulaError:
    return FormulaError(reason, text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1)


class _QuestionReader:
    """Reads one question from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def either(self) -> Formula:
        return self._joined("|", self.both, Or)

    def both(self) -> Formula:
        return self._joined("&", self.part, And)

    def _joined(self, sign: str, read: Callable[[], Formula], kind: type[And] | type[Or]) -> Formula:
        parts = [read()]
        while self._takes(sign):
            parts.append(read())
        return parts[0] if len(parts) == 1 else kind(tuple(parts))

    def part(self) -> Formula:
        if self._takes("!"):
            return Not(self.part())
        start = self.at
        if not self._takes("("):
            raise _mistake("a question in parentheses is missing", self.text, self.at)
        if self._sees("(") or self._sees("!"):
            question = self.either()
            if not self._takes(")"):
                raise _mistake("this parenthesis is never closed", self.text, start)
            return question
        return self._inside(start)

    def _inside(self, start: int) -> Atom:
        """Read a plain question up to its closing parenthesis; it may contain parentheses itself."""
        depth = 1
        for at in range(self.at, len(self.text)):
            depth += {"(": 1, ")": -1}.get(self.text[at], 0)
            if depth == 0:
                inside, self.at = self.text[self.at : at].strip(), at + 1
                return _plain(inside, start, self.text)
        raise _mistake("this parenthesis is never closed", self.text, start)

    def end(self) -> None:
        self._skip()
        if self.at < len(self.text):
            raise _mistake("this stands outside of the parentheses", self.text, self.at)

    def _skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def _sees(self, sign: str) -> bool:
        self._skip()
        return self.text.startswith(sign, self.at)

    def _takes(self, sign: str) -> bool:
        present = self._sees(sign)
        self.at += len(sign) if present else 0
        return present
