"""`Lease`: the right to drive a body, which one driver has at a time.

Two programs that drive one body would start each other's motions, or stop them. A driver therefore makes a lease and
takes it. The lease is itself a robot: its motions begin only while it holds the body. After it was given back or lost,
each command is refused, and `stop` stops only what this lease has started. A person's stop is `Lease.call_off`, from
anybody at any time: it ends what the driver does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from robots.errors import BodyTakenError
from robots.motion import FailedMotion
from semantics.body.interlock import BodyWrapper
from semantics.body.protocols import Clock, Interlocked, Motion, MotionStatus, Robot
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command


class Lease(BodyWrapper):
    """The right to drive a body; implements `semantics.body.protocols.Robot` and every optional ability of the body.

    `take`, `give_back` and `call_off` may be called from any thread, the methods of the body as the body allows.

    Args:
        robot: The body, with an interlock (see `semantics.body.interlock.interlocked`).
        owner: Who drives it, in words: part of the message to another driver.
        call_off: Ends what the owner does, with a reason; callable from any thread.
        give_way: Called when another driver comes; may give the body back, if its owner does not use it any more.

    Attributes:
        clock: That of the body.
        stopped: Why a person has ended what the owner does; nothing starts then. Empty from the next first `take` on.
    """

    clock: Clock

    def __init__(
        self, robot: Robot, owner: str, call_off: Callable[[str], object], give_way: Callable[[], object] = lambda: None
    ) -> None:
        super().__init__(robot)
        self.owner = owner
        self.call_off = call_off
        self.give_way = give_way
        self.stopped = ""
        self._turn = threading.Lock()
        self._times, self._thread = 0, 0
        self._motions: list[Motion] = []
        # Bound here and not looked up at each call: a tick observes the body several times.
        self.observation = robot.observation

    @property
    def is_held(self) -> bool:
        """Whether this lease holds the body."""
        return self.motion_interlock.driver is self

    def take(self) -> None:
        """Take the body, if nobody has it; the thread that has taken it may take it again.

        Raises:
            BodyTakenError: Somebody else drives the body, or another thread has taken this lease.
        """
        thread = threading.get_ident()
        before = self.motion_interlock.driver
        if isinstance(before, Lease) and before is not self:
            before.give_way()
        with self._turn:
            driver = self.motion_interlock.take(self)
            if driver is not self or (self._times and self._thread != thread):
                raise BodyTakenError(self.name, driver.owner if isinstance(driver, Lease) else "another program")
            if not self._times:
                self.stopped = ""
            self._times, self._thread = self._times + 1, thread

    def refusal(self) -> Feedback | None:
        """Take the body as `take` does; return why that is impossible, or None."""
        try:
            self.take()
        except BodyTakenError as error:
            return Feedback(Code.UNAVAILABLE, f"the body {self.name}", str(error))
        return None

    def give_back(self) -> None:
        """Give the body back, unless it was taken more often; safe to call at any time, any number of times."""
        with self._turn:
            self._times = max(self._times - 1, 0)
            if not self._times:
                self.motion_interlock.give_back(self)

    def start(self, command: Command) -> Motion:
        """Start a motion; without the body, return a motion that has already failed."""
        if (driver := self.motion_interlock.driver) is not self:
            by = f"{driver.owner} drives it now" if isinstance(driver, Lease) else "it was given back"
            why = f"{self.owner} does not drive the body {self.name} any more: {by}"
            return FailedMotion(Feedback(Code.UNAVAILABLE, str(command), why, recoverable=False))
        if reason := self.stopped or self.motion_interlock.hold.stopped:
            return FailedMotion(Feedback(Code.CANCELLED, str(command), reason, recoverable=False))
        motion = self._robot.start(command)
        self._motions = [each for each in self._motions if each.poll().stage is MotionStatus.RUNNING]
        self._motions.append(motion)
        return motion

    def stop(self) -> None:
        """Stop all motion of the body; while somebody else drives it, only the motions that this lease has started."""
        if self.motion_interlock.driver in (self, None):
            self._robot.stop()
        else:
            for motion in self._motions:
                self.motion_interlock.cancel(motion)
        self._motions = []

    def close(self) -> None:
        """Stop, and give the body back; the body itself stays open."""
        self.stop()
        self.give_back()


def driver_of(robot: Robot) -> Lease | None:
    """Return the lease that holds a body; None if nobody drives it."""
    driver = robot.motion_interlock.driver if isinstance(robot, Interlocked) else None
    return driver if isinstance(driver, Lease) else None
