"""`FakeRobot`: a robot without physics, for tests and for experiments that run in milliseconds.

It has the primitives, the observations and the feedback of a real robot. Its motions take virtual time, and it refuses
commands that a real robot could not do (the door is shut, the hand is full, the object is elsewhere). A test can cause
failures: a motion that fails, an object that falls or moves, a door that closes. A command to a person is a request:
the person does it within a few seconds while the robot waits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from math import inf

from robots.fake.checks import CHECKS
from robots.fake.deeds import DEEDS, before, seconds_of
from robots.fake.hand import STAYING, in_reach
from robots.fake.sensing import FakeSensing
from robots.fake.spots import free_spot
from robots.fake.world import FakeWorld
from robots.motion import FailedMotion, InjectedFault, VirtualMotion, VirtualRobot
from robots.primitives import PERSONAL, PRIMITIVES, unfit, with_values
from robots.states import NumericModel
from semantics.body.layout import Layout, MovableObject
from semantics.body.observation import Observation
from semantics.body.primitive import Primitive
from semantics.body.protocols import Clock, Motion
from semantics.errors import UsageError, known_name
from semantics.geometry.geometry import Vector
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command


class FakeRobot(VirtualRobot):
    """A robot without physics; implements `semantics.body.protocols.Robot`.

    One thread at a time may use it. A fork has a copy of the robot and of its world.

    Args:
        layout: The arrangement at the start.
        clock: The robot's time; by default a new virtual clock.
        faults: Failures of later motions, see `InjectedFault`.
        sight: How far it sees, in metres.
        numeric: How its motions change the numbers of the world, such as what is in a bottle; None to keep no numbers.

    Attributes:
        primitives: Its motion primitives, with their roles.
        world: The ground truth, for evaluation and tests.
    """

    primitives: Collection[str] | None = PRIMITIVES

    def __init__(
        self,
        layout: Layout,
        *,
        clock: Clock | None = None,
        faults: Iterable[InjectedFault] = (),
        sight: float = inf,
        numeric: NumericModel | None = None,
    ) -> None:
        super().__init__(layout.robot.name, clock, faults)
        self.world = FakeWorld(layout, numeric)
        self._sensing = FakeSensing(self.world, sight)
        self._counts = numeric is not None
        self._known: Mapping[str, Primitive] = PRIMITIVES
        if numeric is not None:
            self._known = with_values(PRIMITIVES, numeric.values)
            if isinstance(self.primitives, Mapping):
                self.primitives = with_values(self.primitives, numeric.values)

    def _observed(self, now: float, number: int) -> Observation:
        moving = any(motion.command.primitive == "drive" for motion in self._motions)
        return self._sensing.observed(now, number, moving)

    def start(self, command: Command) -> Motion:
        """Begin a motion. For an impossible command, return a motion that has already failed, with the reason."""
        self._catch_up()
        refusal = self._refusal(command) or reason_against(self.world, command)
        if refusal is not None:
            return FailedMotion(refusal)
        now = self.clock.now()
        seen = self._observed(now, self._latest.number + 1) if self._counts else self._latest
        if isinstance(shortage := self.world.change_of(command, seen), Feedback):
            return FailedMotion(shortage)
        motion = FakeMotion(self.world, command, now, self._taken_fault(command), self._catch_up, seen)
        self._motions.append(motion)
        return motion

    def _refusal(self, command: Command) -> Feedback | None:
        """Return why this robot cannot accept a command, in general or now; None if it can."""
        refusal = self._after_closing(command) or unfit(command, self._known)
        if refusal is None and not self._is_able(command):
            refusal = Feedback(Code.REFUSED_BY_BODY, str(command), f"{command.agent} cannot do that.")
        if refusal is None and self._motions:
            refusal = Feedback(Code.REFUSED_BY_BODY, str(command), f"{self._motions[0].command} is still under way.")
        return refusal

    def _is_able(self, command: Command) -> bool:
        """Return whether the command's agent can do it: a person for `PERSONAL` primitives, this robot for others."""
        if command.primitive in PERSONAL:
            return command.agent in self.world.persons
        return command.agent in ("", self.name)

    def reaches(self, point: Vector) -> bool:
        """Return whether the hand reaches a point from where the robot stands; nothing moves."""
        return in_reach(self.world, point)

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
        known_name("piece", name, self.world.shapes)
        spot = free_spot(self.world, name, relation, where)
        if spot is None:
            raise UsageError(f"no room for {name} {relation} {where}")
        self.world.move(name, spot, relation, where)

    def add_piece(self, piece: MovableObject) -> None:
        """Put an object into the world that was not there, as a person might do.

        Raises:
            UsageError: There is a piece of this name.
        """
        self._catch_up()
        if piece.name in self.world.shapes:
            raise UsageError(f"there is a {piece.name} already")
        self.world.add(piece)

    def remove_piece(self, name: str) -> None:
        """Take an object out of the world, as a person might do.

        Raises:
            UnknownNameError: There is no such piece.
        """
        self._catch_up()
        known_name("piece", name, self.world.shapes)
        self.world.remove(name)

    def set_number(self, fluent: Atom, number: float) -> None:
        """Change a number of the world without the robot noticing, as a person who drinks might do.

        Raises:
            UnknownNameError: This body keeps no such number.
        """
        self._catch_up()
        known_name("number", str(fluent), [str(other) for other in self.world.numbers])
        self.world.numbers[fluent] = number

    def set_door(self, name: str, opening: float) -> None:
        """Move a door or drawer to a fraction from 0 (shut) to 1 (fully open).

        Raises:
            UnknownNameError: There is no object of that name with a door.
        """
        self._catch_up()
        known_name("door", name, self.world.doors)
        self.world.swing(name, opening)


