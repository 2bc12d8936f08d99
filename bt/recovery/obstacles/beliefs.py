"""`Obstacles`: beliefs in which physical failures are facts with a lifetime."""

from __future__ import annotations

from collections.abc import Mapping

from bt.node import lag_of
from bt.recovery.obstacles.compilation import domain_with
from bt.recovery.obstacles.obstacle import LIFETIMES, Obstacle, obstacle_of
from domains.model import Domain
from semantics.atoms import Literal
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs, Clock
from semantics.state import Operator, State

__all__ = ["Obstacles"]


class Obstacles:
    """What is held true, with what the body has met in its way; stands for the beliefs it is made of.

    Pass it as the `beliefs` of a tree, and of `Runner`: a plan that clears the way then goes on from wherever the world
    is, as any other does. An obstacle is forgotten when its time is over, and when what was in the way was sensed
    elsewhere.

    Args:
        beliefs: What is held true without them.
        domain: The world's model.
        clock: The body's clock.
        lifetimes: How long each kind of failure is believed, in seconds of the clock.

    Attributes:
        revision: Grows with every change of `state`.
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
        """What is held true, bookkeeping facts and obstacles included."""
        if self.revision != self._beliefs.revision + self._own:
            self._renew()
        return self._state

    @property
    def exact_within(self) -> float | None:
        """After how many seconds at most the body senses what is so; None when it may err."""
        return lag_of(self._beliefs)

    @property
    def standing(self) -> tuple[Obstacle, ...]:
        """The obstacles that are believed in now, oldest first."""
        return tuple(self._until)

    def refresh(self) -> bool:
        """Take in the latest sensing, and forget what is over; return whether `state` changed."""
        changed = self._beliefs.refresh()
        now, state = self._clock.now(), self._beliefs.state
        over = [one for one, until in self._until.items() if now >= until or not one.stands(state)]
        for one in over:
            del self._until[one]
        self._own += bool(over)
        if changed or over:
            self._renew()
        return changed or bool(over)

    def sensed(self, literal: Literal, since: float = 0.0) -> bool | None:
        """Return what the last sensing of `literal` at or after `since` showed; None when it was not sensed."""
        return self._beliefs.sensed(literal, since)

    def note(self, feedback: Feedback, operator: Operator) -> Obstacle | None:
        """Take in that an operator failed; return the obstacle that this shows, if any."""
        found = obstacle_of(feedback, operator, self._beliefs.state, self._domain)
        lifetime = self._lifetimes.get(feedback.code)
        if found is None or lifetime is None:
            return None
        self._until[found] = self._clock.now() + lifetime
        self._own += 1
        self._renew()
        return found

    def domain(self) -> Domain:
        """Return the domain in which they forbid things."""
        return domain_with(self._domain, self.standing)

    def _renew(self) -> None:
        state = self._beliefs.state
        self._state = state.with_atoms(one.atom for one in self._until if one.stands(state))
        self.revision = self._beliefs.revision + self._own
