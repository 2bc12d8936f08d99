"""Planning with a planner that only reads PDDL: first with the relevant objects, then with more if that is in doubt.

Every plan is validated with the model of the whole problem. That there is no plan is believed only of the whole
problem, or if the reason is known (`planning.reasons`), because a reason does not depend on what was left out.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from domains.problem import Problem
from planning.problem.text import ask, ignores_costs
from planning.reasons import UNPROVED, explain, impossible, whereabouts
from planning.relevance import relevant
from planning.relevance.needed import without_unneeded
from planning.validation import proved
from semantics.body.protocols import FoundPlan, NoPlan, Planner
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan
from semantics.logic.vocabulary import Thing

LEAST = 0.2
"""The time of a search when the budget is already spent, seconds."""

PRICING = 2e-5
"""The time that writing the price of each action takes for each possible fact, seconds. It cannot be cancelled."""
TOO_LARGE = NoPlan(
    Feedback(
        Code.PLANNER_TIMEOUT, "planning", "there is too much to be written down in time", "Ask for less at a time."
    )
)


@dataclass(frozen=True)
class ByText:
    """A problem with one alternative, and a time limit."""

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
