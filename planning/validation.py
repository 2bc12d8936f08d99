"""Validation: a plan from any source is proved by running it through the model, step by step.

`validate` takes operators. `validate_actions` takes names and arguments as a memory or a model wrote them, which may
not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domains.problem import Problem
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import And, Atom, Conjunct, Formula, Literal, numbers_in
from semantics.logic.feedback import Code, Feedback
from semantics.logic.said_number import shortfall
from semantics.logic.state import Action, Operator, Plan, State


@dataclass(frozen=True, slots=True)
class Valid:
    """Every step is applicable in its turn, and the goal holds afterwards; `state` is the final state."""

    state: State


@dataclass(frozen=True, slots=True)
class Invalid:
    """The plan breaks at `step`, where `missing` does not hold.

    Attributes:
        step: The first index where it breaks (0-based); the number of steps stands for the goal.
        missing: The literals that would have to hold there, sorted; empty if there is no such action.
        action: The step; None for the goal.
        reason: Why there is no such action, or which part of its condition is false, half a sentence, or empty.
        remedy: The nearest amount that would do, a sentence, or empty.
        nearest: This amount, with the number of the world that stands for it; None if there is none.
    """

    step: int
    missing: tuple[Literal, ...]
    action: Action | None = None
    reason: str = ""
    remedy: str = ""
    nearest: tuple[Atom, float] | None = None

    def __str__(self) -> str:
        return str(self.feedback)

    @property
    def feedback(self) -> Feedback:
        """The first failing step and atom, as the record that all other parts read."""
        what = f"step {self.step + 1}, {self.action}" if self.action else "the goal at the end of the plan"
        first = self.missing[0] if self.missing else None
        why = self.reason or (f"{first} does not hold there" if first else "its condition does not hold there")
        names = first.atom.args if first else self.action.args if self.action else ()
        return Feedback(Code.INVALID_PLAN, what, why, self.remedy, culprits=tuple(dict.fromkeys(names)))


def validate(steps: Sequence[Operator], state: State, goal: Conjunct) -> Valid | Invalid:
    """Run `steps` from `state`, and test `goal` at the end."""
    for index, step in enumerate(steps):
        try:
            if not step.applicable(state):
                return _refused(index, step, state)
            state = step.apply(state)
        except UsageError as error:  # an unknown number
            return Invalid(index, (), step.action, str(error))
    return Valid(state) if state.satisfies(goal) else Invalid(len(steps), state.missing(goal))


def _refused(index: int, step: Operator, state: State) -> Invalid:
    if (lacking := state.missing(step.precondition)) or step.condition is None:
        return Invalid(index, lacking, step.action)
    if (short := shortfall(step.said_numbers, state.numbers)) is not None:
        return Invalid(index, step.missing(state), step.action, short.why, short.how, short.nearest)
    part = _unmet(step.condition, state)
    numbers = {atom: state.numbers[atom] for atom in numbers_in(part) if atom in state.numbers}
    values = "".join(f", {atom} is {value:g}" for atom, value in numbers.items())
    return Invalid(index, step.missing(state), step.action, f"{part} does not hold there{values}")


def _unmet(formula: Formula, state: State) -> Formula:
    """Return the first part of a conjunction that does not hold."""
    while isinstance(formula, And):
        formula = next(part for part in formula.parts if not state.judge(part))
    return formula


def validate_actions(actions: Sequence[Action], problem: Problem) -> Valid | Invalid:
    """Run `actions` with the problem's domain. An unknown action, or one that no agent can do, breaks the plan.

    For a goal with alternatives, one of them must hold at the end. If none does, the result reports the first.
    """
    steps: list[Operator] = []
    for index, action in enumerate(actions):
        try:
            steps.append(problem.ground(action))
        except UsageError as error:
            earlier = validate(steps, problem.closed, frozenset())
            return earlier if isinstance(earlier, Invalid) else Invalid(index, (), action, str(error))
    verdicts = [validate(steps, problem.closed, goal) for goal in problem.goal]
    return next((verdict for verdict in verdicts if isinstance(verdict, Valid)), verdicts[0])


def proved(
    steps: tuple[Operator, ...], goal: Conjunct, state: State, *, optimal: bool, planner: str, seconds: float
) -> Plan | NoPlan:
    """Validate the steps that a planner returned with the model."""
    verdict = validate(steps, state, goal)
    if isinstance(verdict, Valid):
        return Plan(steps, goal, optimal, planner, seconds)
    broken = f"{' '.join(map(str, verdict.missing))} does not hold" if verdict.missing else verdict.feedback.why
    why, what = f"the planner's plan breaks there: {broken}", str(verdict.action or "the goal")
    return NoPlan(Feedback(Code.INVALID_PLAN, what, why, verdict.remedy, recoverable=False), False, seconds)
