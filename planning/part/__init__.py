"""Part of a goal: the most valuable part of a conjunction that can be had, found by the planner.

How the planner comes to weigh wishes stands in `planning.part.wishes`. A unit of value is dearer than a plan of
hundreds of the dearest actions, so that value comes first and cost second.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from domains.model import Domain
from planning.costs import CostModel, Priced
from planning.part.wishes import JUDGE, Compiled, Wishes
from planning.reasons import no_plan
from planning.solving import solve
from semantics.atoms import Conjunct, Literal
from semantics.errors import UsageError
from semantics.feedback import Code, Feedback
from semantics.protocols import Found, NoPlan, Planner
from semantics.state import Plan, State
from semantics.vocabulary import Thing

__all__ = ["JUDGE", "Part", "best_part"]

FINEST = 1000
"""Weights are rounded to this fraction of one."""
QUICK = 0.5
"""Part of the time that the quick way gets."""


@dataclass(frozen=True, slots=True)
class Part:
    """The part of a conjunction that can be had.

    Attributes:
        plan: What reaches it; its goal is `reached`.
        reached: The literals that hold in the end.
        left_out: Why each of the others does not.
        value: Sum of the weights of the wishes that are reached.
        optimal: Whether it is proved that no other part is worth more, or as much for less cost.
    """

    plan: Plan
    reached: Conjunct
    left_out: Mapping[Literal, Feedback]
    value: float
    optimal: bool


def best_part(
    goal: Conjunct,
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    *,
    planner: Planner,
    weights: Mapping[Literal, float] = MappingProxyType({}),
    hard: Conjunct = frozenset(),
    seconds: float = 20.0,
    costs: CostModel | None = None,
) -> Part | NoPlan:
    """Plan for the part of `goal` that is worth most, and among equals for the one that costs least.

    Args:
        goal: What would all be had at best.
        state: What is believed, bookkeeping facts included.
        things: Everything that exists, by name.
        domain: The world's model.
        planner: Who plans.
        weights: What each wish is worth, above zero; one where nothing is said.
        hard: The literals of `goal` that may not be left out.
        seconds: Wall-clock budget.
        costs: What actions cost; by default what `domain` says.

    Returns:
        The best part; or why not even the hard literals can be had. The empty part is a part.

    Raises:
        UsageError: A weight is none or belongs to no wish; weights and costs differ too much; a name is unknown.
        OutsideError: The planner cannot be started.
    """
    if JUDGE in things or not hard <= goal:
        raise UsageError("the hard literals belong to the goal, and no thing is called after the judge of wishes")
    wishes = Wishes(goal, _whole_numbers(goal, hard, weights), hard, state, things, domain, costs)
    found = _solved(wishes.problem(), planner, seconds, costs)
    if isinstance(found, NoPlan):
        untold = found.feedback.code is Code.NO_PLAN
        return replace(found, feedback=no_plan(hard, state, things, domain)) if untold else found
    return _read(wishes, found, {one: float(weights.get(one, 1.0)) for one in goal - hard})


def _solved(compiled: Compiled, planner: Planner, seconds: float, costs: CostModel | None) -> Plan | NoPlan:
    """Solve the quick way; without its counting of something else besides cost where that leaves the proof open."""
    started = time.monotonic()
    found = solve(*compiled, planner=planner, seconds=seconds * QUICK, costs=costs)
    left = seconds - (time.monotonic() - started)
    if isinstance(found, NoPlan) or found.optimal or left <= 0:
        return found
    plain: Planner = _Plain(planner)  # type: ignore[assignment]  # a frozen name is a name
    again = solve(*compiled, planner=plain, seconds=left, costs=costs)
    return again if isinstance(again, Plan) and (again.optimal or again.cost < found.cost) else found


@dataclass(frozen=True)
class _Plain:
    """A planner as everybody knows it: PDDL in, plan out."""

    planner: Planner

    @property
    def name(self) -> str:
        return self.planner.name

    def solve(self, domain: str, problem: str, *, seconds: float) -> Found | NoPlan:
        return self.planner.solve(domain, problem, seconds=seconds)

    def close(self) -> None:
        """Leave the planner to its owner."""


def _whole_numbers(goal: Conjunct, hard: Conjunct, weights: Mapping[Literal, float]) -> dict[Literal, int]:
    """Return the weight of each wish in a common unit."""
    soft = sorted(goal - hard)
    for literal, weight in weights.items():
        if literal not in goal or not 0 < weight < math.inf:
            raise UsageError(
                f"the weight {weight} of {literal}: it must be above zero, finite, and of a literal of the goal"
            )
    exact = [Fraction(str(weights.get(one, 1))).limit_denominator(FINEST) for one in soft]
    if not all(exact):
        raise UsageError(f"the weights are too fine: {1 / FINEST} is the least")
    unit = math.lcm(*(one.denominator for one in exact))
    return {one: int(weight * unit) for one, weight in zip(soft, exact, strict=True)}


def _read(wishes: Wishes, found: Plan, weights: Mapping[Literal, float]) -> Part:
    """Read the answer: which wishes hold in the end, and why the others do not."""
    domain = wishes.domain if wishes.costs is None else Priced.of(wishes.domain, wishes.costs, wishes.things)
    steps = tuple(domain.ground(step.action, wishes.things) for step in found.steps if step.action.args[:1] != (JUDGE,))
    end = wishes.state
    for step in steps:
        end = step.apply(end)
    reached = frozenset(one for one in wishes.goal if end.holds(one))
    left = {one: _why(wishes, one, reached, found.optimal) for one in sorted(wishes.goal - reached)}
    plan = replace(found, steps=steps, goal=reached, bound=None)
    return Part(plan, reached, left, sum(weights[one] for one in reached - wishes.hard), found.optimal)


def _why(wishes: Wishes, wish: Literal, reached: Conjunct, proved: bool) -> Feedback:
    if wish in wishes.hopeless:
        return wishes.hopeless[wish]
    against = next((one for one in sorted(reached) if frozenset({one, wish}) in wishes.pairs), None)
    if against is not None:
        return wishes.instead(wish, [against])
    if proved:
        return wishes.instead(wish, sorted(reached))
    what = wishes.instead(wish, []).what
    return Feedback(Code.PLANNER_TIMEOUT, what, "no time was left to find out", "Give it more time.", wish.atom.args)
