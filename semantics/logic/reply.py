"""`Reply`: what a person, a language model, a file or the memory says, as one discriminated value.

A reply has one content and a short note. Its kind is that of its content: a goal, a program, a plan, a lesson, a
correction of what is planned or runs, a control of the run, a query, a question to a person, a choice, an answer, a
refusal, or a tool. `semantics.logic.reply_form` has the JSON form of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from semantics.logic.atoms import Formula
from semantics.logic.goal import Goal, Question

if TYPE_CHECKING:  # a process that decides imports few modules
    from semantics.logic.correction import Correction
    from semantics.logic.lesson import Lesson


@dataclass(frozen=True, slots=True)
class ProgramText:
    """A program, as text; see docs/programs.md."""

    text: str  # the program
    name: str = ""  # what it is called: the name of its file, or its first line


@dataclass(frozen=True, slots=True)
class PlanText:
    """A plan as lines of text, in PDDL or as commands, and the brief before it (CoPAL, section III)."""

    lines: tuple[str, ...]  # the steps, in order
    brief: str = ""  # goal, things needed, state and remaining work in words; empty without one


class ControlKind(StrEnum):
    """What becomes of the run under way."""

    STOP = "stop"
    HOLD = "hold"
    GO_ON = "go on"
    INSTEAD = "instead"
    AFTERWARDS = "afterwards"


@dataclass(frozen=True, slots=True)
class Control:
    """An order about the run under way; `request` is what is asked for instead or afterwards."""

    order: ControlKind
    request: str = ""


class QueryKind(StrEnum):
    """What a query asks."""

    WHERE = "where"
    WHAT = "what"
    COUNT = "count"
    WHICH = "which"
    HOLDS = "holds"
    WHY = "why"
    DONE = "done"
    NEXT = "next"
    ABLE = "able"


class OwnQuery(StrEnum):
    """What a person's words ask besides; no model is told of it."""

    THERE = "there"
    WAS = "was"
    KNOWN = "known"
    REMEMBER = "remember"
    MISREAD = "misread"


@dataclass(frozen=True, slots=True)
class Query:
    """A question about the scene or the doings, in a form that is computed.

    Attributes:
        asked: What is asked.
        about: Names of things, classes, kinds, affordances or capabilities.
        that: The condition that it is about; it may quantify. Where things are asked for, ``?x`` stands for them.
    """

    asked: QueryKind | OwnQuery
    about: tuple[str, ...] = ()
    that: Formula | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen among the options of a question."""

    option: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Words that answer a question and that nothing is computed from."""

    text: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is to be done."""

    why: str  # the reason
    missing: tuple[str, ...] = ()  # what is absent, by name, if that is the reason


class ToolName(StrEnum):
    """A tool that a model may choose (AutoGPT+P, section IV)."""

    LOOK_FOR = "look for"
    SUBSTITUTE = "substitute"
    PART = "part"
    LOOK_UP = "look up"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Tool:
    """The use of a tool with an argument."""

    name: ToolName
    argument: str


Content: TypeAlias = (
    "Goal | ProgramText | PlanText | Correction | Control | Query | Question | Choice | Answer | Refusal | Tool"
    " | Lesson"
)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply: its content and a short note."""

    content: Content
    note: str = ""
