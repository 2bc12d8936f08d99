"""Plans in ADL domains: ground, compile, search, and validate the plan with the model.

Numbers that are not planned with are left out of the problem, but every plan is validated with them. If a plan breaks
at such a number, the action where it breaks is forbidden and the search is repeated, a few times. A plan found in this
way is not called optimal, and the cost of the first plan is its bound. Problems with numbers that must be planned with
go, as text, to a planner that supports them.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from domains.problem import Problem
from planning.adl.abstraction import Group, folded, folds, like_things, split
from planning.adl.compilation import decided, needed, opened, plain
from planning.adl.reachability import GroundingLimitError, reach_all
from planning.adl.task import AdlTask, write_adl
from planning.casting import cast, idles
from planning.errors import MORE_MEMORY, PlannerUnavailableError, UnplannableError, is_out_of_memory, with_memory
from planning.planners import Search
from planning.planners.fast_downward import FastDownward
from planning.problem.text import ask
from planning.task.sas import read_plan
from planning.validation import Invalid, validate
from semantics.body.protocols import NoPlan, Planner
from semantics.logic.atoms import Conjunct
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action, Operator, Plan

SHARE = 0.8  # the share of the time for the proof; the rest is for any plan
BLIND_SHARE = 0.4
"""The same for a task with axioms: its proof has no heuristic, and seldom ends if it does not end soon."""
PART = 0.6  # the share of the remaining time for a search with merged objects; the rest is for the whole task
ROUNDS = 3
"""How often a search with merged objects is tried, with fewer merges each time, before all objects are distinct."""
LEAST = 0.2  # the time of a search when the budget is already spent, seconds
TRIES = 2000  # the largest number of steps that are tried to replace the merged objects of a plan
RETRIES = 3  # how often another plan is searched for when a plan breaks at a number that is not planned with
GROUNDING = 0.4
"""The share of the time for grounding. After it, a planner that reads PDDL is asked with the text of the problem."""
UNREACHED = NoPlan(Feedback(Code.NO_PLAN, "the goal", "no sequence of actions reaches it", recoverable=False), True)


def solve_adl(problem: Problem, planner: Planner, seconds: float) -> list[Plan | NoPlan]:
    """Plan, with a proof if that ends in time. Return one answer for all alternatives, or one for each.

    Raises:
        OutsideError: The planner cannot be started.
        UsageError: The state lacks a number, or a predicate is derived from its own negation.
    """
    numbers = problem.domain.planned_numbers
    if isinstance(planner, Search) and not numbers:
        started = time.monotonic()
        try:
            return [_Solving(problem, planner, seconds, started).run()]
        except GroundingLimitError as error:
            return _instead(problem, planner, seconds - (time.monotonic() - started), error)
    try:
        asked = _numeric() if numbers and planner.name == FastDownward.name else planner
        share = seconds / len(problem.goal)
        return [_by_text(problem.with_goal(goal), asked, share) for goal in problem.goal]
    except UnplannableError as error:
        return [_unsupported(error.culprit, error.reason)]
    except PlannerUnavailableError as error:
        if not numbers:
            raise
        why = f"it has numbers to be planned with ({', '.join(sorted(numbers))}; numeric), and {error}"
        return [_unsupported(problem.domain.name, why)]


def _instead(problem: Problem, planner: Search, seconds: float, beaten: GroundingLimitError) -> list[Plan | NoPlan]:
    """Ask the planner with the text of the whole problem, which it grounds itself."""
    share = max(seconds, LEAST) / len(problem.goal)
    try:
        answers = [_by_text(problem.with_goal(goal), planner, share) for goal in problem.goal]
    except UnplannableError:  # the text cannot say it
        return [NoPlan(_too_much(beaten))]
    return [
        replace(answer, feedback=_too_much(beaten, answer.feedback))
        if isinstance(answer, NoPlan) and answer.feedback.code in (Code.PLANNER_TIMEOUT, Code.INVALID_PLAN)
        else answer
        for answer in answers
    ]


def _too_much(beaten: GroundingLimitError, failure: Feedback | None = None) -> Feedback:
    """Return what there is too much of, and whether time or memory is missing.

    Args:
        beaten: Why the problem was not grounded.
        failure: Why the planner did not ground the text of the problem either; None if no text can say it.
    """
    why = f"there is too much to be grounded{' in time' if beaten.is_late else ''}: {beaten}"
    how = "Give it more time." if beaten.is_late or failure is not None else "Ask for less at a time."
    told = Feedback(Code.PLANNER_TIMEOUT, "planning", why, how)
    if failure is None or not is_out_of_memory(failure):
        return told
    both = with_memory(told, failure)
    return both if beaten.is_late else replace(both, how=MORE_MEMORY)


def _unsupported(culprit: str, why: str) -> NoPlan:
    how = "Leave the numbers out of planning (planned: false), or install a planner that takes them (extra: kairos)."
    return NoPlan(Feedback(Code.UNSUPPORTED, f"the world {culprit}", why, how, (culprit,), recoverable=False))


def _numeric() -> Planner:
    from planning.portfolio.kairos import Kairos  # an optional package

    return Kairos()


def _by_text(problem: Problem, planner: Planner, seconds: float) -> Plan | NoPlan:
    """Ask a planner that reads PDDL."""
    answer = ask(problem, planner, seconds=seconds)
    if isinstance(answer, NoPlan):
        return answer
    checked = _checked(answer.actions, problem)
    if isinstance(checked, Invalid):
        return NoPlan(checked.feedback, False, answer.seconds)
    return Plan(checked, problem.conjunct, answer.optimal, planner.name, answer.seconds)


def _checked(actions: Sequence[Action], problem: Problem) -> tuple[Operator, ...] | Invalid:
    """Return the operators of `actions`, without those that change nothing, if they reach the goal."""
    operators = [problem.ground(action) for action in actions]
    begun = now = problem.closed
    steps = []
    for operator in operators:
        if operator.applicable(now) or not idles(operator, now):
            steps.append(operator)
            now = operator.apply(now)
    checked = validate(tuple(steps), begun, problem.conjunct)
    return checked if isinstance(checked, Invalid) else tuple(steps)


@dataclass
class _Solving:
    problem: Problem
    planner: Search
    seconds: float
    started: float = field(default_factory=time.monotonic)
    bound: int = field(default=0, init=False)
    meanwhile: Plan | None = field(default=None, init=False)

    def run(self) -> Plan | NoPlan:
        whole = self._task()
        task = needed(whole)
        groups = like_things(task)
        for _ in range(ROUNDS):
            if not groups or not folds(task, groups):
                break
            answer = self._folded(task, groups)
            if isinstance(answer, Plan | NoPlan):
                return answer
            if not answer:
                break
            groups = split(groups, answer)
        answer = self._better(self._whole(decided(task)))
        if isinstance(answer, Plan) or answer.feedback.code is not Code.INVALID_PLAN:
            return answer
        return self._whole(decided(whole))  # numbers may require a step that was removed as useless

    def _folded(self, task: AdlTask, groups: Sequence[Group]) -> Plan | NoPlan | Collection[str]:
        """Plan with each group as one object. Return the objects in that plan if it is not a plan of the whole task.

        The result is empty if there was no time to find a plan.
        """
        small = plain(folded(task, groups))
        if not small.goals:
            return UNREACHED
        answer = self.planner.search(write_adl(small), seconds=PART * self._left(), prove=False, share=SHARE)
        if isinstance(answer, NoPlan):
            return answer if answer.proven else ()
        _, taken = read_plan(answer, small.steps, small.numbers)
        steps = [step.operator for step in taken]
        lower = 0 if task.guessed else sum(operator.cost for operator in steps) if answer.optimal else answer.bound
        self.bound = max(self.bound, lower)
        operators = {step.operator.action: step.operator for step in task.steps}
        actions = [operator.action for operator in steps]
        members = {name: group for group in groups for name in group}
        made = cast(actions, members, self.problem, operators.get, TRIES)
        plan = None if made is None else self._plan(made[1], self.problem.goal[made[0]], answer.seconds)
        if isinstance(plan, Plan) and answer.optimal and not plan.optimal:
            self.meanwhile = plan  # members differ in cost, so this plan may be cheapest without a proof
            plan = None
        return plan or {arg for operator in steps for arg in operator.action.args}

    def _better(self, answer: Plan | NoPlan) -> Plan | NoPlan:
        """Return the answer of the search on the whole task, or the earlier plan if that is no worse."""
        earlier = self.meanwhile
        if earlier is None or (isinstance(answer, Plan) and (answer.optimal or answer.cost < earlier.cost)):
            return answer
        return earlier

    def _plan(self, made: Sequence[Operator], goal: Conjunct, seconds: float) -> Plan | NoPlan:
        steps = _checked([operator.action for operator in made], self.problem.with_goal(goal))
        if isinstance(steps, Invalid):
            return NoPlan(steps.feedback, False, seconds)
        cost = sum(operator.cost for operator in steps)
        optimal = cost <= self.bound
        return Plan(steps, goal, optimal, self.planner.name, seconds, None if optimal else self.bound or None)

    def _whole(self, task: AdlTask) -> Plan | NoPlan:
        first = answer = self._answer(task)
        bound, broken = self.bound, [answer] if isinstance(answer, _Broken) else []
        for _ in range(RETRIES):
            if not isinstance(answer, _Broken):
                break
            bound = max(bound, answer.bound)
            steps = tuple(step for step in task.steps if step.operator.action != answer.checked.action)
            task = replace(task, steps=steps)
            answer = self._answer(task)
            broken += [answer] if isinstance(answer, _Broken) else []
        if isinstance(answer, Plan):
            return answer if answer is first else replace(answer, optimal=answer.cost <= bound, bound=bound or None)
        if isinstance(answer, NoPlan) and not broken:
            return answer
        nearest = min(broken, key=self._off)  # the first one if none of them would work with another amount
        return NoPlan(nearest.checked.feedback, False, 0.0, bound)

    def _off(self, broken: _Broken) -> float:
        """Return how far an amount with which a plan works is from the one that is asked; infinite if none is known."""
        if broken.checked.nearest is None:
            return inf
        number, amount = broken.checked.nearest
        asked = self.problem.state.numbers
        state = replace(self.problem.state, numbers={**asked, number: amount})
        checked = _checked(broken.actions, self.problem.with_goal(broken.goal).with_state(state))
        return inf if isinstance(checked, Invalid) else abs(amount - asked[number])

    def _task(self) -> AdlTask:
        until = self.started + GROUNDING * self.seconds
        return opened(self.problem, reach_all(self.problem, until))

    def _left(self) -> float:
        return max(self.seconds - (time.monotonic() - self.started), 0.2)

    def _answer(self, task: AdlTask) -> Plan | NoPlan | _Broken:
        if not task.goals:
            return UNREACHED
        share = BLIND_SHARE if task.rules else SHARE
        answer = self.planner.search(write_adl(task), seconds=self._left(), prove=False, share=share)
        if isinstance(answer, NoPlan):
            return answer
        number, taken = read_plan(answer, task.steps, task.numbers)
        steps = [step.operator for step in taken]
        goal = self.problem.goal[number]
        optimal = answer.optimal and not task.guessed
        cost = sum(operator.cost for operator in steps)
        bound = 0 if task.guessed else cost if answer.optimal else max(answer.bound, self.bound)
        actions = tuple(operator.action for operator in steps)
        checked = _checked(actions, self.problem.with_goal(goal))
        if isinstance(checked, Invalid):
            return _Broken(checked, bound, actions, goal)
        return Plan(checked, goal, optimal, self.planner.name, answer.seconds, None if optimal else bound or None)


@dataclass(frozen=True)
class _Broken:
    """A plan that breaks at a number that is not planned with, and a lower bound of the cost of any plan."""

    checked: Invalid
    bound: int
    actions: tuple[Action, ...]
    goal: Conjunct
