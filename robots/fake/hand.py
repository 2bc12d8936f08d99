"""The primitives of the hand of the fake robot: what is against each, and what each does.

The fake hand has no joints: it reaches every point that is near enough, but goes into nothing solid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import dist, hypot, radians
from typing import Final

from robots.arrangement import solid_at
from robots.fake.spots import turn_load
from robots.fake.world import FakeWorld
from robots.hand import hand_target, height_over, high_drop, push_goal
from robots.limits import THICKEST, fits_hand
from robots.sliding import Slide, unsafe_slide
from semantics.geometry.geometry import Box, Vector
from semantics.geometry.points import MapPoint
from semantics.geometry.solids import gap, height_gap
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command

REACH: Final = 0.95  # largest distance of the hand from the middle of the robot, on the map, in metres
HIGHEST: Final = 1.9  # the largest height of the hand, in metres
LOW: Final = 0.01  # the least height of the hand above a surface, in metres
STEPS: Final = 24  # number of angles at which a turning thing is compared with the things beside it
STAYING: Final = frozenset({"grip", "move_to", "release", "wait"})
"""The primitives after which, and before which, the arm stays where it is; the others fold it first."""


def goal_of_hand(world: FakeWorld, command: Command) -> Vector:
    """Return where a `move_to` brings the hand."""
    over = command.roles.get("over")
    held = world.held(world.robot)
    target = hand_target(command, world.box(over) if over is not None else None)
    if target.z is not None:
        return target.x, target.y, target.z
    hanging = max((world.hand_at()[2] - world.box(name).low[2] for name in held), default=0.0)
    tops = [box for name, box in _solids(world) if name not in held]
    return target.x, target.y, height_over(tops, target.x, target.y) + hanging + target.above


def goal_of_push(world: FakeWorld, command: Command) -> tuple[float, float] | Feedback:
    """Return where a `push` brings the middle of a thing, or why this is too far."""
    spot = world.spots[command.roles["object"]]
    return push_goal(command, (spot.x, spot.y))


def _solids(world: FakeWorld) -> Iterator[tuple[str, Box]]:
    yield from ((name, world.box(name)) for name in world.shapes)
    for name, offered in world.fittings.items():
        yield from ((name, surface) for surface in offered.surfaces)


def _known(world: FakeWorld, command: Command) -> Feedback | None:
    """Return the refusal of a thing above which the hand is to go, or which is to be moved, and which is not there."""
    for role in ("object", "over"):
        name = command.roles.get(role)
        there = world.shapes.keys() if role == "object" else world.shapes.keys() | world.fittings.keys()
        if name is None or name in there:
            continue
        known = name in world.fittings or name in world.persons
        why = f"{name} cannot be carried or moved." if known else f"{name} is unknown here."
        return Feedback(Code.REFUSED_BY_BODY, str(command), why, culprits=(name,))
    return None


def in_reach(world: FakeWorld, point: Vector) -> bool:
    """Return whether the hand reaches a point from where the robot stands."""
    return hypot(point[0] - world.pose.x, point[1] - world.pose.y) <= REACH and 0.0 <= point[2] <= HIGHEST


def _reachable(world: FakeWorld, command: Command) -> Feedback | None:
    point = goal_of_hand(world, command)
    far = hypot(point[0] - world.pose.x, point[1] - world.pose.y)
    if not in_reach(world, point):
        share = min(1.0, REACH / far) if far else 1.0
        x, y = (at + share * (to - at) for at, to in ((world.pose.x, point[0]), (world.pose.y, point[1])))
        nearest = MapPoint(x, y, min(max(point[2], LOW), HIGHEST))
        why = f"{MapPoint(*point)} is {far:.2f} m from the robot and {point[2]:.2f} m high"
        why = f"{why}; {REACH:g} m and {HIGHEST:g} m are the most, and the floor is at 0."
        return Feedback(Code.OUT_OF_REACH, str(command), why, f"The nearest point is {nearest}.", ("to",))
    surfaces = ((name, box) for name, offered in world.fittings.items() for box in offered.surfaces)
    solid = next((found for found in surfaces if found[1].contains(point) and point[2] < found[1].high[2]), None)
    if solid is None:
        return None
    name, box = solid
    why = f"{MapPoint(*point)} is inside {name}, whose surface is at {box.high[2]:.3f} m."
    nearest = MapPoint(point[0], point[1], box.high[2] + LOW)
    return Feedback(Code.OBSTRUCTED, str(command), why, f"The nearest point is {nearest}.", (name, "to"))


def _safe_drop(world: FakeWorld, command: Command) -> Feedback | None:
    for name in world.held(world.robot):
        drop = world.box(name).low[2] - world.under(name)[2]
        if refusal := high_drop(str(command), name, drop, world.hand_at()):
            return refusal
    return None


def _empty_hand(world: FakeWorld, command: Command) -> Feedback | None:
    held = world.held(world.robot)
    if not held:
        return None
    return Feedback(Code.PRECONDITION, str(command), f"the hand holds {held[0]}", f"Put {held[0]} down first.", held)


def _near_thing(world: FakeWorld, command: Command) -> Feedback | None:
    name = command.roles["object"]
    spot = world.spots[name]
    far = hypot(spot.x - world.pose.x, spot.y - world.pose.y)
    shut = world.hidden_by(name)
    if shut is not None:
        return Feedback(Code.OBSTRUCTED, str(command), f"the door of {shut} is in the way", f"Open {shut}.", (shut,))
    if far <= REACH:
        return None
    why = f"it is {far:.2f} m from the robot, and {REACH:g} m is the most."
    return Feedback(Code.OUT_OF_REACH, str(command), why, "Drive nearer to it.", (name,))


def _bare(world: FakeWorld, command: Command) -> Feedback | None:
    name = command.roles["object"]
    load = sorted(other for other, carrier in world.carriers.items() if carrier == ("on", name))
    if not load or world.shapes[name].form == "open-box":
        return None
    why = f"{', '.join(load)} on top of {name} would fall"
    return Feedback(Code.OBSTRUCTED, str(command), why, f"Take {load[0]} off.", (*load,))


def _free_slide(world: FakeWorld, command: Command) -> Feedback | None:
    goal = goal_of_push(world, command)
    return goal if isinstance(goal, Feedback) else unsafe_slide(_slide(world, command, goal), str(command))


def _slide(world: FakeWorld, command: Command, goal: tuple[float, float]) -> Slide:
    name = command.roles["object"]
    apart = {name, *world.load(name), *world.around(name)}
    solids = {other: solid_at(shape, world.spots[other]) for other, shape in world.shapes.items()}
    others = {other: solid for other, solid in solids.items() if other not in apart}
    floor = Box((-100.0, -100.0, -0.1), (100.0, 100.0, 0.0))
    furniture = [(other, box) for other, offered in world.fittings.items() for box in offered.surfaces]
    return Slide(name, solids[name], goal, (*furniture, ("the floor", floor)), others)


def _graspable(world: FakeWorld, command: Command) -> Feedback | None:
    name = command.roles["object"]
    if fits_hand(world.shapes[name]):
        return None
    thin = min(world.shapes[name].size[:2])
    why = f"the fingers close across {1000 * THICKEST:.0f} mm, and its thinnest level side is {1000 * thin:.0f} mm."
    return Feedback(Code.OUT_OF_REACH, str(command), why, "Ask a person to turn it.", (name,))


def _free_turn(world: FakeWorld, command: Command) -> Feedback | None:
    """Return what a thing would touch while it turns, with the largest free angle."""
    name, angle = command.roles["object"], command.values["angle"]
    apart = {name, *world.load(name), *world.around(name)}
    solids = {other: solid_at(shape, world.spots[other]) for other, shape in world.shapes.items()}
    own = solids.pop(name)
    near = {other: solid for other, solid in solids.items() if other not in apart and height_gap(own, solid) == 0.0}
    near = {other: solid for other, solid in near.items() if gap(own, solid) > 0.0}
    for step in range(1, STEPS + 1):
        turned = own.moved(*own.at, own.yaw + radians(angle) * step / STEPS)
        hit = next((other for other, solid in near.items() if gap(turned, solid) == 0.0), None)
        if hit is not None:
            free = angle * (step - 1) / STEPS
            why = f"after {abs(free):.0f} deg of {abs(angle):.0f} deg it would run into {hit}."
            how = f"Move {hit} away, or turn {name} by {free:.0f} deg."
            return Feedback(Code.OBSTRUCTED, str(command), why, how, (name, hit))
    return None


Check = Callable[[FakeWorld, Command], Feedback | None]
HAND_CHECKS: Mapping[str, tuple[Check, ...]] = {
    "grip": (),
    "move_to": (_known, _reachable),
    "push": (_known, _empty_hand, _near_thing, _bare, _free_slide),
    "release": (_safe_drop,),
    "turn": (_known, _empty_hand, _near_thing, _bare, _graspable, _free_turn),
}
"""The checks of each primitive of the hand, in order."""


def _move(world: FakeWorld, command: Command) -> None:
    world.bring_hand(goal_of_hand(world, command))


def _grip(world: FakeWorld, _: Command) -> None:
    if world.held(world.robot):
        return
    point = world.hand_at()
    between = [name for name, shape in world.shapes.items() if fits_hand(shape) and world.box(name).contains(point)]
    nearest = min(between, key=lambda name: dist(world.box(name).centre, point), default=None)
    world.gripper = 0.0
    if nearest is not None:
        world.grasp(nearest)


def _let_go(world: FakeWorld, _: Command) -> None:
    for name in world.held(world.robot):
        relation, where, height = world.under(name)
        world.move(name, world.spots[name]._replace(z=height), relation, where)
    world.gripper = 1.0


def _push(world: FakeWorld, command: Command) -> None:
    name, goal = command.roles["object"], goal_of_push(world, command)
    if isinstance(goal, Feedback):
        return
    spot = world.spots[name]._replace(x=goal[0], y=goal[1])
    world.move(name, spot, *world.carriers[name])
    relation, where, _ = world.under(name)
    world.carriers[name] = (relation, where)


def _turn(world: FakeWorld, command: Command) -> None:
    name, angle = command.roles["object"], radians(command.values["angle"])
    spot = world.spots[name]
    world.spots[name] = spot._replace(yaw=spot.yaw + angle)
    turn_load(world, name, angle)


HAND_DEEDS: Mapping[str, tuple[float, float, Callable[[FakeWorld, Command], None]]] = {
    "grip": (1.0, 0.9, _grip),
    "move_to": (1.5, 1.0, _move),
    "push": (3.0, 0.9, _push),
    "release": (0.5, 0.5, _let_go),
    "turn": (3.0, 0.9, _turn),
}
"""The seconds, the moment and the change of each primitive of the hand."""
