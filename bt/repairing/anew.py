"""The rung that plans anew, within a budget that a run which gets further has again."""

from __future__ import annotations

from collections.abc import Callable

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.record import Journal
from bt.repairing.budget import Budget
from bt.repairing.headway import Headway
from bt.repairing.turns.slot import UNPLANNED
from bt.replanning import Replan, Replanner
from planning.replanning.replan import Replanned
from semantics.feedback import Feedback
from semantics.protocols import Beliefs, Clock
from semantics.state import Plan

__all__ = ["ANEW", "Anew"]

ANEW = Budget(tries=6, same=2)


class Anew(Replan):
    """Makes a new plan from what is believed now, until its budget is spent; see `bt.Replan`.

    Of the budget, `tries` and `same` count the failures since the run last got further, so that a long plan in a rough
    world is not given up while it comes nearer to its goal; `most` and `seconds` bound the whole. What getting further
    is says `bt.repairing.headway`, and why that comes to an end: two things that displace each other, or a step that
    always fails, are given up a few failures later.

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
        self._most, self._seconds = budget.most, budget.seconds
        self._began: float | None = None
        self._headway = Headway(beliefs)
        self._since = 0

    def initialise(self) -> None:
        """Start with the full budget."""
        super().initialise()
        self._began = None
        self._headway = Headway(self.beliefs)
        self._since = 0

    def update(self) -> Status:
        """Take the child's status, and whether the run has got further."""
        if self._headway.is_made(self.decorated):
            self._since = len(self.causes)
        return super().update()

    def mend(self, answer: Plan | Replanned) -> None:
        """Put the new plan's tree in the place of the old one; how the world came to be since is no work of the new."""
        super().mend(answer)
        self._headway.take_in()

    def _settle_use(self, solved: bool) -> None:
        """Write down whether the last plan has helped; a first one mends nothing."""
        if self._used is not None and self._used.cause is UNPLANNED:
            self._used = None
        super()._settle_use(solved)

    def _counted(self) -> list[Feedback]:
        return [cause for cause in self.causes[self._since :] if cause is not UNPLANNED]

    def _how_often(self) -> str:
        failed, last = self._failed(), len(self._counted())
        return f"{failed} times" + ("" if last == failed else f", {last} of them since it last got further")

    def _failed(self) -> int:
        return sum(cause is not UNPLANNED for cause in self.causes)

    def _is_spent(self) -> bool:
        self._began = self.clock.now() if self._began is None else self._began
        late = self.clock.now() - self._began > self._seconds
        return super()._is_spent() or self._failed() > self._most or late
