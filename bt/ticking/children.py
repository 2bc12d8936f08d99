"""A list of children that reports every edit, by any method of py_trees or of the list."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from py_trees.behaviour import Behaviour

__all__ = ["Offspring"]

EDITS = ("append", "extend", "insert", "remove", "pop", "clear", "reverse", "sort")
EDITING_SIGNS = ("__setitem__", "__delitem__", "__iadd__", "__imul__")


class Offspring(list[Behaviour]):
    """A list that reports each change: every method that edits a list is one that also reports.

    Attributes:
        edited: Called after each change; the creator of the list sets it.
    """

    edited: Callable[[], None]

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)  # a copy is a plain list


def _reporting(name: str) -> Callable[..., Any]:
    method = getattr(list, name)

    @wraps(method)
    def edit(self: Offspring, /, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as the list has it
        result = method(self, *args, **options)
        self.edited()
        return result

    return edit


for _name in (*EDITS, *EDITING_SIGNS):
    setattr(Offspring, _name, _reporting(_name))
