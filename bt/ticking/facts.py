"""Sources of changes of facts, and a condition that declares which facts it reads."""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterable
from typing import Protocol

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from semantics.body.protocols import Beliefs
from semantics.logic.atoms import Atom, Conjunct
from semantics.logic.state import State


class Changing(Protocol):
    """Facts that report what has changed."""

    @property
    def revision(self) -> int:
        """A number that grows with every change."""
        ...

    def changes_since(self, revision: int) -> Collection[Atom]:
        """Return the facts that may have changed since `revision`; unchanged facts may be among them."""
        ...


class FactBase:
    """Facts that a program sets itself, with a history of the last changes.

    Args:
        atoms: The facts that hold at first.
        keep: The number of changes to remember. For an earlier revision every fact that was ever set is reported.

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
        """The current state."""
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
        """Return the facts that may have changed since `revision`."""
        if revision < self._forgotten:
            return frozenset(self._named)
        return self._changed[revision - self._forgotten :]


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


class Asks(Behaviour):
    """A condition that succeeds when every literal holds, and declares that it reads nothing else.

    It is an ordinary behaviour that works in any tree, with any kind of tick. Any other leaf can declare its facts in
    the same way, by an attribute `reads`. With it the leaf promises that `update` depends on these facts only and
    changes nothing except its own `feedback_message`.

    Args:
        name: The node's name.
        condition: The literals that have to hold.
        facts: The facts to check.

    Attributes:
        reads: The atoms, or names of predicates, that the result depends on.
    """

    kind = "condition"

    def __init__(self, name: str, condition: Conjunct, facts: Container[Atom]) -> None:
        super().__init__(name)
        self.condition = condition
        self.facts = facts
        self.what = " ".join(map(str, sorted(condition)))
        self.reads: frozenset[Hashable] = frozenset(literal.atom for literal in condition)
        self._asked = tuple(condition)

    def update(self) -> Status:
        """Check the literals now."""
        facts = self.facts
        for atom, positive in self._asked:
            if (atom in facts) != positive:
                return Status.FAILURE
        return Status.SUCCESS
