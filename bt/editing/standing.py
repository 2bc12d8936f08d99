"""Where a tree stands in the plan that it works on: what runs, what is still to come, and what was done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from bt.reactive.regression import Regression
from bt.reactive.resume import Resume
from bt.reactive.step import Step
from bt.reactive.walking import path_of, walk
from bt.weaving import Weave
from bt.weaving.order import bits
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.state import State

__all__ = ["Standing", "above", "answering", "over", "running_in", "standing", "worked_on"]


class Standing(NamedTuple):
    """Numbers of the steps that run, and of those that are still to be begun; all others were done."""

    running: frozenset[int]
    ahead: frozenset[int]

    def is_done(self, number: int) -> bool:
        """Return whether a step was done, or is not needed any more."""
        return number not in self.running and number not in self.ahead


def worked_on(tree: Behaviour) -> Resume | Weave:
    """Return the node that works on the plan of a tree.

    Raises:
        TreeError: There is none, or there are several.
    """
    found = [node for node in walk(tree) if isinstance(node, Resume | Weave)]
    found = [node for node in found if node.status == Status.RUNNING] or found
    if len(found) == 1 and found[0].plan.steps:
        return found[0]
    what = "works on no plan" if not found else "works on several plans"
    raise TreeError(f"{tree.name} {what if len(found) != 1 else 'has a plan without steps'}: nothing to be exchanged")


def above(node: Behaviour) -> Iterator[Behaviour]:
    """Yield the nodes above a node, the nearest first."""
    while node.parent is not None:
        node = node.parent
        yield node


def running_in(work: Resume | Weave) -> list[Step]:
    """Return the steps that run."""
    if isinstance(work, Resume):
        return [] if work.running is None else [work.running]
    return [step for index in work.running if isinstance(step := work.children[index], Step)]


def standing(work: Resume | Weave, state: State) -> Standing:
    """Return where a plan stands between two ticks, if `state` is so."""
    running = frozenset(map(work.children.index, running_in(work)))
    if isinstance(work, Weave):
        return Standing(running, frozenset(bits(work.ahead(state))))
    point = None if running else Regression(work.plan.steps, work.plan.goal).latest(state)
    first = (work.point or 0) if point is None else point
    return Standing(running, frozenset(range(first, len(work.plan.steps))) - running)


def over(stopped: Iterable[Step]) -> Rejection | None:
    """Say which of these steps cannot be stopped any more, since its motion has ended and is only to be sensed yet."""
    ended = next((step for step in stopped if step.act.has_started and step.act.at_rest()), None)
    if ended is None:
        return None
    why, how = "it was done just now", "Correct what is still to come."
    return Rejection((Feedback(Code.INVALID_PLAN, str(ended.operator), why, how),))


def answering(work: Resume | Weave) -> Rejection | None:
    """Say that a failure is being answered, or is about to be, so that its plan is no longer the one to correct."""
    failed = next((node for node in above(work) if getattr(node, "is_answering", False)), None)
    if failed is not None:
        why, how = "a failure is being answered by a new plan just now", "Correct that one when it is there."
    elif isinstance(work, Weave) and work.has_failed:
        failed, why, how = (
            work,
            "a step has failed, and what else runs is let come to its end",
            "Correct what comes of it.",
        )
    else:
        return None
    return Rejection((Feedback(Code.INVALID_PLAN, path_of(failed), why, how),))
