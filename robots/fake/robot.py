"""`FakeRobot`: a robot without physics, for tests and for experiments that run in milliseconds.

It has the primitives, the observations and the feedback of a real robot. Its motions take virtual time, and it refuses
commands that a real robot could not do (the door is shut, the hand is full, the object is elsewhere). A test can cause
failures: a motion that fails, an object that falls or moves, a door that closes. A command to a person is a request:
the person does it within a few seconds while the robot waits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from math import dist, hypot, inf
from typing import NamedTuple

from robots.arrangement import RestingPlace
from robots.fake.checks import CHECKS
from robots.fake.hand import HAND_DEEDS, STAYING, goal_of_hand, in_reach
from robots.fake.sensing import FakeSensing
from robots.fake.spots import floor_pose, free_spot, related_spot, said_spot, turn_load
from robots.fake.world import FakeWorld
from robots.motion import FailedMotion, InjectedFault, VirtualMotion, VirtualRobot
from robots.placement import Misplacement
from robots.primitives import PERSONAL, PRIMITIVES, WAIT, WAIT_SECONDS, said_place, unfit, wanted_place, with_values
from robots.states import NumericModel
from semantics.body.layout import Layout, MovableObject
from semantics.body.observation import Observation
from semantics.body.primitive import Primitive
from semantics.body.protocols import Clock, Motion
from semantics.errors import UsageError, known_name
from semantics.geometry.geometry import PlanarPose, Vector
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command
from semantics.process.reading import read_table

SPEED = 0.8  # speed of the base, in metres per second
SHORTEST = 1e-6
START_UP = 0.5  # seconds that every drive takes in addition to the time for its distance


class Before(NamedTuple):
    """The start of a motion: the robot's pose, its goal pose, the opening of the door, and the way of the hand."""

    pose: PlanarPose
    goal: PlanarPose
    opening: float
    reach: float = 0.0


class FakePrimitive(NamedTuple):
    """The execution of a primitive."""

    seconds: float  # its duration; 0 if the duration depends on the driven distance
    moment: float  # the fraction at which the hand closes or opens, and `act` happens
    act: Callable[[FakeWorld, Command], None]  # the change of the world at this moment
    along: Callable[[FakeWorld, Command, Before, float], None] = lambda *_: None
    """The continuous change of the world, by fraction done."""


def before(world: FakeWorld, command: Command) -> Before:
    """Return the start of a motion."""
    to = command.roles.get("to", "")
    goal = world.stand(to) or (floor_pose(world) if world.is_ground(to) else world.pose)
    reach = dist(world.hand_at(), goal_of_hand(world, command)) if command.primitive == "move_to" else 0.0
    return Before(world.pose, goal, world.doors.get(command.roles.get("object", ""), 0.0), max(reach, SHORTEST))


def seconds_of(command: Command, start: Before) -> float:
    """Return the duration of a motion, in seconds: what its primitive takes, what is said, or what the way takes."""
    if command.primitive == WAIT:
        return max(command.values.get("duration", WAIT_SECONDS), SHORTEST)
    if command.primitive == "move_to" and "speed" in command.values:
        return start.reach / command.values["speed"]
    way = hypot(start.goal.x - start.pose.x, start.goal.y - start.pose.y)
    return DEEDS[command.primitive].seconds or START_UP + way / command.values.get("speed", SPEED)


def _nothing(_: FakeWorld, __: Command) -> None:
    """Change nothing at the moment of the hand."""


def _drive(world: FakeWorld, _: Command, start: Before, fraction: float) -> None:
    a, b = start.pose, start.goal
    heading = b.yaw if fraction >= 1.0 else a.yaw
    world.drive(PlanarPose(a.x + (b.x - a.x) * fraction, a.y + (b.y - a.y) * fraction, heading))


def _swing(target: float) -> Callable[[FakeWorld, Command, Before, float], None]:
    def along(world: FakeWorld, command: Command, start: Before, fraction: float) -> None:
        world.swing(command.roles["object"], start.opening + (target - start.opening) * fraction)

    return along


def _take(world: FakeWorld, command: Command) -> None:
    world.hold(command.roles["object"], world.robot)


def _give(world: FakeWorld, command: Command) -> None:
    world.gripper = 1.0
    world.hold(command.roles["object"], command.roles["to"])


def _change(true: str, *no_more: str) -> Callable[[FakeWorld, Command], None]:
    """Make an effect that makes a fact over roles true, such as ``wet object``, and others false."""

    def atom(pattern: str, command: Command) -> Atom:
        predicate, *roles = pattern.split()
        return Atom(predicate, tuple([command.roles[role] for role in roles]))

    def act(world: FakeWorld, command: Command) -> None:
        world.become(atom(true, command), no_more=[atom(pattern, command) for pattern in no_more])

    return act


def _wipe(world: FakeWorld, command: Command) -> None:
    target = (command.roles["target"],)
    world.measure(Atom("wiped", target), 100.0)
    world.become(Atom("clean", target))


def _warm(world: FakeWorld, command: Command) -> None:
    contents = command.roles["contents"]
    liquid = any(atom.predicate == "liquid_in" and atom.args[0] == contents for atom in world.states)
    world.become(Atom("liquid_warm" if liquid else "warm", (contents,)))


def _release(relation: str) -> Callable[[FakeWorld, Command], None]:
    def act(world: FakeWorld, command: Command) -> None:
        name, target, wanted = command.roles["object"], command.roles["target"], wanted_place(command)
        said = said_place(command)
        if said is not None and wanted is None:
            world.gripper = 1.0
            _put_where_said(world, name, said_spot(world, said, name, relation, target), relation, target)
            return
        spot = free_spot(world, name, relation, target) if wanted is None else related_spot(world, wanted, target)
        if spot is not None:
            world.gripper = 1.0
            world.move(name, spot, relation, target)
            world.spots[name] = spot if wanted else world.spots[name]

    return act


def _put_where_said(world: FakeWorld, name: str, spot: RestingPlace | Misplacement, relation: str, target: str) -> None:
    if isinstance(spot, RestingPlace):
        turned = spot.yaw - world.spots[name].yaw
        world.move(name, spot, relation, target)
        world.spots[name] = spot
        turn_load(world, name, turned)


DEEDS: dict[str, FakePrimitive] = {
    **{
        name: FakePrimitive(seconds, at, _change(*facts)) for name, (seconds, at, facts) in read_table(__file__).items()
    },
    "heat": FakePrimitive(5.0, 1.0, _warm),
    "receive": FakePrimitive(2.0, 0.6, _take),
    "stand": FakePrimitive(2.5, 0.7, _release("in")),
    "wipe": FakePrimitive(4.0, 1.0, _wipe),
    WAIT: FakePrimitive(WAIT_SECONDS, 1.0, _nothing),
    "drive": FakePrimitive(0.0, 1.0, _nothing, _drive),
    "pick": FakePrimitive(2.0, 0.6, _take),
    "put": FakePrimitive(2.0, 0.7, _release("on")),
    "insert": FakePrimitive(2.5, 0.7, _release("in")),
    "open": FakePrimitive(3.0, 1.0, _nothing, _swing(1.0)),
    "close": FakePrimitive(3.0, 1.0, _nothing, _swing(0.0)),
    "give": FakePrimitive(2.0, 0.7, _give),
    **{name: FakePrimitive(*deed) for name, deed in HAND_DEEDS.items()},
}
"""How each primitive is done; those that only change facts are in a table."""


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
