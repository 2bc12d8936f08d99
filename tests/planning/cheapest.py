"""The cheapest cost by plain Dijkstra over our own operators: slow, and independent of every planner."""

from collections.abc import Sequence

from semantics.logic.atoms import Conjunct
from semantics.logic.state import Operator, State
from tests.planning.exhaustive import reachable
from tests.planning.relaxation import reached_operators

__all__ = ["cheapest"]


def cheapest(operators: Sequence[Operator], state: State, goal: Conjunct) -> int | None:
    """Return the least cost of reaching `goal` from `state`; None when nothing does.

    Raises:
        TooManyStatesError: There are more than are looked at.
    """
    costs = (cost for cost, now in reachable(reached_operators(operators, state), state) if now.satisfies(goal))
    return next(costs, None)
