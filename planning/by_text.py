"""Planning with a planner that only reads PDDL: what matters is written down, and more where that is in doubt.

A plan that is found is run through the model on the whole problem. That there is none is believed of the whole problem
only, or where the reason is known (`planning.reasons`), which does not ask what was left out.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from domains.problem import Problem
from planning.answers import proved
from planning.problem.text import pddl_text
from planning.reasons import UNPROVED, explain, impossible, whereabouts
from planning.relevance import relevant
from semantics.feedback import Code, Feedback
from semantics.protocols import FoundPlan, NoPlan, Planner
from semantics.state import Plan
from semantics.vocabulary import Thing

__all__ = ["ByText"]

LEAST = 0.2
"""What a search gets even when the budget is spent, seconds."""

WRITING = 2e-5
"""How long the modelling library takes for each fact that can be stated, seconds; nothing can call it off."""
TOO_LARGE = NoPlan(
    Feedback(
        Code.PLANNER_TIMEOUT, "planning", "there is too much to be written down in time", "Ask for less at a time."
    )
)


@dataclass(frozen=True)
class ByText:
    """A problem with one alternative to plan for, with the time it may take."""

    problem: Problem
    planner: Planner
    seconds: float
    started: float = field(default_factory=time.monotonic)

    def solve(self) -> Plan | NoPlan:
        """Return a plan that has been run through the model, or why there is none."""
        lost = whereabouts(self.problem)
        if lost is not None:
            return NoPlan(lost)
        found, asked = self._search()
        if isinstance(found, FoundPlan):
            return self._checked(found)
        if found.feedback.code is Code.PLANNER_TIMEOUT:
            proof = impossible(self.problem)
            return NoPlan(proof, True, found.seconds) if proof else found
        if found.feedback.code is not Code.NO_PLAN:
            return found
        return self._refused(found, asked)

    def _refused(self, found: NoPlan, asked: int) -> Plan | NoPlan:
        """Say why there is none; where nobody knows, and only `asked` of the things were planned with, ask with all."""
        reason = explain(self.problem)
        if reason.kind not in UNPROVED:
            return replace(found, feedback=reason.feedback, proven=True)
        things = self.problem.objects
        whole = self._ask(things) if asked < len(things) else found
        if isinstance(whole, FoundPlan):
            return self._checked(whole)
        proven = whole.proven and whole.feedback.code is Code.NO_PLAN
        return replace(found, feedback=reason.feedback, proven=proven)

    def _left(self) -> float:
        return max(self.seconds - (time.monotonic() - self.started), LEAST)

    def _search(self) -> tuple[FoundPlan | NoPlan, int]:
        """Plan with the things that matter; with all that might when those are not proved to be enough.

        The number tells with how many things at most.
        """
        reduction = relevant(self.problem)
        found = self._ask(reduction.things)
        if not reduction.groups or (isinstance(found, FoundPlan) and not found.optimal):
            return found, len(reduction.things)
        useful = {member for members in reduction.groups.values() for member in members}
        more = {name: one for name, one in self.problem.objects.items() if name in useful or name in reduction.things}
        wider = self._ask(more)
        if isinstance(found, FoundPlan) and (isinstance(wider, NoPlan) or not wider.optimal):
            return replace(found, optimal=False), len(more)
        return wider, len(more)

    def _ask(self, things: Mapping[str, Thing]) -> FoundPlan | NoPlan:
        predicates = self.problem.domain.predicates.values()
        facts = sum(len(things) ** len(model.predicate.parameters) for model in predicates)
        if facts * WRITING > self._left():
            return TOO_LARGE
        written = pddl_text(replace(self.problem, objects=things))
        found = self.planner.solve(written.domain, written.problem, seconds=self._left())
        if isinstance(found, NoPlan):
            return found
        return replace(found, actions=tuple(written.read(action) for action in found.actions))

    def _checked(self, found: FoundPlan) -> Plan | NoPlan:
        steps = tuple(self.problem.ground(action) for action in found.actions)
        goal, name = self.problem.conjunct, self.planner.name
        return proved(steps, goal, self.problem.state, optimal=found.optimal, planner=name, seconds=found.seconds)
