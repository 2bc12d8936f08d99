"""Where changes of facts come from, and a condition that declares which facts it reads."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Protocol

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from semantics.atoms import Atom, Conjunct
from semantics.protocols import Beliefs
from semantics.state import State

__all__ = ["Asks", "Believed", "Changing", "FactBase", "Holding"]


class Changing(Protocol):
    """Facts that can tell what has changed."""

    @property
    def revision(self) -> int:
        """Grows with every change."""
        ...

    def changes_since(self, revision: int) -> Collection[Atom]:
        """Return the facts that may be other than they were at `revision`; some that are not may be among them."""
        ...


class Holding(Protocol):
    """What can be asked whether a fact holds."""

    def __contains__(self, atom: object, /) -> bool:
        """Return whether `atom` holds."""
        ...


class FactBase:
    """Facts of a program's own, which it sets one by one; what changed is kept for as long as `keep` changes.

    Args:
        atoms: What holds at first.
        keep: How many changes are remembered; who asks about earlier ones is told of every fact ever named.

    Raises:
        TreeError: `keep` is below 1.
    """

    def __init__(self, atoms: Iterable[Atom] = (), keep: int = 10_000) -> None:
        if keep < 1:
            raise TreeError(f"a fact base that keeps {keep} changes; it has to keep at least 1")
        self.revision = 0
        self._atoms = set(atoms)
        self._named = set(self._atoms)
        self._changed: list[Atom] = []
        self._forgotten = 0
        self._keep = keep

    def __contains__(self, atom: object, /) -> bool:
        return atom in self._atoms

    @property
    def state(self) -> State:
        """What holds now."""
        return State(frozenset(self._atoms))

    def set(self, atom: Atom, holds: bool = True) -> None:
        """Make a fact true or false."""
        if (atom in self._atoms) == holds:
            return
        if holds:
            self._atoms.add(atom)
            self._named.add(atom)
        else:
            self._atoms.discard(atom)
        self._changed.append(atom)
        self.revision += 1
        if len(self._changed) > 2 * self._keep:
            self._forgotten += len(self._changed) - self._keep
            del self._changed[: -self._keep]

    def changes_since(self, revision: int) -> Collection[Atom]:
        """Return the facts that may be other than they were at `revision`."""
        if revision < self._forgotten:
            return frozenset(self._named)
        return self._changed[revision - self._forgotten :]


class Believed:
    """Tells what has changed in beliefs, by the difference of their states: 20 µs for a thousand facts.

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
        """The beliefs' own."""
        return self._beliefs.revision

    def changes_since(self, revision: int) -> frozenset[Atom]:
        """Return the facts and numbers that may be other than they were at `revision`.

        Who does not ask after every change is told of every fact there is or was.
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


class Asks(Behaviour):
    """Succeeds when every literal holds, fails otherwise; declares that it reads nothing else.

    An ordinary behaviour, for any tree and anybody's tick. A leaf of one's own declares its facts the same way, by an
    attribute `reads`, and promises with it that `update` depends on these alone and changes nothing but its own
    `feedback_message`.

    Args:
        name: The node's name.
        condition: What has to hold.
        facts: What is asked.

    Attributes:
        reads: The atoms, or names of predicates, on which the answer depends.
    """

    kind = "condition"

    def __init__(self, name: str, condition: Conjunct, facts: Holding) -> None:
        super().__init__(name)
        self.condition = condition
        self.facts = facts
        self.what = " ".join(map(str, sorted(condition)))
        self.reads: frozenset[Hashable] = frozenset(literal.atom for literal in condition)
        self._asked = tuple(condition)

    def update(self) -> Status:
        """Ask what holds now."""
        facts = self.facts
        for atom, positive in self._asked:
            if (atom in facts) != positive:
                return Status.FAILURE
        return Status.SUCCESS