def reason_against(world: FakeWorld, command: Command) -> Feedback | None:
    """Return why a command is impossible now, or None if it is possible."""
    refusals = (check(world, command) for check in CHECKS[command.primitive])
    return next((refusal for refusal in refusals if refusal is not None), None)


class FakeMotion(VirtualMotion):
    """A running motion, which changes `world`; see `robots.motion.VirtualMotion`.

    `seen` is what the body senses at the start of the motion.
    """

    def __init__(
        self,
        world: FakeWorld,
        command: Command,
        now: float,
        fault: InjectedFault | None,
        catch_up: Callable[[], None],
        seen: Observation,
    ) -> None:
        self._world = world
        self._seen = seen
        self._primitive = DEEDS[command.primitive]
        if command.primitive not in STAYING:
            world.fold()
        self._before = before(world, command)
        self._acted = False
        super().__init__(command, now, seconds_of(command, self._before), fault, catch_up)

    def advance(self, now: float) -> None:
        """Advance the motion to the time `now`."""
        fraction = min(1.0, (now - self.started) / self.seconds)
        fault = self.fault if self.fault is not None and fraction >= self.fault.fraction else None
        self.reach(fraction if fault is None else fault.fraction)
        self._primitive.along(self._world, self.command, self._before, self.progress.fraction)
        if fault is not None:
            self.fail(fault.feedback(self.command))
            return
        if fraction >= self._primitive.moment and not self._acted:
            # The world may have changed since the start, so the preconditions are checked again before the hand acts.
            refusal = reason_against(self._world, self.command) or self._act()
            if refusal is not None:
                self.fail(refusal)
                return
            self._acted = True
        if fraction >= 1.0:
            self.succeed()

    def _act(self) -> Feedback | None:
        """Change the world, with its numbers; return why there is too little of something."""
        change = self._world.change_of(self.command, self._seen)
        if isinstance(change, Feedback):
            return change
        before = frozenset(self._world.states)
        self._primitive.act(self._world, self.command)
        if change is not None:
            self._world.count(before, change)
        return None
