"""A plan of any cost for the whole problem, as the satisficing planner LAMA finds it.

The optimal path (`planning.solver`) leaves out what is irrelevant and proves that its plan is cheapest. This one leaves
out nothing and proves nothing: the whole problem goes to Fast Downward's own translator as text, with all alternatives
of the goal at once. In the race of the planning services it is the floor: there is a plan whenever LAMA finds one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from domains.pddl import ProfileError, WrittenProblem, write_problem
from domains.problem import Problem
from planning.anytime import HEAD_START, LAMA, PlannerWay
from planning.errors import UnplannableError
from planning.planners.fast_downward import FastDownward
from planning.problem.text import check_names
from planning.reasons import explain
from planning.validation import proved
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.errors import GraftworkError, UnknownNameError, UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Operator, Plan, State
from semantics.plain_text import together


def satisfice(
    problem: Problem, *, planner: FastDownward, seconds: float = 20.0, below: int | None = None, attempt: int = 0
) -> Plan | NoPlan:
    """Find any plan, by the costs of the domain if the problem has its own.

    Args:
        problem: The problem to solve.
        planner: The planner whose process searches.
        seconds: The time limit.
        below: The plan must cost less; None for any plan.
        attempt: How many searches with `below` there were before.

    Returns:
        A plan that is validated with the model, with its cost at the prices of the problem. For a domain that the
        translator does not read, such as one with numbers, a failure that names what it does not read.

    Raises:
        OutsideError: The planner cannot be started.
        UsageError: The goal or the state names something that does not exist.
    """
    problem = problem.for_goal()
    check_names(problem)
    if problem.domain.planned_numbers:
        numbers = ", ".join(sorted(problem.domain.planned_numbers))
        why = f"it has numbers to be planned with ({numbers})"
        return NoPlan(Feedback(Code.UNSUPPORTED, f"the planner {LAMA}", why, recoverable=False))
    if below is not None and problem.costs is not None:
        return NoPlan(Feedback(Code.UNSUPPORTED, f"the planner {LAMA}", "a cost model is not written for it"))
    try:
        # The first search counts each action as 1, so costs, which take long to write and to translate, are left out.
        written = write_problem(replace(problem, costs=None), drop_costs=below is None, typed=True)
    except UnknownNameError as error:
        raise UnplannableError(problem.domain.name, str(error)) from error
    except ProfileError as error:  # such as a derived predicate that compares numbers; the search for a proof takes it
        why = f"it takes no {together(f'{each.feature} ({each.where})' for each in error.refusals)}"
        return NoPlan(Feedback(Code.UNSUPPORTED, f"the planner {LAMA}", why, recoverable=False))
    answer = planner.satisfice(written.domain, written.problem, seconds=seconds, below=below, attempt=attempt)
    if isinstance(answer, NoPlan):
        return replace(answer, feedback=explain(problem).feedback if answer.proven else answer.feedback, bound=0)
    return checked(answer, written, problem, LAMA)


def checked(answer: FoundPlan, written: WrittenProblem, problem: Problem, name: str) -> Plan | NoPlan:
    """Return a plan for a text as a plan of the problem, without detours, or why it is none.

    Args:
        answer: The plan, in the names of the text.
        written: The text.
        problem: The whole problem.
        name: The name of the planner in the plan.

    Raises:
        GraftworkError: A cost reads a number that there is not.
    """
    steps = tuple(problem.ground(written.read(action)) for action in answer.actions)
    start = problem.closed
    judged = [proved(steps, goal, start, optimal=False, planner=name, seconds=answer.seconds) for goal in problem.goal]
    return next((without_detours(plan, problem) for plan in judged if isinstance(plan, Plan)), judged[0])


def floor_way(problem: Problem, planner: FastDownward, seconds: float) -> PlannerWay:
    """Return the way of `satisfice` in a race; nothing else uses the planner meanwhile."""
    end = time.monotonic() + seconds

    def ask() -> Plan | NoPlan:
        try:
            return satisfice(problem, planner=planner, seconds=end - time.monotonic())
        except GraftworkError as error:  # the search for a proof raises it too, if it matters
            return NoPlan(Feedback(Code.UNSUPPORTED, f"the planner {LAMA}", str(error)))

    return PlannerWay("floor", ask, planner.cancel, HEAD_START)


MOST_WAYS = 200  # the largest number of steps that are tried instead of two


def without_detours(plan: Plan, problem: Problem) -> Plan:
    """Return a valid plan without the steps that lead nowhere; it costs no more.

    A search for any plan is quick and careless: its plan may go to a place and on from there with nothing done, or come
    back to a state that it was in before. Two rules cost one pass over the plan each, and need no search: steps between
    two equal states go, and two steps of one capability that one step can replace, with the same state afterwards,
    become that step. The states outside the changed part stay as they are, so the plan stays valid.
    """
    steps, states = _without_returns(plan.steps, problem.closed)
    number = 0
    while number + 1 < len(steps):
        direct = _direct(steps[number : number + 2], states[number : number + 3], problem)
        if direct is None:
            number += 1
        else:  # it may be replaced together with the next step
            steps[number : number + 2] = [direct]
            del states[number + 1]
    return plan if len(steps) == len(plan.steps) else replace(plan, steps=tuple(steps))


def _without_returns(steps: Sequence[Operator], start: State) -> tuple[list[Operator], list[State]]:
    """Return the steps that are not between two equal states, and the states before, between and after them."""
    states = [start]
    for step in steps:
        states.append(step.apply(states[-1]))
    last = {state.atoms: number for number, state in enumerate(states)}
    kept: list[int] = []
    number = 0
    while number < len(steps):
        later = last[states[number].atoms]
        number = later if states[later].numbers == states[number].numbers else number
        if number < len(steps):
            kept.append(number)
        number += 1
    return [steps[index] for index in kept], [*(states[index] for index in kept), states[-1]]


def _direct(pair: list[Operator], states: list[State], problem: Problem) -> Operator | None:
    """Return a step that does what two steps of the same capability do and costs no more, or None."""
    if pair[0].action.name != pair[1].action.name:
        return None
    start, end, cost = states[0], states[2], pair[0].cost + pair[1].cost
    fitting = (way for way in _ways(pair, problem) if way.cost <= cost and way.applicable(start))
    return next((way for way in fitting if way.apply(start) == end), None)


def _ways(pair: list[Operator], problem: Problem) -> Iterator[Operator]:
    """Yield the steps of the same capability whose arguments are those of either step."""
    first, second = (step.action for step in pair)
    choices = [tuple(dict.fromkeys(args)) for args in zip(first.args, second.args, strict=True)]
    for _, args in zip(range(MOST_WAYS), product(*choices), strict=False):
        try:
            yield problem.ground(Action(first.name, args))
        except UsageError:  # such as from a place to itself
            continue
