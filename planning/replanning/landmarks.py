"""A lower bound of the cost of any plan, computed in this process: the landmark cut.

It is the heuristic of Helmert and Domshlak (ICAPS 2009), computed once for one state: milliseconds for some hundred
steps. Here, negative literals are separate facts, so they lose no information.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass

from domains.problem import Problem
from planning.cheapest.reach import grounded
from planning.relevance import relevant
from planning.relevance.needed import needed
from planning.task import TooManyError

Proposition = Hashable
START, END = "start", "end"
"""What holds before the first step, and what reaching the goal makes; no other proposition is a bare string."""


@dataclass(slots=True)
class Relaxed:
    """A step in the delete relaxation: its preconditions, what it makes, and its cost."""

    asked: frozenset[Proposition]
    made: frozenset[Proposition]
    cost: int


def lower_bound(problem: Problem) -> float:
    """Return a lower bound of the cost of a plan; infinite if there is no plan.

    It is computed on the relevant part, with useful objects merged into groups (see `planning.relevance`), which makes
    nothing more expensive. For ADL domains no bound is known, and the result is zero.
    """
    if problem.domain.is_adl:
        return 0.0
    problem = problem.within(needed(problem.domain, problem.goal, problem.objects))
    try:
        task = grounded(problem, relevant(problem))
    except TooManyError:
        return 0.0
    start = {(fact, fact in task.start) for fact in task.named}
    steps = [Relaxed(frozenset(step.asked), frozenset(step.made), step.cost) for step in task.steps]
    return landmark_cut(steps, start, task.goals)


def landmark_cut(
    steps: Iterable[Relaxed], start: Collection[Proposition], goals: Iterable[Collection[Proposition]]
) -> float:
    """Return a lower bound of the cost of reaching one of `goals` from `start`; infinite if none is reachable."""
    begin = Relaxed(frozenset({START}), frozenset(start), 0)
    ends = [Relaxed(frozenset(goal) or frozenset({START}), frozenset({END}), 0) for goal in goals]
    relaxed = [Relaxed(step.asked or frozenset({START}), step.made, step.cost) for step in steps]
    return _Cutter([begin, *relaxed, *ends]).run()


class _Cutter:
    def __init__(self, steps: Sequence[Relaxed]) -> None:
        self.steps = steps
        self.costs = [step.cost for step in steps]
        self.asking: dict[Proposition, list[int]] = defaultdict(list)
        self.making: dict[Proposition, list[int]] = defaultdict(list)
        for index, step in enumerate(steps):
            for proposition in step.asked:
                self.asking[proposition].append(index)
            for proposition in step.made:
                self.making[proposition].append(index)

    def run(self) -> float:
        total = 0.0
        while True:
            values, supporters = self._explore()
            if END not in values:
                return math.inf
            if values[END] == 0:
                return total
            # The cut is a disjunctive landmark: every plan contains one of its steps and pays at least `least` for it.
            # Lowering the costs of these steps pays for the landmark once, so the sum over all rounds is admissible.
            cut = self._cut(self._zone(supporters), supporters)
            least = min(self.costs[index] for index in cut)
            total += least
            for index in cut:
                self.costs[index] -= least

    def _explore(self) -> tuple[dict[Proposition, float], dict[int, Proposition]]:
        """Return h^max of each proposition, and for each applicable step its most expensive precondition."""
        values: dict[Proposition, float] = {}
        supporters: dict[int, Proposition] = {}
        missing = [len(step.asked) for step in self.steps]
        queue: list[tuple[float, int, Proposition]] = [(0.0, 0, START)]
        number = 0
        while queue:
            value, _, reached = heapq.heappop(queue)
            if reached in values:
                continue
            values[reached] = value
            for index in self.asking[reached]:
                missing[index] -= 1
                if missing[index] == 0:  # preconditions arrive in order of cost, so the last one has the highest
                    supporters[index] = reached
                    for made in self.steps[index].made:
                        if made not in values:
                            number += 1
                            heapq.heappush(queue, (value + self.costs[index], number, made))
        return values, supporters

    def _zone(self, supporters: dict[int, Proposition]) -> set[Proposition]:
        """Return the propositions that lead to the end at cost zero."""
        zone: set[Proposition] = {END}
        stack: list[Proposition] = [END]
        while stack:
            for index in self.making[stack.pop()]:
                supporter = supporters.get(index)
                if supporter is not None and self.costs[index] == 0 and supporter not in zone:
                    zone.add(supporter)
                    stack.append(supporter)
        return zone

    def _cut(self, zone: set[Proposition], supporters: dict[int, Proposition]) -> set[int]:
        """Return the steps that lead into the zone from what is reached outside it: each plan contains one of them."""
        supporting: dict[Proposition, list[int]] = defaultdict(list)
        for index, supporter in supporters.items():
            supporting[supporter].append(index)
        seen: set[Proposition] = {START}
        stack: list[Proposition] = [START]
        cut: set[int] = set()
        while stack:
            for index in supporting[stack.pop()]:
                made = self.steps[index].made
                if made & zone:
                    cut.add(index)
                for proposition in made - zone - seen:
                    seen.add(proposition)
                    stack.append(proposition)
        return cut
