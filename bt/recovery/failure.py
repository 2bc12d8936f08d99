"""The failure of a tree: the plan, the step, and the steps that were left."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.execution.execute import Execute
from bt.execution.order import bits
from bt.execution.step import Step
from bt.node import failure_of, walk
from semantics.feedback import Feedback
from semantics.state import Operator, Plan

__all__ = ["Failure", "failure_below"]


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
