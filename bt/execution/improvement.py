"""Replace the plan under way by a cheaper one that is found while the robot works.

The search goes on while a plan is not proved cheapest. While a step runs, a planner plans the rest of the work from the
state that the step will lead to. The better plan takes over only after the step has ended, and only if it is cheaper
from the state that is believed then. No motion is stopped for a better plan. When a search ends without a better plan,
no further search is started for the rest of that plan.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

from bt.background import Cancellation, Pending
from bt.errors import TreeError
from bt.execution.remaining import resume_point
from domains.world import World
from semantics.body.protocols import Beliefs, Clock, NoPlan
from semantics.logic.state import Plan, State


class Improving(Protocol):
    """A search that runs in parallel with the ticks, such as `planning.Anytime`."""

    @property
    def done(self) -> bool:
        """Whether the search has ended, so that no better plan can follow."""

    def best(self) -> Plan | NoPlan | None:
        """Return the best answer so far, or None before the first; never waits."""

    def wait(self) -> Plan | NoPlan | None:
        """Wait until the search has ended, and return its answer."""

    def cancel(self) -> None:
        """End the search; returns at once."""


class Basis(NamedTuple):
    """What a plan was made from."""

    state: State  # the state that the plan starts from
    revision: int | None = None
    """The revision of the world that it was made in; None if that is unknown, or had learned facts."""


@runtime_checkable
class WorldBeliefs(Protocol):
    """Beliefs about a known world, which may also learn facts about it, such as obstacles."""

    @property
    def world(self) -> World:
        """The world without learned facts, at its present revision."""

    def model(self, *, proven: bool = False) -> World:
        """Return the world with learned facts; if `proven`, without those that another try may show to be wrong."""


def models_of(beliefs: Beliefs) -> tuple[World | None, World | None, World | None]:
    """Return the world of beliefs without learned facts, with them, and with the proven ones; None for none."""
    if not isinstance(beliefs, WorldBeliefs):
        return None, None, None
    return beliefs.world, beliefs.model(), beliefs.model(proven=True)


def plain_revision(beliefs: Beliefs) -> int | None:
    """Return the revision of the world that beliefs are about; None if they know none, or have learned facts."""
    world, learned, _ = models_of(beliefs)
    return None if world is None or learned is not world else world.revision


Improver = Callable[[State], Improving]
"""Starts a search for a plan from a state to the goal, and returns at once."""


class Improvement:
    """The search for a cheaper plan while a plan is carried out.

    Args:
        improver: Starts a search.
        beliefs: What is held true.
        clock: The body's clock.
        delay: The duration of a search, in seconds of a simulated clock: its last answer is taken at that time,
            independent of the wall clock. None, as on a real clock: the best answer so far is taken between two steps.
        cancellation: Ends the wait for a search.

    Raises:
        TreeError: The delay is negative.
    """

    def __init__(
        self,
        improver: Improver,
        *,
        beliefs: Beliefs,
        clock: Clock,
        delay: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> None:
        if delay is not None and delay < 0:
            raise TreeError("a delay is not negative")
        self._improver = improver
        self._beliefs = beliefs
        self._clock = clock
        self._delay = delay if clock.simulated else None
        self._cancellation = cancellation
        self._is_settled = self._is_kept = False
        self._basis = Basis(beliefs.state)
        self._search: Improving | None = None
        self._answer: Pending[Plan | NoPlan | None] | None = None

    def begin(self) -> None:
        """End the current search and allow new ones, unless `settle` has forbidden them."""
        self.cancel()
        self._is_settled = self._is_kept

    def settle(self) -> None:
        """Search for no cheaper plan any more, for example because a person has changed the plan."""
        self.cancel()
        self._is_settled = self._is_kept = True

    def cancel(self) -> None:
        """End the current search, if there is one."""
        if self._search is not None:
            self._search.cancel()
        self._search = self._answer = None

    def look(self, plan: Plan, index: int) -> None:
        """Search from the state after the step at `index`, unless the plan is known to be cheapest."""
        self.cancel()
        if plan.optimal or self._is_settled or index + 1 == len(plan.steps):
            return
        self._basis = Basis(plan.steps[index].apply(self._beliefs.state), plain_revision(self._beliefs))
        search = self._search = self._improver(self._basis.state)
        if self._delay is not None:
            self._answer = Pending(
                search.wait, name="improve", now=self._clock.now(), delay=self._delay, cancellation=self._cancellation
            )

    def better(self, plan: Plan) -> tuple[Plan, Basis] | None:
        """Return the part of another plan that is left to do, with its basis, if it is cheaper than the rest of `plan`.

        The basis holds the state at which the returned part begins.
        """
        other = self._result()
        if other is None:
            return None
        state = self._beliefs.state
        point = resume_point(other.steps, other.goal, state)
        if point is None or not _cost(other, point) < _cost(plan, resume_point(plan.steps, plan.goal, state)):
            self._is_settled = point is not None and self._search is not None and self._search.done
            return None
        start, revision = self._basis
        for step in other.steps[:point]:
            start = step.apply(start)
        self.begin()
        optimal = other.optimal and point == 0
        return Plan(other.steps[point:], other.goal, optimal, other.planner, other.seconds), Basis(start, revision)

    def _result(self) -> Plan | None:
        """Return the answer of the search that is due now, if it is a plan."""
        answer: Plan | NoPlan | None = None
        if self._answer is not None:
            answer = self._answer.result() if self._answer.arrived(self._clock.now()) else None
        elif self._search is not None:
            answer = self._search.best()
        return answer if isinstance(answer, Plan) else None


def _cost(plan: Plan, point: int | None) -> float:
    """Return the cost of `plan` from the step at `point` on; infinite if there is no resume point."""
    return math.inf if point is None else sum(step.cost for step in plan.steps[point:])
