"""`Case`: an instruction or a goal in a scene, and its expected outcome; nothing here knows about files.

A case expects one outcome. Each kind of outcome has its own small class, an `Expectation`, which compares an outcome
with itself. A `PlanExpected` describes a plan by `StepPattern` values.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import ndiff
from types import MappingProxyType
from typing import Literal as Choice, NamedTuple

from planning import PartialPlan
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import Atom, Conjunct, Formula, Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Question, Rejection
from semantics.logic.state import Action, Plan
from semantics.plain_text import counted


@dataclass(frozen=True, slots=True)
class ProposedSubstitute:
    """The class proposed as a substitute; if there is none, the class is empty and the reason says why."""

    class_name: str = ""
    reason: str = ""


Outcome = CheckedGoal | Plan | NoPlan | PartialPlan | Rejection | Question | ProposedSubstitute
"""The outcome of a case; a `CheckedGoal` when the case needs no more than the check."""


def told(outcome: Outcome) -> str:
    """Return the outcome of a case as one line of text."""
    match outcome:
        case Rejection(feedback):
            return "refused: " + "; ".join(map(with_code, feedback))
        case Question(text):
            return f"a question: {text}"
        case CheckedGoal(already=already):
            return "the goal holds already" if already else "the goal passes the check"
        case ProposedSubstitute(name, reason):
            return f"the substitute {name}" if name else f"no substitute: {reason}"
    return _planning_line(outcome)


def _planning_line(outcome: Plan | NoPlan | PartialPlan) -> str:
    match outcome:
        case NoPlan(feedback):
            return f"no plan: {with_code(feedback)}"
        case PartialPlan(plan, reached):
            return f"a part, {' '.join(map(str, sorted(reached))) or 'empty'}, cost {plan.cost}"
        case Plan(steps):
            return f"a plan of {counted(len(steps), 'step')}, cost {outcome.cost}"


def mismatch(wanted: str, outcome: Outcome) -> str:
    """Return the sentence that an outcome of another kind than the wanted one was got."""
    plan = f"\n{plan_lines([step.action for step in outcome.steps])}" if isinstance(outcome, Plan) else ""
    return f"expected {wanted}, got {told(outcome)}{plan}"


def with_code(feedback: Feedback) -> str:
    """Return feedback after its code."""
    return f"{feedback.code} ({feedback})"


def plan_lines(actions: Sequence[Action]) -> str:
    """Return the actions of a plan, one on each line."""
    return "\n".join(f"    {action}" for action in actions)


ANY = "*"  # matches any argument of a step


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
    """The properties that a plan must have."""

    whole: tuple[StepPattern, ...] | None = None  # all its steps; None when the case names only some of them
    contains: tuple[StepPattern, ...] = ()  # steps that it contains at any position
    in_order: tuple[StepPattern, ...] = ()  # steps that it contains in this order; other steps may stand between them
    without: tuple[StepPattern, ...] = ()  # steps that it does not contain
    length: int | None = None  # its number of steps

    def differences(self, actions: Sequence[Action]) -> Iterator[str]:
        """Yield what the actions of a plan lack."""
        plan = plan_lines(actions) or "    (the plan is empty)"
        if self.whole is not None and not _is_whole(self.whole, actions):
            yield "expected another plan (- expected, + got)\n" + _difference(self.whole, actions)
        if self.length is not None and self.length != len(actions):
            yield f"expected {counted(self.length, 'step')}, got {len(actions)}\n{plan}"
        for pattern in self.contains:
            if not any(map(pattern.matches, actions)):
                yield f"expected {pattern} in the plan, which has no such step\n{plan}"
        for pattern in self.without:
            for action in filter(pattern.matches, actions):
                yield f"expected no {pattern} in the plan, got {action}\n{plan}"
        left = iter(actions)
        missed = next((pattern for pattern in self.in_order if not any(map(pattern.matches, left))), None)
        if missed is not None:
            yield f"expected in order {' '.join(map(str, self.in_order))}; {missed} does not follow\n{plan}"


def _is_whole(patterns: Sequence[StepPattern], actions: Sequence[Action]) -> bool:
    pairs = zip(patterns, actions, strict=False)
    return len(patterns) == len(actions) and all(pattern.matches(action) for pattern, action in pairs)


def _difference(patterns: Sequence[StepPattern], actions: Sequence[Action]) -> str:
    """Compare line by line; a pattern that matches the step at its position is shown as that step."""
    met = [
        str(action) if pattern.matches(action) else str(pattern)
        for pattern, action in zip(patterns, actions, strict=False)
    ]
    wanted = [*met, *map(str, patterns[len(met) :])]
    return "\n".join(f"    {line}" for line in ndiff(wanted, list(map(str, actions))) if not line.startswith("?"))


class Expectation(ABC):
    """An expected outcome; its text is what the page of a world says of it."""

    __slots__ = ()

    @abstractmethod
    def differences(self, outcome: Outcome) -> Iterator[str]:
        """Yield the differences of an outcome from this one, a sentence or a block each; nothing when they agree."""


@dataclass(frozen=True, slots=True)
class Planned(Expectation):
    """A plan of this cost and shape; `optimal` says whether the planner must prove that no plan is cheaper."""

    cost: int | None = None
    shape: PlanExpected = PlanExpected()
    optimal: bool | None = None

    def differences(self, outcome: Outcome) -> Iterator[str]:
        """Compare the cost, the proof and the steps of a plan."""
        if not isinstance(outcome, Plan):
            yield mismatch("a plan", outcome)
            return
        actions = [step.action for step in outcome.steps]
        if self.cost is not None and self.cost != outcome.cost:
            yield f"expected cost {self.cost}, got {outcome.cost}\n{plan_lines(actions)}"
        if self.optimal is not None and self.optimal != outcome.optimal:
            proof = ("an optimal plan" if flag else "a plan without proof" for flag in (self.optimal, outcome.optimal))
            yield "expected {}, got {}".format(*proof)
        yield from self.shape.differences(actions)

    def __str__(self) -> str:
        sure = ", proved to be the least" if self.optimal else ""
        return "a plan" if self.cost is None else f"a plan of cost {self.cost}{sure}"


@dataclass(frozen=True, slots=True)
class RefusalExpected(Expectation):
    """There is no plan, for this reason."""

    code: Code  # the code of the reason; there may be further reasons
    # ``check`` when the check refuses the goal, ``planning`` when the planner finds no plan
    stage: Choice["check", "planning"] = "check"
    culprits: frozenset[str] = frozenset()  # all names that the reason blames

    def differences(self, outcome: Outcome) -> Iterator[str]:
        """Compare the stage of a refusal, its code and the names that it blames."""
        records: tuple[Feedback, ...] = ()
        if self.stage == "check" and isinstance(outcome, Rejection):
            records = outcome.feedback
        elif self.stage == "planning" and isinstance(outcome, NoPlan):
            records = (outcome.feedback,)
        coded = [record for record in records if record.code is self.code]
        if not coded:
            yield mismatch(f"{'refused' if self.stage == 'check' else 'no plan'}: {self.code}", outcome)
        elif self.culprits and not any(self.culprits == set(record.culprits) for record in coded):
            blamed = " or ".join(" ".join(record.culprits) or "nobody" for record in coded)
            yield f"expected {self.code} to blame {' '.join(sorted(self.culprits))}, it blames {blamed}"

    def __str__(self) -> str:
        return f"refused, `{self.code}`"


@dataclass(frozen=True, slots=True)
class QuestionExpected(Expectation):
    """A question to the person; it offers at least these `options`."""

    options: frozenset[str] = frozenset()

    def differences(self, outcome: Outcome) -> Iterator[str]:
        """Compare the options of a question."""
        if not isinstance(outcome, Question):
            yield mismatch("a question", outcome)
        elif missing := sorted(self.options - set(outcome.options)):
            offered = ", ".join(outcome.options) or "none"
            yield f"expected the options {', '.join(missing)}, got {offered}: {outcome.text}"

    def __str__(self) -> str:
        return "a question"


@dataclass(frozen=True, slots=True)
class Already(Expectation):
    """The goal holds at the start."""

    def differences(self, outcome: Outcome) -> Iterator[str]:
        """Check that nothing is left to be done."""
        if not (isinstance(outcome, CheckedGoal) and outcome.already):
            yield mismatch("that the goal holds already", outcome)

    def __str__(self) -> str:
        return "already so"


@dataclass(frozen=True, slots=True)
class Substituted(Expectation):
    """An object of the class `class_name` replaces the missing one."""

    class_name: str

    def differences(self, outcome: Outcome) -> Iterator[str]:
        """Compare the proposed class."""
        if not (isinstance(outcome, ProposedSubstitute) and outcome.class_name == self.class_name):
            yield mismatch(f"the substitute {self.class_name}", outcome)

    def __str__(self) -> str:
        return f"a {self.class_name} instead"


@dataclass(frozen=True, slots=True)
class Partial(Expectation):
    """The most valuable part of the goal."""

    reached: Conjunct = frozenset()  # literals that hold at the end
    # literals that do not hold at the end, each with the expected reason or None
    left_out: Mapping[Literal, Code | None] = field(default_factory=lambda: MappingProxyType({}))
    cost: int | None = None  # cost of the plan
    value: float | None = None  # sum of the weights of the reached literals
    # weight of each literal; 1 for a literal that is not listed
    weights: Mapping[Literal, float] = field(default_factory=lambda: MappingProxyType({}))
    hard: Conjunct = frozenset()  # literals that must be reached

    def differences(self, outcome: Outcome) -> Iterator[str]:
        """Compare what is reached and left out, the cost and the value."""
        if not isinstance(outcome, PartialPlan):
            yield mismatch("a part of the goal", outcome)
            return
        for literal in sorted(self.reached - outcome.reached):
            why = outcome.left_out.get(literal)
            yield f"expected {literal} to be reached, it is left out{f': {with_code(why)}' if why else ''}"
        for literal, code in self.left_out.items():
            why = outcome.left_out.get(literal)
            if why is None:
                yield f"expected {literal} to be left out, it is reached"
            elif code not in (None, why.code):
                yield f"expected {literal} to be left out for {code}, got {with_code(why)}"
        if self.cost not in (None, outcome.plan.cost):
            plan = plan_lines([step.action for step in outcome.plan.steps])
            yield f"expected a part of cost {self.cost}, got {outcome.plan.cost}\n{plan}"
        if self.value is not None and abs(self.value - outcome.value) > 1e-9:
            yield f"expected a part worth {self.value:g}, got {outcome.value:g}"

    def __str__(self) -> str:
        left_out = ", ".join(f"`{literal}`" for literal in sorted(self.left_out))
        return f"all but {left_out}" if left_out else "all of it"


@dataclass(frozen=True, slots=True)
class Case:
    """A request in a scene, and its expected outcome."""

    name: str  # what the case shows, in words
    place: CasePosition  # its position in a file
    scene: str  # name or path of the scene
    goal: Formula | None  # the goal; None when the case has an instruction
    instruction: str  # the instruction in words; empty when the case has a goal
    expected: Expectation  # the expected outcome
    answers: tuple[str, ...] | None = None  # the answers of a scripted model; None for the offline interpreter
    added: frozenset[Atom] = frozenset()  # facts that hold in addition to those of the scene
    removed: frozenset[Atom] = frozenset()  # facts of the scene that do not hold
