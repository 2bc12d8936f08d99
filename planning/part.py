"""Part of a goal: the most valuable part of a conjunction that can be had, found by the planner.

Wishes are compiled away as by Keyder and Geffner (JAIR 2009, "Soft goals can be compiled away"): after an action that
ends the work, each wish is *settled* in turn, by collecting it where it holds, or by forgoing it at a price. No axiom
and no conditional effect is needed, so that A* with LM-cut still proves what is best. Two additions: wishes that cannot
be had at all are left out beforehand; and wishes that exclude each other (see `planning.reasons`) are settled together,
by collecting one of them, so that the heuristic sees at once that the others are lost instead of searching everywhere.

A unit of value is dearer than a plan of `LONGEST` of the dearest actions, so that value comes first and cost second.
With many or fine weights it is less, at least `LEAST_LONGEST`, so that all costs stay small.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType

from domains.model import AgentModel, Capability, Domain, Parameter, PredicateModel, Template
from planning.costs import IMPOSSIBLE, CostModel, Priced
from planning.reasons import Explainer, Kind, Reason, no_plan, whereabouts
from planning.reasons.reason import said
from planning.solving import solve
from semantics.atoms import And, Atom, Conjunct, Literal
from semantics.errors import UsageError
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal, Goal
from semantics.protocols import Found, NoPlan, Planner
from semantics.state import Plan, State
from semantics.vocabulary import Predicate, Thing

__all__ = ["Part", "best_part"]

WORST = -math.log(IMPOSSIBLE)
"""What an action that never works costs with a risk of one."""
LEAST_LONGEST, LONGEST = 60, 500
"""A plan of more of the dearest actions than this is worth no wish; the first where weights are many or fine."""
SMALL = 8000
"""Costs up to here leave the search room to count something else besides (see `planning.cheapest`)."""
MOST = 2**30
"""Costs are 32-bit integers in the planner."""
FINEST = 1000
"""Weights are rounded to this fraction of one."""

QUICK = 0.5
"""Part of the time that the quick way gets."""
Compiled = tuple[CheckedGoal, State, dict[str, Thing], Domain]

JUDGE = "judge-of-wishes"
"""Name and class of the agent that settles; PDDL would take it for a thing like any other."""


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
        UsageError: A weight is not above zero, belongs to no wish, or weights and costs differ by too much; `goal`
            names what does not exist.
        OutsideError: The planner cannot be started.
    """
    if JUDGE in things or not hard <= goal:
        raise UsageError("the hard literals belong to the goal, and no thing is called after the judge of wishes")
    wishes = _Wishes(goal, _whole_numbers(goal, hard, weights), hard, state, things, domain, costs)
    found = _solved(wishes.problem(), planner, seconds, costs)
    if isinstance(found, NoPlan):
        why = found.feedback
        if why.code is Code.NO_PLAN:
            why = no_plan(wishes.hard, state, things, domain)
        return replace(found, feedback=why)
    return wishes.part(found, {one: float(weights.get(one, 1.0)) for one in goal - hard})


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
    unit = math.lcm(*(one.denominator for one in exact))
    return {one: int(weight * unit) for one, weight in zip(soft, exact, strict=True)}


