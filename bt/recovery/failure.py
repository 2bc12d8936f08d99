"""What of a tree has failed: the plan, the step, and what was still to be done."""

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
    """A failure and where it stands.

    Attributes:
        feedback: Why.
        step: What failed; None when a plan was lost before any step of it was begun.
        plan: The plan it belongs to, or what is left of one whose steps are done at once; None for a step of a
            hand-written tree.
        number: The number of the step in the plan; None without one.
        lacking: Of a plan that was lost, the step that could not be taken.
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
        """Return what the record tells of it, as plain data for JSON."""
        step = str(self.culprit) if self.culprit else None
        plan = [str(operator) for operator in self.plan.steps] if self.plan else []
        return {"feedback": self.feedback.as_dict(), "step": step, "plan": plan}


def failure_below(root: Behaviour) -> Failure:
    """Return what of a failed tree has failed."""
    feedback = failure_of(root)
    failed = [node for node in walk(root) if node.status == Status.FAILURE]
    step = next((one for one in failed if isinstance(one, Step) and failure_of(one) is feedback), None)
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
    """Return what is left to do of a partly ordered plan, in turn: first the step that failed, if one did."""
    first = () if failed is None else (failed,)
    others = (index for index in bits(execute.left) if index != failed)
    steps = tuple(execute.plan.steps[index] for index in (*first, *others))
    return replace(execute.plan, steps=steps, optimal=False)
