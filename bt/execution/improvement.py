"""Taking a better plan while the robot works on a good enough one.

A plan that is not proved cheapest is a reason to go on searching. While a step runs, the rest of the work is planned
anew from where that step will leave the world; when it has ended, and only then, the better plan takes over, if it is
cheaper from what is believed then. No motion is ever broken off for a better plan. Where a search has come to its end
and found nothing better, the rest of that plan is not searched for again.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

from bt.background import Cancellation, Pending
from bt.errors import TreeError
from bt.execution.regression import Regression
from domains.model import Domain
from semantics.protocols import Beliefs, Clock, NoPlan
from semantics.state import Plan, State

__all__ = ["Basis", "Improvement", "Improver", "Improving", "Learning"]


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


class Basis(NamedTuple):
    """What a plan was made from.

    Attributes:
        state: Where it starts.
        domain: The model that it was made with; None where nothing keeps what was learned of the world.
    """

    state: State
    domain: Domain | None = None


@runtime_checkable
class Learning(Protocol):
    """Beliefs with which a model of the world goes that knows what was learned, such as what is in the way."""

    def domain(self) -> Domain:
        """Return the model as it is known now."""
        ...


Improver = Callable[[State], Improving]
"""Starts a search for a plan from a state to the goal, and returns at once."""


class Improvement:
    """The search for a cheaper plan while a plan is carried out.

    Args:
        improver: Starts a search.
        beliefs: What is held true.
        clock: The body's clock.
        delay: How long a search takes, in seconds of a simulated clock: its last answer is taken then, whatever the
            wall clock did. None, as on a real clock: the best answer so far is taken between any two steps.
        cancellation: Ends the waiting for a search.

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
        """Know nothing yet of what could be cheaper."""
        self.cancel()
        self._is_settled = self._is_kept

    def settle(self) -> None:
        """Look for no cheaper plan, such as for one that a person has changed."""
        self.cancel()
        self._is_settled = self._is_kept = True

    def cancel(self) -> None:
        """End a search that is under way."""
        if self._search is not None:
            self._search.cancel()
        self._search = self._answer = None

    def look(self, plan: Plan, index: int) -> None:
        """Search from where the step at `index` will leave the world, unless the plan is known to be cheapest."""
        self.cancel()
        if plan.optimal or self._is_settled or index + 1 == len(plan.steps):
            return
        domain = self._beliefs.domain() if isinstance(self._beliefs, Learning) else None
        self._basis = Basis(plan.steps[index].apply(self._beliefs.state), domain)
        search = self._search = self._improver(self._basis.state)
        if self._delay is not None:
            self._answer = Pending(
                search.wait,
                name="improve",
                now=self._clock.now(),
                delay=self._delay,
                cancellation=self._cancellation,
            )

    def better(self, plan: Plan) -> tuple[Plan, Basis] | None:
        """Return the part of another plan that still has to be done, when that is cheaper than to go on with `plan`.

        With it comes what it was made from, at the place where it begins.
        """
        other = self._result()
        if other is None:
            return None
        state = self._beliefs.state
        point = Regression(other.steps, other.goal).latest(state)
        if point is None or not _cost(other, point) < _cost(plan, Regression(plan.steps, plan.goal).latest(state)):
            self._is_settled = point is not None and self._search is not None and self._search.done
            return None
        start, domain = self._basis
        for step in other.steps[:point]:
            start = step.apply(start)
        self.begin()
        optimal = other.optimal and point == 0
        return Plan(other.steps[point:], other.goal, optimal, other.planner, other.seconds), Basis(start, domain)

    def _result(self) -> Plan | None:
        """Return the answer that is due, if it is a plan."""
        answer: Plan | NoPlan | None = None
        if self._answer is not None:
            answer = self._answer.result() if self._answer.arrived(self._clock.now()) else None
        elif self._search is not None:
            answer = self._search.best()
        return answer if isinstance(answer, Plan) else None


def _cost(plan: Plan, point: int | None) -> float:
    """Return what `plan` costs from the step at `point` on; a plan that leads nowhere is dearer than all."""
    return math.inf if point is None else sum(step.cost for step in plan.steps[point:])
