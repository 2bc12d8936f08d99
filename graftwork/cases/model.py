"""`Case`: an instruction or a goal in a scene, and its expected outcome; nothing here knows about files.

A case expects one outcome. Each kind of outcome has its own small class; `Expected` is their union. A `PlanExpected`
describes a plan by `StepPattern` values.
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
"""Matches any argument of a step."""

Answers = tuple[str, ...]
"""The answers of a scripted model, in order."""


class CasePosition(NamedTuple):
    """The position of a case: its file as the caller wrote it, and a 1-based line."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class StepPattern(NamedTuple):
    """A pattern that matches steps: `args` may hold `ANY`; None matches all arguments."""

    name: str
    args: tuple[str, ...] | None = None

    def matches(self, action: Action) -> bool:
        """Return whether `action` matches the pattern."""
        if self.name != action.name or (self.args is not None and len(self.args) != len(action.args)):
            return False
        return all(asked in (ANY, arg) for asked, arg in zip(self.args or action.args, action.args, strict=True))

    def __str__(self) -> str:
        return self.name if self.args is None else f"({' '.join((self.name, *self.args))})"


@dataclass(frozen=True, slots=True)
class PlanExpected:
    """The properties that a plan must have.

    Attributes:
        whole: All its steps; None when the case names only some of them.
        contains: Steps that it contains at any position.
        in_order: Steps that it contains in this order; other steps may stand between them.
        without: Steps that it does not contain.
        length: Its number of steps.
    """

    whole: tuple[StepPattern, ...] | None = None
    contains: tuple[StepPattern, ...] = ()
    in_order: tuple[StepPattern, ...] = ()
    without: tuple[StepPattern, ...] = ()
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan of this cost and shape; `optimal` says whether the planner must prove that no plan is cheaper."""

    cost: int | None = None
    shape: PlanExpected = PlanExpected()
    optimal: bool | None = None


@dataclass(frozen=True, slots=True)
class RefusalExpected:
    """There is no plan, for this reason.

    Attributes:
        code: The code of the reason; there may be further reasons.
        stage: ``check`` when the check refuses the goal, ``planning`` when the planner finds no plan.
        culprits: All names that the reason blames.
    """

    code: Code
    stage: Choice["check", "planning"] = "check"
    culprits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class QuestionExpected:
    """A question to the person; it offers at least these `options`."""

    options: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Already:
    """The goal holds at the start."""


@dataclass(frozen=True, slots=True)
class Substituted:
    """An object of the class `class_name` replaces the missing one."""

    class_name: str


@dataclass(frozen=True, slots=True)
class Partial:
    """The most valuable part of the goal.

    Attributes:
        reached: Literals that hold at the end.
        left_out: Literals that do not hold at the end, each with the expected reason or None.
        cost: Cost of the plan.
        value: Sum of the weights of the reached literals.
        weights: Weight of each literal; 1 for a literal that is not listed.
        hard: Literals that must be reached.
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
    """A request in a scene, and its expected outcome.

    Attributes:
        name: What the case shows, in words.
        place: Its position in a file.
        scene: Name or path of the scene.
        goal: The goal; None when the case has an instruction.
        instruction: The instruction in words; empty when the case has a goal.
        expected: The expected outcome.
        answers: The answers of a scripted model; None for the offline interpreter.
        added: Facts that hold in addition to those of the scene.
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
