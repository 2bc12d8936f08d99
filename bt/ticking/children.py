"""A list of children that reports every edit, by any method of py_trees or of the list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, SupportsIndex

from py_trees.behaviour import Behaviour

__all__ = ["Offspring"]


class Offspring(list[Behaviour]):
    """A list that reports each change.

    Attributes:
        edited: Called after each change; the creator of the list sets it.
    """

    edited: Callable[[], None]

    def append(self, child: Behaviour, /) -> None:
        """Append, and report the edit."""
        super().append(child)
        self.edited()

    def extend(self, children: Iterable[Behaviour], /) -> None:
        """Extend, and report the edit."""
        super().extend(children)
        self.edited()

    def insert(self, index: SupportsIndex, child: Behaviour, /) -> None:
        """Insert, and report the edit."""
        super().insert(index, child)
        self.edited()

    def remove(self, child: Behaviour, /) -> None:
        """Remove, and report the edit."""
        super().remove(child)
        self.edited()

    def pop(self, index: SupportsIndex = -1, /) -> Behaviour:
        """Pop, and report the edit."""
        child = super().pop(index)
        self.edited()
        return child

    def clear(self) -> None:
        """Clear, and report the edit."""
        super().clear()
        self.edited()

    def reverse(self) -> None:
        """Reverse, and report the edit."""
        super().reverse()
        self.edited()

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:  # noqa: ANN401 - as the list has it
        """Sort, and report the edit."""
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
