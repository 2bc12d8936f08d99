"""Stops a part of the tree, completely or only as far as it is observable; without recursion."""

from __future__ import annotations

from py_trees.common import Status

from bt.ticking.cells import Cell
from bt.ticking.children import Offspring


def end(cell: Cell, lazily: bool = False) -> None:
    """Stop a node as ``stop(INVALID)`` does; if `lazily`, leave sleeping nodes below it as they are.

    All nodes below a thorough node are stopped completely.
    """
    if cell.leaf:
        cell.ended(lazily)
        return
    stack = [(cell, lazily, False)]
    while stack:
        top, is_lazy, is_done = stack.pop()
        leaves = is_lazy and not top.thorough
        if is_done or top.leaf:
            top.ended(leaves)
            if is_lazy and top.parent is not None:
                top.parent.pending.add(top.index)
            continue
        top.ending()
        stack.append((top, is_lazy, True))
        stack.extend((kid, leaves, False) for kid in reversed(top.to_end(leaves)))


def reset_kids(cell: Cell) -> None:
    """Stop the children of a node that starts again, in order, as far as it is observable."""
    for index in sorted(cell.pending | cell.touchies):
        kid = cell.kids[index]
        if kid.node.status is Status.INVALID:
            continue
        end(kid, lazily=True)
        cell.pending.add(kid.index)
        cell.touchies.discard(kid.index)


def end_tail(cell: Cell, start: int) -> None:
    """Stop the children from `start` on that are not INVALID."""
    for index in range(start, cell.reach + 1):
        bury(cell.kids[index])
        cell.pending.discard(index)
        cell.touchies.discard(index)
    cell.reach = min(cell.reach, start - 1)


def bury(cell: Cell) -> None:
    """Stop a node completely if it is not INVALID; below a ghost, stop the nodes that were left."""
    stack = [cell]
    while stack:
        top = stack.pop()
        if top.ghost:
            top.ghost = False
            stack.extend(top.kids)
            top.forget()
        elif top.node.status is not Status.INVALID:
            end(top)


def distrust(cell: Cell) -> None:
    """Reset the state of a node and all nodes below it after a change from outside."""
    stack = [cell]
    while stack:
        top = stack.pop()
        top.doubt()
        stack.extend(top.kids)


def verify(cell: Cell) -> None:
    """Check a node before its tick for changes from outside, of its children or its status."""
    node = cell.node
    if node.children.__class__ is not Offspring:
        if cell.ghost:
            bury(cell)
        cell.ticker.replant(cell)
    if node.status is not cell.status:
        distrust(cell)


def abandon(cell: Cell) -> None:
    """Leave the tree as a plain tick leaves it after an exception in this node."""
    at: Cell | None = cell
    while at is not None:
        at.abandoned()
        at = at.parent
