"""`Ticker`: ticks a tree of py_trees behaviours at a cost that depends on the possible changes only.

Only cells that are awake are ticked (see `bt.ticking.cells`): leaves that run or declare no facts, conditions with a
changed fact, and the nodes between them and the root. The observable result is that of a plain tick.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import Any

from py_trees import behaviours
from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite, Parallel, Selector, Sequence
from py_trees.decorators import Decorator, OneShot

from bt.errors import TreeError
from bt.execution.execute import Execute
from bt.execution.step import Step
from bt.node import FactReader, FactReaderFrom, Guard
from bt.ticking.cells import INVALID, Cell, CellHost, Foreign, LeafCell, Offspring, abandon, distrust, end
from bt.ticking.decorators import RESTING, DecoratorCell
from bt.ticking.facts import Believed, Changing
from bt.ticking.guards import ExecuteCell, GuardCell
from bt.ticking.lanes import Lane, lane_of
from bt.ticking.parallels import POLICIES, ParallelCell
from bt.ticking.rows import SelectorRow, SequenceRow

LONGEST_WAIT = 8  # the largest number of ticks between two checks whether only running leaves are awake
CONSTANTS = (behaviours.Success, behaviours.Failure, behaviours.Running, behaviours.Dummy)
Make = Callable[[Any, CellHost, bool], Cell]
"""Returns the cell of a behaviour, given the ticker and whether the class has hooks."""
WAYS: dict[tuple[Any, Any], Make] = {
    (Sequence.tick, Sequence.stop): SequenceRow,
    (Selector.tick, Selector.stop): SelectorRow,
    (Parallel.tick, Parallel.stop): ParallelCell,
    (Decorator.tick, Decorator.stop): DecoratorCell,
    (OneShot.tick, Decorator.stop): DecoratorCell,
    (Guard.tick, Decorator.stop): GuardCell,
    (Execute.tick, Composite.stop): ExecuteCell,
}
"""The kind of cell by the `tick` and `stop` of a class. A subclass that overrides neither is known too."""


class Ticker:
    """Ticks a tree.

    The tree may be stopped from outside at its root, and edited by the methods of py_trees. After any other change from
    outside, call `invalidate`.

    Args:
        root: The tree.
        facts: The source of changes; None when no leaf declares the facts that it reads.

    Attributes:
        facts: The source of changes.
        touched: The nodes that the last tick has reached, children first; a plain tick reaches more.
        count: The number of ticks.
        edited: The cells whose list of children has changed since it was last read.
        readers: By fact or name of a predicate, the cells that sleep until it changes.
    """

    def __init__(self, root: Behaviour, facts: Changing | None = None) -> None:
        self.root = root
        self.touched: list[Behaviour] = []
        self.count = 0
        self.facts = facts
        self._known = 0 if facts is None else facts.revision
        self.readers: dict[Hashable, dict[Cell, None]] = {}
        self._by_name = False
        self._cells: dict[int, Cell] = {}
        self.edited: dict[Cell, None] = {}
        self.is_still = False
        self._lane: Lane | None = None
        self._lane_due, self._lane_wait = 0, 1
        self._overtaker: Cell | None = None
        self._top = self._grow(root)

    def tick(self) -> Status:
        """Tick the tree once; return the root's status.

        Raises:
            Exception: The error of a node; the tree is then as after a plain tick.
        """
        self.count += 1
        self.touched = []
        if self.edited:
            self._regrow()
        top = self._top
        if top.node.status is not top.status:
            distrust(top)
            self.is_still = False
        if not (self.is_still and self._lane is not None and self._lane.is_deaf):
            self.look()
        if top.awake and not (self.is_still and not top.leaf and self._run_along(top)):
            self._lane = None
            self._run(top)
            self._overtaker = None
            self.is_still = True
        return top.status

    def stop(self, node: Behaviour | None = None) -> None:
        """Stop the tree, or a part of it, as ``stop(INVALID)`` does, without recursion."""
        cell = self._cell(node)
        end(cell)
        self.invalidate(cell.node)

    def invalidate(self, node: Behaviour | None = None) -> None:
        """Tick a node and all nodes below it in the next tick; by default the whole tree."""
        cell = self._cell(node)
        distrust(cell)
        cell.awake = self.is_still = False
        wake(cell)

    def release(self) -> None:
        """Restore the plain lists of children; the ticker must not be used after that."""
        for cell in self._cells.values():
            if isinstance(cell.node.children, Offspring):
                cell.node.children = list(cell.node.children)

    def cells(self) -> list[Cell]:
        """Return the cells of the nodes, parents first; nodes below a `Foreign` cell have none."""
        if self.edited:
            self._regrow()
        cells, stack = [], [self._top]
        while stack:
            cells.append(stack.pop())
            stack.extend(reversed(cells[-1].kids))
        return cells

    def look(self) -> None:
        """Read the changes of facts, and wake the cells that depend on them."""
        facts = self.facts
        if facts is None or not self.readers or facts.revision == self._known:
            return
        changes = facts.changes_since(self._known)
        self._known = facts.revision
        readers = self.readers
        for atom in changes:
            for cell in readers.get(atom, ()):
                wake(cell)
        if self._by_name:
            for name in {atom.predicate for atom in changes}:
                for cell in readers.get(name, ()):
                    wake(cell)

    def _grow(self, node: Behaviour) -> Cell:
        """Create the cells of a node and of all nodes below it, with their current statuses."""
        root = cell_for(node, self)
        stack = [root]
        while stack:
            cell = stack.pop()
            self._cells[id(cell.node)], cell.status = cell, cell.node.status
            if isinstance(cell, LeafCell) and cell.reads:
                self._follow(cell, cell.reads)
            if cell.leaf:
                continue
            self._listen_to(cell)
            cell.kids = [cell_for(child, self) for child in cell.node.children]
            for index, kid in enumerate(cell.kids):
                kid.parent, kid.index = cell, index
            cell.pending = {kid.index for kid in cell.kids if kid.node.status is not INVALID}
            cell.reach = len(cell.kids) - 1
            stack.extend(cell.kids)
        return root

    def _follow(self, leaf: LeafCell, reads: Iterable[Hashable]) -> None:
        """Register a leaf, so that changes of the facts that it reads wake it."""
        for key in reads:
            self._by_name = self._by_name or isinstance(key, str)
            self.readers.setdefault(key, {})[leaf] = None

    def _listen_to(self, cell: Cell) -> None:
        """Replace the list of children of a node by one that reports edits."""
        children = Offspring(cell.node.children)
        children.edited = partial(self.edited.setdefault, cell, None)
        cell.node.children = children

    def _cell(self, node: Behaviour | None) -> Cell:
        if self.edited:
            self._regrow()
        at = self.root if node is None else node
        while (cell := self._cells.get(id(at))) is None:
            if at.parent is None:
                raise TreeError(f"{at.name} is in no tree of this ticker")
            at = at.parent  # nodes below a `Foreign` cell have none
        return cell

    def overtaken(self, cell: Cell) -> None:
        """Skip a leaf that was already ticked; after the last one, the ordinary tick reads the changes of facts."""
        if cell is self._overtaker:
            self.look()

    def _run_along(self, top: Cell) -> bool:
        """Tick only the running leaves, if possible; return whether that was the whole tick."""
        if self._lane is None:
            if self.count < self._lane_due:
                return False
            self._lane = lane_of(top)
            self._lane_wait = 1 if self._lane else min(2 * self._lane_wait, LONGEST_WAIT)
            self._lane_due = self.count + self._lane_wait
            if self._lane is None:
                return False
        try:
            self.touched, self._overtaker = self._lane.run(self.facts, self._known, self.count)
        except BaseException:
            self._lose(top)
            raise
        return self._overtaker is None

    def _run(self, top: Cell) -> None:
        cell: Cell = top
        try:
            step = cell.begin()
            while True:
                while step is not None:
                    cell = step
                    step = cell.begin()
                if cell is top:
                    return
                assert cell.parent is not None
                cell = cell.parent
                step = cell.after()
        except BaseException:
            abandon(cell)
            self._lose(top)
            raise

    def _lose(self, top: Cell) -> None:
        """Reset the state of the whole tree."""
        distrust(top)
        self.is_still, self._lane = False, None

    def _regrow(self) -> None:
        """Update the cells after the edits since the last tick."""
        edited = list(self.edited)
        self.edited.clear()  # keep the dictionary object: the lists of children refer to it
        for cell in edited:
            if self._cells.get(id(cell.node)) is cell:
                self.replant(cell)

    def take_in(self, cell: Cell) -> None:
        """Update the cell of a node that has changed its own children during its tick."""
        if cell in self.edited:
            del self.edited[cell]
            self.replant(cell)

    def replant(self, cell: Cell) -> None:
        """Update the child cells of an edited cell, and keep the cells of children that stay."""
        if not isinstance(cell.node.children, Offspring):
            self._listen_to(cell)
        old = {id(kid.node): kid for kid in cell.kids}
        cell.kids = []
        for index, child in enumerate(cell.node.children):
            kid = old.pop(id(child), None)
            if kid is None:
                kid = self._grow(child)
            elif kid.node.status is not kid.status:
                distrust(kid)
            kid.parent, kid.index = cell, index
            cell.kids.append(kid)
        for gone in old.values():
            self._disown(gone)
        self.is_still = False
        sleeping = {kid.index for kid in cell.kids if not kid.awake}
        touchy = {kid.index for kid in cell.kids if kid.touchy}
        cell.doubt()
        cell.pending -= sleeping
        cell.touchies = touchy
        cell.awake = False
        wake(cell)

    def _disown(self, root: Cell) -> None:
        stack = [root]
        while stack:
            cell = stack.pop()
            stack.extend(cell.kids)
            if self._cells.get(id(cell.node)) is cell:
                del self._cells[id(cell.node)]
            for key in (cell.reads or ()) if isinstance(cell, LeafCell) else ():
                self.readers.get(key, {}).pop(cell, None)


def cell_for(node: Behaviour, ticker: CellHost) -> Cell:
    """Return the cell of one node, without its children."""
    kind = type(node)
    own = vars(node)
    if own.keys() & {"tick", "stop", "update", "initialise", "terminate"}:
        return Foreign(node, ticker)
    hooked = kind.initialise is not Behaviour.initialise or kind.terminate is not Behaviour.terminate
    if (kind.tick, kind.stop) == (Behaviour.tick, Behaviour.stop) and not node.children:
        is_constant = kind in CONSTANTS
        # A step checks its conditions once per start, so following the facts that they read saves nothing.
        reads = None if isinstance(node.parent, Step) else _reads_of(node, ticker.facts)
        rests, shows = is_constant or reads is not None, hooked and not is_constant
        return LeafCell(node, ticker, hooked, update=node.update, reads=reads, rests=rests, shows=shows)
    make = WAYS.get((kind.tick, kind.stop))
    if make is None or (isinstance(node, Parallel) and type(node.policy) not in POLICIES):
        return Foreign(node, ticker)
    if isinstance(node, Decorator) and (len(node.children) != 1 or node.decorated is not node.children[0]):
        return Foreign(node, ticker)
    return make(node, ticker, hooked and kind not in RESTING)


def _reads_of(node: Behaviour, facts: object) -> tuple[Hashable, ...] | None:
    """Return the facts that a leaf declares to read; None without a declaration, or for another source than `facts`.

    Raises:
        TreeError: The declaration is not a set of facts or names of predicates.
    """
    if not isinstance(node, FactReader) or node.reads is None:
        return None
    declared: object = node.reads
    source = node.reads_from if isinstance(node, FactReaderFrom) else facts
    if source is not facts and not (isinstance(facts, Believed) and source is facts.source):
        return None
    if isinstance(declared, str) or not isinstance(declared, Iterable):
        raise TreeError(f"{node.name}: `reads` is a set of atoms or names of predicates, not {declared!r}")
    return tuple(declared)


def wake(cell: Cell) -> None:
    """Mark a cell awake, and its parents as far up as a tick has to descend to reach it."""
    if cell.awake:
        return
    cell.awake = True
    while (parent := cell.parent) is not None:
        index = cell.index
        parent.pending.add(index)
        if parent.busy or parent.ghost:  # in the middle of a tick: a stop that was left out is due now
            if parent.lost(index):
                end(cell, lazily=True)
            parent.hasten(index)
        if not parent.heeds(index):
            return
        if parent.awake:
            break
        parent.awake = True
        cell = parent
    cell.ticker.is_still = False
