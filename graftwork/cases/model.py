"""`Case`: a sentence or a goal in a scene, and what should come of it; nothing here knows about files.

A case expects one thing. What an outcome must be like is a small value per kind, `Expected` for short; what a plan must
be like is a `PlanExpected`, made of `StepPattern` values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal as Choice
from typing import NamedTuple

from semantics.atoms import Atom, Conjunct, Formula, Literal
from semantics.feedback import Code
from semantics.state import Action

__all__ = [
    "ANY",
    "Already",
    "Answers",
    "Case",
    "CasePosition",
    "Expected",
    "Partial",
    "PlanExpected",
    "Planned",
    "QuestionExpected",
    "RefusalExpected",
    "StepPattern",
    "Substituted",
]

ANY = "*"
"""Stands for any argument of a step."""

Answers = tuple[str, ...]
"""What a scripted model says, in order."""


class CasePosition(NamedTuple):
    """Where a case stands: its file as it was given, and a 1-based line."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class StepPattern(NamedTuple):
    """A step, or several: `args` may hold `ANY`; None stands for any arguments at all."""

    name: str
    args: tuple[str, ...] | None = None

    def matches(self, action: Action) -> bool:
        """Return whether `action` is such a step."""
        if self.name != action.name or (self.args is not None and len(self.args) != len(action.args)):
            return False
        return all(asked in (ANY, arg) for asked, arg in zip(self.args or action.args, action.args, strict=True))

    def __str__(self) -> str:
        return self.name if self.args is None else f"({' '.join((self.name, *self.args))})"


@dataclass(frozen=True, slots=True)
class PlanExpected:
    """What a plan must be like.

    Attributes:
        whole: All its steps; None when only some are told.
        contains: Steps it has somewhere.
        in_order: Steps it has in this order, others between them.
        without: Steps it has nowhere.
        length: How many steps it has.
    """

    whole: tuple[StepPattern, ...] | None = None
    contains: tuple[StepPattern, ...] = ()
    in_order: tuple[StepPattern, ...] = ()
    without: tuple[StepPattern, ...] = ()
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan of this cost and shape; `optimal` says whether it must be proved that none is cheaper."""

    cost: int | None = None
    shape: PlanExpected = PlanExpected()
    optimal: bool | None = None


@dataclass(frozen=True, slots=True)
class RefusalExpected:
    """No plan is made, for this reason.

    Attributes:
        code: What is found wrong, perhaps among other things.
        stage: Whether the check refuses the goal, or the planner finds nothing that reaches it.
        culprits: Names that are blamed, all of them.
    """

    code: Code
    stage: Choice["check", "planning"] = "check"
    culprits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class QuestionExpected:
    """The person is asked something; `options` are among the answers offered."""

    options: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Already:
    """The goal holds at the start."""


@dataclass(frozen=True, slots=True)
class Substituted:
    """What is missing is replaced by something of the class `class_name`."""

    class_name: str


@dataclass(frozen=True, slots=True)
class Partial:
    """The most valuable part of the goal.

    Attributes:
        reached: Literals that hold in the end.
        left_out: Literals that do not, each with the reason, if one is told.
        cost: Of the plan.
        value: Sum of the weights of what is reached.
        weights: What each wish is worth; one where nothing is said.
        hard: What may not be left out.
    """

    reached: Conjunct = frozenset()
    left_out: Mapping[Literal, Code | None] = field(default_factory=lambda: MappingProxyType({}))
    cost: int | None = None
    value: float | None = None
    weights: Mapping[Literal, float] = field(default_factory=lambda: MappingProxyType({}))
    hard: Conjunct = frozenset()


Expected = Planned | RefusalExpected | QuestionExpected | Already | Substituted | Partial


@dataclass(frozen=True, slots=True)
class Case:
    """What is asked for in which scene, and what should come of it.

    Attributes:
        name: What it shows, in words.
        place: Where it stands.
        scene: Name or path of the scene.
        goal: What is wanted; None when it is said in words.
        instruction: What is wanted, in words; empty when there is a goal.
        expected: What should come of it.
        answers: What a scripted model answers; None for the offline interpreter.
        added: Facts that hold besides those of the scene.
        removed: Facts of the scene that do not hold.
    """

    name: str
    place: CasePosition
    scene: str
    goal: Formula | None
    instruction: str
    expected: Expected
    answers: Answers | None = None
    added: frozenset[Atom] = frozenset()
    removed: frozenset[Atom] = frozenset()
