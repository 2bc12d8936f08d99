"""The strategy that searches for objects that the goal needs and whose place is unknown."""

from __future__ import annotations

from dataclasses import dataclass

from bt.recovery import Answer, Detour, Nothing, Request, Scope, Strategy
from graftwork.decision.exploration import CODES, Exploring
from graftwork.recovery.context import Pursued
from semantics.protocols import NoPlan

__all__ = ["Explore"]


@dataclass(eq=False)
class Explore(Strategy):
    """Makes a detour to the most promising place; afterwards the goal is planned for again.

    Attributes:
        exploring: Chooses the next place.
        pursued: The goal of the run.
        seconds: Seconds that the choice takes on a simulated clock.
    """

    name = "explore"
    scope = Scope.RUN
    needs_goal = makes_plans = True

    exploring: Exploring
    pursued: Pursued
    seconds: float

    def applies(self, request: Request) -> bool:
        """Return whether a search may help after such a failure."""
        return request.feedback.code in CODES

    def propose(self, request: Request) -> Answer:
        """Return the detour to the next place to search."""
        looking = self.exploring.next(self.pursued.goal, request)
        if isinstance(looking, NoPlan):
            return Nothing.of(looking)
        sentence = f"Nobody has seen where {looking.thing} is: {looking.place} is looked at."
        return Detour((looking.plan,), until=self.exploring.until(looking), said=sentence)
