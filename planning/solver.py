"""From a checked goal to a plan, or to the reason why there is none."""

from __future__ import annotations

import gc
import math
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from domains.problem import Problem
from planning.adl.solver import solve_adl
from planning.anytime import Best, PlannerWay, cancel, decided, hearing
from planning.cheapest.reach import Cheapest, Splits, distinct, reach
from planning.errors import is_out_of_time, out_of_time
from planning.planners import Search
from planning.planners.fast_downward import FastDownward
from planning.problem.reduced import without_unused
from planning.problem.text import ask, check_names, ignores_costs
from planning.reasons import ENOUGH, LITTLE, UNPROVED, explain, impossible, no_plan, plain_conflicts, whereabouts
from planning.relevance import relevant
from planning.relevance.needed import without_unneeded
from planning.satisficing import floor_way
from planning.validation import proved
from semantics.body.protocols import FoundPlan, NoPlan, Planner
from semantics.logic.atoms import Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan
from semantics.logic.vocabulary import Thing

LEAST = 0.2  # the time of a search when the budget is already spent, seconds

PRICING = 2e-5
"""The time that writing the price of each action takes for each possible fact, seconds. It cannot be cancelled."""
TOO_LARGE = NoPlan(
    Feedback(
        Code.PLANNER_TIMEOUT, "planning", "there is too much to be written down in time", "Ask for less at a time."
    )
)


@dataclass(frozen=True)
class ByText:
    """A problem with one alternative, for a planner that only reads PDDL, and a time limit.

    It is asked first with the relevant objects, then with more if that is in doubt. Every plan is validated with the
    model of the whole problem. That there is no plan is believed only of the whole problem, or if the reason is known
    (`planning.reasons`), because a reason does not depend on what was left out.
    """

    problem: Problem
    planner: Planner
    seconds: float
    started: float = field(default_factory=time.monotonic)

    def solve(self) -> Plan | NoPlan:
        """Return a validated plan, or why there is none."""
        lost = whereabouts(self.problem)
        if lost is not None:
            return NoPlan(lost)
        answer, asked = self._search()
        if isinstance(answer, FoundPlan):
            return self._checked(answer)
        if answer.feedback.code is Code.PLANNER_TIMEOUT:
            proof = impossible(self.problem)
            return NoPlan(proof, True, answer.seconds) if proof else answer
        if answer.feedback.code is not Code.NO_PLAN:
            return answer
        return self._refused(answer, asked)

    def _refused(self, answer: NoPlan, asked: int) -> Plan | NoPlan:
        """Explain why there is no plan.

        If no reason is known, and only `asked` of the objects were used, ask the planner again with all objects.
        """
        reason = explain(self.problem)
        if reason.kind not in UNPROVED:
            return replace(answer, feedback=reason.feedback, proven=True)
        things = self.problem.objects
        whole = self._ask(things) if asked < len(things) else answer
        if isinstance(whole, FoundPlan):
            return self._checked(whole)
        proven = whole.proven and whole.feedback.code is Code.NO_PLAN
        return replace(answer, feedback=reason.feedback, proven=proven)

    def _left(self) -> float:
        return max(self.seconds - (time.monotonic() - self.started), LEAST)

    def _search(self) -> tuple[FoundPlan | NoPlan, int]:
        """Plan with the relevant objects, and with all possibly relevant ones if the first answer is not proved.

        The number is the largest number of objects used.
        """
        reduction = relevant(self.problem)
        answer = self._ask(reduction.things)
        if not reduction.groups or (isinstance(answer, FoundPlan) and not answer.optimal):
            return answer, len(reduction.things)
        useful = {member for members in reduction.groups.values() for member in members}
        things = {
            name: thing for name, thing in self.problem.objects.items() if name in useful or name in reduction.things
        }
        wider = self._ask(things)
        if isinstance(answer, FoundPlan) and (isinstance(wider, NoPlan) or not wider.optimal):
            return replace(answer, optimal=False), len(things)
        return wider, len(things)

    def _ask(self, things: Mapping[str, Thing]) -> FoundPlan | NoPlan:
        predicates = self.problem.domain.predicates.values()
        facts = sum(len(things) ** len(model.predicate.parameters) for model in predicates)
        priced = self.problem.costs is not None and not ignores_costs(self.planner)
        if priced and facts * PRICING > self._left():
            return TOO_LARGE
        return ask(without_unneeded(replace(self.problem, objects=things)), self.planner, seconds=self._left())

    def _checked(self, plan: FoundPlan) -> Plan | NoPlan:
        steps = tuple(self.problem.ground(action) for action in plan.actions)
        goal, name = self.problem.conjunct, self.planner.name
        return proved(steps, goal, self.problem.state, optimal=plan.optimal, planner=name, seconds=plan.seconds)


