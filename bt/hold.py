"""`Hold`: whether a person lets a body move, and the interruption of a tree that is on hold.

A wait holds the tree that runs, with the body at rest. A stop ends it. Both last until somebody says to go on.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from py_trees.behaviour import Behaviour
from py_trees.common import Status

__all__ = ["Hold", "Interruptible", "interrupt"]


@dataclass(eq=False)
class Hold:
    """The wishes of persons about one body. Any thread may read it and call its methods.

    Attributes:
        stopped: Why nothing may move until `go_on`; empty if it may.
        waits: Whether the tree that runs is held until `go_on`.
    """

    stopped: str = ""
    waits: bool = False
    _released: threading.Event = field(default_factory=threading.Event, init=False, repr=False)

    def stop(self, reason: str) -> None:
        """Let nothing move; what runs has to be cancelled by the caller."""
        self.stopped = reason
        self._released.set()

    def wait(self) -> None:
        """Hold the tree that runs before its next tick."""
        self._released.clear()
        self.waits = True

    def go_on(self) -> bool:
        """End a wait and a stop; return whether there was one."""
        had_one = self.waits or bool(self.stopped)
        self.stopped, self.waits = "", False
        self._released.set()
        return had_one

    def rest(self, seconds: float) -> None:
        """Sleep up to some seconds of the wall clock, and wake up when the wait ends."""
        self._released.wait(seconds)


@runtime_checkable
class Interruptible(Protocol):
    """A node that stops the motions below it by itself when its tree is held."""

    def interrupt(self) -> None:
        """Stop the motions between two ticks; the next tick decides again what to start."""
        ...


def interrupt(root: Behaviour) -> None:
    """Stop the motions of a tree between two ticks; the tree goes on with the next tick.

    An `Interruptible` node stops its motions by itself. Any other running leaf is stopped, and starts again with the
    next tick; the nodes above it keep their state.
    """
    stack = [root]
    while stack:
        node = stack.pop()
        if node.status != Status.RUNNING:
            continue
        if isinstance(node, Interruptible):
            node.interrupt()
        elif not node.children:
            node.stop(Status.INVALID)
        else:
            stack.extend(node.children)
