"""The states that can be reached, all of them, and the best part in them: slow, and independent of every planner."""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from semantics.logic.atoms import Atom, Conjunct, Literal
from semantics.logic.state import Operator, State

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
    rich = any(one.adl for one in operators)
    there = _States(operators, state) if rich else _Numbers(operators, state)
    order, done, queue = count(), set(), [(0, 0, there.start)]
    while queue:
        cost, _, now = heapq.heappop(queue)
        if (known := now.atoms if rich else now) in done:
            continue
        done.add(known)
        if len(done) > MOST_STATES:
            raise TooManyStatesError
        yield cost, there.state(now)
        for more, after in there.steps(now):
            heapq.heappush(queue, (cost + more, next(order), after))


class _States:
    """States as they are, for operators of which some do more than add and delete."""

    def __init__(self, operators: Sequence[Operator], state: State) -> None:
        self.operators, self.start = operators, state

    def state(self, now: State) -> State:
        return now

    def steps(self, now: State) -> Iterator[tuple[int, State]]:
        return ((one.cost, one.apply(now)) for one in self.operators if one.applicable(now))


class _Numbers:
    """States as numbers with a bit for each atom that may change: a step is four operations of arithmetic."""

    def __init__(self, operators: Sequence[Operator], state: State) -> None:
        changing = sorted({atom for one in operators for atom in one.added | one.deleted})
        self.atoms = [(1 << place, atom) for place, atom in enumerate(changing)]
        self.bits = {atom: bit for bit, atom in self.atoms}
        self.still = state.atoms.difference(changing)
        self.numbers = state.numbers
        self.start = self.number(state.atoms)
        self.by_place = defaultdict(list)  # an operator of an agent mostly needs it somewhere
        for one in operators:
            self.add(one)
        self.places = [bit for bit in self.by_place if bit]

    def number(self, atoms: Iterable[Atom]) -> int:
        return sum(self.bits.get(atom, 0) for atom in atoms)

    def add(self, one: Operator) -> None:
        if any((atom in self.still) != positive for atom, positive in one.precondition if atom not in self.bits):
            return
        needed, barred = ([atom for atom, is_so in one.precondition if is_so == sign] for sign in (True, False))
        added, deleted = self.number(one.added), self.number(one.deleted)
        place = self.number([atom for atom in sorted(needed) if atom.predicate == "at" and atom in self.bits][:1])
        self.by_place[place].append((self.number(needed), self.number(barred), ~deleted, added, one.cost))

    def state(self, now: int) -> State:
        return State(self.still.union([atom for bit, atom in self.atoms if now & bit]), self.numbers)

    def steps(self, now: int) -> Iterator[tuple[int, int]]:
        for place in (0, *(bit for bit in self.places if now & bit)):
            for needed, barred, kept, added, cost in self.by_place[place]:
                if now & needed == needed and not now & barred:
                    yield cost, now & kept | added
