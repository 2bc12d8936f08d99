"""`Obstacles`: beliefs in which physical failures are facts with a lifetime."""

from __future__ import annotations

from collections.abc import Mapping

from bt.node import lag_of
from bt.recovery.obstacles.obstacle import LIFETIMES, Obstacle, domain_with, obstacle_of
from domains.model import Domain
from semantics.atoms import Literal
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs, Clock
from semantics.state import Operator, State

__all__ = ["Obstacles"]


class Obstacles:
    """Beliefs that also contain the obstacles that the body has met; they replace the original beliefs.

    Pass them as the `beliefs` of a tree and of `Runner`, so that a plan that clears an obstacle away is executed like
    any other plan. An obstacle is forgotten when its lifetime is over, or when the object in the way was sensed at
    another place.

    Args:
        beliefs: The beliefs without obstacles.
        domain: The model of the world.
        clock: The body's clock.
        lifetimes: How long an obstacle of each code is believed, in seconds of the clock.

    Attributes:
        revision: A number that grows with every change of `state`.
    """

    def __init__(
        self, beliefs: Beliefs, domain: Domain, clock: Clock, lifetimes: Mapping[Code, float] = LIFETIMES
    ) -> None:
        self._beliefs = beliefs
        self._domain = domain
        self._clock = clock
        self._lifetimes = lifetimes
        self._until: dict[Obstacle, float] = {}
        self._own = 0
        self.revision = beliefs.revision
        self._state = beliefs.state

    @property
    def state(self) -> State:
        """The believed state, including bookkeeping facts and obstacles."""
        if self.revision != self._beliefs.revision + self._own:
            self._renew()
        return self._state

    @property
    def exact_within(self) -> float | None:
        """The largest delay of exact sensing, in seconds; None when sensing may err."""
        return lag_of(self._beliefs)

    @property
    def standing(self) -> tuple[Obstacle, ...]:
        """The obstacles that are believed now, oldest first."""
        return tuple(self._until)

    def refresh(self) -> bool:
        """Take the latest sensing and forget obstacles that have ended; return whether `state` changed."""
        changed = self._beliefs.refresh()
        now, state = self._clock.now(), self._beliefs.state
        over = [obstacle for obstacle, until in self._until.items() if now >= until or not obstacle.stands(state)]
        for obstacle in over:
            del self._until[obstacle]
        self._own += bool(over)
        if changed or over:
            self._renew()
        return changed or bool(over)

    def sensed(self, literal: Literal, since: float = 0.0) -> bool | None:
        """Return what the last sensing of `literal` at or after `since` showed; None when it was not sensed."""
        return self._beliefs.sensed(literal, since)

    def note(self, feedback: Feedback, operator: Operator) -> Obstacle | None:
        """Note the failure of an operator; return the obstacle that it shows, if any."""
        obstacle = obstacle_of(feedback, operator, self._beliefs.state, self._domain)
        lifetime = self._lifetimes.get(feedback.code)
        if obstacle is None or lifetime is None:
            return None
        self._until[obstacle] = self._clock.now() + lifetime
        self._own += 1
        self._renew()
        return obstacle

    def domain(self) -> Domain:
        """Return the domain in which the obstacles forbid actions."""
        return domain_with(self._domain, self.standing)

    def _renew(self) -> None:
        state = self._beliefs.state
        self._state = state.with_atoms(obstacle.atom for obstacle in self._until if obstacle.stands(state))
        self.revision = self._beliefs.revision + self._own
