"""What of a tree has failed: the plan, the step, and what was still to be done."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.reactive.resume import Resume
from bt.reactive.step import Step
from bt.reactive.walking import failure_of, walk
from bt.weaving import Weave
from bt.weaving.order import bits
from semantics.feedback import Feedback
from semantics.state import Operator, Plan

__all__ = ["Failing", "failing"]


class Failing(NamedTuple):
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


def failing(root: Behaviour) -> Failing:
    """Return what of a failed tree has failed."""
    feedback = failure_of(root)
    failed = [node for node in walk(root) if node.status == Status.FAILURE]
    step = next((one for one in failed if isinstance(one, Step) and failure_of(one) is feedback), None)
    resume = next((one for one in failed if isinstance(one, Resume | Weave)), None)
    if resume is None:
        return Failing(feedback, step.operator if step else None)
    number = resume.children.index(step) if step in resume.children else None
    lacking = next((one for one in resume.plan.steps if one.effects == resume.sought), None) if step is None else None
    operator = step.operator if step else None
    if isinstance(resume, Weave):
        return Failing(feedback, operator, _left(resume, number), None if number is None else 0, lacking)
    return Failing(feedback, operator, resume.plan, number, lacking)


def _left(weave: Weave, failed: int | None) -> Plan:
    """Return what is left to do of steps that are done at once, in turn: first the one that failed, if one did."""
    first = () if failed is None else (failed,)
    others = (index for index in bits(weave.left) if index != failed)
    return replace(weave.plan, steps=tuple(weave.plan.steps[index] for index in (*first, *others)), optimal=False)
