"""The runner: ticks a tree on the body's clock, and stops all motions at the end.

However a run ends, every running leaf is ended and the body stopped. py_trees leaves the siblings of a leaf that raised
running, and neither its `interrupt` nor its `shutdown` ends a running leaf. So the runner stops all nodes, leaves
first, and continues when a node raises an error.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from types import FrameType
from typing import TYPE_CHECKING, Protocol

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.background import SLICE_SECONDS, Cancellation
from bt.errors import TreeError
from bt.node import failure_of, leaves_first, path_of, walk
from semantics.body.foreign import FAULTS, describe_error
from semantics.body.motion import Hold
from semantics.body.observation import LONGEST_AGE
from semantics.body.protocols import Beliefs, Interlocked, Robot
from semantics.logic.feedback import Code, Feedback

if TYPE_CHECKING:
    from bt.ticking import Ticker

HAND_OVER_SECONDS = 0.0005
MOST_PLAIN = 100
"""How many nodes a tree has at most that is ticked whole; a plain tick of as many takes some 50 microseconds."""
BLIND_SECONDS = 5.0  # how long a run waits for a sensing, in seconds of the body's clock


@contextlib.contextmanager
def prompt() -> Iterator[None]:
    """Set the thread switch interval of Python to half a millisecond instead of five.

    Threads that read the answer of a planner or of a model compute in parallel with the ticks, and each tick that is
    due may have to wait for one interval. The interval belongs to the process, and is restored afterwards.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(before, HAND_OVER_SECONDS))
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def interrupt(root: Behaviour) -> None:
    """Stop every running leaf of a tree between two ticks; with the next tick each of them starts again.

    The nodes above keep their state, so that a plan or a program goes on with the steps that were interrupted.
    """
    for node in leaves_first(root):
        if not node.children and node.status == Status.RUNNING:
            node.stop(Status.INVALID)


def sensing_lost(robot: Robot) -> Feedback:
    """Return the reason of a run that ends because its body senses nothing."""
    why = f"{robot.name} has sensed nothing for {robot.clock.now() - robot.observation().time:.0f} s"
    return Feedback(
        Code.SENSING_LOST, "the run", why, "Look after its sensors; nothing moves meanwhile.", (robot.name,)
    )


class Ending(StrEnum):
    """How a run ended."""

    SUCCESS = "success"  # the root succeeded
    FAILURE = "failure"  # the root failed
    TIMEOUT = "timeout"  # the time limit was reached
    CANCELLED = "cancelled"  # `cancel` was called
    EXCEPTION = "exception"  # a node, the body or a listener raised


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a run.

    Attributes:
        status: How the run ended.
        reason: The reason, unless it succeeded; for an exception with the path of the node that raised it.
        error: The exception, for `EXCEPTION`.
        ticks: The number of ticks.
        seconds: The duration on the body's clock.
    """

    status: Ending
    reason: Feedback | None = None
    error: Exception | SystemExit | None = None
    ticks: int = 0
    seconds: float = 0.0


class Listener(Protocol):
    """An observer of a run; called on the runner's thread, between ticks."""

    def ticked(self, runner: Runner) -> None:
        """Observe the tree after a tick."""

    def ended(self, runner: Runner, end: Ended) -> None:
        """Observe the end of the run; a class that derives from this one may leave it out."""
        return


