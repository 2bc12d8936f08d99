"""Finds the best part by trying parts, the most valuable first.

A part is skipped if it contains a *conflict*: literals that are known to be unreachable together. A conflict comes from
a reason that shows at once (`planning.reasons.plain`), from a proved reason, or from a search that tried everything.
All parts of equal value are planned for as one problem with several goals. So the first plan belongs to the best part,
and it is the cheapest plan of that value. Usually this is the only search: a goal that is unreachable as a whole
usually fails on one or two literals with a plain reason.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from domains.problem import Problem
from planning.reasons import LITTLE, UNPROVED, explain, no_plan, plain_conflicts, whereabouts
from planning.solver import solve_optimally
from semantics.body.protocols import NoPlan, Planner
from semantics.logic.atoms import Conjunct, Literal
from semantics.logic.feedback import Feedback
from semantics.logic.state import Plan

MOST_AT_ONCE = 16
"""The largest number of parts of equal value to plan for; with more, the planner weighs them in one problem."""
MOST_ROUNDS = 12
"""The largest number of values that are tried."""
MOST_PARTS = 4000
"""The largest number of parts that are generated."""


@dataclass
class Subsets:
    """Tries the parts of the goal of a `problem`; `worth` contains the integer value of each soft goal.

    Attributes:
        conflicts: Literals that are unreachable together, with the reason if one was reported.
    """

    problem: Problem
    worth: Mapping[Literal, int]
    hard: Conjunct
    planner: Planner
    end: float
    conflicts: dict[Conjunct, Feedback | None] = field(default_factory=dict)
    _looked: int = 0

    def best(self) -> Plan | NoPlan | None:
        """Return a plan for the most valuable part, or why even the hard literals are unreachable; fill `conflicts`.

        Return None if it remains open which part is best.
        """
        self._look_around()
        for rounds, (_, group) in enumerate(groupby(self._parts(), key=lambda pair: pair[0])):
            parts = [part for _, part in group if not self._against(part)]
            if not parts:
                continue
            left = self.end - time.monotonic()
            if rounds >= MOST_ROUNDS or len(parts) > MOST_AT_ONCE or left <= 0:
                return None
            answer = solve_optimally(self.problem.with_goal(*parts), planner=self.planner, seconds=left)
            if isinstance(answer, Plan):
                return answer
            if not answer.proven:
                return None
            self._learn(parts, answer)
        return NoPlan(no_plan(self.problem.with_goal(self.hard)), True) if self._against(self.hard) else None

    def _look_around(self) -> None:
        """Collect the soft goals about objects without a location, and the plain conflicts."""
        for wish in self.worth:
            lost = whereabouts(self.problem.with_goal(frozenset({wish})))
            if lost is not None:
                self.conflicts[frozenset({wish})] = lost
        for conflict in plain_conflicts(self.problem.with_goal(self.hard | self.worth.keys())):
            self.conflicts.setdefault(conflict, None)

    def _learn(self, parts: Sequence[Conjunct], answer: NoPlan) -> None:
        """Store the conflict in each of `parts`; the whole part if the cause is unknown."""
        for part in parts:
            if not self._against(part) and not self._blame(part, answer.feedback, LITTLE):
                self.conflicts[part] = answer.feedback

    def _blame(self, part: Conjunct, feedback: Feedback | None, effort: int) -> bool:
        reason = explain(self.problem.with_goal(part), effort=effort)
        if reason.kind in UNPROVED:
            return False
        self.conflicts[frozenset(reason.literals)] = feedback or reason.feedback
        return True

    def _parts(self) -> Iterator[tuple[int, Conjunct]]:
        """Yield the parts without a known conflict, the most valuable first, by removing soft goals one by one."""
        wishes = sorted(self.worth)
        queue: list[tuple[int, int, tuple[int, ...]]] = [(-sum(self.worth.values()), 0, ())]
        while queue and self._looked < MOST_PARTS:
            self._looked += 1
            value, first, without = heapq.heappop(queue)
            part = self.hard | {wish for number, wish in enumerate(wishes) if number not in without}
            # Only later wishes are removed next, so that each subset enters the queue once.
            for number in range(first, len(wishes)):
                heapq.heappush(queue, (value + self.worth[wishes[number]], number + 1, (*without, number)))
            if not self._against(part):
                yield -value, part

    def _against(self, part: Conjunct) -> bool:
        return any(conflict <= part for conflict in self.conflicts)
