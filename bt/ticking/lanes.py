"""The fast path of a tick through a tree in which only running leaves have work to do.

When no cell has woken since the last tick, and only running leaves and the running nodes above them are awake, a plain
tick reaches these leaves in the order of the tree, and each node above returns RUNNING as before. So only the leaves
are ticked, one after the other. When a leaf does more than to stay RUNNING, the tick continues in the ordinary way from
the root, and skips the leaves that were already ticked in this tick.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from py_trees.behaviour import Behaviour
from py_trees.decorators import Timeout

from bt.ticking.cells import RUNNING, SUCCESS, Cell, LeafCell, abandon
from bt.ticking.decorators import RESTING, DecoratorCell
from bt.ticking.facts import Changing
from bt.ticking.parallels import ParallelCell
from bt.ticking.rows import RowCell, SelectorRow


class Stop(NamedTuple):
    """A leaf on the fast path."""

    cell: LeafCell  # the leaf
    node: Behaviour  # its behaviour
    update: Callable[[], object]  # the `update` of the leaf
    tells: bool  # whether a decorator above it passes its message on, so that a new message ends the fast path


class Lane:
    """The leaves that a tick reaches, in order.

    Attributes:
        is_deaf: Whether no sleeping node would be reached by a tick if it woke. Then changes of facts do not matter
            until the fast path ends.
    """

    def __init__(self, stops: list[Stop], is_deaf: bool) -> None:
        self._stops, self.is_deaf = stops, is_deaf
        self._nodes = [stop.node for stop in stops]

    def run(self, facts: Changing | None, known: int, count: int) -> tuple[list[Behaviour], Cell | None]:
        """Tick the leaves; return the reached nodes, and the leaf that did more than to stay RUNNING, if any.

        Args:
            facts: The facts that the leaves may change.
            known: The revision of the facts up to which changes were read.
            count: The number of the tick.

        Raises:
            Exception: The error of a leaf; the nodes above it are then as after a plain tick that reached it.
        """
        heard = None if self.is_deaf else facts
        for number, (cell, node, update, tells) in enumerate(self._stops):
            message = node.feedback_message
            try:
                status = update()
            except BaseException:
                _come_to(cell)
                abandon(cell)
                raise
            changed = heard is not None and heard.revision != known
            if status is RUNNING and not changed and not (tells and node.feedback_message != message):
                continue
            cell.settle(status)
            for stop in self._stops[: number + 1]:
                stop.cell.ran = count
            return self._nodes[: number + 1], cell
        return list(self._nodes), None


def _come_to(cell: Cell) -> None:
    """Set the current child of all nodes above a leaf, as a tick that has reached it does."""
    at = cell
    while at.parent is not None:
        at.parent.at = at.index
        at = at.parent


def lane_of(top: Cell) -> Lane | None:
    """Return the lane of a tree whose root is awake; None when a tick has more to do than to tick running leaves."""
    stops: list[Stop] = []
    is_deaf = True
    stack = [(top, False)]
    while stack:
        cell, tells = stack.pop()
        if cell.status is not RUNNING or cell.node.status is not RUNNING:
            return None
        if isinstance(cell, LeafCell):
            stops.append(Stop(cell, cell.node, cell.update, tells))
            continue
        below = _due(cell)
        if not below:
            return None
        is_deaf = is_deaf and all(index in below for index in _heeded(cell))
        tells = tells or isinstance(cell, DecoratorCell)
        stack.extend((cell.kids[index], tells) for index in sorted(below, reverse=True))
    return Lane(stops, is_deaf)


def _due(cell: Cell) -> list[int]:
    """Return the children that a tick of a running node reaches; empty if the tick does anything else."""
    if isinstance(cell, DecoratorCell):
        rests = type(cell.node) in RESTING and not isinstance(cell.node, Timeout)
        return [0] if rests and cell.kids[0].awake else []
    if isinstance(cell, ParallelCell):
        skips = cell.node.policy.synchronise
        return [index for index in cell.pending if not (skips and cell.kids[index].node.status is SUCCESS)]
    if not isinstance(cell, RowCell):
        return []
    memory = bool(cell.node.memory)  # type: ignore[attr-defined]
    if cell.memory != memory or (memory and isinstance(cell, SelectorRow) and cell.has_passed()):
        return []
    return [index for index in cell.pending if index == cell.halt or (index < cell.halt and not memory)]


def _heeded(cell: Cell) -> range:
    """Return a superset of the children that a tick would reach if they were awake."""
    if not isinstance(cell, RowCell):
        return range(len(cell.kids))
    return range(cell.halt if cell.memory else 0, cell.halt + 1)
