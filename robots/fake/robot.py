"""`FakeRobot`: a body without physics, for tests and for trying things out in milliseconds.

It has the primitives, the observations and the feedback of a real body; what it does takes virtual time, and it refuses
what a real body could not do (the door is shut, the hand is full, the thing is elsewhere). Mishaps can be asked for: a
motion that fails, a thing that drops or moves, a door that closes. A command to a person is a request: the person does
it in a few seconds, and the robot waits.
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
    """Virtual time in seconds from zero."""

    simulated: Final = True

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        """Return seconds since the clock started."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass; a negative number passes none."""
        self._now += max(0.0, seconds)


class FakeRobot:
    """A body that only exists as numbers; see `semantics.protocols.Robot`.

    Args:
        layout: What stands where at the start.
        clock: Time as it lives it; a virtual clock of its own unless given.
        faults: Failures to come, see `InjectedFault`.
        sight: How far it sees, in metres.

    Attributes:
        world: The ground truth, for judging and for tests.
        exact_within: Seconds after which it has sensed what is so; it never errs.
        motion_interlock: What was begun of it and has not come to rest.
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
        """Return the latest sensing; never waits for one."""
        self._catch_up()
        now = self.clock.now()
        if self._latest.number == 0 or now - self._latest.time >= SENSING_PERIOD - 1e-9:
            moving = self._motion is not None and self._motion.command.primitive == "drive"
            self._latest = observed(self.world, now, self._latest.number + 1, moving, self._sight)
        return self._latest

    def start(self, command: Command) -> Motion:
        """Begin a motion. What cannot be done is a motion that is already failed, with the reason."""
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
        """Return why a command makes no sense to this body, or not now."""
        if self._closed:
            return Feedback(Code.UNAVAILABLE, str(command), "the robot was closed.", recoverable=False)
        refusal = unfit(command)
        if refusal is None and not self._is_able(command):
            refusal = Feedback(Code.REFUSED_BY_BODY, str(command), f"{command.agent} cannot do that.")
        if refusal is None and self._motion is not None:
            refusal = Feedback(Code.REFUSED_BY_BODY, str(command), f"{self._motion.command} is still under way.")
        return refusal

    def _is_able(self, command: Command) -> bool:
        """Return whether it is asked of whom it must be: of a person what only they can do, all else of this robot."""
        if command.primitive in PERSONAL:
            return command.agent in self.world.persons
        return command.agent == self.name

    def stop(self) -> None:
        """Bring everything to rest; safe to call at any time, any number of times."""
        if self._motion is not None:
            self._motion.cancel()
        self._motion = None

    def close(self) -> None:
        """Stop, and take no further command; safe to call twice."""
        self.stop()
        self._closed = True

    def _catch_up(self) -> None:
        """Bring the motion under way to the present."""
        if self._motion is not None and self._motion.running:
            self._motion.advance(self.clock.now())
        if self._motion is not None and not self._motion.running:
            self._motion = None

    def add_fault(self, fault: InjectedFault) -> None:
        """Let a motion to come fail."""
        self._faults.append(fault)

    def drop(self, name: str | None = None) -> None:
        """Let what the robot holds fall to the ground."""
        self._catch_up()
        for held in self.world.held(self.name):
            if name in (None, held):
                self.world.drop(held)

    def move_piece(self, name: str, relation: str, where: str) -> None:
        """Put a thing elsewhere, as a person would behind the robot's back.

        Raises:
            UnknownNameError: No such piece.
            UsageError: There is no room for it there.
        """
        self._catch_up()
        if name not in self.world.shapes:
            raise UnknownNameError("piece", name, self.world.shapes)
        spot = free_spot(self.world, name, relation, where)
        if spot is None:
            raise UsageError(f"no room for {name} {relation} {where}")
        self.world.move(name, spot, relation, where)

    def set_door(self, name: str, opening: float) -> None:
        """Push a door to a fraction from 0 (shut) to 1 (wide open).

        Raises:
            UnknownNameError: Nothing of that name has a door.
        """
        self._catch_up()
        if name not in self.world.doors:
            raise UnknownNameError("door", name, self.world.doors)
        self.world.doors[name] = opening
