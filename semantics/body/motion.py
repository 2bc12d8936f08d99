"""Motions of a body: their progress, the interlock that lets a motion stop before the next one begins, and the hold.

The hold is whether a person lets the body move. A wait holds the tree that runs, with the body at rest. A stop ends it.
Both last until somebody says to go on.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from semantics.logic.feedback import Feedback


class MotionStatus(StrEnum):
    """Whether a motion still runs, and how it ended."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class MotionProgress:
    """The state of a motion when polled: `fraction` done from 0 to 1, and the reason if it failed."""

    stage: MotionStatus
    fraction: float = 0.0
    feedback: Feedback | None = None


@runtime_checkable
class Motion(Protocol):
    """A started motion. It advances by itself (or as the clock sleeps); polling never blocks."""

    def poll(self) -> MotionProgress:
        """Return the progress."""
        ...

    def cancel(self) -> None:
        """Stop it where it is, at once and without error when it has already ended."""
        ...


@dataclass(slots=True)
class _StartedMotion:
    """A started motion, with the agents and hands that it occupies, and the agent that owns them."""

    motion: Motion
    busy: frozenset[str]
    agent: str
    is_cancelled: bool = False

    def meets(self, busy: frozenset[str], agent: str) -> bool:
        """Return whether the motion occupies anything in `busy`; a whole agent includes its hands."""
        return not (self.busy.isdisjoint(busy | {agent}) and busy.isdisjoint(self.busy | {self.agent}))


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


class MotionInterlock:
    """Registers the motions of one body; a caller asks `blocks` before it begins a motion.

    A motion stays registered until it reports that it has stopped.

    A tree may switch to another action at any tick. A selector starts the more urgent action before it stops the
    running one. A time limit or the end of a run stops everything, and another tree may follow. So the interlock
    belongs to the body and outlives the trees that control it.

    It also knows who drives the body (see `robots.lease.Lease`) and whether a person lets it move, for all sessions
    with this body. Any thread may take the body and give it back.

    Attributes:
        driver: Who drives the body now; None if nobody does.
        hold: The wishes of persons about the body.
    """

    def __init__(self) -> None:
        self.driver: object | None = None
        self.hold = Hold()
        self._started: list[_StartedMotion] = []
        self._turn = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy of the body keeps: nobody drives the copy or has stopped it."""
        return {"_started": self._started}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__()  # type: ignore[misc]
        self.__dict__.update(state)

    def take(self, driver: object) -> object:
        """Let `driver` drive the body, if nobody does; return who drives it then."""
        with self._turn:
            if self.driver is None:
                self.driver = driver
            return self.driver

    def give_back(self, driver: object) -> None:
        """Let nobody drive the body, if `driver` does."""
        with self._turn:
            if self.driver is driver:
                self.driver = None

    def begin(self, motion: Motion, busy: frozenset[str], agent: str) -> None:
        """Register a motion.

        Args:
            motion: The motion that was started.
            busy: The agents and hands that it occupies.
            agent: The agent that owns these hands.
        """
        self._started.append(_StartedMotion(motion, busy, agent))

    def cancel(self, motion: Motion) -> None:
        """Cancel a motion; it stays registered until it has stopped."""
        for entry in self._started:
            entry.is_cancelled = entry.is_cancelled or entry.motion is motion
        motion.cancel()

    def blocks(self, busy: frozenset[str], agent: str) -> tuple[bool, bool]:
        """Look for running motions that are in the way of a new one, and forget those that have ended.

        Args:
            busy: The agents and hands that the new motion would occupy.
            agent: The agent that owns these hands; a whole agent includes its hands.

        Returns: Whether a running motion occupies one of them, and whether all such motions were cancelled (true also
            when there is none).
        """
        self._started = [entry for entry in self._started if entry.motion.poll().stage is MotionStatus.RUNNING]
        met = [entry for entry in self._started if entry.meets(busy, agent)]
        return bool(met), all(entry.is_cancelled for entry in met)
