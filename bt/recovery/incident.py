"""What a `Recover` node keeps: a failure on its way, a detour that is under way, and answers that were taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.background import Awaited
from bt.execution.step import Step, says_where
from bt.node import Accountable, walk
from bt.recovery.failure import Failure
from bt.recovery.request import Answer
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs
from semantics.state import Plan, State

__all__ = ["UNPLANNED", "Incident", "OnDetour", "Unplanned"]

UNPLANNED = Feedback(Code.PRECONDITION, "the goal", "it has still to be planned for from here")
"""The failure of what is no plan yet; it is no mishap, so no budget counts it."""


class Unplanned(Accountable):
    """Where a plan has still to be made: fails, so that planning again answers."""

    kind = "unplanned"

    def __init__(self) -> None:
        super().__init__(name="unplanned")

    def update(self) -> Status:
        """Ask for a plan."""
        return self.fail(UNPLANNED)


@dataclass(slots=True)
class Incident:
    """A failure on its way through the strategies.

    Attributes:
        feedback: Why; a strategy that has no answer may add to it.
        failure: What has failed.
        sought: What failed to be brought about.
        since: When the failure was, in seconds of the clock.
        index: The strategy that it has come to.
        reached_at: When it came to that; None when it has not been taken up there.
        pending: Its answer, when it was asked.
        asked_revision: The revision of what was believed when it was asked.
        is_fresh: Whether the tick in which it failed is not over: the first strategy is asked in it, and answers later.
    """

    feedback: Feedback
    failure: Failure
    sought: Conjunct | None
    since: float
    index: int = 0
    reached_at: float | None = None
    pending: Awaited[Answer] | None = None
    asked_revision: int = 0
    is_fresh: bool = True

    def explain(self, name: str, why: str) -> None:
        """Add what a strategy has found out about it."""
        cause = self.feedback
        if why not in cause.why:
            self.feedback = replace(cause, why=f"{cause.why.rstrip('.')}; {name}: {why}")

    def hand_on(self) -> None:
        """Let the next strategy take it up."""
        self.index += 1
        self.reached_at = self.pending = None


@dataclass(slots=True)
class OnDetour:
    """What goes on around a detour.

    Attributes:
        ahead: The plans of the detour that are still to begin.
        then: What is worked on afterwards.
        restores: Whether that has succeeded already, and the detour only restores what was disturbed for it.
        until: Whether the detour is no longer needed.
        owed: What had still to be restored when it began.
        asked: The revision for which that was asked last.
        is_needless: The answer.
    """

    ahead: list[Plan]
    then: Behaviour
    restores: bool = False
    until: Callable[[State], bool] | None = None
    owed: Conjunct = frozenset()
    asked: int | None = None
    is_needless: bool = False

    def may_end(self, root: Behaviour, beliefs: Beliefs) -> bool:
        """Return whether it is not needed any more, and no hand is at work below `root`."""
        if self.until is not None and self.asked != beliefs.revision:
            self.asked = beliefs.revision
            self.is_needless = self.until(beliefs.state)
        return self.is_needless and all(_only_moves(node) for node in walk(root) if isinstance(node, Step))


def _only_moves(step: Step) -> bool:
    """Return whether a step is not running, or changes nothing but where its agent is."""
    changed = (literal.atom for literal in step.operator.effects)
    return step.status != Status.RUNNING or all(says_where(atom, step.operator) for atom in changed)
