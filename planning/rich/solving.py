"""Planning in a rich domain: ground, compile, search, and run what comes back through the model."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from domains.model import Domain
from planning.cheapest import Search
from planning.rich.compiling import Task, compiled
from planning.rich.reaching import reach_all
from planning.rich.written import write_rich
from planning.task.exploring import TooManyError
from planning.task.sas import DONE
from planning.validation import Invalid, validate
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.protocols import Found, NoPlan
from semantics.state import Operator, Plan, State
from semantics.vocabulary import Thing

__all__ = ["solve_rich"]

SHARE = 0.8
"""Part of the time that the proof gets; the rest is for any plan."""
UNREACHED = NoPlan(Feedback(Code.NO_PLAN, "the goal", "no sequence of actions reaches it", recoverable=False), True)
TOO_MANY = NoPlan(
    Feedback(Code.PLANNER_TIMEOUT, "planning", "there is too much that can be done here", "Ask for less at a time.")
)


def solve_rich(
    goals: Sequence[Conjunct],
    state: State,
    things: Mapping[str, Thing],
    domain: Domain,
    planner: Search,
    seconds: float,
) -> Plan | NoPlan:
    """Plan from `state` to one of `goals`, with proof if that ends in time.

    Raises:
        OutsideError: The planner cannot be started.
        UsageError: The state lacks a number, or a predicate is derived from its own denial.
    """
    return _Solving(goals, state, things, domain, planner, seconds).run()


@dataclass
class _Solving:
    goals: Sequence[Conjunct]
    state: State
    things: Mapping[str, Thing]
    domain: Domain
    planner: Search
    seconds: float
    started: float = field(default_factory=time.monotonic)

    def run(self) -> Plan | NoPlan:
        try:
            task = self._task()
        except TooManyError:
            return TOO_MANY
        if not task.goals:
            return UNREACHED
        left = max(self.seconds - (time.monotonic() - self.started), 0.2)
        found = self.planner.search(write_rich(task), seconds=left, prove=False, share=SHARE)
        return found if isinstance(found, NoPlan) else self._checked(found, task)

    def _task(self) -> Task:
        self.axioms = self.domain.axioms(self.things)
        reached = reach_all(self.domain, self.things, self.state)
        return compiled(self.domain, reached, self.goals, self.axioms)

    def _checked(self, found: Found, task: Task) -> Plan | NoPlan:
        actions = [task.steps[int(one.name[1:])].operator.action for one in found.actions if one.name[:1] == "o"]
        ends = [int(one.name.removeprefix(DONE)) for one in found.actions if one.name.startswith(DONE)]
        goal = self.goals[task.numbers[ends[0]]]
        steps = [self.domain.ground(one, self.things, self.state.numbers, self.axioms) for one in actions]
        return self._proved(tuple(steps), goal, found, exact=not task.guessed)

    def _proved(self, steps: tuple[Operator, ...], goal: Conjunct, found: Found, *, exact: bool) -> Plan | NoPlan:
        start = self.axioms.close(self.state) if self.axioms else self.state
        checked = validate(steps, start, goal)
        if isinstance(checked, Invalid):
            return NoPlan(checked.feedback, False, found.seconds)
        optimal = found.optimal and exact
        return Plan(steps, goal, optimal, self.planner.name, found.seconds, None if optimal else found.bound or None)  # type: ignore[attr-defined]
