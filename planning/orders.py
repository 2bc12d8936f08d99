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
    number = {step: index for index, step in enumerate(following)}
    pairs = frozenset(
        (number[step], number[follower]) for step, followers in following.items() for follower in followers
    )
    return OrderedActions(tuple(_action(step, called) for step in following), pairs)


def _action(step: ActionInstance, called: Mapping[str, str]) -> Action:
    words = (step.action.name, *map(str, step.actual_parameters))
    name, *args = (called.get(word, word) for word in words)
    return Action(name, tuple(args))
