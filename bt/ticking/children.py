"""A list of children that tells when it is edited, whoever does that and by whatever method of py_trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, SupportsIndex

from py_trees.behaviour import Behaviour

__all__ = ["Offspring"]


class Offspring(list[Behaviour]):
    """A list like any other, which tells of each change of it.

    Attributes:
        edited: Is called after each change; whoever makes the list sets it.
    """

    edited: Callable[[], None]

    def append(self, child: Behaviour, /) -> None:
        """Append, and tell."""
        super().append(child)
        self.edited()

    def extend(self, children: Iterable[Behaviour], /) -> None:
        """Extend, and tell."""
        super().extend(children)
        self.edited()

    def insert(self, index: SupportsIndex, child: Behaviour, /) -> None:
        """Insert, and tell."""
        super().insert(index, child)
        self.edited()

    def remove(self, child: Behaviour, /) -> None:
        """Remove, and tell."""
        super().remove(child)
        self.edited()

    def pop(self, index: SupportsIndex = -1, /) -> Behaviour:
        """Pop, and tell."""
        child = super().pop(index)
        self.edited()
        return child

    def clear(self) -> None:
        """Clear, and tell."""
        super().clear()
        self.edited()

    def reverse(self) -> None:
        """Reverse, and tell."""
        super().reverse()
        self.edited()

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:  # noqa: ANN401 - as the list has it
        """Sort, and tell."""
        super().sort(key=key, reverse=reverse)
        self.edited()

    def __setitem__(self, index: Any, value: Any, /) -> None:  # noqa: ANN401 - an index or a slice
        super().__setitem__(index, value)
        self.edited()

    def __delitem__(self, index: SupportsIndex | slice, /) -> None:
        super().__delitem__(index)
        self.edited()

    def __iadd__(self, children: Iterable[Behaviour], /) -> Offspring:  # type: ignore[override, misc]
        super().__iadd__(children)
        self.edited()
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)  # a copy is a plain list
