"""The strategy that searches for objects that the goal needs and whose place is unknown."""

from __future__ import annotations

from dataclasses import dataclass

from bt.recovery import Answer, Detour, Nothing, Request
from graftwork.decision.exploration import CODES, Exploring, last_seen
from graftwork.recovery.context import GoalStrategy
from semantics.body.protocols import NoPlan


@dataclass(eq=False)
class Explore(GoalStrategy):
    """Makes a detour to the most promising place; afterwards the goal is planned for again."""

    name = "explore"
    codes = CODES

    exploring: Exploring  # chooses the next place
    seconds: float  # seconds that the choice takes on a simulated clock

    def propose(self, request: Request) -> Answer:
        """Return the detour to the next place to search."""
        looking = self.exploring.next(self.pursued.goal, request, self.context.decider(request).plans)
        if isinstance(looking, NoPlan):
            return Nothing.of(looking)
        known = last_seen(looking.thing, self.exploring.environment.watcher)
        sentence = f"{known or f'Nobody has seen where {looking.thing} is'}: {looking.place} is looked at."
        return Detour((looking.plan,), until=self.exploring.until(looking), said=sentence)
