"""`Hold`: whether a person lets a body move, and the interruption of a tree that is on hold.

A wait holds the tree that runs, with the body at rest. A stop ends it. Both last until somebody says to go on.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.node import leaves_first

__all__ = ["Hold", "interrupt"]


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

    def end_wait(self) -> None:
        """Forget a wait whose run has ended; a stop stays."""
        self.waits = False
        self._released.set()

    def go_on(self) -> bool:
        """End a wait and a stop; return whether there was one."""
        had_one = self.waits or bool(self.stopped)
        self.stopped = ""
        self.end_wait()
        return had_one

    def rest(self, seconds: float) -> None:
        """Sleep up to some seconds of the wall clock, and wake up when the wait ends."""
        self._released.wait(seconds)


def interrupt(root: Behaviour) -> None:
    """Stop every running leaf of a tree between two ticks; with the next tick each of them starts again.

    The nodes above keep their state, so that a plan or a program goes on with the steps that were interrupted.
    """
    for node in leaves_first(root):
        if not node.children and node.status == Status.RUNNING:
            node.stop(Status.INVALID)