PATIENCE = 1.0  # how long the search runs before the goal itself is analysed, seconds

URGENCY = (
    Code.CANCELLED,
    Code.WHEREABOUTS_UNKNOWN,
    Code.PLANNER_TIMEOUT,
    Code.NO_PLAN,
    Code.INVALID_PLAN,
    Code.UNSUPPORTED,
)
"""Which alternative's failure is reported: first those that more knowledge or more time may resolve."""

UNREACHABLE = (Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN)
"""Failures of alternatives that are told along with a plan for another one."""

NOT_TRIED = NoPlan(
    Feedback(Code.PLANNER_TIMEOUT, "planning", "no time was left for some alternatives", "Give it more time.")
)


def solve(problem: Problem, *, planner: Planner, seconds: float = 20.0) -> Plan | NoPlan:
    """Plan for each alternative of the goal, and return the cheapest plan.

    Beside Fast Downward, a second process searches the whole problem for any plan (`planning.satisficing`). Its plan is
    the answer when the search for a proof has none, or no cheaper one.

    Args:
        problem: The problem to solve.
        planner: The planner to use.
        seconds: The wall-clock budget for all alternatives together.

    Returns:
        A plan that is validated with the model. It is empty if the goal holds already, and `optimal` only if every
            alternative was answered with a proof. Or the reason why there is no plan, which is `proven` only if it is
            proven for every alternative.

    Raises:
        OutsideError: The planner cannot be started.
        UsageError: The goal or the state names something that does not exist.
    """
    if not isinstance(planner, FastDownward):
        return solve_optimally(problem, planner=planner, seconds=seconds)
    race = race_with_floor(problem, planner, seconds)
    try:
        return decided(problem, race, math.inf)
    finally:
        race.end()


def race_with_floor(problem: Problem, planner: FastDownward, seconds: float) -> Best:
    """Begin a search for a proof and, beside it, `satisfice` with the twin of the planner; nothing else uses them."""
    return Best([planner_way(problem, planner, seconds, thorough=True), floor_way(problem, planner.twin, seconds)])


def planner_way(problem: Problem, planner: Planner, seconds: float, *, thorough: bool = False) -> PlannerWay:
    """Return the way of a planner of this process; nothing else uses it meanwhile."""
    off = threading.Event()
    heard = hearing(planner, off)

    def call_off() -> None:
        off.set()
        cancel(planner)

    return PlannerWay(
        planner.name, lambda: solve_optimally(problem, planner=heard, seconds=seconds), call_off, thorough=thorough
    )


class Anytime(Best):
    """A search by several planners.

    It uses the planners alone until it is `done`, and does not close them. Any thread may wait for it or cancel it.
    After a fork, its threads search in the parent only; the child begins a search of its own.

    Args:
        problem: The problem to solve.
        planners: The planners, which all search at the same time.
        seconds: The time limit of each planner.

    Raises:
        UsageError: There is no planner.
    """

    def __init__(self, problem: Problem, *, planners: Sequence[Planner], seconds: float = 20.0) -> None:
        super().__init__([planner_way(problem, planner, seconds) for planner in planners])


def solve_optimally(problem: Problem, *, planner: Planner, seconds: float = 20.0) -> Plan | NoPlan:
    """Plan as `solve` does, without the satisficing search."""
    started = time.monotonic()
    smaller = without_unused(problem.for_goal())
    held = smaller.reached
    if held is not None:
        return Plan((), held, True, planner.name, time.monotonic() - started)
    with undisturbed():
        answers = _answers(smaller.with_closed_state(), planner, seconds)
    best = _best(answers, time.monotonic() - started)
    if smaller is problem or isinstance(best, NoPlan):
        return best
    return replace(best, steps=tuple(problem.ground(step.action) for step in best.steps))


