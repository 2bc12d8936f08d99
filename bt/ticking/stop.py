"""Stopping a part of the tree: for good, or only as far as anybody would notice; without recursion."""

from __future__ import annotations

from py_trees.common import Status

from bt.ticking.cells import Cell
from bt.ticking.children import Offspring

__all__ = ["abandon", "bury", "distrust", "end", "end_tail", "reset_kids", "verify"]


def end(cell: Cell, lazily: bool = False) -> None:
    """Stop a node as ``stop(INVALID)`` does; `lazily`, leave what sleeps below as it is.

    Below a thorough node everything is stopped for good.
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
    """Stop the children of a node that begins anew, as far as they would notice, in order."""
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
    """Stop a node for good that is not INVALID; for a ghost, make up for what was left as it is."""
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
    """Know nothing any more of a node and all below it: somebody else was there."""
    stack = [cell]
    while stack:
        top = stack.pop()
        top.doubt()
        stack.extend(top.kids)


def verify(cell: Cell) -> None:
    """Take in what somebody else has done to a node that is about to be ticked: its children, or its status."""
    node = cell.node
    if node.children.__class__ is not Offspring:
        if cell.ghost:
            bury(cell)
        cell.ticker.replant(cell)
    if node.status is not cell.status:
        distrust(cell)


def abandon(cell: Cell) -> None:
    """Leave the tree as an exception leaves it that came from here."""
    at: Cell | None = cell
    while at is not None:
        at.abandoned()
        at = at.parent
