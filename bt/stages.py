"""`Stages`: subtrees that run one after the other, each made when its turn comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, Protocol, TypeVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.background import Cancellation, Pending
from bt.node import Accountable, adopt, failure_of
from semantics.body.protocols import Clock
from semantics.logic.feedback import Feedback

T = TypeVar("T")


class Following(Protocol[T]):
    """Makes the subtrees after the first one; all is called on the ticking thread."""

    def restart(self) -> None:
        """Begin again with the first subtree."""

    def reached(self) -> bool:
        """Note that the present subtree has succeeded; return whether another one follows."""

    def work(self) -> Callable[[], T]:
        """Return the work that prepares the next subtree; it is done on another thread."""

    def begin(self, prepared: T) -> Behaviour | Feedback | None:
        """Return the next subtree, or why there is none, or None if it has nothing to do and counts as reached."""


class Stages(Accountable, Generic[T]):
    """Runs subtrees one after the other; it fails with the first that fails.

    A stopped node goes on with the subtree where it stood; one that has ended begins with the first.

    Args:
        first: The first subtree.
        following: Makes the others.
        clock: The body's clock.
        delay: How long the preparation of a subtree takes on a simulated clock, in seconds; None on a real one.
        cancellation: Tells whether the run is cancelled.
        what: What the subtrees are, in words.
    """

    kind = "stages"

    def __init__(
        self,
        first: Behaviour,
        following: Following[T],
        clock: Clock,
        delay: float | None,
        cancellation: Cancellation,
        what: str = "",
    ) -> None:
        super().__init__("stages")
        self.what = what
        self.following = following
        self._first = first
        self._clock = clock
        self._delay = delay
        self._cancellation = cancellation
        self._pending: Pending[T] | None = None
        self._is_between = False
        adopt(self, first)

    def initialise(self) -> None:
        """Go on after a stop; after an end, begin with the first subtree."""
        super().initialise()
        self._pending = None
        if self.status != Status.INVALID:
            self._is_between = False
            self.following.restart()
            adopt(self, self._first)

    def tick(self) -> Iterator[Behaviour]:
        """Tick the present subtree, or wait for the next one."""
        if self.status != Status.RUNNING:
            self.initialise()
        status = self._next_begun() if self._is_between else None
        if status is None:
            child = self.children[0]
            yield from child.tick()
            status = self.fail(failure_of(child)) if child.status == Status.FAILURE else Status(child.status)
            if status == Status.SUCCESS:
                status = self._reached()
        if status != Status.RUNNING:
            self.stop(status)
        self.status = status
        yield self

    def stop(self, new_status: Status) -> None:
        """End it, and the present subtree with it when it is stopped from above."""
        if new_status == Status.INVALID and self.children[0].status != Status.INVALID:
            self.children[0].stop(new_status)
        super().stop(new_status)

    def update(self) -> Status:
        """Return the status that `tick` has set."""
        return Status(self.status)

    def _reached(self) -> Status:
        self._is_between = self.following.reached()
        return Status.RUNNING if self._is_between else Status.SUCCESS

    def _next_begun(self) -> Status | None:
        """Begin the next subtree if it is prepared; return the status of this tick, or None if it is to be ticked."""
        now = self._clock.now()
        if self._pending is None:
            self._pending = Pending(
                self.following.work(), name="next", now=now, delay=self._delay, cancellation=self._cancellation
            )
        if not self._pending.arrived(now):
            return Status.RUNNING
        prepared, self._pending = self._pending.result(), None
        tree = self.following.begin(prepared)
        if isinstance(tree, Feedback):
            return self.fail(tree)
        if tree is None:
            return self._reached()
        self._is_between = False
        adopt(self, tree)
        return None
