"""What a sentence can turn into: a goal, a question, an answer, or a refusal.

`interpret` gives a `Goal` (not yet checked), a `Question` or a `Rejection`; `semantics.check_goal` turns a `Goal` into
a `CheckedGoal`, whose conjuncts are the goal of a `domains.problem.Problem`, the only type that planning takes.
"""

from __future__ import annotations

from dataclasses import dataclass

from semantics.atoms import Conjunct, Formula
from semantics.feedback import Feedback

__all__ = ["Answer", "CheckedGoal", "Goal", "Question", "Rejection"]


@dataclass(frozen=True, slots=True)
class Goal:
    """A condition somebody wants to hold; nothing about it has been checked.

    Attributes:
        formula: The condition.
        text: The sentence it came from, or empty.
        notes: What the reading assumed, one sentence each ("'glass' was read as cup0 (synonym)").
    """

    formula: Formula
    text: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.formula)


@dataclass(frozen=True, slots=True)
class CheckedGoal:
    """A goal that names only what exists and contradicts nothing.

    Attributes:
        goal: The goal as said.
        conjuncts: The disjuncts that passed, in reading order; never empty.
        already: Whether one of them holds in the state it was checked against.
        dropped: Why other disjuncts were dropped.
    """

    goal: Goal
    conjuncts: tuple[Conjunct, ...]
    already: bool = False
    dropped: tuple[Feedback, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejection:
    """A goal or a sentence that is not taken, with every reason found."""

    feedback: tuple[Feedback, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.feedback))


@dataclass(frozen=True, slots=True)
class Question:
    """Something a person has to answer before anything can be done.

    Attributes:
        text: The question in words.
        options: The answers that would do, most likely first; empty when any would.
        feedback: Why it is asked.
    """

    text: str
    options: tuple[str, ...] = ()
    feedback: Feedback | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Something to say back, with nothing to do."""

    text: str
