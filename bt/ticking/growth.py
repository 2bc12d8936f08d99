"""Creates the cells of behaviours: which kinds of nodes are known, and which tick themselves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from py_trees import behaviours
from py_trees.behaviour import Behaviour
from py_trees.composites import Composite, Parallel, Selector, Sequence
from py_trees.decorators import Decorator, OneShot

from bt.errors import TreeError
from bt.execution.execute import Execute
from bt.execution.step import Step
from bt.node import FactReader, FactReaderFrom, Guard
from bt.ticking.cells import Cell, CellHost, Foreign, LeafCell
from bt.ticking.decorators import RESTING, DecoratorCell
from bt.ticking.facts import Believed
from bt.ticking.guards import ExecuteCell, GuardCell
from bt.ticking.parallels import POLICIES, ParallelCell
from bt.ticking.rows import SelectorRow, SequenceRow

__all__ = ["cell_for"]

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
