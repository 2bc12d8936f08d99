"""The progress of a tree in its plan: the steps that run, that are left, and that are done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from bt.execution.execute import Execute
from bt.execution.order import bits
from bt.execution.step import Step
from bt.node import above, path_of, walk
from bt.recovery.recover import Recover
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.state import State

__all__ = ["Standing", "answering", "over", "standing", "worked_on"]


class Standing(NamedTuple):
    """The numbers of the running steps and of the steps that still have to begin; all others are done."""

    running: frozenset[int]
    ahead: frozenset[int]

    def is_done(self, number: int) -> bool:
        """Return whether a step is done or no longer needed."""
        return number not in self.running and number not in self.ahead


def worked_on(tree: Behaviour) -> Execute:
    """Return the `Execute` of a tree; the running one if there are several.

    Raises:
        TreeError: There is none, or there are several.
    """
    nodes = [execute for execute in walk(tree) if isinstance(execute, Execute)]
    nodes = [execute for execute in nodes if execute.status == Status.RUNNING] or nodes
    if len(nodes) == 1 and nodes[0].plan.steps:
        return nodes[0]
    what = "works on no plan" if not nodes else "works on several plans"
    raise TreeError(f"{tree.name} {what if len(nodes) != 1 else 'has a plan without steps'}: nothing to be exchanged")


def standing(work: Execute, state: State) -> Standing:
    """Return the progress of a plan between two ticks, given the believed state."""
    return Standing(frozenset(work.running), frozenset(bits(work.ahead(state))))


def over(stopped: Iterable[Step]) -> Rejection | None:
    """Return the rejection if one of these steps cannot be stopped any more, since its motion has ended."""
    ended = next((step for step in stopped if step.act.has_started and step.act.at_rest()), None)
    if ended is None:
        return None
    why, how = "it was done just now", "Correct what is still to come."
    return Rejection((Feedback(Code.INVALID_PLAN, str(ended.operator), why, how),))


def answering(work: Execute) -> Rejection | None:
    """Return the rejection if a failure of the plan is being recovered from, so that the plan will change."""
    failed: Behaviour | None = next(
        (node for node in above(work) if isinstance(node, Recover) and node.is_answering), None
    )
    if failed is not None:
        why, how = "a failure is being answered by a new plan just now", "Correct that one when it is there."
    elif work.has_failed:
        failed, why, how = (
            work,
            "a step has failed, and what else runs is let come to its end",
            "Correct what comes of it.",
        )
    else:
        return None
    return Rejection((Feedback(Code.INVALID_PLAN, path_of(failed), why, how),))
