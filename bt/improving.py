"""Taking a better plan while the robot works on a good enough one.

A plan that is not proved cheapest is a reason to go on searching. While a step runs, the rest of the work is planned
anew from where that step will leave the world; when it has ended, and only then, the better plan takes over, if it is
cheaper from what is believed then. No motion is ever broken off for a better plan. Where a search has come to its end
and found nothing better, the rest of that plan is not searched for again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Protocol

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from bt.errors import TreeError
from bt.pending import Pending
from bt.reactive.regression import Regression
from bt.reactive.resume import Resume
from bt.record import Journal
from bt.replanning import plan_fields
from semantics.protocols import Beliefs, Clock, NoPlan
from semantics.state import Plan, State

__all__ = ["Improve", "Improver", "Improving"]


class Improving(Protocol):
    """A search that goes on beside the ticks, such as `planning.Anytime`."""

    @property
    def done(self) -> bool:
        """Whether no better plan will come."""
        ...

    def best(self) -> Plan | NoPlan | None:
        """Return the best answer so far, or nothing yet; never waits."""
        ...

    def wait(self) -> Plan | NoPlan | None:
        """Wait until it is done."""
        ...

    def cancel(self) -> None:
        """End it; returns at once."""
        ...


Improver = Callable[[State], Improving]
"""Starts a search for a plan from a state to the goal, and returns at once."""


class Improve(Decorator):
    """Carries out a plan, and changes to a cheaper one between two steps.

    Args:
        plan: What to begin with.
        improver: Starts a search.
        build: Makes the tree of a plan.
        beliefs: What is held true.
        clock: The body's clock.
        delay: How long a search takes, in seconds of a simulated clock: its last answer is taken then, whatever the
            wall clock did. None, as on a real clock: the best answer so far is taken at every boundary.
        journal: Where a change of plan is written.

    Attributes:
        plan: The plan being carried out.
        changes: How often a better one took over.

    Raises:
        TreeError: The delay is negative.
    """

    kind = "improve"

    def __init__(
        self,
        plan: Plan,
        improver: Improver,
        build: Callable[[Plan], Resume],
        *,
        beliefs: Beliefs,
        clock: Clock,
        delay: float | None = None,
        journal: Journal | None = None,
    ) -> None:
        if delay is not None and delay < 0:
            raise TreeError("a delay is not negative")
        self._resume = build(plan)
        super().__init__(name="improve", child=self._resume)
        self.what = "a cheaper plan between two steps"
        self.plan = plan
        self.changes = 0
        self._improver = improver
        self._build = build
        self._beliefs = beliefs
        self._clock = clock
        self._delay = delay if clock.simulated else None
        self._journal = journal
        self._settled = False
        self._search: Improving | None = None
        self._answer: Pending[Plan | NoPlan | None] | None = None

    def tick(self) -> Iterator[Behaviour]:
        """Take a better plan if no step is running, tick, and look for one if a step has begun."""
        if self.status != Status.RUNNING:
            self._let_go()
            self._settled = False
        before = self._resume.working_on
        if before is None and (better := self._better()) is not None:
            self._change(better)
        yield from self.decorated.tick()
        status = self.update()
        after = self._resume.working_on
        if status == Status.RUNNING and after is not None and before is None:
            self._look(after)
        if status != Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def keep_to(self, plan: Plan) -> None:
        """Hold by a plan that a person has changed, and look for no cheaper one that would undo that."""
        self._let_go()
        self.plan, self._settled = plan, True

    def update(self) -> Status:
        """Take the child's status."""
        return Status(self.decorated.status)

    def terminate(self, new_status: Status) -> None:
        """End a search that is under way."""
        self._let_go()

    def _let_go(self) -> None:
        if self._search is not None:
            self._search.cancel()
        self._search = self._answer = None

    def _look(self, index: int) -> None:
        """Search from where the step at `index` will leave the world, unless the plan is known to be cheapest."""
        self._let_go()
        if self.plan.optimal or self._settled or index + 1 == len(self.plan.steps):
            return
        search = self._search = self._improver(self.plan.steps[index].apply(self._beliefs.state))
        if self._delay is not None:
            self._answer = Pending(search.wait, name="improve", now=self._clock.now(), delay=self._delay)

    def _found(self) -> Plan | None:
        """Return the answer that is due, if it is a plan."""
        found: Plan | NoPlan | None = None
        if self._answer is not None:
            found = self._answer.result() if self._answer.arrived(self._clock.now()) else None
        elif self._search is not None:
            found = self._search.best()
        return found if isinstance(found, Plan) else None

    def _better(self) -> Plan | None:
        """Return the part of a plan that still has to be done, when that is cheaper than to go on as before."""
        found = self._found()
        if found is None:
            return None
        state = self._beliefs.state
        point = Regression(found.steps, found.goal).latest(state)
        if point is None or not _cost(found, point) < _cost(self.plan, self._point(state)):
            self._settled = point is not None and self._search is not None and self._search.done
            return None
        optimal = found.optimal and point == 0
        return Plan(found.steps[point:], found.goal, optimal, found.planner, found.seconds)

    def _point(self, state: State) -> int | None:
        return Regression(self.plan.steps, self.plan.goal).latest(state)

    def _change(self, plan: Plan) -> None:
        """Put the tree of `plan` in the place of the old one, whose motions have ended."""
        self._let_go()
        self.plan = plan
        self._settled = False
        self.changes += 1
        old, new = self._resume, self._build(plan)
        if old.status == Status.RUNNING:
            old.stop(Status.INVALID)
        old.parent, new.parent = None, self
        self.children[0] = self.decorated = self._resume = new
        if self._journal is not None:
            self._journal.write("plan", plan_fields(plan, "cheaper"))


def _cost(plan: Plan, point: int | None) -> float:
    """Return what `plan` costs from the step at `point` on; a plan that leads nowhere is dearer than all."""
    return math.inf if point is None else sum(step.cost for step in plan.steps[point:])
