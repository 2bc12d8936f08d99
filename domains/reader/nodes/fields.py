"""Readers of typed values: each function returns a usable value, and reports a value of another type.

An invalid value is replaced by a harmless one, so that the rest of the file is still checked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from domains.reader.nodes.diagnostics import Diagnostics, Mark
from domains.reader.nodes.document import Entry, Listing, Node, Scalar, TableNode
from semantics.sentences import shortened

__all__ = [
    "Fields",
    "choice",
    "entries",
    "flag",
    "is_empty",
    "known",
    "number",
    "numbers",
    "open_fields",
    "scalars",
    "symbol",
    "text",
    "texts",
    "whole",
]

SYMBOL = re.compile(r"[a-z][a-z0-9_-]*", re.ASCII)
NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", re.ASCII)
FLAGS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Fields:
    """The entries of a table whose keys are fixed.

    Attributes:
        what: Subject of the table, such as ``class 'apple'``.
        mark: Its first position.
        values: The values of its valid keys.
    """

    what: str
    mark: Mark
    values: Mapping[str, Node]

    def get(self, key: str) -> Node | None:
        """Return the value of `key`, or None."""
        return self.values.get(key)


def open_fields(
    node: Node, what: str, diagnostics: Diagnostics, *, required: Collection[str] = (), optional: Collection[str] = ()
) -> Fields:
    """Read a table with fixed keys; report unknown and missing ones."""
    keys = (*required, *optional)
    if not isinstance(node, TableNode):
        diagnostics.add(
            node.mark, f"{what} is {_kind(node)}; expected a table with the keys {', '.join(keys)}", "wrong-kind"
        )
        return Fields(what, node.mark, {})
    for key, _ in node.entries:
        if key.text not in keys:
            diagnostics.unknown(key.mark, "key", key.text, keys, f"in {what}")
    values = {key.text: value for key, value in node.entries if key.text in keys}
    missing = [f"'{key}'" for key in required if key not in values]
    if missing:
        diagnostics.add(
            node.mark, f"{what} has no {', '.join(missing)}; expected at least {', '.join(required)}", "missing-key"
        )
    return Fields(what, node.mark, values)


def entries(node: Node | None, what: str, diagnostics: Diagnostics) -> Iterator[Entry]:
    """Yield the entries of a table whose keys are names that the author chooses."""
    if node is None or is_empty(node):
        return
    if not isinstance(node, TableNode):
        diagnostics.add(node.mark, f"{what} is {_kind(node)}; expected a table of names", "wrong-kind")
        return
    for entry in node.entries:
        if SYMBOL.fullmatch(entry.key.text):
            yield entry
        else:
            diagnostics.add(entry.key.mark, f"'{shortened(entry.key.text)}' is no name; {SYMBOL_RULE}", "bad-name")


SYMBOL_RULE = "expected a small letter, then small letters, digits, '_' or '-'"


def text(node: Node | None, what: str, diagnostics: Diagnostics, default: str = "") -> str:
    """Read a non-empty text."""
    if node is None:
        return default
    if isinstance(node, Scalar) and node.text.strip():
        return " ".join(node.text.split())
    diagnostics.add(node.mark, f"{what} is {_kind(node)}; expected a text", "wrong-kind")
    return default


def symbol(node: Node | None, what: str, diagnostics: Diagnostics, default: str = "") -> str:
    """Read a name."""
    name = text(node, what, diagnostics, default)
    if node is not None and name != default and not SYMBOL.fullmatch(name):
        diagnostics.add(node.mark, f"{what} '{shortened(name)}' is no name; {SYMBOL_RULE}", "bad-name")
    return name


def scalars(node: Node | None, what: str, diagnostics: Diagnostics) -> Iterator[Scalar]:
    """Yield the texts of a list; a single text is a list of one."""
    if node is None:
        return
    if isinstance(node, TableNode) or is_empty(node):
        diagnostics.add(node.mark, f"{what} is {_kind(node)}; expected a list of texts", "wrong-kind")
        return
    for item in node.items if isinstance(node, Listing) else (node,):
        if isinstance(item, Scalar) and item.text.strip():
            yield item
        else:
            diagnostics.add(item.mark, f"an item of {what} is {_kind(item)}; expected a text", "wrong-kind")


def texts(node: Node | None, what: str, diagnostics: Diagnostics) -> tuple[tuple[str, Mark], ...]:
    """Read a list of different texts, each with its position."""
    marks: dict[str, Mark] = {}
    for item in scalars(node, what, diagnostics):
        word = " ".join(item.text.split())
        if word in marks:
            diagnostics.add(item.mark, f"'{shortened(word)}' stands twice in {what}", "duplicate-entry")
        else:
            marks[word] = item.mark
    return tuple(marks.items())


def choice(node: Node | None, kind: str, valid: Collection[str] | None, what: str, diagnostics: Diagnostics) -> str:
    """Read one name that must be among `valid` (None: not checked); empty when it is not."""
    if isinstance(node, Listing):
        diagnostics.add(node.mark, f"{what} is a list; expected one {kind}", "wrong-kind")
        return ""
    return next(iter(known(node, kind, valid, what, diagnostics)), "")


def known(
    node: Node | None, kind: str, valid: Collection[str] | None, what: str, diagnostics: Diagnostics
) -> tuple[str, ...]:
    """Read a list of names that must be among `valid` (None: not checked, because they could not be read)."""
    items = texts(node, what, diagnostics)
    if valid is None:
        return tuple(name for name, _ in items)
    for name, mark in items:
        if name not in valid:
            diagnostics.unknown(mark, kind, name, valid)
    return tuple(name for name, _ in items if name in valid)


def number(
    node: Node | None,
    what: str,
    diagnostics: Diagnostics,
    default: float = 0.0,
    low: float = -math.inf,
    high: float = math.inf,
) -> float:
    """Read a finite number between `low` and `high`."""
    if node is None:
        return default
    if not (isinstance(node, Scalar) and not node.style and NUMBER.fullmatch(node.text)):
        diagnostics.add(node.mark, f"{what} is {_kind(node)}; expected a number", "wrong-kind")
        return default
    value = float(node.text)
    if not (math.isfinite(value) and low <= value <= high):
        diagnostics.add(node.mark, f"{what} is {shortened(node.text)}; expected {_range(low, high)}", "out-of-range")
        return default
    return value


def _range(low: float, high: float) -> str:
    if math.isinf(low) and math.isinf(high):
        return "a finite number"
    if math.isinf(high):
        return f"at least {low:g}"
    return f"a number from {low:g} to {high:g}"


def whole(
    node: Node | None, what: str, diagnostics: Diagnostics, default: int = 0, low: int = 0, high: int = 1_000_000
) -> int:
    """Read a whole number between `low` and `high`."""
    value = number(node, what, diagnostics, default, low, high)
    if node is not None and value != int(value):
        diagnostics.add(node.mark, f"{what} is {value:g}; expected a whole number", "out-of-range")
        return default
    return int(value)


def numbers(
    node: Node | None,
    count: int,
    what: str,
    diagnostics: Diagnostics,
    low: float = -math.inf,
    high: float = math.inf,
) -> tuple[float, ...]:
    """Read a list of `count` numbers, each between `low` and `high`; zeros when there is none."""
    zeros = (0.0,) * count
    if node is None:
        return zeros
    if not isinstance(node, Listing):
        diagnostics.add(node.mark, f"{what} is {_kind(node)}; expected a list of {count} numbers", "wrong-kind")
        return zeros
    if len(node.items) != count:
        diagnostics.add(node.mark, f"{what} is a list of {len(node.items)}; expected {count} numbers", "wrong-kind")
        return zeros
    return tuple(number(item, f"a number of {what}", diagnostics, 0.0, low, high) for item in node.items)


def flag(node: Node | None, what: str, diagnostics: Diagnostics, default: bool = False) -> bool:
    """Read ``true`` or ``false``."""
    if node is None:
        return default
    if isinstance(node, Scalar) and not node.style and node.text in FLAGS:
        return FLAGS[node.text]
    diagnostics.add(node.mark, f"{what} is {_kind(node)}; expected true or false", "wrong-kind")
    return default


def is_empty(node: Node) -> bool:
    """Return whether nothing was written."""
    return isinstance(node, Scalar) and not node.style and node.text in ("", "~", "null")


def _kind(node: Node) -> str:
    if isinstance(node, Scalar):
        return f"'{shortened(node.text)}'" if node.text.strip() and not is_empty(node) else "empty"
    return "a list" if isinstance(node, Listing) else "a table"
