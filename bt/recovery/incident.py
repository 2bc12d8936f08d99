"""The state of a `Recover` node: the failure that the strategies work on, and the current detour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.background import Awaited
from bt.execution.execute import Execute
from bt.execution.order import bits
from bt.execution.step import Step, says_where
from bt.node import Accountable, failure_of, walk
from bt.recovery.request import Answer
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs
from semantics.state import Operator, Plan, State

__all__ = [
    "UNPLANNED",
    "Failure",
    "Incident",
    "OnDetour",
    "Unplanned",
    "failure_below",
]


class Failure(NamedTuple):
    """A failure and its place in the plan.

    Attributes:
        feedback: The reason.
        step: The step that failed; None when the plan could not go on before a step of it began.
        plan: The plan of the step; of a partial order, the steps that are left. None for a hand-written tree.
        number: The number of the step in the plan; None without a step or a plan.
        lacking: If the plan could not go on, the step that was not applicable.
    """

    feedback: Feedback
    step: Operator | None
    plan: Plan | None = None
    number: int | None = None
    lacking: Operator | None = None

    @property
    def culprit(self) -> Operator | None:
        """The step that failed, or that could not be begun."""
        return self.step or self.lacking

    def as_dict(self) -> dict[str, object]:
        """Return the failure for the record, as plain data for JSON."""
        step = str(self.culprit) if self.culprit else None
        plan = [str(operator) for operator in self.plan.steps] if self.plan else []
        return {"feedback": self.feedback.as_dict(), "step": step, "plan": plan}


def failure_below(root: Behaviour) -> Failure:
    """Return the failure of a failed tree."""
    feedback = failure_of(root)
    failed = [node for node in walk(root) if node.status == Status.FAILURE]
    step = next((node for node in failed if isinstance(node, Step) and failure_of(node) is feedback), None)
    execute = next((node for node in failed if isinstance(node, Execute)), None)
    if execute is None:
        return Failure(feedback, step.operator if step else None)
    number = execute.children.index(step) if step in execute.children else None
    lacking = next((op for op in execute.plan.steps if op.effects == execute.sought), None) if step is None else None
    operator = step.operator if step else None
    if execute.order.total:
        return Failure(feedback, operator, execute.plan, number, lacking)
    return Failure(feedback, operator, _left(execute, number), None if number is None else 0, lacking)


def _left(execute: Execute, failed: int | None) -> Plan:
    """Return the steps that are left of a partially ordered plan as a sequence, the failed step first."""
    first = () if failed is None else (failed,)
    others = (index for index in bits(execute.left) if index != failed)
    steps = tuple(execute.plan.steps[index] for index in (*first, *others))
    return replace(execute.plan, steps=steps, optimal=False)


UNPLANNED = Feedback(Code.PRECONDITION, "the goal", "it has still to be planned for from here")
"""The failure of `Unplanned`. It means that a plan is still to be made, so no budget counts it."""


class Unplanned(Accountable):
    """A placeholder where a plan has still to be made: it fails, so that a planning strategy answers."""

    kind = "unplanned"

    def __init__(self) -> None:
        super().__init__(name="unplanned")

    def update(self) -> Status:
        """Fail, to ask for a plan."""
        return self.fail(UNPLANNED)


@dataclass(slots=True)
class Incident:
    """A failure that is passed from strategy to strategy.

    Attributes:
        feedback: The reason; a strategy without an answer may add to it.
        failure: The failure of the child.
        sought: The effects that were not achieved.
        since: The time of the failure, in seconds of the clock.
        index: The index of the current strategy.
        reached_at: When the current strategy accepted the failure; None before that.
        pending: The answer of the current strategy; None before it was asked.
        asked_revision: The revision of the beliefs when the strategy was asked.
        is_fresh: Whether the tick of the failure has not ended: the strategy is asked in it and answers in a later one.
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
        """Add the finding of a strategy to the reason."""
        cause = self.feedback
        if why not in cause.why:
            self.feedback = replace(cause, why=f"{cause.why.rstrip('.')}; {name}: {why}")

    def hand_on(self) -> None:
        """Pass the failure to the next strategy."""
        self.index += 1
        self.reached_at = self.pending = None


@dataclass(slots=True)
class OnDetour:
    """The current detour, and how the run goes on after it.

    Attributes:
        ahead: The plans of the detour that still have to begin.
        then: The child after the detour.
        restores: Whether that child has already succeeded, and the detour only restores what was disturbed for it.
        until: Returns whether the detour is no longer needed in a state.
        owed: The facts that had to be restored when the detour began.
        asked: The revision of the beliefs for which `until` was called last.
        is_needless: The result of that call.
    """

    ahead: list[Plan]
    then: Behaviour
    restores: bool = False
    until: Callable[[State], bool] | None = None
    owed: Conjunct = frozenset()
    asked: int | None = None
    is_needless: bool = False

    def may_end(self, root: Behaviour, beliefs: Beliefs) -> bool:
        """Return whether the detour is no longer needed and no hand is at work below `root`."""
        if self.until is not None and self.asked != beliefs.revision:
            self.asked = beliefs.revision
            self.is_needless = self.until(beliefs.state)
        return self.is_needless and all(_only_moves(node) for node in walk(root) if isinstance(node, Step))


def _only_moves(step: Step) -> bool:
    """Return whether a step is not running, or changes only the place of its agent."""
    changed = (literal.atom for literal in step.operator.effects)
    return step.status != Status.RUNNING or all(says_where(atom, step.operator) for atom in changed)
