"""Facts that a program sets itself, and a condition that declares which facts it reads."""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Iterable

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from semantics.logic.atoms import Atom, Conjunct
from semantics.logic.state import State

__all__ = ["Asks", "FactBase"]


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