class Runner:
    """Ticks a tree.

    Call its methods on one thread; `cancel` may be called from any. After a fork, tick the tree in one process only.

    Args:
        root: The tree.
        robot: The body; its clock paces the ticks.
        beliefs: Refreshed before each tick.
        rate_hz: Ticks per second of the clock.
        listeners: The observers of the run.
        cancellation: Cancels the run. Pass the same to the functions that make the tree, so that it also ends a tick
            that waits for an answer on a simulated clock.
        hold: Holds or ends the run when a person says so. While it waits, the tree is not ticked and its motions are
            stopped; a simulated clock stands still. Then the interrupted steps start again.

    Attributes:
        cancellation: The given cancellation, or a new one.
        hold: The given hold; else that of the body, or a new one if the body has none.
        ticks: The number of ticks.
        visited: The nodes that the last tick has reached, in order; of a large tree those that can have changed.
        ended: The end of the run; None before it.
        ticker: The ticker of a large tree; None before its first tick, and for any other tree.
    """

    def __init__(
        self,
        root: Behaviour,
        robot: Robot,
        beliefs: Beliefs,
        *,
        rate_hz: float = 20.0,
        listeners: Sequence[Listener] = (),
        cancellation: Cancellation | None = None,
        hold: Hold | None = None,
    ) -> None:
        if not rate_hz > 0:
            raise TreeError(f"a tick rate of {rate_hz:g} Hz; it has to be above 0")
        self.root = root
        self.robot = robot
        self.beliefs = beliefs
        self.ticks = 0
        self.visited: list[Behaviour] = []
        self.ended: Ended | None = None
        self._listeners = tuple(listeners)
        self._period = 1.0 / rate_hz
        self._began: float | None = None
        self._latest = 0.0
        self.ticker: Ticker | None = None
        self.cancellation = cancellation or Cancellation()
        self.hold = hold or (robot.motion_interlock.hold if isinstance(robot, Interlocked) else Hold())
        self._held_at: float | None = None
        self._blind_since: float | None = None

    def listen(self, listener: Listener) -> None:
        """Add a listener, from the next tick on."""
        self._listeners = (*self._listeners, listener)

    def cancel(self, reason: str = "it was cancelled") -> None:
        """End the run before its next tick; may be called from any thread and from a signal handler."""
        self.cancellation.cancel(reason)

    @property
    def is_cancelled(self) -> bool:
        """Whether the run ends before its next tick."""
        return self.cancellation.is_cancelled or bool(self.hold.stopped)

    @property
    def is_held(self) -> bool:
        """Whether the tree is not ticked, because a person said to wait."""
        return self._held_at is not None

    def tick(self) -> Status:
        """Tick once, unless the run has ended; return the root's status."""
        self.step(pause=False)
        return Status(self.root.status)

    def run(self, limit_seconds: float | None = None) -> Ended:
        """Tick at the runner's rate until the end; `limit_seconds` are of the body's clock.

        Raises:
            KeyboardInterrupt: As it came, with nothing left moving; so does any other exit exception.
        """
        with prompt():
            while self.ended is None:
                self.step(limit_seconds)
        return self.ended

    def step(self, limit_seconds: float | None = None, *, pause: bool = True) -> None:
        """Tick once, unless the run has ended, and let the clock run to the next tick, or not with `pause` False."""
        try:
            if self.ended is None:
                self._tick()
            if pause and self.ended is None:
                self._pause(limit_seconds)
        except FAULTS as exc:  # an error of a node, body or listener ends the run, not the program
            self._broke(exc)
        except BaseException:
            with contextlib.suppress(*FAULTS):
                self._halt()
            self._finish(self._end(Ending.CANCELLED, Feedback(Code.CANCELLED, "the run", "it was broken off")))
            raise

    def note_tick(self) -> None:
        """Count a tick that the caller has made by other means, and call the listeners."""
        if self._began is None:
            self._began = self._latest = self.robot.clock.now()
        self.ticks += 1
        self.visited = [node for node in walk(self.root) if node.status != Status.INVALID]
        for listener in self._listeners:
            listener.ticked(self)

    def note_end(self, error: BaseException | None = None) -> Ended:
        """End a tree that the caller has ticked by other means: stop all its nodes and the body, call the listeners.

        Args:
            error: What has ended the caller's loop; None if the caller has left it.
        """
        try:
            if isinstance(error, FAULTS):
                self._broke(error)
            elif self.root.status in (Status.SUCCESS, Status.FAILURE):
                self._stop_with_the_tree()
            else:
                why = "the loop was left" if error is None else "it was broken off"
                self._stop(Ending.CANCELLED, Feedback(Code.CANCELLED, "the run", why, recoverable=False))
        except FAULTS as exc:  # an error of a node, body or listener
            self._broke(exc)
        assert self.ended is not None
        return self.ended

    def _tick(self) -> None:
        if self._began is None:
            self._began = self._latest = self.robot.clock.now()
        if reason := self.cancellation.reason or self.hold.stopped:
            self._stop(Ending.CANCELLED, Feedback(Code.CANCELLED, "the run", reason, recoverable=False))
            return
        self.beliefs.refresh()
        if self._is_on_hold(self._began) or self._is_blind():
            return
        self.ticks += 1
        self._tick_tree()
        for listener in self._listeners:
            listener.ticked(self)
        if self.root.status != Status.RUNNING:
            self._stop_with_the_tree()

    def _tick_tree(self) -> None:
        """Tick the tree by the means of py_trees, or, once it is large, at the cost of what can have changed."""
        # It is large with more than `MOST_PLAIN` nodes at first, or when it has ticked as many since.
        if self.ticker is None and len(self.visited or list(islice(walk(self.root), MOST_PLAIN + 1))) > MOST_PLAIN:
            from bt.ticking import Believed, Ticker

            self.ticker = Ticker(self.root, Believed(self.beliefs))
        if self.ticker is None:
            self.visited = list(self.root.tick())
        else:
            self.ticker.tick()
            self.visited = self.ticker.touched

    def _stop_with_the_tree(self) -> None:
        """End the run as its tree has ended; a failure because of a stop during this tick is none."""
        if self.root.status == Status.SUCCESS:
            self._stop(Ending.SUCCESS)
        elif reason := self.cancellation.reason or self.hold.stopped:
            self._stop(Ending.CANCELLED, Feedback(Code.CANCELLED, "the run", reason, recoverable=False))
        else:
            self._stop(Ending.FAILURE, failure_of(self.root))

    def _is_on_hold(self, began: float) -> bool:
        """Return whether a person said to wait; then the motions are stopped, and the time does not count."""
        if self.hold.waits:
            if self._held_at is None:
                self._held_at = self.robot.clock.now()
                self._rest()
            return True
        if self._held_at is not None:
            self._began, self._held_at = began + self.robot.clock.now() - self._held_at, None
        return False

    def _is_blind(self) -> bool:
        """Return whether the body's last observation is old; then nothing moves, and after a while the run ends."""
        now = self.robot.clock.now()
        if now - self.robot.observation().time <= LONGEST_AGE:
            self._blind_since = None
            return False
        if self._blind_since is None:
            self._blind_since = now
            self._rest()
        elif now - self._blind_since > BLIND_SECONDS:
            self._stop(Ending.FAILURE, sensing_lost(self.robot))
        return True

    def _rest(self) -> None:
        """Interrupt the steps, which start again later, and stop the body."""
        interrupt(self.root)
        if self.ticker is not None:
            self.ticker.invalidate()
        self.robot.stop()

    def _pause(self, limit_seconds: float | None) -> None:
        """Let the clock run to the next tick, which is a whole number of periods after the first."""
        assert self._began is not None
        clock = self.robot.clock
        if self.is_held:
            self.hold.rest(SLICE_SECONDS) if clock.simulated else clock.sleep(self._period)
            return
        self._latest = clock.now()
        passed = self._latest - self._began
        if limit_seconds is not None and passed >= limit_seconds:
            why = f"it took longer than {limit_seconds:g} s"
            self._stop(Ending.TIMEOUT, Feedback(Code.TIMEOUT, "the run", why, recoverable=False))
            return
        wait = self._period - passed % self._period
        clock.sleep(wait if wait > self._period * 1e-3 else self._period + wait)

    def _stop(self, status: Ending, reason: Feedback | None = None) -> None:
        """Stop all motions, and call the listeners."""
        self._halt()
        self.ended = self._end(status, reason)
        for listener in self._listeners:
            listener.ended(self, self.ended)

    def _end(self, status: Ending, reason: Feedback | None, error: Exception | SystemExit | None = None) -> Ended:
        began = self._began
        if began is not None:
            with contextlib.suppress(*FAULTS):  # the clock goes with a body that is gone
                self._latest = self.robot.clock.now()
        seconds = 0.0 if began is None else self._latest - began
        return Ended(status, reason, error, self.ticks, round(seconds, 6))

    def _broke(self, error: Exception | SystemExit) -> None:
        """End a run after an exception, with the node that raised it."""
        culprit = _raiser(error)
        if culprit is not None:
            # It may have raised in its first tick, with its motion started and its status still that of one at rest.
            with contextlib.suppress(*FAULTS):
                culprit.stop(Status.INVALID)
        with contextlib.suppress(*FAULTS):
            self._halt()
        where = "the run" if culprit is None else path_of(culprit)
        why = describe_error(error)
        self._finish(self._end(Ending.EXCEPTION, Feedback(Code.EXCEPTION, where, why, recoverable=False), error))

    def _finish(self, end: Ended) -> None:
        """Set the end of the run; listeners are called only for the first end."""
        has_ended, self.ended = self.ended is not None, end
        for listener in () if has_ended else self._listeners:
            with contextlib.suppress(*FAULTS):
                listener.ended(self, end)

    def _halt(self) -> None:
        """End every running node, leaves first, even if some raise errors, and stop the body."""
        if self.ticker is not None:
            self.ticker.release()
        failures: list[Exception | SystemExit] = []
        for node in leaves_first(self.root):
            if node.status == Status.RUNNING:
                try:
                    node.stop(Status.INVALID)
                except FAULTS as exc:  # the others have to be ended all the same
                    failures.append(exc)
        self.robot.stop()
        if failures:
            raise failures[0]


def _raiser(error: BaseException) -> Behaviour | None:
    """Return the innermost node in the traceback of an exception."""
    nodes = (frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__))
    behaviours = [node for node in nodes if isinstance(node, Behaviour)]
    return behaviours[-1] if behaviours else None


@contextlib.contextmanager
def signals(runner: Runner) -> Iterator[None]:
    """Let SIGINT and SIGTERM cancel the run, and a second SIGINT stop the body and end at once.

    The old handlers are put back afterwards. Off the main thread, where Python takes no handlers, nothing is changed.

    Raises:
        KeyboardInterrupt: On the second SIGINT, wherever the program is then.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked = False

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked and number == signal.SIGINT:
            with contextlib.suppress(*FAULTS):
                runner.robot.stop()
            raise KeyboardInterrupt
        asked = True
        runner.cancel(f"{signal.Signals(number).name} was received")

    old = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