def _answers(problem: Problem, planner: Planner, seconds: float) -> list[Plan | NoPlan]:
    started = time.monotonic()
    if problem.domain.is_adl:
        return _adl(problem, planner, seconds)
    rest: Problem | None = problem
    answers: list[Plan | NoPlan] = []
    if isinstance(planner, Search):
        rest, answers = _quick(problem, planner, seconds)
    goals = rest.goal if rest is not None else ()
    for remaining, conjunct in zip(range(len(goals), 0, -1), goals, strict=True):
        left = seconds - (time.monotonic() - started)
        case = ByText(problem.with_goal(conjunct), planner, left / remaining)
        answers.append(case.solve() if left > 0 else NOT_TRIED)
    return answers


def _adl(problem: Problem, planner: Planner, seconds: float) -> list[Plan | NoPlan]:
    """Refuse at once what is quickly proved impossible; a search that tries everything takes a minute or more."""
    check_names(problem)
    possible, refused = _possible(problem, effort=LITTLE)
    if possible is None:
        return refused
    answers = solve_adl(possible, planner, seconds)
    return [*refused, *(_reasoned(answer, possible) for answer in answers)]


def _reasoned(answer: Plan | NoPlan, problem: Problem) -> Plan | NoPlan:
    """Add the reason why no plan of an ADL problem was found, where one is known."""
    if isinstance(answer, Plan) or answer.feedback.code is not Code.NO_PLAN:
        return answer
    lost = [whereabouts(problem.with_goal(goal)) for goal in problem.goal]
    if all(lost) and lost[0] is not None:
        return NoPlan(lost[0], False, answer.seconds)
    return replace(answer, feedback=no_plan(problem.with_goal(problem.goal[0])))


def _quick(problem: Problem, planner: Search, seconds: float) -> tuple[Problem | None, list[Plan | NoPlan]]:
    """Plan for all alternatives at once; return those that are too large for this, and the answers for the others."""
    check_names(problem)
    end = time.monotonic() + seconds
    located, answers = _somewhere(problem)
    if located is None:
        return None, answers
    asked, plainly = _plain(located.with_goal(*(located.goal[number] for number in distinct(located))))
    answers += plainly
    if asked is None:
        return None, answers
    splits = Splits()
    first = reach(asked, planner, min(seconds, PATIENCE), splits)
    if seconds <= PATIENCE or _settled(first):
        return _answers_with(first, asked, answers, planner, end)
    possible, refused = _possible(asked)  # mutexes prove much without trying everything
    second = reach(possible, planner, seconds - PATIENCE, splits) if possible is not None else None
    if isinstance(first, Cheapest) and not isinstance(second, Cheapest):
        return _answers_with(first, asked, answers, planner, end)
    return _answers_with(second, possible, [*answers, *refused], planner, end)


def _answers_with(
    result: Cheapest | NoPlan | None, problem: Problem | None, answers: list[Plan | NoPlan], planner: Search, end: float
) -> tuple[Problem | None, list[Plan | NoPlan]]:
    if result is None or problem is None:
        return problem, answers
    if isinstance(result, NoPlan):
        return None, [*answers, _refused(result, problem, planner, end)]
    steps, goal = result.steps, problem.goal[result.number]
    answer = proved(steps, goal, problem.state, optimal=result.optimal, planner=planner.name, seconds=0.0)
    if isinstance(answer, Plan) and not result.optimal and result.bound:
        answer = replace(answer, bound=result.bound)
    return None, [*answers, answer]


