"""The outcome of a case, and the words for it and for its plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planning import PartialPlan
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Feedback
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
