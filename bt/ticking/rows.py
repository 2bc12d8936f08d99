"""Sequences and selectors: rows of children that are gone through until one of them decides.

`halt` is the index of the child that decided, or the number of children when none did. As long as nothing before it
wakes, the row stands where it stood, so that only the woken children up to `halt` are ticked, in order; from the first
that answers otherwise than before, the row is gone through as py_trees does it. A `halt` of -1 means that nothing is
known, and the row is gone through from its start.
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
from bt.ticking.cells import FAILURE, INVALID, RUNNING, SUCCESS, Cell, LeafCell
from bt.ticking.stop import end, end_tail, reset_kids, verify

__all__ = ["RowCell", "SelectorRow", "SequenceRow"]


@dataclass(eq=False, repr=False, slots=True)
class RowCell(Cell):
    """What sequences and selectors have in common.

    Attributes:
        passing: The statuses of a child that leave the decision to the next one.
        memory: Whether it goes on at the child that was running, as its node said when this tick began.
        halt: As the module says.
        low: Index before which children may be INVALID although the row is past them.
    """

    passing: ClassVar[tuple[Status, ...]]

    node: Composite
    memory: bool = field(default=False, init=False)
    halt: int = field(default=-1, init=False)
    low: int = field(default=0, init=False)

    @abstractmethod
    def open(self) -> int:
        """Begin anew where it has to; return the index to start at."""

    @abstractmethod
    def decide(self, index: int) -> None:
        """End the tick: the child at `index` decides, or none did."""

    def begin(self) -> Cell | None:
        """Tick as much as has to be ticked."""
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
        if first == self.halt:
            self.order = [first] if first in self.pending else []
        else:
            self.order = sorted((i for i in self.pending if first <= i <= self.halt), reverse=True)
        self.at = first - 1
        return self._go()

    def after(self) -> Cell | None:
        """Take the child's status, and go on."""
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
        """Return where a child stands; -1 for None."""
        if child is None:
            return -1
        if 0 <= self.halt < len(self.kids) and self.kids[self.halt].node is child:
            return self.halt
        return self.node.children.index(child)

    def heeds(self, index: int) -> bool:
        """Return whether the next tick would come to the child at `index`."""
        if self.memory and self.status is RUNNING:
            return index == self.halt
        return index <= self.halt

    def hasten(self, index: int) -> None:
        """Tick a child in this tick that has woken before the row came to it."""
        if self.at < index <= self.halt:
            insort(self.order, index, key=neg)

    def ending(self) -> None:
        """Lose the current child."""
        self.node.current_child = None

    def forget(self) -> None:
        """Know nothing of the children but that they are INVALID."""
        Cell.forget(self)  # in a class that gets its slots as a dataclass, `super()` does not work before Python 3.14
        self.halt, self.low = -1, 0

    def doubt(self) -> None:
        """Know nothing of the children at all."""
        Cell.doubt(self)
        self.halt, self.low = -1, 0

    def abandoned(self) -> None:
        """Stop what the beginning of the tick should have stopped."""
        if self.leaves_behind():
            end_tail(self, self.at + 1)

    def _any_due(self) -> bool:
        return any(index <= self.halt for index in self.pending)


class SequenceRow(RowCell):
    """A `py_trees.composites.Sequence`."""

    __slots__ = ()
    passing = (SUCCESS,)

    def open(self) -> int:
        """Stop all children when it begins anew, and find the start."""
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
        """Let the leaf run on at which it stands, if it has a memory and so comes to no other child."""
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
        """Take over the status of the child that did not succeed."""
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
        """Return whether a child that the next tick comes to is awake, or would notice beginning anew."""
        if self.status is RUNNING:
            return self.kids[self.halt].awake if self.memory else self._any_due()
        if self.low:  # children before it may be INVALID, since somebody has edited or stopped them
            self.halt = -1
            return True
        return self.hooked or bool(self.touchies) or self._any_due()

    def leaves_behind(self) -> bool:
        """Return whether it begins anew, which stops all children."""
        return self.ghost or (self.busy and self.fresh)

    def abandoned(self) -> None:
        """Keep how far it has come."""
        if self.at >= 0:
            self.node.current_child = self.kids[self.at].node
        super().abandoned()


@dataclass(eq=False, repr=False, slots=True)
class SelectorRow(RowCell):
    """A `py_trees.composites.Selector`.

    It does not stop its children when it begins anew, and stops those after the deciding one only when that is another
    than before: so failures of an earlier tick may stay to be seen behind a first child that decides.

    Attributes:
        previous: Index of the child that decided the tick before.
    """

    passing = (FAILURE, INVALID)

    previous: int = field(default=-1, init=False)

    def open(self) -> int:
        """Find the start; with memory, stop what lies before it."""
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
        """Take over the status of the child that did not fail."""
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
        """Return whether a child that the next tick comes to is awake, or one is to be stopped."""
        if self.memory and self.status is RUNNING:
            return self.has_passed() or self.kids[self.halt].awake
        if self.status is RUNNING:
            return self._any_due()
        if (self.memory and self.low > 0) or self.reach > self.halt > 0:
            self.halt = -1
            return True
        return self.hooked or self._any_due()

    def has_passed(self) -> bool:
        """Return whether children stand before the deciding one that the next tick would stop."""
        return self.low < self.halt

    def notices(self) -> bool:
        """Return whether failures are left behind the deciding child, or a child notices."""
        return self.status is not RUNNING and (self.reach > self.halt or bool(self.touchies))
