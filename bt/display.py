"""The nodes of a tree document, and the signs of their states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Document = Mapping[str, Any]
"""A node of a tree document: ``id``, ``name``, ``kind``, ``children`` and, as far as known, ``what``."""

SIGNS = {"success": "✓", "failure": "✗", "running": "●", "invalid": "·"}
"""One sign per state; ``invalid`` is a node that is not being asked."""


def children_of(node: Document) -> list[Document]:
    """Return the nodes directly below a node."""
    return list(node.get("children") or ())


def walk(root: Document) -> Iterator[Document]:
    """Yield every node, parents before children, left before right."""
    yield root
    for child in children_of(root):
        yield from walk(child)
