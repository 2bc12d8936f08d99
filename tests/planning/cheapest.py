"""The cheapest cost by plain Dijkstra over our own operators: slow, and independent of every planner."""

import heapq
from collections import defaultdict
from collections.abc import Sequence
from itertools import count

from semantics.atoms import Conjunct
from semantics.state import Operator, State
from tests.planning.relaxation import reached_operators

__all__ = ["cheapest"]


def cheapest(operators: Sequence[Operator], state: State, goal: Conjunct) -> int | None:
    """Return the least cost of reaching `goal` from `state`; None when nothing does."""
    by_place = defaultdict(list)  # an operator needs its agent somewhere, so most need not be looked at
    for one in reached_operators(operators, state):
        needed = sorted(atom for atom, positive in one.precondition if positive and atom.predicate == "at")
        by_place[needed[0] if needed else None].append(one)
    order, done, queue = count(), set(), [(0, 0, state)]
    while queue:
        cost, _, now = heapq.heappop(queue)
        if now.atoms in done:
            continue
        done.add(now.atoms)
        if now.satisfies(goal):
            return cost
        ready = [*by_place[None], *(one for atom in now.atoms if atom in by_place for one in by_place[atom])]
        for one in ready:
            if one.applicable(now):
                heapq.heappush(queue, (cost + one.cost, next(order), one.apply(now)))
    return None
