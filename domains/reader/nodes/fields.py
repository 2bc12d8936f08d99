"""`Field` and `Fields`: values of a file, read as a type; a value of another type is reported.

An invalid value is replaced by a harmless one, so that the rest of the file is still checked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from string import Formatter
from typing import TypeVar

from domains.diagnostics import Mark
from domains.reader.nodes.document import Entry, Listing, Node, Scalar, TableNode
from semantics.plain_text import shortened

SYMBOL = re.compile(r"[a-z][a-z0-9_-]*", re.ASCII)
SYMBOL_RULE = "expected a small letter, then small letters, digits, '_' or '-'"
NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", re.ASCII)
FLAGS = {"true": True, "false": False}
QUOTED = re.compile(
    "abstract|affords|after|agent|at|before|bookkeeping|by|distinct|goal|hint|how|in|instead|lacks|money|most|on|opened|"
    "planned|rename|same|say|seconds|sensed|times|tries|when"
)
"""Keys that messages quote, as "'say' of …"; any other is a noun there, as "the cost of …"."""

Default = TypeVar("Default")
AnyNode = TypeVar("AnyNode", bound=Node | None)


@dataclass(frozen=True, slots=True)
class Field:
    """A value in a file."""

    node: Node | None  # what was written; None for nothing, which each reader answers with a default
    what: str  # its description for messages, such as ``the cost of capability 'grasp'``

    def text(self, default: str = "") -> str:
        """Read a non-empty text."""
        if self.node is None:
            return default
        if isinstance(self.node, Scalar) and self.node.text.strip():
            return " ".join(self.node.text.split())
        self._refuse(self.node, "a text")
        return default

    def symbol(self, default: str = "") -> str:
        """Read a name."""
        name = self.text(default)
        if self.node is not None and name != default and not SYMBOL.fullmatch(name):
            self.node.report(f"{self.what} '{shortened(name)}' is no name; {SYMBOL_RULE}", "bad-name")
        return name

    def slots(self, sentence: str) -> tuple[str, ...] | None:
        """Return the different ``{slots}`` of a sentence that was read; None when there is none to fill in."""
        if self.node is None:
            return None
        try:
            slots = [slot for _, slot, _, _ in Formatter().parse(sentence) if slot is not None]
        except ValueError as exc:
            self.node.report(f"{self.what} cannot be filled in: {exc}", "bad-sentence")
            return None
        return tuple(dict.fromkeys(slots))

    def scalars(self) -> Iterator[Scalar]:
        """Yield the texts of a list; a single text is a list of one."""
        if self.node is None:
            return
        if isinstance(self.node, TableNode) or is_empty(self.node):
            self._refuse(self.node, "a list of texts")
            return
        for item in self.node.items if isinstance(self.node, Listing) else (self.node,):
            if isinstance(item, Scalar) and item.text.strip():
                yield item
            else:
                item.report(f"an item of {self.what} is {_kind(item)}; expected a text", "wrong-kind")

    def texts(self) -> dict[str, Scalar]:
        """Read a list of different texts, each with its place in the file."""
        places: dict[str, Scalar] = {}
        for item in self.scalars():
            word = " ".join(item.text.split())
            if word in places:
                item.report(f"'{shortened(word)}' stands twice in {self.what}", "duplicate-entry")
            else:
                places[word] = item
        return places

    def choice(self, kind: str, valid: Collection[str] | None) -> str:
        """Read one name that must be among `valid` (None: not checked); empty when it is not."""
        if isinstance(self.node, Listing):
            self._refuse(self.node, f"one {kind}")
            return ""
        return next(iter(self.known(kind, valid)), "")

    def known(self, kind: str, valid: Collection[str] | None) -> tuple[str, ...]:
        """Read a list of names that must be among `valid` (None: not checked, because they could not be read)."""
        places = self.texts()
        if valid is None:
            return tuple(places)
        known = frozenset(valid)
        for name, place in places.items():
            if name not in known:
                place.unknown(kind, name, valid)
        return tuple(name for name in places if name in known)

    def number(self, default: Default, low: float = -math.inf, high: float = math.inf) -> float | Default:
        """Read a finite number between `low` and `high`."""
        node = self.node
        if node is None:
            return default
        if not (isinstance(node, Scalar) and not node.style and NUMBER.fullmatch(node.text)):
            self._refuse(node, "a number")
            return default
        value = float(node.text)
        if not (math.isfinite(value) and low <= value <= high):
            node.report(f"{self.what} is {shortened(node.text)}; expected {_range(low, high)}", "out-of-range")
            return default
        return value

    def whole(self, default: Default, low: int = 0, high: int = 1_000_000) -> int | Default:
        """Read a whole number between `low` and `high`."""
        value = self.number(None, low, high)
        if self.node is None or value is None:
            return default
        if value != int(value):
            self.node.report(f"{self.what} is {value:g}; expected a whole number", "out-of-range")
            return default
        return int(value)

    def numbers(self, count: int, low: float = -math.inf, high: float = math.inf) -> tuple[float, ...]:
        """Read a list of `count` numbers, each between `low` and `high`; zeros when there is none."""
        if isinstance(self.node, Listing) and len(self.node.items) == count:
            return tuple(Field(item, f"a number of {self.what}").number(0.0, low, high) for item in self.node.items)
        if isinstance(self.node, Listing):
            message = f"{self.what} is a list of {len(self.node.items)}; expected {count} numbers"
            self.node.report(message, "wrong-kind")
        elif self.node is not None:
            self._refuse(self.node, f"a list of {count} numbers")
        return (0.0,) * count

    def flag(self, default: bool = False) -> bool:
        """Read ``true`` or ``false``."""
        node = self.node
        if node is None:
            return default
        if isinstance(node, Scalar) and not node.style and node.text in FLAGS:
            return FLAGS[node.text]
        self._refuse(node, "true or false")
        return default

    def _refuse(self, node: Node, expected: str) -> None:
        node.report(f"{self.what} is {_kind(node)}; expected {expected}", "wrong-kind")


@dataclass(frozen=True, slots=True)
class Fields:
    """The entries of a table whose keys are fixed."""

    what: str  # subject of the table, such as ``class 'apple'``
    node: Node  # the table, or what was written in its place
    values: Mapping[str, Node]  # the values of its valid keys

    def __getitem__(self, key: str) -> Field:
        """Return the value of `key`, to be read."""
        what = f"'{key}' of {self.what}" if QUOTED.fullmatch(key) else f"the {key} of {self.what}"
        return Field(self.values.get(key), what)

    def get(self, key: str) -> Node | None:
        """Return what was written as the value of `key`, or None."""
        return self.values.get(key)

    def entries(self, key: str) -> Iterator[Entry]:
        """Yield the entries of a table in this one whose keys are names that the author chooses."""
        return entries(self.get(key), self[key].what)

    @property
    def mark(self) -> Mark:
        """Its first position."""
        return self.node.mark


def open_fields(node: Node, what: str, *, required: Collection[str] = (), optional: Collection[str] = ()) -> Fields:
    """Read a table with fixed keys; report unknown and missing ones."""
    keys = (*required, *optional)
    if not isinstance(node, TableNode):
        message = f"{what} is {_kind(node)}; expected a table with the keys {', '.join(required or keys)}"
        node.report(message, "wrong-kind")
        return Fields(what, node, {})
    for key, _ in node.entries:
        if key.text not in keys:
            key.unknown("key", key.text, keys, f"in {what}")
    values = {key.text: value for key, value in node.entries if key.text in keys}
    missing = [f"'{key}'" for key in required if key not in values]
    if missing:
        node.report(f"{what} has no {', '.join(missing)}; expected at least {', '.join(required)}", "missing-key")
    return Fields(what, node, values)


def entries(node: Node | None, what: str) -> Iterator[Entry]:
    """Yield the entries of a table whose keys are names that the author chooses."""
    if node is None or is_empty(node):
        return
    if not isinstance(node, TableNode):
        node.report(f"{what} is {_kind(node)}; expected a table of names", "wrong-kind")
        return
    for entry in node.entries:
        if SYMBOL.fullmatch(entry.key.text):
            yield entry
        else:
            entry.key.report(f"'{shortened(entry.key.text)}' is no name; {SYMBOL_RULE}", "bad-name")


def without_key(node: AnyNode, key: str) -> AnyNode:
    """Return a table without `key`; what is no table is returned as it is."""
    if not isinstance(node, TableNode):
        return node
    return replace(node, entries=tuple(entry for entry in node.entries if entry.key.text != key))


def is_empty(node: Node) -> bool:
    """Return whether nothing was written."""
    return isinstance(node, Scalar) and not node.style and node.text in ("", "~", "null")


def _kind(node: Node) -> str:
    if isinstance(node, Scalar):
        return f"'{shortened(node.text)}'" if node.text.strip() and not is_empty(node) else "empty"
    return "a list" if isinstance(node, Listing) else "a table"


def _range(low: float, high: float) -> str:
    if math.isinf(low) and math.isinf(high):
        return "a finite number"
    return f"at least {low:g}" if math.isinf(high) else f"a number from {low:g} to {high:g}"
