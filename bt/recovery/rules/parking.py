"""Where something may be set down meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import inf

from semantics.atoms import Conjunct
from semantics.state import Operator, State

__all__ = ["Parking"]

Distance = Callable[[str, State], float]


def _unknown(_: str, __: State) -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class Parking:
    """Chooses among the places that afford it.

    A place that the goal speaks of is never taken. Of the others the nearest comes first, and of equally near ones
    the one with the least on it; what a later step names comes after those.

    Attributes:
        distance: How far a place is, in metres; infinite for one that must not be taken. Nobody need know.
        room: How many things a place carries at most.
    """

    distance: Distance = _unknown
    room: float = inf

    def ranked(
        self, places: Iterable[str], state: State, goal: Conjunct, later: Sequence[Operator], taken: Collection[str]
    ) -> tuple[str, ...]:
        """Return the places that may be taken, best first.

        Args:
            places: All that afford it.
            state: What holds.
            goal: What is wanted in the end.
            later: The steps still to be done.
            taken: Names that stand for something else already.
        """
        barred = {arg for literal in goal for arg in literal.atom.args}.union(taken)
        needed = {arg for step in later for arg in step.action.args}
        carried = {place: sum(atom.args[-1:] == (place,) for atom in state.atoms) for place in places}
        far = {place: self.distance(place, state) for place in carried}
        open_to_all = (
            place for place in carried if place not in barred and far[place] < inf and carried[place] < self.room
        )
        return tuple(sorted(open_to_all, key=lambda one: (one in needed, far[one], carried[one], one)))
