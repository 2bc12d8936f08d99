"""The cost of an action: one formula, scaled to integers.

    cost = round(scale * (agent + per_metre * distance + per_second * duration + risk * -ln p)),  at least 1

- *agent* comes from the domain: the agent's cost times the capability's cost.
- *distance*, in metres, is how far the action moves its agent, straight from place to place.
- *duration*, in seconds, is how long the capability takes, without driving.
- *p* is the probability that the action succeeds. It is the product of the confidence in the affordances that it uses,
  of that in where the things still are that it needs, and of its success rate. The record counts successes and
  failures. With a Beta prior, the mean of the posterior is (successes + a) / (successes + failures + a + b) (Gelman et
  al., Bayesian Data Analysis, section 2.4). The prior of one action is the record of its capability, which counts as
  `STRENGTH` tries.

The sum of -ln p over a plan is -ln of the probability that every step succeeds. So `risk` is the cost that one would
pay to become e times as likely to succeed. **Optimal always means: with respect to these integers.** With
``scale=100``, two plans that differ by less than half a hundredth of a step count as equal.

A `Problem` with a `CostModel` grounds its operators at these costs. Without one, they cost what the domain's file says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from domains.grounding import needs
from domains.problem import Problem
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from semantics.logic.state import Action, Operator

STRENGTH = 4.0  # the number of tries that the record of a capability counts for in the record of one of its actions

IMPOSSIBLE = 1e-6  # the smallest probability that is distinguished from zero, so that every cost is finite


class Tries(NamedTuple):
    """How often something succeeded and failed; fractions are allowed (old tries may count less)."""

    successes: float = 0.0
    failures: float = 0.0


class Shares(NamedTuple):
    """What each part of the formula adds to the cost of an action, in units of cost, before scaling."""

    agent: float
    distance: float
    duration: float
    risk: float


PRIOR = Tries(9.0, 1.0)  # the prior before the first try: nine of ten tries succeed


@dataclass(frozen=True)
class CostModel:
    """The weights of the formula, and what is known about the world and past runs.

    Attributes:
        per_metre: The cost of a metre.
        per_second: The cost of a second.
        risk: λ, the cost of being e times less likely to succeed.
        scale: Integers per unit of cost.
        unit: How many units of an operator's own cost make one unit of cost, see `domains.cost_scale`.
        places: The position of each place, metres on the ground; places that are not listed are at distance zero.
        durations: Seconds by capability.
        record: Tries by capability name, and by action.
        prior: a and b of the Beta distribution before the first try.
        sure: The confidence that an object has an affordance, by object and affordance; 1 if it is not listed.
        believed: The confidence that a fact of the start still holds, for actions that need it; 1 if it is not listed.

    Raises:
        UsageError: A weight or a count is negative or not finite, `scale` is not positive, or a confidence is not
        between 0 and 1.
    """

    per_metre: float = 0.0
    per_second: float = 0.0
    risk: float = 0.0
    scale: int = 100
    unit: int = 1
    places: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    durations: Mapping[str, float] = field(default_factory=dict)
    record: Mapping[str | Action, Tries] = field(default_factory=dict)
    prior: Tries = PRIOR
    sure: Mapping[tuple[str, str], float] = field(default_factory=dict)
    believed: Mapping[Atom, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        counts = [count for tries in self.record.values() for count in tries]
        numbers = [self.per_metre, self.per_second, self.risk, *self.durations.values(), *counts]
        if any(not math.isfinite(number) or number < 0 for number in numbers):
            raise UsageError("weights, durations and counts of a cost model are finite and not negative")
        if self.scale < 1 or self.unit < 1 or min(self.prior) <= 0:
            raise UsageError("the scale, the unit and both counts of the prior of a cost model are positive")
        if any(not 0 <= chance <= 1 for chance in (*self.sure.values(), *self.believed.values())):
            raise UsageError("how sure an affordance or a fact is lies between 0 and 1")

    def price(self, operator: Operator, needs: Mapping[str, tuple[str, ...]]) -> int:
        """Return the cost of `operator`, whose own `cost` is the agent's; `needs` are the affordances by argument."""
        return self._scaled(self.shares(operator, needs))

    def shares(self, operator: Operator, needs: Mapping[str, tuple[str, ...]]) -> Shares:
        """Return the parts of the cost of `operator`; the arguments are those of `price`."""
        chance = self._worked(operator.action)
        for name, affordances in needs.items():
            for affordance in affordances:
                chance *= self.sure.get((name, affordance), 1.0)
        if self.believed:
            chance *= math.prod(self.believed.get(atom, 1.0) for atom, positive in operator.precondition if positive)
        return self._shares(operator, self._distance(operator), chance)

    def over(self, shares: Shares, legs: Iterable[tuple[str, str]]) -> int:
        """Return the cost of an action with these `shares` if it moves its agent over the longest of `legs` instead.

        The `shares` belong to the same capability, agent and probability. Each leg goes from one place to another.
        """
        places = self.places
        metres = [math.dist(places[start], places[end]) for start, end in legs if start in places and end in places]
        return self._scaled(shares._replace(distance=self.per_metre * max(metres, default=0.0)))

    def least(self, operator: Operator) -> int:
        """Return a lower bound of the cost of `operator` for all objects it may be applied to."""
        name = operator.action.name
        actions = [key for key in self.record if isinstance(key, Action) and key.name == name]
        chance = max(self._worked(action) for action in (*actions, Action(name)))
        return self._scaled(self._shares(operator, 0.0, chance))

    def dearest(self, cost: int) -> int:
        """Return an upper bound of the cost of an action whose own cost is `cost`, before scaling and rounded up."""
        spots = [math.hypot(*place) for place in self.places.values()]
        distance = math.ceil(2 * self.per_metre * max(spots, default=0.0))
        duration = math.ceil(self.per_second * max(self.durations.values(), default=0.0))
        return math.ceil(cost / self.unit) + distance + duration + math.ceil(-self.risk * math.log(IMPOSSIBLE))

    @property
    def alike(self) -> bool:
        """Whether actions of capabilities with equal costs of their own cost the same, apart from distances."""
        return not self.per_second and not self.risk

    def signature(self, name: str) -> tuple[object, ...]:
        """Return what the cost of actions on the object `name` depends on; equal values mean interchangeable ones."""
        own = sorted((affordance, chance) for (thing, affordance), chance in self.sure.items() if thing == name)
        # Two that stand at the same place are alike if it is equally sure of both.
        own += sorted((atom.predicate, chance) for atom, chance in self.believed.items() if name in atom.args)
        tried = any(isinstance(key, Action) and name in key.args for key in self.record)
        return self.places.get(name), tuple(own), name if tried else ""

    def _shares(self, operator: Operator, distance: float, chance: float) -> Shares:
        duration = self.per_second * self.durations.get(operator.action.name, 0.0)
        risk = -self.risk * math.log(max(chance, IMPOSSIBLE))
        own = operator.cost if self.unit == 1 else operator.cost / self.unit
        return Shares(own, self.per_metre * distance, duration, risk)

    def _scaled(self, shares: Shares) -> int:
        return max(1, round(self.scale * sum(shares)))

    def _worked(self, action: Action) -> float:
        """Return the mean of the posterior."""
        general = _mean(self.record.get(action.name, Tries()), self.prior)
        own = self.record.get(action)
        if own is None:
            return general
        return _mean(own, Tries(general * STRENGTH, (1 - general) * STRENGTH))

    def _distance(self, operator: Operator) -> float:
        """Return how far the agent goes: from the old place to the new place in facts about it."""
        agent = operator.action.args[:1]
        moves = (
            math.dist(self.places[old.args[1]], self.places[new.args[1]])
            for new in operator.added
            for old in operator.deleted
            if new.predicate == old.predicate and new.args[:1] == old.args[:1] == agent
            if len(new.args) == 2 and {old.args[1], new.args[1]} <= set(self.places)
        )
        return max(moves, default=0.0)


def _mean(tries: Tries, prior: Tries) -> float:
    return (tries.successes + prior.successes) / (sum(tries) + sum(prior))


def shares(problem: Problem, costs: CostModel, action: Action) -> Shares:
    """Return the parts of the cost of an action by `costs`; raise what `Domain.ground` raises."""
    operator = problem.domain.ground(action, problem.objects, problem.state.numbers, problem.axioms)
    return costs.shares(operator, needs(problem.domain, action))
