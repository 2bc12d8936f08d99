"""The best part by trying parts, the most valuable first.

A part is passed over when it holds a *conflict*: literals that are known not to be had together, by a reason that was
proved (`planning.reasons`) or by a search that tried everything. So the first part that has a plan is worth most, and
with those of equal worth tried too the cheapest of them is the best. Each try is one ordinary problem, and mostly few
are needed: a goal that cannot be had as a whole mostly fails on one or two things.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from domains.model import Domain
from planning.costs import CostModel
from planning.reasons import ENOUGH, LITTLE, UNPROVED, explain, whereabouts
from planning.solving import solve
from semantics.atoms import And, Conjunct, Literal
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal, Goal
from semantics.protocols import NoPlan, Planner
from semantics.state import Plan, State
from semantics.vocabulary import Thing

__all__ = ["MOST_TRIES", "Found", "Subsets"]

MOST_TRIES = 12
"""How many parts are planned for at most; where more are equally good, the planner weighs them in one problem."""
MOST_PARTS = 4000
"""How many parts are looked at at most."""

Conflicts = dict[Conjunct, Feedback]


@dataclass(frozen=True, slots=True)
class Found:
    """The best part: its literals, a plan, and what is known not to be had together."""

    part: Conjunct
    plan: Plan
    conflicts: Mapping[Conjunct, Feedback]


@dataclass
class Subsets:
    """Tries the parts of a goal; `worth` are the wishes with their whole-numbered worth.

    Attributes:
        conflicts: Literals that are known not to be had together, with the reason.
        planned: How many parts were planned for.
    """

    worth: Mapping[Literal, int]
    hard: Conjunct
    state: State
    things: Mapping[str, Thing]
    domain: Domain
    planner: Planner
    costs: CostModel | None
    end: float
    conflicts: Conflicts = field(default_factory=dict)
    planned: int = 0
    _looked: int = 0

    def best(self) -> Found | NoPlan | None:
        """Return the best part with proof, or why even the hard literals cannot be had; None when that stays open."""
        self._look_around()
        best: tuple[int, Found] | None = None
        for value, part in self._parts():
            if best is not None and value < best[0]:
                return best[1]
            if self._refused(part):
                continue
            self.planned += 1
            answer = self._plan(part) if self.planned <= MOST_TRIES else None
            if answer is None:
                return None
            if isinstance(answer, NoPlan):
                self._learn(part, answer)
            elif best is None or answer.cost < best[1].plan.cost:
                best = value, Found(part, answer, self.conflicts)
        against = self._against(self.hard)
        if against is not None:
            return NoPlan(against, True)
        return best[1] if best is not None and self._looked < MOST_PARTS else None

    def _look_around(self) -> None:
        """Leave out at once what is nowhere."""
        for wish in self.worth:
            lost = whereabouts(frozenset({wish}), self.state, self.things, self.domain)
            if lost is not None:
                self.conflicts[frozenset({wish})] = lost

    def _learn(self, part: Conjunct, answer: NoPlan) -> None:
        """Keep what of `part` is to blame; all of it where nobody knows."""
        reason = explain(part, self.state, self.things, self.domain)
        blamed = frozenset() if reason.kind in UNPROVED else frozenset(reason.literals)
        self.conflicts[blamed or part] = answer.feedback

    def _parts(self) -> Iterator[tuple[int, Conjunct]]:
        """Yield the parts without a known conflict, the most valuable first, by leaving out wishes one by one."""
        wishes = sorted(self.worth)
        queue: list[tuple[int, int, tuple[int, ...]]] = [(-sum(self.worth.values()), 0, ())]
        while queue and self._looked < MOST_PARTS:
            self._looked += 1
            value, first, without = heapq.heappop(queue)
            part = self.hard | {wish for number, wish in enumerate(wishes) if number not in without}
            for number in range(first, len(wishes)):
                heapq.heappush(queue, (value + self.worth[wishes[number]], number + 1, (*without, number)))
            if self._against(part) is None:
                yield -value, part

    def _against(self, part: Conjunct) -> Feedback | None:
        return next((why for conflict, why in self.conflicts.items() if conflict <= part), None)

    def _refused(self, part: Conjunct) -> bool:
        """Look for a reason that speaks against `part`, without a search."""
        if self.state.satisfies(part):
            return False
        effort = LITTLE if self.planned else ENOUGH // 2  # a whole that cannot be had takes a search seconds to refute
        reason = explain(part, self.state, self.things, self.domain, effort=effort)
        if reason.kind in UNPROVED:
            return False
        self.conflicts[frozenset(reason.literals)] = reason.feedback
        return True

    def _plan(self, part: Conjunct) -> Plan | NoPlan | None:
        """Plan for `part`; None when it stays open whether there is a plan, or a cheaper one."""
        left = self.end - time.monotonic()
        if left <= 0:
            return None
        goal = CheckedGoal(Goal(And(())), (part,))
        answer = solve(goal, self.state, self.things, self.domain, planner=self.planner, seconds=left, costs=self.costs)
        settled = answer.optimal if isinstance(answer, Plan) else answer.proven
        return answer if settled else None
