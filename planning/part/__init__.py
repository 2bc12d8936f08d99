"""Partial goals: the most valuable reachable part of a conjunction, found by the planner.

Parts are tried in order of value (`Subsets`); usually a few ordinary problems are sufficient. If too many parts are
equally good, the planner weighs them in one problem (`SoftGoals`). There, a unit of value costs more than a plan of
hundreds of the most expensive actions, so value comes first and cost second.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from domains.problem import Problem
from planning.anytime import hearing
from planning.part.soft_goals import JUDGE, SoftGoals, Subsets, instead
from planning.planners.fast_downward import FastDownward
from planning.problem.text import ignores_costs
from planning.reasons import LITTLE, impossible, no_plan, whereabouts
from planning.solver import solve_optimally
from semantics.body.protocols import NoPlan, Planner
from semantics.errors import UsageError
from semantics.logic.atoms import Conjunct, Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan

__all__ = ["JUDGE", "PartialPlan", "best_part"]

FINEST = 1000  # weights are rounded to multiples of 1 / FINEST
LEAST = 0.2  # the time of the planner when the budget is already spent, seconds
QUICK = 0.7
"""The share of the remaining time for the quick way: trying parts, and then the search that prefers some plans of equal
cost."""


@dataclass(frozen=True, slots=True)
class PartialPlan:
    """The best reachable part of a conjunction.

    Attributes:
        plan: A plan for that part; its goal is `reached`.
        reached: The literals that hold in the end.
        left_out: Why each of the other literals does not hold.
        value: The sum of the weights of the soft goals that are reached.
        optimal: Whether it is proved that no other part is worth more, or worth as much at a lower cost.
    """

    plan: Plan
    reached: Conjunct
    left_out: Mapping[Literal, Feedback]
    value: float
    optimal: bool


def best_part(
    problem: Problem,
    *,
    planner: Planner,
    weights: Mapping[Literal, float] = MappingProxyType({}),
    hard: Conjunct = frozenset(),
    seconds: float = 20.0,
) -> PartialPlan | NoPlan:
    """Plan for the part of the goal that is worth most, and of equally good parts, for the cheapest one.

    For a goal with alternatives, plan for a part of each alternative, and return the most valuable one.

    Args:
        problem: The problem; its goal is reached completely at best.
        planner: The planner to use.
        weights: The value of each soft goal, above zero; 1 if it is not listed.
        hard: The literals of the goal that may not be left out. Alternatives without them are ignored.
        seconds: The wall-clock budget.

    Returns:
        The best part, or why not even the hard literals are reachable. The empty part counts as a part.

    Raises:
        UsageError: A weight is not positive or belongs to no soft goal; weights and costs differ too much; a name is
            unknown.
        OutsideError: The planner cannot be started.
    """
    problem = problem.for_goal().with_closed_state()
    wanted = _alternatives(problem, hard, weights)
    end, answers = time.monotonic() + seconds, list[PartialPlan | NoPlan]()
    for left, conjunct in zip(range(len(wanted), 0, -1), wanted, strict=True):
        own = {literal: weight for literal, weight in weights.items() if literal in conjunct}
        search = _SubsetSearch(problem.with_goal(conjunct), own, hard, planner)
        answers.append(search.best(max(end - time.monotonic(), LEAST) / left))
    return _chosen(answers)


def _alternatives(problem: Problem, hard: Conjunct, weights: Mapping[Literal, float]) -> list[Conjunct]:
    wanted = [conjunct for conjunct in problem.goal if hard <= conjunct]
    if JUDGE in problem.objects or not wanted:
        raise UsageError("the hard literals belong to the goal, and no thing is called after the judge of wishes")
    _check(weights, frozenset[Literal]().union(*wanted))
    return wanted


def _chosen(answers: list[PartialPlan | NoPlan]) -> PartialPlan | NoPlan:
    """Return the part that is worth most. It is optimal only if this is proved for every alternative."""
    parts = [answer for answer in answers if isinstance(answer, PartialPlan)]
    failures = [answer for answer in answers if isinstance(answer, NoPlan)]
    if not parts:
        return replace(failures[0], proven=all(failure.proven for failure in failures))
    best = max(parts, key=lambda part: (part.value, -part.plan.cost))
    sure = all(part.optimal for part in parts) and all(failure.proven for failure in failures)
    return best if sure else replace(best, optimal=False)


@dataclass(frozen=True)
class _SubsetSearch:
    """The search for the best part of one conjunction."""

    problem: Problem
    weights: Mapping[Literal, float]
    hard: Conjunct
    planner: Planner

    def best(self, seconds: float) -> PartialPlan | NoPlan:
        end = time.monotonic() + seconds
        worth = _whole_numbers(self.problem.conjunct, self.hard, self.weights)
        lost = whereabouts(self.problem.with_goal(self.hard))
        if lost is not None:
            return NoPlan(lost)
        quick = time.monotonic() + QUICK * seconds
        subsets = Subsets(self.problem, worth, self.hard, self.planner, quick)
        result = subsets.best()
        if result is None:
            return self._weighed(worth, max(end - time.monotonic(), LEAST))
        return result if isinstance(result, NoPlan) else self._tried(result, subsets.conflicts)

    def _weighed(self, worth: Mapping[Literal, int], seconds: float) -> PartialPlan | NoPlan:
        wishes = SoftGoals(self.problem, worth, self.hard)
        answer = _solved(wishes.compiled(), self.planner, seconds)
        if not isinstance(answer, NoPlan):
            return self._read(answer, wishes.hopeless, wishes.pairs)
        untold = answer.feedback.code is Code.NO_PLAN
        return replace(answer, feedback=no_plan(self.problem.with_goal(self.hard))) if untold else answer

    def _tried(self, plan: Plan, conflicts: Mapping[Conjunct, Feedback | None]) -> PartialPlan:
        alone = {
            next(iter(conflict)): why for conflict, why in conflicts.items() if why is not None and len(conflict) == 1
        }
        for literal in self.problem.conjunct - plan.goal - alone.keys():
            if why := impossible(self.problem.with_goal(frozenset({literal})), effort=LITTLE):
                alone[literal] = why
        return self._read(plan, alone, conflicts)

    def _read(self, solution: Plan, alone: Mapping[Literal, Feedback], conflicts: Collection[Conjunct]) -> PartialPlan:
        """Return which soft goals hold in the end, and why the others do not."""
        working = (step.action for step in solution.steps if step.action.args[:1] != (JUDGE,))
        steps, end = tuple(self.problem.ground(action) for action in working), self.problem.closed
        for step in steps:
            end = step.apply(end)
        reached = frozenset(literal for literal in self.problem.conjunct if end.holds(literal))
        left = {
            literal: alone.get(literal) or self._why(literal, reached, conflicts, proved=solution.optimal)
            for literal in sorted(self.problem.conjunct - reached)
        }
        value = sum(float(self.weights.get(literal, 1)) for literal in reached - self.hard)
        plan = replace(solution, steps=steps, goal=reached, bound=None)
        return PartialPlan(plan, reached, left, value, solution.optimal)

    def _why(self, wish: Literal, reached: Conjunct, conflicts: Collection[Conjunct], *, proved: bool) -> Feedback:
        against = [conflict - {wish} for conflict in conflicts if wish in conflict and conflict - {wish} <= reached]
        if against:
            return instead(wish, min(map(sorted, against), key=len), self.problem.domain)
        if proved:
            return instead(wish, sorted(reached), self.problem.domain)
        what, why = instead(wish, [], self.problem.domain).what, "no time was left to find out"
        return Feedback(Code.PLANNER_TIMEOUT, what, why, "Give it more time.", wish.atom.args)


def _solved(compiled: Problem, planner: Planner, seconds: float) -> Plan | NoPlan:
    """Solve the quick way; if that leaves the proof open, solve again with no preference among equal costs."""
    if ignores_costs(planner):  # what a soft goal is worth is written as a cost
        with closing(FastDownward()) as other:
            return _solved(compiled, other, seconds)
    started = time.monotonic()
    first = solve_optimally(compiled, planner=planner, seconds=seconds * QUICK)
    left = seconds - (time.monotonic() - started)
    if isinstance(first, NoPlan) or first.optimal or left <= 0:
        return first
    second = solve_optimally(compiled, planner=hearing(planner, threading.Event(), by_text=True), seconds=left)
    return second if isinstance(second, Plan) and (second.optimal or second.cost < first.cost) else first


def _check(weights: Mapping[Literal, float], literals: Conjunct) -> None:
    for literal, weight in weights.items():
        if literal not in literals or not 0 < weight < math.inf:
            raise UsageError(
                f"the weight {weight} of {literal}: it must be above zero, finite, and of a literal of the goal"
            )


def _whole_numbers(goal: Conjunct, hard: Conjunct, weights: Mapping[Literal, float]) -> dict[Literal, int]:
    """Return the weight of each soft goal in a common unit."""
    soft = sorted(goal - hard)
    exact = [Fraction(str(weights.get(literal, 1))).limit_denominator(FINEST) for literal in soft]
    if not all(exact):
        raise UsageError(f"the weights are too fine: {1 / FINEST} is the least")
    unit = math.lcm(*(fraction.denominator for fraction in exact))
    return {literal: int(weight * unit) for literal, weight in zip(soft, exact, strict=True)}
