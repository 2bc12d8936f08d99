"""The first rung: the same once more, for failures that a second try may mend."""

from __future__ import annotations

from py_trees.behaviour import Behaviour

from bt.reactive.regression import Regression
from bt.record import Journal
from bt.repairing.budget import Budget, LowRung
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs, Clock, NoPlan
from semantics.state import State

__all__ = ["MENDED_BY_CHANCE", "Again"]

MENDED_BY_CHANCE = frozenset({Code.NOT_GRASPED, Code.DROPPED, Code.STUCK, Code.NO_ROOM, Code.EFFECT_MISSING})
"""Failures of one try that say little of the next: fingers that slipped, a way that was blocked for a moment.

What is obstructed or out of reach stays so; it is for the next rungs.
"""
TWICE = Budget(tries=4, same=1)


class Again(LowRung[Feedback]):
    """Begins the child again, once the world has come to rest and was sensed.

    The child is ticked from its beginning: a plan's tree goes on at the step that failed (or wherever the world is by
    then), a leaf starts its motion anew, and the body chooses among its candidates anew. Put it around a single step
    in a tree of your own. Of a plan it is also for any failure by which the world has come to be sensed as one that the
    plan can deal with itself.

    Args:
        child: What may fail.
        beliefs: What is held true.
        clock: The body's clock.
        codes: The failures that a second try may mend.
        budget: What it may spend.
        settle: How long to wait before, in seconds of the clock.
        journal: Where its uses are written.
    """

    def __init__(
        self,
        child: Behaviour,
        *,
        beliefs: Beliefs,
        clock: Clock,
        codes: frozenset[Code] = MENDED_BY_CHANCE,
        budget: Budget = TWICE,
        settle: float = 0.5,
        journal: Journal | None = None,
    ) -> None:
        super().__init__(
            "again",
            child,
            None,
            beliefs=beliefs,
            clock=clock,
            budget=budget,
            settle=settle,
            delay=0.0,
            journal=journal,
        )
        self._chances = codes
        self.what = f"at most {budget.tries} times, the same at most {budget.same} times"

    def ask(self, state: State, feedback: Feedback) -> Feedback | NoPlan:
        """Take it up again if chance may mend it, or if the plan knows by now what to do about it."""
        refused = feedback.code is Code.REFUSED_BY_BODY and not feedback.culprits
        if refused or feedback.code in self._chances or self._leads_elsewhere(state):
            return feedback
        return NoPlan(Feedback(feedback.code, "once more", "nothing has changed that would let it work"))

    def _leads_elsewhere(self, state: State) -> bool:
        """Return whether the plan goes on at another step than the failed one: the door is seen to be shut."""
        failed = self.failed
        if failed is None or failed.plan is None:
            return False
        point = Regression(failed.plan.steps, failed.plan.goal).latest(state)
        return point is not None and point != failed.number

    def mend(self, answer: Feedback) -> None:
        """Leave the child as it is: it failed, so that ticking begins it anew."""