def _refused(failure: NoPlan, problem: Problem, planner: Search, end: float) -> Plan | NoPlan:
    """Explain why there is no plan.

    If no reason is known, search the whole problem, because the answer must not depend on what was left out.
    """
    if failure.feedback.code is not Code.NO_PLAN:
        return failure
    effort = max(LITTLE, ENOUGH // len(problem.goal))
    reasons = [explain(problem.with_goal(goal), effort=effort) for goal in problem.goal]
    proofs = [reason for reason in reasons if reason.kind not in UNPROVED]
    feedback = (proofs or reasons)[0].feedback
    if len(proofs) == len(reasons):
        return replace(failure, feedback=feedback, proven=True)
    left = end - time.monotonic()
    whole = solve_adl(problem, planner, left)[0] if left > 0 else NOT_TRIED
    if isinstance(whole, Plan):
        return whole
    return replace(failure, feedback=feedback, proven=whole.proven and whole.feedback.code is Code.NO_PLAN)


def _settled(result: Cheapest | NoPlan | None) -> bool:
    return result is None or (result.optimal if isinstance(result, Cheapest) else result.proven)


def _possible(problem: Problem, *, effort: int = ENOUGH) -> tuple[Problem | None, list[Plan | NoPlan]]:
    """Return the alternatives that are not proved impossible, and the proofs for the others."""
    return _without(problem, [impossible(problem.with_goal(goal), effort=effort) for goal in problem.goal], proven=True)


def _somewhere(problem: Problem) -> tuple[Problem | None, list[Plan | NoPlan]]:
    """Return the alternatives whose objects all have a location, and the missing object of each other alternative."""
    if whereabouts(problem.with_goal(frozenset[Literal]().union(*problem.goal))) is None:
        return problem, []
    return _without(problem, [whereabouts(problem.with_goal(goal)) for goal in problem.goal], proven=False)


def _plain(problem: Problem) -> tuple[Problem | None, list[Plan | NoPlan]]:
    """Return the alternatives without a plain conflict (found in milliseconds), and the reasons for the others."""
    conflicts = plain_conflicts(problem)
    against = [
        no_plan(problem.with_goal(goal)) if any(conflict <= goal for conflict in conflicts) else None
        for goal in problem.goal
    ]
    return _without(problem, against, proven=True)


def _without(
    problem: Problem, against: Sequence[Feedback | None], *, proven: bool
) -> tuple[Problem | None, list[Plan | NoPlan]]:
    """Return the alternatives that have no feedback in `against`, None when there are none, and the refused ones."""
    left = [goal for goal, feedback in zip(problem.goal, against, strict=True) if feedback is None]
    refused: list[Plan | NoPlan] = [NoPlan(feedback, proven) for feedback in against if feedback is not None]
    return (problem.with_goal(*left) if left else None), refused


def _best(answers: list[Plan | NoPlan], seconds: float) -> Plan | NoPlan:
    """Return the best of `answers`, which took `seconds` in total.

    The answer is optimal, or proven, only if all answers are.
    """
    plans = [answer for answer in answers if isinstance(answer, Plan)]
    failures = [answer for answer in answers if isinstance(answer, NoPlan)]
    proven = all(failure.proven for failure in failures)
    if plans:
        cheapest = min(plans, key=lambda plan: plan.cost)
        optimal = proven and all(plan.optimal for plan in plans)
        bound = None if optimal else _bound(plans, failures)
        known = (failure.feedback for failure in failures if failure.feedback.code in UNREACHABLE)
        dropped = tuple(dict.fromkeys(known))
        return replace(cheapest, optimal=optimal, seconds=seconds, bound=bound, dropped=dropped)
    feedback = min((failure.feedback for failure in failures), key=lambda feedback: URGENCY.index(feedback.code))
    if is_out_of_time(feedback):  # the time of all searches together, not of the last one
        feedback = out_of_time(seconds)
    return NoPlan(feedback, proven, seconds)


def _bound(plans: list[Plan], failures: list[NoPlan]) -> int | None:
    """Return a lower bound of the cost of a plan for any alternative; None when one of them has no known bound."""
    least = [plan.cost if plan.optimal else plan.bound or 0 for plan in plans]
    least += [failure.bound for failure in failures if not failure.proven]
    return min(least) or None


class _Waiting:
    """Counts the blocks that pause the collector, in all threads, and stores whether it ran before the first."""

    lock = threading.Lock()
    blocks = 0
    ran = False


@contextmanager
def undisturbed() -> Iterator[None]:
    """Pause Python's collector of cycles while a block runs. Blocks may be nested and run in several threads.

    Grounding creates hundreds of thousands of tuples and almost no cycles. The collector scans all of them again and
    again, which takes a sixth of the time.
    """
    with _Waiting.lock:
        if not _Waiting.blocks:
            _Waiting.ran = gc.isenabled()
            gc.disable()
        _Waiting.blocks += 1
    try:
        yield
    finally:
        with _Waiting.lock:
            _Waiting.blocks -= 1
            if not _Waiting.blocks and _Waiting.ran:
                gc.enable()


def _forget() -> None:
    """Forget the blocks of threads that a fork did not copy."""
    _Waiting.lock = threading.Lock()
    if _Waiting.blocks and _Waiting.ran:
        gc.enable()
    _Waiting.blocks = 0


os.register_at_fork(after_in_child=_forget)
