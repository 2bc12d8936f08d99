"""`FakeRobot`: a robot without physics, for tests and for experiments that run in milliseconds.

It has the primitives, the observations and the feedback of a real robot. Its motions take virtual time, and it refuses
commands that a real robot could not do (the door is shut, the hand is full, the object is elsewhere). A test can cause
failures: a motion that fails, an object that falls or moves, a door that closes. A command to a person is a request:
the person does it within a few seconds while the robot waits.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Final

from robots.fake.motion import FailedMotion, FakeMotion, InjectedFault, reason_against
from robots.fake.sensing import observed
from robots.fake.spots import free_spot
from robots.fake.world import FakeWorld
from robots.primitives import PERSONAL, unfit
from semantics.errors import UnknownNameError, UsageError
from semantics.feedback import Code, Feedback
from semantics.layout import Layout
from semantics.motion import MotionInterlock
from semantics.observation import Observation
from semantics.protocols import Clock, Motion
from semantics.state import Command

__all__ = ["SENSING_PERIOD", "FakeRobot", "VirtualClock"]

SENSING_PERIOD = 0.05
"""Seconds from one sensing to the next."""


class VirtualClock:
    """A clock that only `sleep` advances, in seconds from zero; a run takes no real time and is reproducible."""

    simulated: Final = True

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """Return seconds since the clock started."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Advance the clock by `seconds`; a negative number has no effect."""
        self._now += max(0.0, seconds)


class FakeRobot:
    """A robot without physics; implements `semantics.protocols.Robot`.

    Args:
        layout: The arrangement at the start.
        clock: The robot's time; by default a new virtual clock.
        faults: Failures of later motions, see `InjectedFault`.
        sight: How far it sees, in metres.

    Attributes:
        world: The ground truth, for evaluation and tests.
        exact_within: The largest delay of its sensing, in seconds; its sensing is exact.
        motion_interlock: The running motions, which exclude others.
    """

    exact_within: float | None = SENSING_PERIOD

    def __init__(
        self, layout: Layout, *, clock: Clock | None = None, faults: Iterable[InjectedFault] = (), sight: float = inf
    ) -> None:
        self.name = layout.robot.name
        self.clock: Clock = clock or VirtualClock()
        self.motion_interlock = MotionInterlock()
        self.world = FakeWorld(layout)
        self._faults = list(faults)
        self._sight = sight
        self._motion: FakeMotion | None = None
        self._closed = False
        self._latest = Observation()

    def observation(self) -> Observation:
        """Return the latest sensing without waiting."""
        self._catch_up()
        now = self.clock.now()
        if self._latest.number == 0 or now - self._latest.time >= SENSING_PERIOD - 1e-9:
            moving = self._motion is not None and self._motion.command.primitive == "drive"
            self._latest = observed(self.world, now, self._latest.number + 1, moving, self._sight)
        return self._latest

    def start(self, command: Command) -> Motion:
        """Begin a motion. For an impossible command, return a motion that has already failed, with the reason."""
        self._catch_up()
        refusal = self._refusal(command) or reason_against(self.world, command)
        if refusal is not None:
            return FailedMotion(refusal)
        fault = next((fault for fault in self._faults if fault.meets(command)), None)
        if fault is not None:
            self._faults.remove(fault)
        self._motion = FakeMotion(self.world, command, self.clock.now(), fault, self._catch_up)
        return self._motion

    def _refusal(self, command: Command) -> Feedback | None:
        """Return why this robot cannot accept a command, in general or now; None if it can."""
        if self._closed:
            return Feedback(Code.UNAVAILABLE, str(command), "the robot was closed.", recoverable=False)
        refusal = unfit(command)
        if refusal is None and not self._is_able(command):
            refusal = Feedback(Code.REFUSED_BY_BODY, str(command), f"{command.agent} cannot do that.")
        if refusal is None and self._motion is not None:
            refusal = Feedback(Code.REFUSED_BY_BODY, str(command), f"{self._motion.command} is still under way.")
        return refusal

    def _is_able(self, command: Command) -> bool:
        """Return whether the command's agent can do it: a person for `PERSONAL` primitives, this robot for others."""
        if command.primitive in PERSONAL:
            return command.agent in self.world.persons
        return command.agent == self.name

    def stop(self) -> None:
        """Stop all motion; safe to call at any time, any number of times."""
        if self._motion is not None:
            self._motion.cancel()
        self._motion = None

    def close(self) -> None:
        """Stop, and refuse further commands; safe to call twice."""
        self.stop()
        self._closed = True

    def _catch_up(self) -> None:
        """Advance the running motion to the present time."""
        if self._motion is not None and self._motion.running:
            self._motion.advance(self.clock.now())
        if self._motion is not None and not self._motion.running:
            self._motion = None

    def add_fault(self, fault: InjectedFault) -> None:
        """Make a later motion fail."""
        self._faults.append(fault)

    def drop(self, name: str | None = None) -> None:
        """Let the held object fall to the ground: `name`, or any."""
        self._catch_up()
        for held in self.world.held(self.name):
            if name in (None, held):
                self.world.drop(held)

    def move_piece(self, name: str, relation: str, where: str) -> None:
        """Put an object elsewhere without the robot noticing, as a person might do.

        Raises:
            UnknownNameError: There is no such piece.
            UsageError: There is no room for it at this place.
        """
        self._catch_up()
        if name not in self.world.shapes:
            raise UnknownNameError("piece", name, self.world.shapes)
        spot = free_spot(self.world, name, relation, where)
        if spot is None:
            raise UsageError(f"no room for {name} {relation} {where}")
        self.world.move(name, spot, relation, where)

    def set_door(self, name: str, opening: float) -> None:
        """Move a door to a fraction from 0 (shut) to 1 (fully open).

        Raises:
            UnknownNameError: There is no object of that name with a door.
        """
        self._catch_up()
        if name not in self.world.doors:
            raise UnknownNameError("door", name, self.world.doors)
        self.world.doors[name] = opening
