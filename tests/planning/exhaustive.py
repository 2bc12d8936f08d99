"""The states that can be reached, all of them, and the best part in them: slow, and independent of every planner."""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from semantics.atoms import Atom, Conjunct, Literal
from semantics.state import Operator, State

__all__ = ["TooManyStatesError", "best_by_walking", "reachable"]

MOST_STATES = 100_000


class TooManyStatesError(Exception):
    """More states than are looked at."""


def best_by_walking(
    operators: Sequence[Operator], state: State, hard: Conjunct, worth: Mapping[Literal, float]
) -> tuple[float, int] | None:
    """Return what the best part is worth, and minus its cost; None when `hard` cannot be had.

    Raises:
        TooManyStatesError: There are more than `MOST_STATES`.
    """
    ranks = (
        (sum(value for one, value in worth.items() if now.holds(one)), -cost)
        for cost, now in reachable(operators, state)
        if now.satisfies(hard)
    )
    return max(ranks, default=None)


def reachable(operators: Sequence[Operator], state: State) -> Iterator[tuple[int, State]]:
    """Yield each state that can be reached with the least cost of that, the cheapest first.

    Raises:
        TooManyStatesError: There are more than `MOST_STATES`.
    """
    by_place = defaultdict(list)  # an operator of an agent mostly needs it somewhere
    for one in operators:
        needed = sorted(atom for atom, positive in one.precondition if positive and atom.predicate == "at")
        by_place[needed[0] if needed else None].append(one)
    order, done, queue = count(), set[frozenset[Atom]](), [(0, 0, state)]
    while queue:
        cost, _, now = heapq.heappop(queue)
        if now.atoms in done:
            continue
        done.add(now.atoms)
        if len(done) > MOST_STATES:
            raise TooManyStatesError
        yield cost, now
        ready = [*by_place[None], *(one for atom in now.atoms if atom in by_place for one in by_place[atom])]
        for one in ready:
            if one.applicable(now):
                heapq.heappush(queue, (cost + one.cost, next(order), one.apply(now)))
