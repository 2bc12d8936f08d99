"""Where a tree stands in the plan that it works on: what runs, what is still to come, and what was done."""

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
    """Numbers of the steps that run, and of those that are still to be begun; all others were done."""

    running: frozenset[int]
    ahead: frozenset[int]

    def is_done(self, number: int) -> bool:
        """Return whether a step was done, or is not needed any more."""
        return number not in self.running and number not in self.ahead


def worked_on(tree: Behaviour) -> Execute:
    """Return the node that works on the plan of a tree.

    Raises:
        TreeError: There is none, or there are several.
    """
    found = [node for node in walk(tree) if isinstance(node, Execute)]
    found = [node for node in found if node.status == Status.RUNNING] or found
    if len(found) == 1 and found[0].plan.steps:
        return found[0]
    what = "works on no plan" if not found else "works on several plans"
    raise TreeError(f"{tree.name} {what if len(found) != 1 else 'has a plan without steps'}: nothing to be exchanged")


def standing(work: Execute, state: State) -> Standing:
    """Return where a plan stands between two ticks, if `state` is so."""
    return Standing(frozenset(work.running), frozenset(bits(work.ahead(state))))


def over(stopped: Iterable[Step]) -> Rejection | None:
    """Say which of these steps cannot be stopped any more, since its motion has ended and is only to be sensed yet."""
    ended = next((step for step in stopped if step.act.has_started and step.act.at_rest()), None)
    if ended is None:
        return None
    why, how = "it was done just now", "Correct what is still to come."
    return Rejection((Feedback(Code.INVALID_PLAN, str(ended.operator), why, how),))


def answering(work: Execute) -> Rejection | None:
    """Say that a failure is being answered, or is about to be, so that its plan is no longer the one to correct."""
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
