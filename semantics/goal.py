"""The results of interpreting a sentence: a goal, a question, an answer, or a rejection.

`interpret` returns a `Goal` (not yet checked), a `Question` or a `Rejection`; `semantics.goal_check` turns a `Goal`
into a `CheckedGoal`, whose conjuncts are the goal of a `domains.problem.Problem`, the only type that planning takes.
"""

from __future__ import annotations

from dataclasses import dataclass

from semantics.atoms import Conjunct, Formula
from semantics.feedback import Feedback

__all__ = ["Answer", "CheckedGoal", "Goal", "Question", "Rejection"]


@dataclass(frozen=True, slots=True)
class Goal:
    """A condition that a person wants to hold; it is not checked yet.

    Attributes:
        formula: The condition.
        text: The sentence it came from, or empty.
        notes: What the interpretation assumed, one sentence each ("'glass' was read as cup0 (synonym)").
    """

    formula: Formula
    text: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.formula)


@dataclass(frozen=True, slots=True)
class CheckedGoal:
    """A goal that names only existing things and contradicts nothing.

    Attributes:
        goal: The goal as said.
        conjuncts: The disjuncts that passed, in reading order; never empty.
        already: Whether one of them holds in the state of the check.
        dropped: Why other disjuncts, and denials of what can never hold, were dropped.
    """

    goal: Goal
    conjuncts: tuple[Conjunct, ...]
    already: bool = False
    dropped: tuple[Feedback, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejection:
    """A goal or a sentence that is refused, with all reasons."""

    feedback: tuple[Feedback, ...]

    def __str__(self) -> str:
        return " ".join(map(str, self.feedback))


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a person has to answer before the robot can act.

    Attributes:
        text: The question in words.
        options: Acceptable answers, most likely first; empty when any answer is acceptable.
        feedback: The reason for the question.
    """

    text: str
    options: tuple[str, ...] = ()
    feedback: Feedback | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply that needs no action."""

    text: str
