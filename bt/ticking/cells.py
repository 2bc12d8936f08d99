"""The state of each node between ticks, the two kinds of leaves, and stops of a part of the tree.

Each node has a *cell*. The cell is **awake** when its node has to be ticked the next time that a plain tick reaches it.
It sleeps when such a tick would change nothing and make no observable call. A sleeping cell is **touchy** when stopping
and beginning its node again would be observable, as for a parent that has ended. A cell is a **ghost**, for a part of
one tick, when its node was stopped but the sleeping nodes below it were left as they are. The reason is that the same
tick will normally bring them to the same statuses again; otherwise `bury` stops them later.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, ClassVar, Protocol

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.ticking.facts import Changing

EDITS = ("append", "extend", "insert", "remove", "pop", "clear", "reverse", "sort")
EDITING_SIGNS = ("__setitem__", "__delitem__", "__iadd__", "__imul__")


class Offspring(list[Behaviour]):
    """A list that reports each change: every method that edits a list is one that also reports."""

    edited: Callable[[], None]  # called after each change; the creator of the list sets it

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)  # a copy is a plain list


def _reporting(name: str) -> Callable[..., Any]:
    method = getattr(list, name)

    @wraps(method)
    def edit(self: Offspring, /, *args: Any, **options: Any) -> Any:  # noqa: ANN401 - as the list has it
        result = method(self, *args, **options)
        self.edited()
        return result

    return edit


for _name in (*EDITS, *EDITING_SIGNS):
    setattr(Offspring, _name, _reporting(_name))


RUNNING, INVALID, SUCCESS, FAILURE = Status.RUNNING, Status.INVALID, Status.SUCCESS, Status.FAILURE


def valid(node: Behaviour, status: object) -> Status:
    """Return the result of an `update` as py_trees does: a value that is no status counts as INVALID."""
    if isinstance(status, Status):
        return status
    node.logger.error(f"A behaviour returned an invalid status, setting to INVALID [{status}][{node.name}]")
    return INVALID


class CellHost(Protocol):
    """The part of `bt.ticking.Ticker` that cells use."""

    facts: Changing | None  # the source of changes
    touched: list[Behaviour]  # the nodes that this tick has reached, in order
    count: int  # the number of ticks
    is_still: bool  # whether only running leaves are awake
    edited: dict[Cell, None]  # the cells whose list of children has changed since it was last read
    readers: dict[Hashable, dict[Cell, None]]  # by fact or name of a predicate, the cells that sleep until it changes

    def look(self) -> None:
        """Read the changes of facts, and wake the cells that depend on them."""

    def overtaken(self, cell: Cell) -> None:
        """Skip a leaf that was already ticked in this tick."""

    def take_in(self, cell: Cell) -> None:
        """Update the cell of a node that has changed its own children during its tick."""

    def replant(self, cell: Cell) -> None:
        """Update the child cells of an edited cell."""


@dataclass(eq=False, repr=False, slots=True)
class Cell:
    """The state of a node; see the module for `awake`, `touchy` and `ghost`."""

    thorough: ClassVar[bool] = False  # whether stopping it stops all nodes below, even if it begins again in this tick
    decorates: ClassVar[bool] = False
    """Whether it is terminated before its child is stopped, with or without hooks, and not after it."""

    node: Behaviour  # the behaviour
    ticker: CellHost  # the ticker of the cell
    hooked: bool
    """Whether the class overrides `initialise` or `terminate`, so that every start and end has to be executed."""
    leaf: bool = False  # whether `begin` is its whole tick
    parent: Cell | None = field(default=None, init=False)  # the cell of the parent; None for the root
    index: int = field(default=0, init=False)  # its position among the children of the parent
    kids: list[Cell] = field(default_factory=list, init=False)  # the cells of the children
    status: Status = field(default=INVALID, init=False)
    """The status of the node after the last tick; a different one shows a change from outside."""
    awake: bool = field(default=True, init=False)
    touchy: bool = field(default=False, init=False)
    ghost: bool = field(default=False, init=False)
    pending: set[int] = field(default_factory=set, init=False)
    """Indices of the children that are awake and not INVALID; for a parallel also INVALID ones."""
    touchies: set[int] = field(default_factory=set, init=False)  # indices of the touchy children
    busy: bool = field(default=False, init=False)  # whether its tick has begun and has not ended
    fresh: bool = field(default=False, init=False)  # whether that tick, or the last one, started the node again
    at: int = field(default=-1, init=False)  # index of the current child in this tick
    order: list[int] = field(default_factory=list, init=False)
    """Indices of the children that this tick still has to reach, the next one last."""
    reach: int = field(default=-1, init=False)  # highest index of a child that may not be INVALID
    ran: int = field(default=0, init=False)
    """For a leaf, the number of the tick in which it was ticked before the nodes above it."""

    def begin(self) -> Cell | None:
        """Begin the tick; return the child to tick next, or None when the tick has ended."""
        raise NotImplementedError

    def after(self) -> Cell | None:
        """Go on after that child was ticked; return as `begin` does."""
        raise NotImplementedError

    def runs_on(self) -> bool:
        """Tick the node if only one running leaf has to be ticked; return whether that was the whole tick.

        If not, the caller has to call `begin`, which skips a leaf that was already ticked.
        """
        return False

    def heeds(self, index: int) -> bool:
        """Return whether the next tick would reach the child at `index`."""
        return True

    def to_end(self, lazily: bool) -> list[Cell]:
        """Return the children that a stop has to stop, in order; if `lazily`, only those where it is observable."""
        if lazily:
            chosen = sorted(self.pending | self.touchies)
            return [self.kids[index] for index in chosen if self.kids[index].node.status is not INVALID]
        return [kid for kid in self.kids[: self.reach + 1] if kid.node.status is not INVALID]

    def ending(self) -> None:
        """Do the part of a stop that comes before the children are stopped."""
        self.node.current_child = None  # type: ignore[attr-defined] # it is a composite

    def ended(self, lazily: bool) -> None:
        """Do the part of a stop that comes after the children were stopped."""
        if self.hooked and not self.decorates:
            self.node.terminate(INVALID)
        self.node.status = self.status = INVALID
        self.awake, self.touchy, self.ghost, self.busy = True, False, lazily and not self.leaf, False
        if not lazily:
            self.forget()
        if self.hooked:
            self.ticker.look()

    def forget(self) -> None:
        """Reset the state of the children: all are INVALID."""
        self.pending.clear()
        self.touchies.clear()
        self.reach = -1

    def doubt(self) -> None:
        """Reset the state of the children: it is unknown, so all of them have to be ticked."""
        self.status = self.node.status
        self.awake, self.touchy, self.ghost, self.busy = True, False, False, False
        self.touchies.clear()
        self.pending = {kid.index for kid in self.kids if kid.node.status is not INVALID}
        self.reach = len(self.kids) - 1

    def abandoned(self) -> None:
        """Complete the begin of a tick that an exception has interrupted here."""

    def leaves_behind(self) -> bool:
        """Return whether children that this tick has not reached should be stopped but may have been left."""
        return self.ghost

    def lost(self, index: int) -> bool:
        """Return whether a sleeping child should have been stopped in this tick, but was left as it is."""
        return self.leaves_behind() and not (self.busy and index <= self.at)

    def hasten(self, index: int) -> None:
        """Handle a child that wakes during the tick of this node."""

    def took(self, kid: Cell) -> None:
        """Update the state of the children after the tick of a child."""
        if kid.awake:
            self.pending.add(kid.index)
        else:
            self.pending.discard(kid.index)
        if kid.touchy:
            self.touchies.add(kid.index)
        elif self.touchies:
            self.touchies.discard(kid.index)

    def close(self, status: Status) -> None:
        """End the tick with `status`, which is not INVALID."""
        if status is not RUNNING and self.hooked:
            self.node.terminate(status)
        self.settle(status)

    def settle(self, status: Status) -> None:
        """Set the status with which the tick ends, and what follows from it."""
        self.node.status = self.status = status
        self.ghost = self.busy = False
        self.awake = self.restless()
        self.touchy = not self.awake and self.notices()
        self.ticker.touched.append(self.node)
        if self.hooked:
            self.ticker.look()

    def restless(self) -> bool:
        """Return whether the next tick would do anything with the current status."""
        return True

    def notices(self) -> bool:
        """Return whether a stop and a new start of the sleeping node would be observable."""
        return False


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class LeafCell(Cell):
    """A leaf that is ticked as `Behaviour.tick` does it."""

    leaf: bool = True
    update: Callable[[], Status]  # the `update` of the node
    reads: tuple[Hashable, ...] | None
    """All facts that its result depends on, as it declares; None when it declares nothing."""
    rests: bool  # whether its result stays the same until one of these facts changes
    shows: bool  # whether a call of its hooks is observable, so that it does not sleep where they are called

    def begin(self) -> None:
        """Tick the leaf, unless it was already ticked in this tick."""
        ticker = self.ticker
        if self.ran == ticker.count:
            ticker.overtaken(self)
            return
        node = self.node
        if self.hooked and node.status is not RUNNING:
            node.initialise()
        self.settle(self.update())
        ticker.touched.append(node)
        if self.hooked or not self.rests:
            ticker.look()

    def settle(self, status: object) -> None:
        """Set the result of `update` as the status."""
        node = self.node
        if status.__class__ is not Status:
            status = valid(node, status)
        assert isinstance(status, Status)
        if self.hooked and status is not RUNNING:
            node.terminate(status)
        node.status = self.status = status
        self.awake = not self.rests or status is INVALID or (self.shows and status is not RUNNING)


@dataclass(eq=False, repr=False, slots=True)
class Foreign(Cell):
    """A node with its own `tick` or `stop`: the whole subtree is ticked each time by the node itself."""

    hooked: bool = True
    leaf: bool = True

    def begin(self) -> None:
        """Tick the node and all nodes below it."""
        self.ticker.touched.extend(self.node.tick())
        self.status = self.node.status
        self.ticker.look()

    def ended(self, lazily: bool) -> None:
        """Stop the node and all nodes below it."""
        self.node.stop(INVALID)
        self.status = self.node.status
        self.ticker.look()


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
        if kid.node.status is INVALID:
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
        elif top.node.status is not INVALID:
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
