"""The rung that plans anew, within a budget."""

from __future__ import annotations

from collections.abc import Callable

from py_trees.behaviour import Behaviour

from bt.record import Journal
from bt.repairing.budget import Budget
from bt.replanning import Replan, Replanner
from semantics.protocols import Beliefs, Clock
from semantics.state import Plan

__all__ = ["ANEW", "Anew"]

ANEW = Budget(tries=6, same=2)


class Anew(Replan):
    """Makes a new plan from what is believed now, until its budget is spent; see `bt.Replan`.

    Args:
        child: The tree of the first plan, or any other that may fail.
        replanner: Gives a plan, or why there is none.
        build: Makes a tree of a plan.
        beliefs: What is held true.
        clock: The body's clock.
        budget: What it may spend; planning costs no money.
        delay: How long planning takes on a simulated clock; None to take the plan as soon as it is there.
        journal: Where plans, failures and uses are written.
    """

    def __init__(
        self,
        child: Behaviour,
        replanner: Replanner,
        build: Callable[[Plan], Behaviour],
        *,
        beliefs: Beliefs,
        clock: Clock,
        budget: Budget = ANEW,
        delay: float | None = 0.1,
        journal: Journal | None = None,
    ) -> None:
        super().__init__(
            child,
            replanner,
            build,
            beliefs=beliefs,
            clock=clock,
            tries=budget.tries,
            delay=delay,
            journal=journal,
        )
        self._same = budget.same + 1  # it gives up at this failure instead of answering it
        self._seconds = budget.seconds
        self._began: float | None = None

    def initialise(self) -> None:
        """Start with the full budget."""
        super().initialise()
        self._began = None

    def _is_spent(self) -> bool:
        self._began = self.clock.now() if self._began is None else self._began
        return super()._is_spent() or self.clock.now() - self._began > self._seconds
