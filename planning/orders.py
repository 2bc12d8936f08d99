"""Partial orders of planners: from unified-planning's plans to actions and pairs of their numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from semantics.state import Action

if TYPE_CHECKING:
    from unified_planning.plans import ActionInstance, PartialOrderPlan

__all__ = ["OrderedActions", "actions_in_order"]


class OrderedActions(NamedTuple):
    """Actions without an order of their own, and which comes before which as pairs of their numbers."""

    actions: tuple[Action, ...]
    pairs: frozenset[tuple[int, int]]


def actions_in_order(plan: PartialOrderPlan, names: Mapping[str, str] | None = None) -> OrderedActions:
    """Return what a partial-order plan says; `bt.execution.ordered` checks it.

    Args:
        plan: From any planner of unified-planning.
        names: What actions and objects are called here, by what the planner calls them where that differs.
    """
    called = names or {}
    following = plan.get_adjacency_list
    number = {one: index for index, one in enumerate(following)}
    pairs = frozenset((number[one], number[other]) for one, others in following.items() for other in others)
    return OrderedActions(tuple(_action(one, called) for one in following), pairs)


def _action(one: ActionInstance, called: Mapping[str, str]) -> Action:
    told = (one.action.name, *map(str, one.actual_parameters))
    name, *args = (called.get(word, word) for word in told)
    return Action(name, tuple(args))
