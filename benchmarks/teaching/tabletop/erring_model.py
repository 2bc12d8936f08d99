"""`ErringModel`: a scripted stand-in for a language model that errs as often as a frozen table says.

It sees the messages of a request and nothing else, and has its own skills, rates and seed. A program for an instruction
is right, or has one of the errors of its template. Where the prompt shows a program that was taught for a sentence of
the same template, it follows that one, whatever it does, and puts in what its own sentence says. To a correction it
answers with a lesson that holds its improved program. What it errs in is drawn from the seed by the purpose of the
draw, so that runs with one seed err alike until something different is shown to them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.teaching.tabletop.rates import Rates
from benchmarks.teaching.tabletop.skills import ErrorKind, Instruction, Skills
from semantics.body.protocols import Message, ModelReply
from semantics.logic.lesson import parts_of_program

__all__ = ["ErringModel", "Saved"]

REQUEST, BEFORE = "Request: ", "Before: "
_SHOWN = re.compile(r'^"(?P<sentence>[^"\n]+)":\n(?P<body>(?:  .*\n|\n(?=  ))+)', re.MULTILINE)
_HEAD = re.compile(r"^(\w+)\([^\n]*\): ", re.MULTILINE)
Saved = dict[str, str]
"""Improved programs as they were, by their sentence and by their template: saving as is, without a product."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request, as its messages tell it.

    Attributes:
        words: What the person says.
        before: What the person said before, the last first.
        shown: The sentences and programs that are shown, the last first.
        functions: The names of the functions that are shown.
        again: How many answers to it were refused.
    """

    words: str
    before: tuple[str, ...]
    shown: tuple[tuple[str, str], ...]
    functions: frozenset[str]
    again: int


@dataclass(slots=True)
class ErringModel:
    """Answers with programs that are right or wrong; see `semantics.body.protocols.LanguageModel`.

    Args:
        skills: What it knows.
        rates: How often it errs.
        seed: Decides in what.
        saved: Where it saves improved programs as they are, to give them again for sentences of the same form; None
            if it saves nothing.
        name: Its name.
    """

    skills: Skills
    rates: Rates
    seed: str
    saved: Saved | None = None
    name: str = "erring"
    _corrections: int = field(default=0, init=False)

    def complete(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> ModelReply:
        """Answer with a program for an instruction, and with a lesson for a correction."""
        asked = _read(messages)
        instruction = self.skills.read(asked.words)
        if instruction is not None:
            return _reply({"program": self._first(instruction, asked)})
        last = next(((words, read) for words in asked.before if (read := self.skills.read(words)) is not None), None)
        if last is None:
            return _reply({"refusal": "I do not know what that is about."})
        return _reply({"lesson": {"program": self._improved(*last)}})

    def error_of(self, template: str) -> ErrorKind:
        """Return the error that it makes in a template now if it errs: the first time, or after a correction."""
        return self._draw(f"kind {self._corrections}").choice(self.skills.errors[template])

    def _first(self, asked: Instruction, request: _Asked) -> str:
        """Return a program for an instruction; one that was refused counts as corrected."""
        if self.saved is not None and not request.again:
            for key in (request.words, asked.template):
                if key in self.saved:
                    return self.saved[key]
        if request.again:
            return self._corrected(asked, f"refused {request.again}")
        followed = self._followed(asked, request)
        rate = self.rates.first.get(asked.template, 0.0) if followed is None else self.rates.following
        if self._draw(f"said {self._corrections}").random() < rate:
            return self.skills.program(asked, self.error_of(asked.template))
        return self.skills.program(asked) if followed is None else followed

    def _followed(self, asked: Instruction, request: _Asked) -> str | None:
        """Return the program that does what a taught one does; None if none of the same template is shown."""
        for sentence, body in request.shown:
            taught = self.skills.read(sentence)
            if taught is not None and taught.template == asked.template:
                program = self.skills.like(asked, taught, body)
                return _without(program or self.skills.program(asked), request.functions)
        return None

    def _improved(self, words: str, asked: Instruction) -> str:
        self._corrections += 1
        program = self._corrected(asked, f"correction {self._corrections}")
        if self.saved is not None:
            self.saved[words] = self.saved[asked.template] = program
        return program

    def _corrected(self, asked: Instruction, purpose: str) -> str:
        draw = self._draw(purpose)
        is_wrong = draw.random() < self.rates.improved
        return self.skills.program(asked, draw.choice(self.skills.errors[asked.template]) if is_wrong else None)

    def _draw(self, purpose: str) -> Random:
        return Random(f"{self.seed}, {purpose}")


def _read(messages: Sequence[Message]) -> _Asked:
    """Return what messages ask for: the last message of a person with a request, and how often it was answered."""
    at = max(n for n, each in enumerate(messages) if each.role == "user" and f"\n{REQUEST}" in each.content)
    text = messages[at].content
    lines = text.splitlines()
    words = next(line for line in reversed(lines) if line.startswith(REQUEST)).removeprefix(REQUEST)
    before = (_first_text(line.removeprefix(BEFORE)) for line in reversed(lines) if line.startswith(BEFORE))
    functions = frozenset(_HEAD.findall(text[: text.rindex(f"\n{REQUEST}")]))
    again = sum(each.role == "assistant" for each in messages[at:])
    return _Asked(_first_text(words), tuple(before), tuple(reversed(list(_shown(text)))), functions, again)


def _first_text(line: str) -> str:
    """Return the JSON text with which a line begins."""
    text, _ = json.JSONDecoder().raw_decode(line)
    return str(text)


def _shown(text: str) -> Iterator[tuple[str, str]]:
    for match in _SHOWN.finditer(text):
        yield match["sentence"], "\n".join(line[2:] for line in match["body"].splitlines())


def _without(program: str, known: frozenset[str]) -> str:
    """Return a program without the definitions of functions that it need not define."""
    functions, body = parts_of_program(program)
    return "\n\n\n".join((*(text for name, text in functions.items() if name not in known), body))


def _reply(reply: Mapping[str, Any]) -> ModelReply:
    return ModelReply(json.dumps({"reply": {**reply, "note": None}}, ensure_ascii=False))
