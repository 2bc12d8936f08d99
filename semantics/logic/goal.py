"""The results of interpreting a sentence: a goal, a question, an answer, or a rejection.

`interpret` returns a `Goal` (not yet checked), a `Question` or a `Rejection`; `semantics.logic.goal_check` turns a
`Goal` into a `CheckedGoal`, whose conjuncts are the goal of a `domains.problem.Problem`, the only type that planning
takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from semantics.logic.atoms import Conjunct, Formula
from semantics.logic.feedback import Feedback
from semantics.logic.quantity import Quantity
from semantics.plain_text import together

__all__ = ["CheckedGoal", "Every", "Goal", "Question", "Rejection"]


MOST_TOLD = 6
"""How many reasons of a refusal its text has."""


@dataclass(frozen=True, slots=True)
class Every:
    """Words of a goal that mean all things of a sort, also those that appear while it is pursued.

    Attributes:
        words: Such as ``all the fruit on the table``; or a whole goal in PDDL that quantifies.
        names: The things that they meant when the goal was read.
        affordance: What the things are needed for; empty for anything, and for a goal in PDDL.
    """

    words: str
    names: tuple[str, ...] = ()
    affordance: str = ""


@dataclass(frozen=True, slots=True)
class Goal:
    """A condition that a person wants to hold; it is not checked yet.

    Attributes:
        formula: The condition.
        text: The sentence it came from, or empty.
        notes: What the interpretation assumed, one sentence each ("'glass' was read as cup0 (synonym)").
        later: What is to hold afterwards, one goal after the other; each is sensed to hold before the next is begun,
            and need not hold any longer then. None of them has a `later` of its own.
        values: What was said about the way there, such as a speed, sorted by name: for every step that takes a value of
            this name, or for the steps of one capability, as in ``move.speed``.
        every: The words in it that mean all things of a sort.
    """

    formula: Formula
    text: str = ""
    notes: tuple[str, ...] = ()
    later: tuple[Goal, ...] = ()
    values: tuple[tuple[str, Quantity], ...] = ()
    every: tuple[Every, ...] = ()

    @property
    def stages(self) -> tuple[Goal, ...]:
        """This goal without the later ones, and these, in order."""
        return (replace(self, later=()), *self.later)

    @property
    def manner(self) -> str:
        """Its values in words, behind its condition in words: `` (speed 20cm/s)``; empty without values."""
        return f" ({', '.join(f'{name} {quantity}' for name, quantity in self.values)})" if self.values else ""

    def __str__(self) -> str:
        return ", then ".join(" ".join((str(stage.formula), *_said(stage))) for stage in (self, *self.later))


def _said(goal: Goal) -> Iterator[str]:
    for name, quantity in goal.values:
        yield f":{name} {quantity}"


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
    """A goal or a sentence that is refused, with all reasons; as text with the first `MOST_TOLD` of them."""

    feedback: tuple[Feedback, ...]

    def __str__(self) -> str:
        told = " ".join(map(str, self.feedback[:MOST_TOLD]))
        more = len(self.feedback) - MOST_TOLD
        return told if more <= 0 else f"{told} And {more} more."


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

    @classmethod
    def among(cls, options: tuple[str, ...], reason: Feedback, *, guessed: bool = False) -> Question:
        """Ask which of some options is meant by the words that the reason names."""
        choice = together((f"'{option}'" for option in options), "or")
        asked = f"Did you mean {choice} by {reason.what}" if guessed else f"Which is meant by {reason.what}: {choice}"
        return cls(f"{asked}?", options, replace(reason, how=f"Say {choice}.", instead=options))
