"""Which plan a tree is working on, and what is left of it."""

from __future__ import annotations

from dataclasses import replace

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.reactive.resume import Resume
from bt.reactive.walking import walk
from bt.weaving import Weave
from bt.weaving.order import bits
from semantics.state import Plan, State

__all__ = ["plan_under_way", "rest_under_way"]


def plan_under_way(root: Behaviour) -> Plan:
    """Return the plan that a tree works on; of several, the one that has failed.

    Raises:
        ValueError: It works on none.
    """
    return _working(root).plan


def rest_under_way(root: Behaviour, plan: Plan, start: State, state: State) -> tuple[Plan, State]:
    """Return what is left of a plan, and the state in which it was to be begun.

    Of steps that are done at once it is those that the tree has left or running: no state between two steps of a
    sequence need ever come about. Of others it is what follows the latest of the states on the way that differ least
    from `state`.

    Args:
        root: The tree.
        plan: What it works on.
        start: Where that begins.
        state: What is believed.

    Raises:
        ValueError: It works on no plan.
    """
    node = _working(root)
    if isinstance(node, Weave):
        return _unwoven(node, plan, start)
    states = [start]
    for step in plan.steps:
        states.append(step.apply(states[-1]))
    point = min(range(len(states)), key=lambda index: (len(states[index].atoms ^ state.atoms), -index))
    return replace(plan, steps=plan.steps[point:]), states[point]


def _unwoven(weave: Weave, plan: Plan, start: State) -> tuple[Plan, State]:
    """Return the steps that have not ended, and the state after all others, which none of them comes before."""
    open_ones = {*bits(weave.left), *weave.running}
    for index, step in enumerate(plan.steps):
        start = start if index in open_ones else step.apply(start)
    steps = (step for index, step in enumerate(plan.steps) if index in open_ones)
    return replace(plan, steps=tuple(steps)), start


def _working(root: Behaviour) -> Resume | Weave:
    found = [node for node in walk(root) if isinstance(node, Resume | Weave)]
    return max(found, key=lambda node: node.status == Status.FAILURE)
