"""The facts of a body without geometry: what is in a bottle, what is chopped."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from semantics.atoms import Atom

__all__ = ["StateFacts"]


class StateFacts:
    """Keeps the true facts without geometry, for a world that inherits it.

    Attributes:
        states: The true facts.
        past: The facts that are or were true.
    """

    def __init__(self, states: Iterable[Atom]) -> None:
        self.states = set(states)
        self.past = set(self.states)

    def become(self, *true: Atom, no_more: Iterable[Atom] = ()) -> None:
        """Make facts true, and others false."""
        self.states -= set(no_more)
        self.states |= set(true)
        self.past |= self.states

    def told(self, hidden: Collection[str]) -> dict[Atom, bool]:
        """Return the facts, except about hidden objects; this stands in for a classifier of camera pictures."""
        out_of_sight = frozenset(hidden)
        return {atom: atom in self.states for atom in sorted(self.past) if out_of_sight.isdisjoint(atom.args)}
