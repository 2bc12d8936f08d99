"""The comparison of an outcome with the expectation of a case: one sentence or block for each difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import ndiff
from typing import Any

from graftwork.cases.model import (
    Already,
    Expected,
    Partial,
    PlanExpected,
    Planned,
    QuestionExpected,
    RefusalExpected,
    StepPattern,
    Substituted,
)
from planning import PartialPlan
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal, Question, Rejection
from semantics.protocols import NoPlan
from semantics.state import Action, Plan

__all__ = ["Outcome", "ProposedSubstitute", "differences", "told"]


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
            return "refused: " + "; ".join(map(_with_code, feedback))
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
            return f"no plan: {_with_code(feedback)}"
        case PartialPlan(plan, reached):
            return f"a part, {' '.join(map(str, sorted(reached))) or 'empty'}, cost {plan.cost}"
        case Plan(steps):
            return f"a plan of {_steps(len(steps))}, cost {outcome.cost}"


def _with_code(feedback: Feedback) -> str:
    return f"{feedback.code} ({feedback})"


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"


def differences(expected: Expected, outcome: Outcome) -> tuple[str, ...]:
    """Return the differences between the expected outcome and the actual one; empty when they agree."""
    judge = JUDGES[type(expected)]
    return tuple(judge(expected, outcome))


def _planned(expected: Planned, outcome: Outcome) -> Iterator[str]:
    if not isinstance(outcome, Plan):
        yield _mismatch("a plan", outcome)
        return
    if expected.cost is not None and expected.cost != outcome.cost:
        yield f"expected cost {expected.cost}, got {outcome.cost}\n{_plan_lines(outcome)}"
    if expected.optimal is not None and expected.optimal != outcome.optimal:
        proof = ("an optimal plan" if flag else "a plan without proof" for flag in (expected.optimal, outcome.optimal))
        yield "expected {}, got {}".format(*proof)
    yield from _shaped(expected.shape, [step.action for step in outcome.steps])


def _plan_lines(plan: Plan) -> str:
    return "\n".join(f"    {step}" for step in plan.steps)


def _shaped(shape: PlanExpected, actions: Sequence[Action]) -> Iterator[str]:
    if shape.whole is not None and not _is_whole(shape.whole, actions):
        yield "expected another plan (- expected, + got)\n" + _difference(shape.whole, actions)
    if shape.length is not None and shape.length != len(actions):
        yield f"expected {_steps(shape.length)}, got {len(actions)}\n{_plan(actions)}"
    for pattern in shape.contains:
        if not any(map(pattern.matches, actions)):
            yield f"expected {pattern} in the plan, which has no such step\n{_plan(actions)}"
    for pattern in shape.without:
        for action in filter(pattern.matches, actions):
            yield f"expected no {pattern} in the plan, got {action}\n{_plan(actions)}"
    missed = _first_out_of_order(shape.in_order, actions)
    if missed is not None:
        yield f"expected in order {' '.join(map(str, shape.in_order))}; {missed} does not follow\n{_plan(actions)}"


def _plan(actions: Sequence[Action]) -> str:
    return "\n".join(f"    {action}" for action in actions) or "    (the plan is empty)"


def _is_whole(patterns: Sequence[StepPattern], actions: Sequence[Action]) -> bool:
    pairs = zip(patterns, actions, strict=False)
    return len(patterns) == len(actions) and all(pattern.matches(action) for pattern, action in pairs)


def _difference(patterns: Sequence[StepPattern], actions: Sequence[Action]) -> str:
    """Compare line by line; a pattern that matches the step at its position is shown as that step."""
    got = list(map(str, actions))
    met = [
        str(action) if pattern.matches(action) else str(pattern)
        for pattern, action in zip(patterns, actions, strict=False)
    ]
    wanted = [*met, *map(str, patterns[len(met) :])]
    return "\n".join(f"    {line}" for line in ndiff(wanted, got) if not line.startswith("?"))


def _first_out_of_order(patterns: Sequence[StepPattern], actions: Sequence[Action]) -> StepPattern | None:
    left = iter(actions)
    return next((pattern for pattern in patterns if not any(map(pattern.matches, left))), None)


def _refused(expected: RefusalExpected, outcome: Outcome) -> Iterator[str]:
    records: tuple[Feedback, ...] = ()
    if expected.stage == "check" and isinstance(outcome, Rejection):
        records = outcome.feedback
    elif expected.stage == "planning" and isinstance(outcome, NoPlan):
        records = (outcome.feedback,)
    what = "refused" if expected.stage == "check" else "no plan"
    coded = [record for record in records if record.code is expected.code]
    if not coded:
        yield _mismatch(f"{what}: {expected.code}", outcome)
    elif expected.culprits and not any(expected.culprits == set(record.culprits) for record in coded):
        blamed = " or ".join(" ".join(record.culprits) or "nobody" for record in coded)
        yield f"expected {expected.code} to blame {' '.join(sorted(expected.culprits))}, it blames {blamed}"


def _asked(expected: QuestionExpected, outcome: Outcome) -> Iterator[str]:
    if not isinstance(outcome, Question):
        yield _mismatch("a question", outcome)
    elif missing := sorted(expected.options - set(outcome.options)):
        yield f"expected the options {', '.join(missing)}, got {', '.join(outcome.options) or 'none'}: {outcome.text}"


def _already(expected: Already, outcome: Outcome) -> Iterator[str]:
    if not (isinstance(outcome, CheckedGoal) and outcome.already):
        yield _mismatch("that the goal holds already", outcome)


def _substituted(expected: Substituted, outcome: Outcome) -> Iterator[str]:
    if not (isinstance(outcome, ProposedSubstitute) and outcome.class_name == expected.class_name):
        yield _mismatch(f"the substitute {expected.class_name}", outcome)


def _partial(expected: Partial, outcome: Outcome) -> Iterator[str]:
    if not isinstance(outcome, PartialPlan):
        yield _mismatch("a part of the goal", outcome)
        return
    for literal in sorted(expected.reached - outcome.reached):
        why = outcome.left_out.get(literal)
        yield f"expected {literal} to be reached, it is left out{f': {_with_code(why)}' if why else ''}"
    for literal, code in expected.left_out.items():
        why = outcome.left_out.get(literal)
        if why is None:
            yield f"expected {literal} to be left out, it is reached"
        elif code not in (None, why.code):
            yield f"expected {literal} to be left out for {code}, got {_with_code(why)}"
    if expected.cost not in (None, outcome.plan.cost):
        yield f"expected a part of cost {expected.cost}, got {outcome.plan.cost}\n{_plan_lines(outcome.plan)}"
    if expected.value is not None and abs(expected.value - outcome.value) > 1e-9:
        yield f"expected a part worth {expected.value:g}, got {outcome.value:g}"


def _mismatch(wanted: str, outcome: Outcome) -> str:
    plan = f"\n{_plan_lines(outcome)}" if isinstance(outcome, Plan) else ""
    return f"expected {wanted}, got {told(outcome)}{plan}"


JUDGES: dict[type[Any], Callable[[Any, Outcome], Iterator[str]]] = {
    Planned: _planned,
    RefusalExpected: _refused,
    QuestionExpected: _asked,
    Already: _already,
    Substituted: _substituted,
    Partial: _partial,
}
