"""Partial-order plans: from unified-planning's plans to actions and pairs of their indices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from semantics.state import Action

if TYPE_CHECKING:
    from unified_planning.plans import ActionInstance, PartialOrderPlan

__all__ = ["OrderedActions", "actions_in_order"]


class OrderedActions(NamedTuple):
    """Actions without an order, and pairs of indices: the first action of a pair comes before the second."""

    actions: tuple[Action, ...]
    pairs: frozenset[tuple[int, int]]


def actions_in_order(plan: PartialOrderPlan, names: Mapping[str, str] | None = None) -> OrderedActions:
    """Return the actions and the order of a partial-order plan; `bt.execution.ordered` checks it.

    Args:
        plan: A plan of any planner of unified-planning.
        names: Our names of actions and objects, by the planner's names where they differ.
    """
    called = names or {}
    following = plan.get_adjacency_list
    number = {step: index for index, step in enumerate(following)}
    pairs = frozenset(
        (number[step], number[follower]) for step, followers in following.items() for follower in followers
    )
    return OrderedActions(tuple(_action(step, called) for step in following), pairs)


def _action(step: ActionInstance, called: Mapping[str, str]) -> Action:
    words = (step.action.name, *map(str, step.actual_parameters))
    name, *args = (called.get(word, word) for word in words)
    return Action(name, tuple(args))
