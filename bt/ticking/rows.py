"""The cells of sequences and selectors: rows of children that are ticked until one of them decides.

`halt` is the index of the child that decided, or the number of children when none did. The children before `halt` that
sleep keep their statuses, so only the awake children up to `halt` are ticked, in order. From the first child with a new
status on, the row is ticked as py_trees does it. A `halt` of -1 means that nothing is known: the row is ticked from its
start.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import insort
from dataclasses import dataclass, field
from operator import neg
from typing import ClassVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite

from bt.errors import TreeError
from bt.node import path_of
from bt.ticking.cells import FAILURE, INVALID, RUNNING, SUCCESS, Cell, LeafCell, end, end_tail, reset_kids, verify


@dataclass(eq=False, repr=False, slots=True)
class RowCell(Cell):
    """The common part of sequences and selectors."""

    passing: ClassVar[tuple[Status, ...]]  # the statuses of a child after which the next child is ticked

    node: Composite
    memory: bool = field(default=False, init=False)
    """The `memory` of the node at the begin of this tick: whether it goes on at the running child."""
    halt: int = field(default=-1, init=False)  # see the module
    low: int = field(default=0, init=False)
    """Index before which children may be INVALID although the row has passed them."""

    @abstractmethod
    def open(self) -> int:
        """Start the node again if necessary; return the index of the first child."""

    @abstractmethod
    def decide(self, index: int) -> None:
        """End the tick: the child at `index` decides; no child has decided if `index` is their number."""

    def begin(self) -> Cell | None:
        """Tick the children that have to be ticked."""
        node = self.node
        verify(self)
        self.fresh, self.busy = self.status is not RUNNING, True
        self.memory = node.memory  # type: ignore[attr-defined]
        self.at = -1
        first = self.open()
        if not self.kids:
            node.current_child = None
            self.decide(0)
            return None
        # Sleeping children keep their statuses, so only awake ones up to the last decision need a tick.
        if first == self.halt:
            self.order = [first] if first in self.pending else []
        else:
            self.order = sorted((index for index in self.pending if first <= index <= self.halt), reverse=True)
        self.at = first - 1
        return self._go()

    def after(self) -> Cell | None:
        """Go on after the tick of a child, or end if it decides."""
        kid = self.kids[self.at]
        self.took(kid)
        if kid.status not in self.passing:
            self.decide(self.at)
            return None
        return self._go()

    def _go(self) -> Cell | None:
        kids = self.kids
        while True:
            if self.order:
                index = self.order.pop()
            elif self.at < self.halt:
                self.decide(self.halt)
                return None
            else:
                index = self.halt = self.at + 1
                if index >= len(kids):
                    self.decide(len(kids))
                    return None
                self.reach = max(self.reach, index)
            self.at = index
            kid = kids[index]
            if kid.awake:
                if not kid.leaf:
                    return kid
                kid.begin()
                self.took(kid)
            if kid.status not in self.passing:
                self.decide(index)
                return None

    def index_of(self, child: Behaviour | None) -> int:
        """Return the index of a child; -1 for None."""
        if child is None:
            return -1
        if 0 <= self.halt < len(self.kids) and self.kids[self.halt].node is child:
            return self.halt
        return self.node.children.index(child)

    def heeds(self, index: int) -> bool:
        """Return whether the next tick would reach the child at `index`."""
        if self.memory and self.status is RUNNING:
            return index == self.halt
        return index <= self.halt

    def hasten(self, index: int) -> None:
        """Add a child that has woken before its turn to this tick."""
        if self.at < index <= self.halt:
            insort(self.order, index, key=neg)

    def forget(self) -> None:
        """Reset the state of the children: all are INVALID."""
        Cell.forget(self)  # in a class that gets its slots as a dataclass, `super()` does not work before Python 3.14
        self.halt, self.low = -1, 0

    def doubt(self) -> None:
        """Reset the state of the children: it is unknown."""
        Cell.doubt(self)
        self.halt, self.low = -1, 0

    def abandoned(self) -> None:
        """Stop the children that the begin of the tick should have stopped."""
        if self.leaves_behind():
            end_tail(self, self.at + 1)

    def _any_due(self) -> bool:
        return any(index <= self.halt for index in self.pending)


class SequenceRow(RowCell):
    """A `py_trees.composites.Sequence`."""

    __slots__ = ()
    passing = (SUCCESS,)

    def open(self) -> int:
        """Stop all children when the node starts again; return the index of the first child."""
        node = self.node
        if self.fresh:
            node.current_child = self.kids[0].node if self.kids else None
            self.low = 0
            if self.pending or self.touchies:
                reset_kids(self)
            if self.hooked:
                node.initialise()
                self.ticker.look()
        elif self.memory and node.current_child is not None:
            first = self.index_of(node.current_child)
            if self.halt < first:
                self.low = first
            return first
        else:
            node.current_child = self.kids[0].node if self.kids else None
        return 0

    def runs_on(self) -> bool:
        """Tick the running leaf directly if the node has memory, so that the tick reaches no other child."""
        node, halt = self.node, self.halt
        is_there = self.status is RUNNING and node.status is RUNNING and self.memory and halt in self.pending
        if not is_there or node.current_child is not self.kids[halt].node or not node.memory:  # type: ignore[attr-defined]
            return False
        leaf, ticker = self.kids[halt], self.ticker
        if not isinstance(leaf, LeafCell) or leaf.node.status is not RUNNING:
            return False
        status = leaf.update()
        ticker.touched.append(leaf.node)
        if status is RUNNING:
            ticker.touched.append(node)
        else:
            leaf.settle(status)
            leaf.ran = ticker.count
        ticker.look()
        return status is RUNNING

    def decide(self, index: int) -> None:
        """Take the status of the child that did not succeed; SUCCESS if all did."""
        status = SUCCESS
        if index < len(self.kids):
            kid = self.kids[index]
            status, self.node.current_child, self.halt = kid.status, kid.node, index
            if (self.fresh or not self.memory) and self.reach > index:
                end_tail(self, index + 1)
        elif self.kids:
            self.node.current_child = self.kids[-1].node
        if status is INVALID:
            end(self)
            self.ticker.touched.append(self.node)
        else:
            self.close(status)

    def restless(self) -> bool:
        """Return whether a child that the next tick reaches is awake, or a new start of it would be observable."""
        if self.status is RUNNING:
            return self.kids[self.halt].awake if self.memory else self._any_due()
        if self.low:  # earlier children may be INVALID after an edit or a stop from outside
            self.halt = -1
            return True
        return self.hooked or bool(self.touchies) or self._any_due()

    def leaves_behind(self) -> bool:
        """Return whether the node has started again, which stops all children."""
        return self.ghost or (self.busy and self.fresh)

    def abandoned(self) -> None:
        """Keep the position of the tick."""
        if self.at >= 0:
            self.node.current_child = self.kids[self.at].node
        super().abandoned()


@dataclass(eq=False, repr=False, slots=True)
class SelectorRow(RowCell):
    """A `py_trees.composites.Selector`.

    It does not stop its children when it starts again, and stops those after the deciding child only when another child
    has decided before. So failures of an earlier tick may stay visible after the deciding child.
    """

    passing = (FAILURE, INVALID)

    previous: int = field(default=-1, init=False)  # index of the child that decided the previous tick

    def open(self) -> int:
        """Return the index of the first child; with memory, stop the children before it."""
        node = self.node
        if self.fresh:
            node.current_child = self.kids[0].node if self.kids else None
            self.previous = self.low = 0
            if self.hooked:
                node.initialise()
                self.ticker.look()
            return 0
        self.previous = self.index_of(node.current_child)
        if not self.memory:
            return 0
        if self.previous < 0 and self.kids:
            raise TreeError(f"{path_of(node)}: its running child was taken out; stop it first, to begin it anew")
        for kid in self.kids[self.low : self.previous]:
            if kid.node.status is not INVALID:
                end(kid)
                self.pending.discard(kid.index)
                self.touchies.discard(kid.index)
        self.low = self.previous
        return self.previous

    def decide(self, index: int) -> None:
        """Take the status of the child that did not fail; FAILURE if all did."""
        if index >= len(self.kids):
            self.close(FAILURE)
            if self.kids:
                self.node.current_child = self.kids[-1].node
            return
        kid = self.kids[index]
        self.halt, self.node.current_child = index, kid.node
        if (self.ghost or self.previous != index) and self.reach > index:
            end_tail(self, index + 1)
        self.close(kid.status)

    def restless(self) -> bool:
        """Return whether a child that the next tick reaches is awake, or a child has to be stopped."""
        if self.memory and self.status is RUNNING:
            return self.has_passed() or self.kids[self.halt].awake
        if self.status is RUNNING:
            return self._any_due()
        if (self.memory and self.low > 0) or self.reach > self.halt > 0:
            self.halt = -1
            return True
        return self.hooked or self._any_due()

    def has_passed(self) -> bool:
        """Return whether the next tick would stop children before the deciding one."""
        return self.low < self.halt

    def notices(self) -> bool:
        """Return whether failures are left after the deciding child, or a child is touchy."""
        return self.status is not RUNNING and (self.reach > self.halt or bool(self.touchies))
