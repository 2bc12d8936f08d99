"""The preconditions of the fake robot's primitives: each check returns the reason against a command, or None."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import hypot
from typing import NamedTuple

from robots.arrangement import RestingPlace
from robots.fake.hand import HAND_CHECKS
from robots.fake.spots import free_spot, related_spot, said_spot, views
from robots.fake.world import PASSABLE, FakeWorld
from robots.primitives import WAIT, no_place, said_place, unfit_viewer, wanted_place
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command

Check = Callable[[FakeWorld, Command], Feedback | None]
NEAR = 0.9
"""The largest distance from a stand at which the robot can work there, in metres."""


class Objection(NamedTuple):
    """What may be against a command.

    Attributes:
        code: The code of the refusal.
        why: Its words, with places for the fillers of roles, then for the culprits, and for all of these as `found`.
        found: Returns the culprits, given the world and the fillers.
    """

    code: Code
    why: str
    found: Callable[..., Iterable[str]]


def _unless(code: Code, why: str, holds: Callable[..., bool], blamed: int | None = None) -> Objection:
    """Return the objection where a condition on fillers does not hold: the first `blamed` of them, or all."""
    return Objection(code, why, lambda world, *names: () if holds(world, *names) else names[:blamed])


def _is_at(world: FakeWorld, name: str, at: str) -> bool:
    """Return whether an object is at a place; all names of the floor mean the same place."""
    root = world.root(name)
    return root == at or (world.is_ground(root) and world.is_ground(at))


def _is_near(world: FakeWorld, name: str) -> bool:
    stand = world.stand(name)
    return stand is None or hypot(stand.x - world.pose.x, stand.y - world.pose.y) <= NEAR


def _is_inside(world: FakeWorld, contents: str, vessel: str) -> bool:
    return Atom("liquid_in", (contents, vessel)) in world.states or world.carriers.get(contents) == ("in", vessel)


def _is_on_heater(world: FakeWorld, name: str, heater: str) -> bool:
    return heater in (name, world.carriers.get(name, ("", ""))[1])


def _liquids(world: FakeWorld, vessel: str) -> list[str]:
    return [atom.args[0] for atom in world.states if atom.predicate == "liquid_in" and atom.args[1] == vessel]


def _load(world: FakeWorld, name: str) -> list[str]:
    """Return what would fall off a lifted object; plates and trays are lifted with what stands on them."""
    if world.shapes[name].form == "open-box":
        return []
    return sorted(other for other, carrier in world.carriers.items() if carrier == ("on", name))


def _shut_around(world: FakeWorld, name: str, at: str) -> Iterable[str]:
    return filter(None, [world.hidden_by(name) if world.root(name) == at else None])


def _shut_before(world: FakeWorld, target: str) -> Iterable[str]:
    """Return what is shut around a target, or the target itself when its own door is not wide open."""
    if target in world.carriers:
        return filter(None, [world.hidden_by(target)])
    return [target] if world.doors.get(target, 1.0) < PASSABLE else []


def _open_above(world: FakeWorld, name: str) -> Iterable[str]:
    """Return the open drawers above a drawer, or above the one that a piece is in: the hand gets into none below."""
    drawer = next((other for other in (name, *world.around(name)) if other in world.parts), None)
    return [] if drawer is None else world.open_above(drawer)


def _is_so(predicate: str) -> Objection:
    places = "{}" if predicate == "wet" else "{} {}"
    why = f"({predicate} {places}) does not hold"
    return _unless(Code.PRECONDITION, why, lambda world, *names: Atom(predicate, names) in world.states)


def _seen_at(holds: Callable[[FakeWorld, str, str], bool]) -> Objection:
    return _unless(Code.NOT_VISIBLE, "{} is not to be seen at {}", holds, blamed=1)


def _region(relation: str) -> Objection:
    why = f"nothing can be {relation} {{}}"
    return _unless(
        Code.REFUSED_BY_BODY, why, lambda world, name: bool(world.regions(relation, name)) or world.is_ground(name)
    )


def _room(relation: str) -> Objection:
    why = f"no free spot {relation} {{}} for {{}}"
    return _unless(
        Code.NO_ROOM, why, lambda world, target, name: free_spot(world, name, relation, target) is not None, blamed=1
    )


OBJECTIONS: Mapping[str, Objection] = {
    "at-its-cabinet": _unless(
        Code.OUT_OF_REACH, "{} is no part of {}", lambda world, name, at: world.parts.get(name, at) == at
    ),
    "door": _unless(Code.REFUSED_BY_BODY, "{} has no door", lambda world, name: name in world.doors),
    "free-above": Objection(Code.OBSTRUCTED, "{found}, open above it, is in the way", _open_above),
    "gets-in": Objection(Code.OBSTRUCTED, "the door of {found} is in the way", _shut_before),
    "hand-free": Objection(Code.PRECONDITION, "the hand holds {0}", lambda world: world.held(world.robot)),
    "here": _seen_at(lambda world, name, at: _is_at(world, name, at) and world.hidden_by(name) is None),
    "in-hand": _unless(Code.DROPPED, "{} is not in the hand", lambda world, name: name in world.held(world.robot)),
    "inside": _unless(Code.PRECONDITION, "{} is not in {}", _is_inside),
    "known": _unless(Code.REFUSED_BY_BODY, "{} is no movable thing", lambda world, name: name in world.shapes),
    "lidless": _unless(
        Code.OBSTRUCTED, "the lid of {} is on", lambda world, name: Atom("closed", (name,)) not in world.states
    ),
    "liquid_in": _is_so("liquid_in"),
    "near": _unless(Code.OUT_OF_REACH, "the robot is not at {}", _is_near),
    "not-itself": _unless(Code.REFUSED_BY_BODY, "{} cannot carry itself", lambda _, on, name: on != name, blamed=1),
    "on-heater": _unless(Code.PRECONDITION, "{} is not on {}", _is_on_heater),
    "person": _unless(
        Code.REFUSED_BY_BODY,
        "{} is nobody to give something to or take it from",
        lambda world, name: name in world.persons,
    ),
    "place": _unless(
        Code.REFUSED_BY_BODY,
        "{} is no place",
        lambda world, name: world.stand(name) is not None or world.is_ground(name),
    ),
    "region-in": _region("in"),
    "region-on": _region("on"),
    "room-in": _room("in"),
    "room-on": _room("on"),
    "stuff_in": _is_so("stuff_in"),
    "target-here": _seen_at(lambda world, name, at: _is_at(world, name, at) or world.is_ground(name)),
    "there": _seen_at(_is_at),
    "unfilled": Objection(
        Code.NO_ROOM,
        "{2} is in {0} already",
        # Where amounts are kept, these decide whether there is room for more.
        lambda world, name: (
            [] if world.numbers else [culprit for liquid in _liquids(world, name)[:1] for culprit in (name, liquid)]
        ),
    ),
    "unhidden": Objection(Code.OBSTRUCTED, "the door of {found} is in the way", _shut_around),
    "unloaded": Objection(Code.OBSTRUCTED, "{found} on top of {0}", _load),
    "watered": _unless(Code.PRECONDITION, "there is no water at {}", lambda world, at: bool(_liquids(world, at))),
    "wet": _is_so("wet"),
    "with": _unless(
        Code.PRECONDITION, "{} is not in the hand of {}", lambda world, name, person: name in world.held(person)
    ),
}
"""What can be against a command, by a short name of the condition that it violates."""


def _check(line: str) -> Check:
    """Make the check of a condition and the roles that it is about; ``agent`` is a role, too."""
    condition, *roles = line.split()
    code, why, found = OBJECTIONS[condition]

    def check(world: FakeWorld, command: Command) -> Feedback | None:
        fillers = [command.agent if role == "agent" else command.roles[role] for role in roles]
        culprits = tuple(found(world, *fillers))
        if not culprits:
            return None
        told = why.format(*fillers, *culprits, found=", ".join(culprits))
        return Feedback(code, str(command), told, culprits=culprits)

    return check


_AT_WORK = ("place at", "near at")
_SEIZED = ("known object", *_AT_WORK)
_TIPPED = ("here target at", "lidless source", "lidless target")
_OVER = (
    *_SEIZED, "in-hand object", "not-itself target object", "target-here target at", "gets-in target",
    "free-above target",
)  # fmt: skip
_DOOR = ("door object", *_AT_WORK, "at-its-cabinet object at", "hand-free", "free-above object")
_CAP = (*_SEIZED, "hand-free", "here object at")
_LID = ("with object agent",)


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

CHECKS: dict[str, tuple[Check, ...]] = {
    primitive: (*map(_check, lines), *FURTHER.get(primitive, ()))
    for primitive, lines in {
        "cap": _CAP,
        "chop": (*_AT_WORK, "in-hand object", "here target at"),
        "close": _DOOR,
        "draw": (*_AT_WORK, "in-hand object", "liquid_in contents at", "lidless object", "unfilled object"),
        "drain": (*_AT_WORK, "in-hand source", "liquid_in contents source", "lidless source"),
        "drive": ("place to",),
        "fill": (*_AT_WORK, "in-hand source", "liquid_in contents source", *_TIPPED, "unfilled target"),
        "give": ("known object", "person to", "near to", "in-hand object"),
        "heat": (*_AT_WORK, "here object at", "on-heater object heater", "inside contents object"),
        "insert": (*_OVER, "region-in target"),
        "open": _DOOR,
        "pick": (
            *_SEIZED,
            "hand-free",
            "unhidden object at",
            "there object at",
            "unloaded object",
            "free-above object",
        ),
        "pour": (*_AT_WORK, "in-hand source", "stuff_in contents source", *_TIPPED),
        "put": (*_OVER, "region-on target"),
        "receive": ("known object", "person from", "near from", "hand-free", "with object from"),
        "screw": _LID,
        "soak": (*_AT_WORK, "in-hand object", "here target at", "liquid_in contents target"),
        "stand": (*_OVER, "region-in target", "room-in target object"),
        "uncap": _CAP,
        "unscrew": _LID,
        WAIT: (),
        "wash": (*_AT_WORK, "in-hand object", "watered at"),
        "wet": (*_AT_WORK, "in-hand object", "watered at"),
        "wipe": (*_AT_WORK, "in-hand object", "wet object", "here target at"),
    }.items()
} | dict(HAND_CHECKS)
"""The checks of each primitive, in order."""
