"""What is known of each node between ticks, and the two kinds of leaves.

A *cell* stands beside each node. It is **awake** when its node has to be ticked the next time a plain tick would come
to it, and asleep when such a tick would change nothing and call nothing that anybody could notice. It is **touchy**
when it sleeps, but would notice being stopped and begun again, as a parent does that has come to an end. It is a
**ghost**, for a part of one tick, when it was stopped and what sleeps below it was left as it is, since it will be
ticked to the same statuses before the tick is over; where it is not, `ending.bury` makes up for that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.ticking.facts import Changing

__all__ = ["Cell", "CellHost", "Foreign", "LeafCell", "valid"]

RUNNING, INVALID, SUCCESS, FAILURE = Status.RUNNING, Status.INVALID, Status.SUCCESS, Status.FAILURE


def valid(node: Behaviour, status: object) -> Status:
    """Return a status that an `update` gave, as py_trees takes it: what is none counts as INVALID."""
    if isinstance(status, Status):
        return status
    node.logger.error(f"A behaviour returned an invalid status, setting to INVALID [{status}][{node.name}]")
    return INVALID


class CellHost(Protocol):
    """Who ticks cells: `bt.ticking.Ticker`, as far as cells know it.

    Attributes:
        facts: Where changes come from.
        touched: The nodes that this tick has come to, in order.
        count: How many ticks there were.
        is_still: Whether running leaves are all that is awake.
        edited: The cells whose nodes have other children than when they were last taken in.
        readers: By what they read, a fact or the name of a predicate, the cells that sleep until it changes.
    """

    facts: Changing | None
    touched: list[Behaviour]
    count: int
    is_still: bool
    edited: dict[Cell, None]
    readers: dict[Hashable, dict[Cell, None]]

    def look(self) -> None:
        """Take in changes of facts: wake who reads them."""
        ...

    def overtaken(self, cell: Cell) -> None:
        """Pass a leaf by that had its turn."""
        ...

    def take_in(self, cell: Cell) -> None:
        """Take in at once that a node has changed its own children, in the middle of its tick."""
        ...

    def replant(self, cell: Cell) -> None:
        """Give an edited cell the cells of its children of now."""
        ...


@dataclass(eq=False, repr=False, slots=True)
class Cell:
    """What is known of a node.

    Attributes:
        node: The behaviour.
        ticker: Whose it is.
        hooked: Whether `initialise` or `terminate` do something, so that every start and end is carried out.
        leaf: Whether `begin` is all there is to a tick of it.
        parent: The cell of the parent; None for the root.
        index: Its place among the parent's children.
        kids: The cells of the children.
        status: The node's status as the ticker left it; another one shows that somebody else was there.
        awake, touchy, ghost: As the module says.
        pending: Indices of the children that are awake and not INVALID; a parallel's INVALID ones too.
        touchies: Indices of the touchy children.
        busy: Whether a tick of it has begun and is not over.
        fresh: Whether that tick, or the last one, began anew.
        at: Index of the child that this tick has come to.
        order: Indices of the children that this tick has still to come to, the next one last.
        reach: Highest index of a child that may be other than INVALID.
        ran: For a leaf the tick in which it had its turn before the nodes above it.
        thorough: Whether stopping it stops everything below for good, even when it is begun anew in the same tick.
    """

    thorough: ClassVar[bool] = False

    node: Behaviour
    ticker: CellHost
    hooked: bool
    leaf: bool = False
    parent: Cell | None = field(default=None, init=False)
    index: int = field(default=0, init=False)
    kids: list[Cell] = field(default_factory=list, init=False)
    status: Status = field(default=INVALID, init=False)
    awake: bool = field(default=True, init=False)
    touchy: bool = field(default=False, init=False)
    ghost: bool = field(default=False, init=False)
    pending: set[int] = field(default_factory=set, init=False)
    touchies: set[int] = field(default_factory=set, init=False)
    busy: bool = field(default=False, init=False)
    fresh: bool = field(default=False, init=False)
    at: int = field(default=-1, init=False)
    order: list[int] = field(default_factory=list, init=False)
    reach: int = field(default=-1, init=False)
    ran: int = field(default=0, init=False)

    def begin(self) -> Cell | None:
        """Begin to tick; return the child to be ticked next, or None when the tick is over."""
        raise NotImplementedError

    def after(self) -> Cell | None:
        """Go on after that child was ticked, in the same way."""
        raise NotImplementedError

    def runs_on(self) -> bool:
        """Tick it if nothing is to be done but to let one leaf run on; return whether that was its whole tick.

        If not, `begin` has still to be called; it passes by a leaf that had its turn.
        """
        return False

    def heeds(self, index: int) -> bool:
        """Return whether the next tick would come to the child at `index`."""
        return True

    def to_end(self, lazily: bool) -> list[Cell]:
        """Return the children that stopping it stops, in order; `lazily` those that would notice."""
        if lazily:
            chosen = sorted(self.pending | self.touchies)
            return [self.kids[index] for index in chosen if self.kids[index].node.status is not INVALID]
        return [kid for kid in self.kids[: self.reach + 1] if kid.node.status is not INVALID]

    def ending(self) -> None:
        """Do what stopping it does before the children are stopped."""

    def ended(self, lazily: bool) -> None:
        """Do what stopping it does after the children were stopped."""
        if self.hooked:
            self.node.terminate(INVALID)
        self.node.status = self.status = INVALID
        self.awake, self.touchy, self.ghost, self.busy = True, False, lazily and not self.leaf, False
        if not lazily:
            self.forget()
        if self.hooked:
            self.ticker.look()

    def forget(self) -> None:
        """Know nothing of the children but that they are INVALID."""
        self.pending.clear()
        self.touchies.clear()
        self.reach = -1

    def doubt(self) -> None:
        """Know nothing of the children at all."""
        self.status = self.node.status
        self.awake, self.touchy, self.ghost, self.busy = True, False, False, False
        self.touchies.clear()
        self.pending = {kid.index for kid in self.kids if kid.node.status is not INVALID}
        self.reach = len(self.kids) - 1

    def abandoned(self) -> None:
        """Do what the beginning of a tick left undone that an exception has broken off here."""

    def leaves_behind(self) -> bool:
        """Return whether the children that this tick has not come to were to be stopped, and may have been left."""
        return self.ghost

    def lost(self, index: int) -> bool:
        """Return whether a sleeping child was to be stopped in this tick, and was left as it is."""
        return self.leaves_behind() and not (self.busy and index <= self.at)

    def hasten(self, index: int) -> None:
        """Take in that a child has woken while this is being ticked."""

    def took(self, kid: Cell) -> None:
        """Take in how a child has come out of its tick."""
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
        node = self.node
        if status is not RUNNING and self.hooked:
            node.terminate(status)
        node.status = self.status = status
        self.ghost = self.busy = False
        self.awake = self.restless()
        self.touchy = not self.awake and self.notices()
        self.ticker.touched.append(node)
        if self.hooked:
            self.ticker.look()

    def restless(self) -> bool:
        """Return whether the next tick would do anything, its status being what it is now."""
        return True

    def notices(self) -> bool:
        """Return whether, asleep, it would notice being stopped and begun again."""
        return False


@dataclass(eq=False, repr=False, slots=True, kw_only=True)
class LeafCell(Cell):
    """A leaf that is ticked as `Behaviour.tick` does it.

    Attributes:
        update: The node's own.
        reads: What its answer depends on, and nothing else, as it declares; None when it declares nothing.
        rests: Whether its answer stays as it is until something of that changes.
        shows: Whether anybody could notice a call of its hooks, so that it never sleeps where they are called.
    """

    leaf: bool = True
    update: Callable[[], Status]
    reads: tuple[Hashable, ...] | None
    rests: bool
    shows: bool

    def begin(self) -> None:
        """Tick it, unless it had its turn."""
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
        """Take on what `update` gave."""
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
    """A node whose way of ticking or stopping is its own: it is ticked whole, each time, by its own means."""

    hooked: bool = True
    leaf: bool = True

    def begin(self) -> None:
        """Tick it and what is below."""
        self.ticker.touched.extend(self.node.tick())
        self.status = self.node.status
        self.ticker.look()

    def ended(self, lazily: bool) -> None:
        """Stop it and what is below."""
        self.node.stop(INVALID)
        self.status = self.node.status
        self.ticker.look()
