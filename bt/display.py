"""How nodes of a tree document are shown: their signs, and what each kind of node does in a few words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Document = Mapping[str, Any]
"""A node of a tree document: ``id``, ``name``, ``kind``, ``children`` and, as far as known, ``what``."""

SIGNS = {"success": "✓", "failure": "✗", "running": "●", "invalid": "·"}
"""One sign per state; ``invalid`` is a node that is not being asked."""


class NodeStyle(NamedTuple):
    """How a kind of node is drawn, and what it does in a few words."""

    outline: str
    sign: str
    words: str


LOOKS = {
    "goal": NodeStyle("hexagon", "◎", "goal: ends as soon as what was asked for is sensed to be true"),
    "recover": NodeStyle("hexagon", "◇", "recover: answers failures below it, by the cheapest means that helps"),
    "replan": NodeStyle("hexagon", "◇", "repair: makes a new plan when no step leads to the goal any more"),
    "resume": NodeStyle(
        "round", "→", "resume: goes on from the latest step from which the rest still reaches the goal"
    ),
    "weave": NodeStyle(
        "round", "⇉", "weave: does at once what does not depend on each other, as far as it still serves the goal"
    ),
    "execute": NodeStyle(
        "round", "→", "execute: does the steps that still lead to the goal, as many at once as can be"
    ),
    "step": NodeStyle("round", "→", "step: asks before, acts, and senses afterwards whether it worked"),
    "condition": NodeStyle("ellipse", "", "condition: asks whether something holds"),
    "act": NodeStyle("box", "▸", "act: the robot does something"),
    "action": NodeStyle("box", "▸", "action: the robot does something"),
    "effect": NodeStyle("ellipse", "", "effect: was the result sensed?"),
    "sequence": NodeStyle("round", "→", "sequence: its children one after the other, until one fails"),
    "selector": NodeStyle("round", "?", "selector: the first of its children that does not fail"),
    "parallel": NodeStyle("round", "⇉", "parallel: its children at the same time"),
    "decorator": NodeStyle("hexagon", "◇", "decorator: watches over its child and may repair it"),
}
"""By kind: those of compiled plans, and the general ones. Another kind with one child is drawn as a decorator."""


def children_of(node: Document) -> list[Document]:
    """Return the nodes directly below a node."""
    return list(node.get("children") or ())


def walk(root: Document) -> Iterator[Document]:
    """Yield every node, parents before children, left before right."""
    yield root
    for child in children_of(root):
        yield from walk(child)
