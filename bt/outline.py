"""The lines of a tree that is shown where there is little room: which are left out, and what each says.

Text that comes from outside is stripped of control characters, since they could steer a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bt.drawing import SIGNS, Document

__all__ = ["Line", "labelled", "outline", "plain"]

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Line(NamedTuple):
    """A line of the tree: how deep it stands, the state of its node, and its text."""

    depth: int
    state: str
    text: str


def outline(root: Document, states: Mapping[str, str], height: int) -> list[Line]:
    """Return a tree as at most `height` lines, at least one.

    Args:
        root: The tree's document.
        states: State of each node by id.
        height: How many lines there are.
    """
    lines = list(_lines(root, states, 0, False))
    if len(lines) > height:
        lines = list(_lines(root, states, 0, True))
    return _window(lines, max(1, height))


def _lines(node: Document, states: Mapping[str, str], depth: int, folded: bool) -> Iterator[Line]:
    if folded and len(chain := _alike(node, states)) > 1:
        yield Line(depth, _state(node, states), " / ".join(plain(one.get("name") or "") for one in chain))
        yield from (line for child in chain[-1]["children"] for line in _lines(child, states, depth + 1, folded))
        return
    state = _state(node, states)
    yield Line(depth, state, labelled(node))
    if folded and node.get("kind") == "step" and state != "running":
        return
    for child in node.get("children") or ():
        yield from _lines(child, states, depth + 1, folded)


def _state(node: Document, states: Mapping[str, str]) -> str:
    state = states.get(str(node.get("id")), "invalid")
    return state if state in SIGNS else "invalid"


def _alike(node: Document, states: Mapping[str, str]) -> list[Document]:
    """Return the nodes from this one down that have one child each and are in the same state."""
    found, state = [], _state(node, states)
    while node.get("kind") != "step" and _state(node, states) == state and len(node.get("children") or ()) == 1:
        found.append(node)
        node = node["children"][0]
    return found


def labelled(node: Document) -> str:
    """Return a node's name and what it is about; a step's action says both."""
    name, what = plain(node.get("name") or ""), plain(node.get("what") or "")
    if node.get("kind") == "step" and what:
        return what
    return f"{name}  {what}" if what and what != name else name


def plain(text: object) -> str:
    """Return `text` on one line without control characters."""
    return CONTROL.sub(" ", str(text))


def _window(lines: list[Line], height: int) -> list[Line]:
    """Cut to the lines around the last one at work, and say how many are left out."""
    if len(lines) <= height:
        return lines
    busy = max((number for number, line in enumerate(lines) if line.state == "running"), default=0)
    if height < 3:
        return lines[busy : busy + 1]
    room = height - 2
    first = min(max(0, busy - room // 2), len(lines) - room)
    below = len(lines) - first - room
    above = [Line(0, "invalid", f"… {first} more above")] if first else []
    rest = [Line(0, "invalid", f"… {below} more below")] if below else []
    return [*above, *lines[first : first + room], *rest]
