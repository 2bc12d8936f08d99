"""What a body that lives in a model can tell: every fact there is, true or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from semantics.atoms import Atom

__all__ = ["ClosedWorld"]


class ClosedWorld(Mapping[Atom, bool]):
    """The truth of every ground atom under the closed-world assumption.

    Asked for an atom, it answers whether that holds. Going through it yields the atoms that hold, and those that once
    held and do not any more; all others are false, and too many to list.

    Args:
        holding: What holds now.
        past: What held at some time.
    """

    def __init__(self, holding: frozenset[Atom], past: Iterable[Atom] = ()) -> None:
        self._holding = holding
        self._listed = tuple(sorted(holding.union(past)))

    def __getitem__(self, atom: Atom) -> bool:
        return atom in self._holding

    def __contains__(self, atom: object) -> bool:
        return isinstance(atom, Atom)

    def __iter__(self) -> Iterator[Atom]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)
