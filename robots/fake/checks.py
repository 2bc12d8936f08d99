"""The preconditions of the fake robot's primitives: each check returns the reason against a command, or None.

What can be against a command, and what is checked for which primitive, stands in ``checks.yaml``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import hypot

from robots.arrangement import RestingPlace
from robots.fake.hand import HAND_CHECKS
from robots.fake.spots import free_spot, related_spot, said_spot, views
from robots.fake.world import PASSABLE, FakeWorld
from robots.primitives import no_place, said_place, unfit_viewer, wanted_place
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command
from semantics.process.reading import read_table

Check = Callable[[FakeWorld, Command], Feedback | None]
NEAR = 0.9  # the largest distance from a stand at which the robot can work there, in metres
TABLE = read_table(__file__)


def _is_at(world: FakeWorld, name: str, at: str) -> bool:
    """Return whether an object is at a place; all names of the floor mean the same place."""
    root = world.root(name)
    return root == at or (world.is_ground(root) and world.is_ground(at))


def _is_near(world: FakeWorld, name: str) -> bool:
    stand = world.stand(name)
    return stand is None or hypot(stand.x - world.pose.x, stand.y - world.pose.y) <= NEAR


def _is_inside(world: FakeWorld, contents: str, vessel: str) -> bool:
    return Atom("liquid_in", (contents, vessel)) in world.states or world.carriers.get(contents) == ("in", vessel)


def _liquids(world: FakeWorld, vessel: str) -> list[str]:
    return [atom.args[0] for atom in world.states if atom.predicate == "liquid_in" and atom.args[1] == vessel]


def _load(world: FakeWorld, name: str) -> list[str]:
    """Return what would fall off a lifted object; plates and trays are lifted with what stands on them."""
    if world.shapes[name].form == "open-box":
        return []
    return sorted(other for other, carrier in world.carriers.items() if carrier == ("on", name))


def _shut_before(world: FakeWorld, target: str) -> Iterable[str]:
    """Return what is shut around a target, or the target itself when its own door is not wide open."""
    if target in world.carriers:
        return filter(None, [world.hidden_by(target)])
    return [target] if world.doors.get(target, 1.0) < PASSABLE else []


def _open_above(world: FakeWorld, name: str) -> Iterable[str]:
    """Return the open drawers above a drawer, or above the one that a piece is in: the hand gets into none below."""
    drawer = next((other for other in (name, *world.around(name)) if other in world.parts), None)
    return [] if drawer is None else world.open_above(drawer)


def _held_so(predicate: str) -> Callable[..., bool]:
    return lambda world, *names: Atom(predicate, names) in world.states


def _has_region(relation: str) -> Callable[..., bool]:
    return lambda world, name: bool(world.regions(relation, name)) or world.is_ground(name)


def _has_room(relation: str) -> Callable[..., bool]:
    return lambda world, target, name: free_spot(world, name, relation, target) is not None


HOLDS: Mapping[str, Callable[..., bool]] = {
    "at-its-cabinet": lambda world, name, at: world.parts.get(name, at) == at,
    "door": lambda world, name: name in world.doors,
    "here": lambda world, name, at: _is_at(world, name, at) and world.hidden_by(name) is None,
    "in-hand": lambda world, name: name in world.held(world.robot),
    "inside": _is_inside,
    "known": lambda world, name: name in world.shapes,
    "lidless": lambda world, name: Atom("closed", (name,)) not in world.states,
    "liquid_in": _held_so("liquid_in"),
    "near": _is_near,
    "not-itself": lambda _, on, name: on != name,
    "on-heater": lambda world, name, heater: heater in (name, world.carriers.get(name, ("", ""))[1]),
    "person": lambda world, name: name in world.persons,
    "place": lambda world, name: world.stand(name) is not None or world.is_ground(name),
    "region-in": _has_region("in"),
    "region-on": _has_region("on"),
    "room-in": _has_room("in"),
    "room-on": _has_room("on"),
    "stuff_in": _held_so("stuff_in"),
    "target-here": lambda world, name, at: _is_at(world, name, at) or world.is_ground(name),
    "there": _is_at,
    "watered": lambda world, at: bool(_liquids(world, at)),
    "wet": _held_so("wet"),
    "with": lambda world, name, person: name in world.held(person),
}
"""Conditions of a world and the fillers of roles, by a short name."""
CULPRITS: Mapping[str, Callable[..., Iterable[str]]] = {
    "free-above": _open_above,
    "gets-in": _shut_before,
    "hand-free": lambda world: world.held(world.robot),
    # Where amounts are kept, these decide whether there is room for more.
    "unfilled": lambda world, name: (
        [] if world.numbers else [culprit for liquid in _liquids(world, name)[:1] for culprit in (name, liquid)]
    ),
    "unhidden": lambda world, name, at: filter(None, [world.hidden_by(name) if world.root(name) == at else None]),
    "unloaded": _load,
}
"""For other conditions, what violates them."""


def _check(line: str) -> Check:
    """Make the check of a condition and the roles that it is about."""
    condition, *roles = line.split()
    code, why, *blamed = TABLE["objections"][condition]

    def check(world: FakeWorld, command: Command) -> Feedback | None:
        fillers = [command.agent if role == "agent" else command.roles[role] for role in roles]
        if condition in CULPRITS:
            culprits = tuple(CULPRITS[condition](world, *fillers))
        else:
            culprits = () if HOLDS[condition](world, *fillers) else tuple(fillers[: blamed[0] if blamed else None])
        if not culprits:
            return None
        told = why.format(*fillers, *culprits, found=", ".join(culprits))
        return Feedback(Code(code), str(command), told, culprits=culprits)

    return check


def _related_room(world: FakeWorld, command: Command) -> Feedback | None:
    """Return the objection to a placement that is to make a relation true, where there is no such place."""
    wanted = wanted_place(command)
    unknown = (
        [name for name in wanted.names if name not in world.shapes and name not in world.fittings] if wanted else []
    )
    if (unseen := unfit_viewer(command, views(world))) is not None:
        return unseen
    if wanted is None or (not unknown and related_spot(world, wanted, command.roles["target"]) is not None):
        return None
    blamed = tuple(unknown or wanted.names[1:])
    why = f"{', '.join(unknown)} is no thing here" if unknown else no_place(wanted, command.roles["target"])
    return Feedback(Code.REFUSED_BY_BODY if unknown else Code.NO_ROOM, str(command), why, culprits=blamed)


def _room_there(relation: str) -> Check:
    """Make the check of the room for a thing: at the place that was said, or anywhere on or in the target."""
    anywhere = _check(f"room-{relation} target object")

    def check(world: FakeWorld, command: Command) -> Feedback | None:
        said, wanted = said_place(command), wanted_place(command)
        if said is None or wanted is not None:
            return anywhere(world, command)
        spot = said_spot(world, said, command.roles["object"], relation, command.roles["target"])
        if isinstance(spot, RestingPlace):
            return None
        return Feedback(spot.code, str(command), spot.why, spot.how, spot.culprits)

    return check


FURTHER: Mapping[str, tuple[Check, ...]] = {"insert": (_room_there("in"),), "put": (_room_there("on"), _related_room)}

CHECKS: Mapping[str, tuple[Check, ...]] = {
    primitive: (*map(_check, lines), *FURTHER.get(primitive, ())) for primitive, lines in TABLE["checks"].items()
} | dict(HAND_CHECKS)
"""The checks of each primitive, in order."""