@dataclass(frozen=True)
class _Wishes:
    """A goal with weights, as a problem without wishes."""

    goal: Conjunct
    worth: Mapping[Literal, int]
    hard: Conjunct
    state: State
    things: Mapping[str, Thing]
    domain: Domain
    costs: CostModel | None
    hopeless: dict[Literal, Feedback] = field(init=False)
    pairs: frozenset[frozenset[Literal]] = field(init=False)

    def __post_init__(self) -> None:
        explainer = Explainer(self.goal, self.state, self.things, self.domain)
        pairs = frozenset(frozenset(pair) for pair in explainer.pairs())
        hopeless = {one: why for one in sorted(self.worth) if (why := self._hopeless(one, explainer, pairs))}
        object.__setattr__(self, "pairs", pairs)
        object.__setattr__(self, "hopeless", hopeless)

    def _hopeless(self, wish: Literal, explainer: Explainer, pairs: frozenset[frozenset[Literal]]) -> Feedback | None:
        lost = whereabouts(frozenset({wish}), self.state, self.things, self.domain)
        if lost is not None:
            return lost
        reason = explainer.alone(wish)
        if reason is not None:
            return reason.feedback
        against = next((one for one in sorted(self.hard) if frozenset({one, wish}) in pairs), None)
        return self._instead(wish, [against]) if against is not None else None

    def _instead(self, wish: Literal, others: Sequence[Literal]) -> Feedback:
        predicates = {name: model.predicate for name, model in self.domain.predicates.items()}
        kept = " and ".join(said(one, predicates) for one in others)
        why = f"it cannot be had together with this: {kept}" if others else "it costs more than it is worth"
        names = dict.fromkeys(arg for one in (wish, *others) for arg in one.atom.args)
        return Reason(Kind.EXCLUSION, (wish, *others), said(wish, predicates), why, "", tuple(names)).feedback

    def problem(self) -> Compiled:
        """Return goal, state, things and domain in which the wishes are compiled away."""
        groups = list(self._groups())
        marks = [self._fresh(f"settled-{index}") for index in range(len(groups) + 1)]
        working = self._fresh("working")
        conjunct = self.hard | {Literal(Atom(marks[-1]))}
        state = self.state.with_atoms([Atom(working)])
        things = {**self.things, JUDGE: Thing(JUDGE, JUDGE, frozenset())}
        domain = self._extended(groups, marks, working)
        return CheckedGoal(Goal(And(())), (conjunct,)), state, things, domain

    def _fresh(self, name: str) -> str:
        while name in self.domain.predicates or name in self.domain.capabilities:
            name += "-"
        return name

    def _groups(self) -> Iterator[list[Literal]]:
        """Yield the wishes worth planning for, those together of which any two exclude each other."""
        groups: list[list[Literal]] = []
        for wish in sorted(self.worth.keys() - self.hopeless.keys(), key=lambda one: (-self.worth[one], one)):
            fits = (group for group in groups if all(frozenset({wish, one}) in self.pairs for one in group))
            if (group := next(fits, None)) is None:
                groups.append(group := [])
            group.append(wish)
        yield from groups

    def _extended(self, groups: list[list[Literal]], marks: list[str], working: str) -> Domain:
        """Add the judge, who ends the work and settles; whoever works can do so only before."""
        at_work = Template(working, ())
        capabilities = {
            name: replace(one, precondition=(*one.precondition, at_work))
            for name, one in self.domain.capabilities.items()
        }
        judging = [_verb(self._fresh("finish"), [at_work], [replace(at_work, positive=False), Template(marks[0], ())])]
        unit = self._unit()
        for index, group in enumerate(groups):
            before, after = Template(marks[index], ()), Template(marks[index + 1], ())
            total = sum(self.worth[one] for one in group)
            for number, (wish, price) in enumerate([*((one, total - self.worth[one]) for one in group), (None, total)]):
                needs = [before] if wish is None else [before, _template(wish)]
                name = self._fresh(f"settle-{index}-{number}")
                judging.append(_verb(name, needs, [after, replace(before, positive=False)], price * unit))
        verbs = {one.name: one for one in judging}
        judge = AgentModel(JUDGE, frozenset(verbs), 1)
        facts = {name: PredicateModel(Predicate(name, (), name)) for name in (*marks, working)}
        return replace(
            self.domain,
            capabilities={**capabilities, **verbs},
            agents={**self.domain.agents, JUDGE: judge},
            predicates={**self.domain.predicates, **facts},
        )

    def _unit(self) -> int:
        """Return the cost of a unit of value.

        Raises:
            UsageError: The weights are too far apart, or the actions too dear.
        """
        costs = (
            agent.cost * self.domain.capabilities[name].cost
            for agent in self.domain.agents.values()
            for name in agent.capabilities
        )
        dearest, scale = max(costs, default=1), 1
        if self.costs is not None:
            spots, known = [math.hypot(*place) for place in self.costs.places.values()], self.costs
            dearest += math.ceil(2 * known.per_metre * max(spots, default=0.0))
            dearest += math.ceil(known.per_second * max(known.durations.values(), default=0.0))
            dearest, scale = dearest + math.ceil(known.risk * WORST), known.scale
        total = scale * max(sum(self.worth.values()), 1)
        unit = max(LEAST_LONGEST * dearest, min(LONGEST * dearest, SMALL // total))
        if unit * total > MOST:
            raise UsageError("the weights are too fine, or the actions too dear, to weigh them against each other")
        return unit

    def part(self, found: Plan, weights: Mapping[Literal, float]) -> Part:
        """Read the answer: which wishes hold in the end, and why the others do not."""
        domain = self.domain if self.costs is None else Priced.of(self.domain, self.costs, self.things)
        steps = tuple(domain.ground(step.action, self.things) for step in found.steps if step.action.args[0] != JUDGE)
        end = self.state
        for step in steps:
            end = step.apply(end)
        reached = frozenset(one for one in self.goal if end.holds(one))
        left = {one: self._why(one, reached, found.optimal) for one in sorted(self.goal - reached)}
        plan = replace(found, steps=steps, goal=reached)
        return Part(plan, reached, left, sum(weights[one] for one in reached - self.hard), found.optimal)

    def _why(self, wish: Literal, reached: Conjunct, proved: bool) -> Feedback:
        if wish in self.hopeless:
            return self.hopeless[wish]
        against = next((one for one in sorted(reached) if frozenset({one, wish}) in self.pairs), None)
        if against is not None:
            return self._instead(wish, [against])
        if proved:
            return self._instead(wish, sorted(reached))
        what = self._instead(wish, []).what
        return Feedback(
            Code.PLANNER_TIMEOUT, what, "no time was left to find out", "Give it more time.", wish.atom.args
        )


def _template(literal: Literal) -> Template:
    return Template(literal.atom.predicate, literal.atom.args, literal.positive)


def _verb(name: str, needs: Sequence[Template], effect: Sequence[Template], price: int = 0) -> Capability:
    """Make an action of the judge; each costs one besides, since no cost model lets anything cost nothing."""
    return Capability(name, (Parameter("judge", ()),), tuple(needs), tuple(effect), cost=1 + price)
