"""The duration of each primitive of the fake robot, and its effect on the world."""

from __future__ import annotations

from collections.abc import Callable
from math import dist, hypot
from typing import NamedTuple

from robots.arrangement import RestingPlace
from robots.fake.hand import HAND_DEEDS, goal_of_hand
from robots.fake.spots import floor_pose, free_spot, related_spot, said_spot, turn_load
from robots.fake.world import FakeWorld
from robots.placement import Misplacement
from robots.primitives import WAIT, WAIT_SECONDS, said_place, wanted_place
from semantics.geometry.geometry import PlanarPose
from semantics.logic.atoms import Atom
from semantics.logic.state import Command

SPEED = 0.8
"""Speed of the base, in metres per second."""
SHORTEST = 1e-6
START_UP = 0.5
"""Seconds that every drive takes in addition to the time for its distance."""


class Before(NamedTuple):
    """The start of a motion: the robot's pose, its goal pose, the opening of the door, and the way of the hand."""

    pose: PlanarPose
    goal: PlanarPose
    opening: float
    reach: float = 0.0


class FakePrimitive(NamedTuple):
    """The execution of a primitive.

    Attributes:
        seconds: Its duration; 0 if the duration depends on the driven distance.
        moment: The fraction at which the hand closes or opens, and `act` happens.
        act: The change of the world at this moment.
        along: The continuous change of the world, by fraction done.
    """

    seconds: float
    moment: float
    act: Callable[[FakeWorld, Command], None]
    along: Callable[[FakeWorld, Command, Before, float], None]


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


def _stay(_: FakeWorld, __: Command, ___: Before, ____: float) -> None:
    """Change nothing during the motion."""


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


def _change(*true: tuple[str, ...], no_more: tuple[tuple[str, ...], ...] = ()) -> Callable[[FakeWorld, Command], None]:
    """Make an effect that makes facts over roles true, and others false."""

    def atom(pattern: tuple[str, ...], command: Command) -> Atom:
        return Atom(pattern[0], tuple([command.roles[role] for role in pattern[1:]]))

    def act(world: FakeWorld, command: Command) -> None:
        gone = [atom(pattern, command) for pattern in no_more]
        world.become(*(atom(pattern, command) for pattern in true), no_more=gone)

    return act


def _transfer(predicate: str, source: str, target: str, *soiled: str) -> Callable[[FakeWorld, Command], None]:
    no_more = (predicate, "contents", source), *(("clean", role) for role in soiled)
    return _change((predicate, "contents", target), no_more=no_more)


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
    "cap": FakePrimitive(3.0, 1.0, _change(("closed", "object"), no_more=(("opened", "object"),)), _stay),
    "chop": FakePrimitive(3.0, 0.9, _change(("chopped", "target")), _stay),
    "drain": FakePrimitive(3.0, 0.9, _transfer("liquid_in", "source", "at"), _stay),
    "draw": FakePrimitive(3.0, 0.9, _transfer("liquid_in", "at", "object"), _stay),
    "fill": FakePrimitive(3.0, 0.9, _transfer("liquid_in", "source", "target", "target"), _stay),
    "heat": FakePrimitive(5.0, 1.0, _warm, _stay),
    "pour": FakePrimitive(3.0, 0.9, _transfer("stuff_in", "source", "target", "target"), _stay),
    "receive": FakePrimitive(2.0, 0.6, _take, _stay),
    "screw": FakePrimitive(5.0, 1.0, _change(("closed", "object"), no_more=(("opened", "object"),)), _stay),
    "soak": FakePrimitive(2.0, 0.9, _change(("soaked", "object", "target")), _stay),
    "stand": FakePrimitive(2.5, 0.7, _release("in"), _stay),
    "uncap": FakePrimitive(3.0, 1.0, _change(("opened", "object"), no_more=(("closed", "object"),)), _stay),
    "unscrew": FakePrimitive(5.0, 1.0, _change(("opened", "object"), no_more=(("closed", "object"),)), _stay),
    "wash": FakePrimitive(4.0, 0.9, _change(("clean", "object")), _stay),
    "wet": FakePrimitive(2.0, 0.9, _change(("wet", "object")), _stay),
    "wipe": FakePrimitive(4.0, 1.0, _wipe, _stay),
    WAIT: FakePrimitive(WAIT_SECONDS, 1.0, _nothing, _stay),
    "drive": FakePrimitive(0.0, 1.0, _nothing, _drive),
    "pick": FakePrimitive(2.0, 0.6, _take, _stay),
    "put": FakePrimitive(2.0, 0.7, _release("on"), _stay),
    "insert": FakePrimitive(2.5, 0.7, _release("in"), _stay),
    "open": FakePrimitive(3.0, 1.0, _nothing, _swing(1.0)),
    "close": FakePrimitive(3.0, 1.0, _nothing, _swing(0.0)),
    "give": FakePrimitive(2.0, 0.7, _give, _stay),
    **{name: FakePrimitive(seconds, moment, act, _stay) for name, (seconds, moment, act) in HAND_DEEDS.items()},
}
