"""Planning in a rich domain: ground, compile, search, and run what comes back through the model.

Numbers that are not planned with are left out of the problem, and every plan is validated with them. Where one breaks
there, the action that it breaks at is forbidden and another plan looked for, a few times; such a plan is not called
optimal, and what the first one cost is its bound. Numbers that have to be planned with go, as text, to a planner that
takes them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from domains.model import Domain
from planning.errors import PlannerUnavailableError, UnplannableError
from planning.planners.fast_downward import FastDownward
from planning.planners.search import Search
from planning.problem.text import problem
from planning.rich.admitting import planned_numbers
from planning.rich.compiling import compiled
from planning.rich.reaching import reach_all
from planning.rich.task import Task
from planning.rich.written import write_rich
from planning.task.exploring import TooManyError
from planning.task.sas import DONE
from planning.validation import Invalid, validate
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.protocols import Found, NoPlan, Planner
from semantics.state import Action, Operator, Plan, State
from semantics.vocabulary import Thing

__all__ = ["solve_rich"]

SHARE = 0.8
"""Part of the time that the proof gets; the rest is for any plan."""
RETRIES = 3
"""How often another plan is looked for when one breaks at a number that is not planned with."""
UNREACHED = NoPlan(Feedback(Code.NO_PLAN, "the goal", "no sequence of actions reaches it", recoverable=False), True)
TOO_MANY = NoPlan(
    Feedback(Code.PLANNER_TIMEOUT, "planning", "there is too much that can be done here", "Ask for less at a time.")
)


def solve_rich(
    goals: Sequence[Conjunct],
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    planner: Planner,
    seconds: float,
) -> list[Plan | NoPlan]:
    """Plan from `state` to `goals`, with proof if that ends in time: one answer for all of them, or one for each.

    Raises:
        OutsideError: The planner cannot be started.
        UsageError: The state lacks a number, or a predicate is derived from its own denial.
    """
    numbers = planned_numbers(domain)
    if isinstance(planner, Search) and not numbers:
        return [_Solving(goals, state, things, domain, planner, seconds).run()]
    try:
        asked = _numeric() if numbers and planner.name == FastDownward.name else planner
        texts = _Texts(state, things, domain, asked)
        return [texts.solve(goal, seconds / len(goals)) for goal in goals]
    except UnplannableError as error:
        return [_unsupported(error.culprit, error.reason)]
    except PlannerUnavailableError as error:
        if not numbers:
            raise
        why = f"it has numbers to be planned with ({', '.join(sorted(numbers))}; numeric), and {error}"
        return [_unsupported(domain.name, why)]


def _unsupported(what: str, why: str) -> NoPlan:
    how = "Leave the numbers out of planning, or install a planner that takes them."
    return NoPlan(Feedback(Code.UNSUPPORTED, f"the world {what}", why, how, (what,), recoverable=False))


def _numeric() -> Planner:
    from planning.portfolio.kairos import Kairos  # it is optional

    return Kairos()


@dataclass(frozen=True)
class _Texts:
    """Asks a planner that reads PDDL."""

    state: State
    things: Mapping[str, Thing]
    domain: Domain
    planner: Planner

    def solve(self, goal: Conjunct, seconds: float) -> Plan | NoPlan:
        written = problem(self.domain, self.things, self.state, goal)
        found = self.planner.solve(written.domain, written.problem, seconds=seconds)
        if isinstance(found, NoPlan):
            return found
        actions = [written.read(action) for action in found.actions]
        checked = _checked(actions, goal, self.state, self.things, self.domain)
        if isinstance(checked, Invalid):
            return NoPlan(checked.feedback, False, found.seconds)
        return Plan(checked, goal, found.optimal, self.planner.name, found.seconds)


def _checked(
    actions: Sequence[Action], goal: Conjunct, state: State, things: Mapping[str, Thing], domain: Domain
) -> tuple[Operator, ...] | Invalid:
    axioms = domain.axioms(things)
    steps = tuple(domain.ground(one, things, state.numbers, axioms) for one in actions)
    checked = validate(steps, axioms.close(state) if axioms else state, goal)
    return checked if isinstance(checked, Invalid) else steps


@dataclass
class _Solving:
    goals: Sequence[Conjunct]
    state: State
    things: Mapping[str, Thing]
    domain: Domain
    planner: Search
    seconds: float
    started: float = field(default_factory=time.monotonic)

    def run(self) -> Plan | NoPlan:
        try:
            task = self._task()
        except TooManyError:
            return TOO_MANY
        first = answer = self._answer(task)
        bound = 0
        for _ in range(RETRIES):
            if not isinstance(answer, _Broken):
                break
            bound = max(bound, answer.bound)
            steps = tuple(one for one in task.steps if one.operator.action != answer.checked.action)
            task = replace(task, steps=steps)
            answer = self._answer(task)
        if isinstance(answer, Plan):
            return answer if answer is first else replace(answer, optimal=answer.cost <= bound, bound=bound or None)
        broken = first if isinstance(first, _Broken) else answer
        return NoPlan(broken.checked.feedback, False, 0.0, bound) if isinstance(broken, _Broken) else broken

    def _task(self) -> Task:
        reached = reach_all(self.domain, self.things, self.state)
        return compiled(self.domain, reached, self.goals, self.domain.axioms(self.things))

    def _answer(self, task: Task) -> Plan | NoPlan | _Broken:
        if not task.goals:
            return UNREACHED
        left = max(self.seconds - (time.monotonic() - self.started), 0.2)
        found = self.planner.search(write_rich(task), seconds=left, prove=False, share=SHARE)
        if isinstance(found, NoPlan):
            return found
        return self._read(found, task)

    def _read(self, found: Found, task: Task) -> Plan | _Broken:
        steps = [task.steps[int(one.name[1:])] for one in found.actions if one.name[:1] == "o"]
        ends = [int(one.name.removeprefix(DONE)) for one in found.actions if one.name.startswith(DONE)]
        goal = self.goals[task.numbers[ends[0]]]
        optimal = found.optimal and not task.guessed
        cost = sum(one.operator.cost for one in steps)
        bound = 0 if task.guessed else cost if found.optimal else found.bound
        actions = [one.operator.action for one in steps]
        checked = _checked(actions, goal, self.state, self.things, self.domain)
        if isinstance(checked, Invalid):
            return _Broken(checked, bound)
        return Plan(checked, goal, optimal, self.planner.name, found.seconds, None if optimal else bound or None)


@dataclass(frozen=True)
class _Broken:
    """A plan that breaks at a number that is not planned with, and what any plan costs at least."""

    checked: Invalid
    bound: int
