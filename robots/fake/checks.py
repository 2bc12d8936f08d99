"""The preconditions of the fake robot's primitives: each check returns the reason against a command, or None."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

from robots.fake.spots import free_spot
from robots.fake.states import is_so, lidless, unfilled
from robots.fake.world import PASSABLE, FakeWorld
from semantics.atoms import Atom
from semantics.feedback import Code, Feedback
from semantics.state import Command

__all__ = ["CHECKS", "Check"]

Check = Callable[[FakeWorld, Command], Feedback | None]
NEAR = 0.9
"""The largest distance from a stand at which the robot can work there, in metres."""


def _refusal(code: Code, command: Command, why: str, *culprits: str) -> Feedback:
    return Feedback(code, str(command), why, culprits=culprits)


def _known(role: str) -> Check:
    def check(world: FakeWorld, command: Command) -> Feedback | None:
        name = command.roles[role]
        if name in world.shapes:
            return None
        return _refusal(Code.REFUSED_BY_BODY, command, f"{name} is no movable thing", name)

    return check


def _place(role: str) -> Check:
    def check(world: FakeWorld, command: Command) -> Feedback | None:
        name = command.roles[role]
        if world.stand(name) is not None or world.is_ground(name):
            return None
        return _refusal(Code.REFUSED_BY_BODY, command, f"{name} is no place", name)

    return check


def _near(role: str) -> Check:
    def check(world: FakeWorld, command: Command) -> Feedback | None:
        name = command.roles[role]
        stand = world.stand(name)
        if stand is None or hypot(stand.x - world.pose.x, stand.y - world.pose.y) <= NEAR:
            return None
        return _refusal(Code.OUT_OF_REACH, command, f"the robot is not at {name}", name)

    return check


def _hand_free(world: FakeWorld, command: Command) -> Feedback | None:
    held = world.held(world.robot)
    return _refusal(Code.PRECONDITION, command, f"the hand holds {held[0]}", *held) if held else None


def _in_hand(role: str) -> Check:
    def check(world: FakeWorld, command: Command) -> Feedback | None:
        name = command.roles[role]
        if name in world.held(world.robot):
            return None
        return _refusal(Code.DROPPED, command, f"{name} is not in the hand", name)

    return check


_holding = _in_hand("object")


def _with(giver: str) -> Check:
    def check(world: FakeWorld, command: Command) -> Feedback | None:
        name, person = command.roles["object"], command.roles[giver] if giver else command.agent
        if name in world.held(person):
            return None
        return _refusal(Code.PRECONDITION, command, f"{name} is not in the hand of {person}", name, person)

    return check


def _is_at(world: FakeWorld, name: str, at: str) -> bool:
    """Return whether an object is at a place; all names of the floor mean the same place."""
    root = world.root(name)
    return root == at or (world.is_ground(root) and world.is_ground(at))


def _here(role: str) -> Check:
    def check(world: FakeWorld, command: Command) -> Feedback | None:
        name, at = command.roles[role], command.roles["at"]
        if _is_at(world, name, at) and world.hidden_by(name) is None:
            return None
        return _refusal(Code.NOT_VISIBLE, command, f"{name} is not to be seen at {at}", name)

    return check


def _on_heater(world: FakeWorld, command: Command) -> Feedback | None:
    name, heater = command.roles["object"], command.roles["heater"]
    if heater in (name, world.carriers.get(name, ("", ""))[1]):
        return None
    return _refusal(Code.PRECONDITION, command, f"{name} is not on {heater}", name, heater)


def _inside(world: FakeWorld, command: Command) -> Feedback | None:
    contents, vessel = command.roles["contents"], command.roles["object"]
    if Atom("liquid_in", (contents, vessel)) in world.states or world.carriers.get(contents) == ("in", vessel):
        return None
    return _refusal(Code.PRECONDITION, command, f"{contents} is not in {vessel}", contents, vessel)


def _in_view(world: FakeWorld, command: Command) -> Feedback | None:
    name, at = command.roles["object"], command.roles["at"]
    shut = world.hidden_by(name)
    if shut is not None and world.root(name) == at:
        return _refusal(Code.OBSTRUCTED, command, f"the door of {shut} is in the way", shut)
    if _is_at(world, name, at):
        return None
    return _refusal(Code.NOT_VISIBLE, command, f"{name} is not to be seen at {at}", name)


def _unloaded(world: FakeWorld, command: Command) -> Feedback | None:
    name = command.roles["object"]
    top = sorted(other for other, carrier in world.carriers.items() if carrier == ("on", name))
    return _refusal(Code.OBSTRUCTED, command, f"{', '.join(top)} on top of {name}", *top) if top else None


def _target_here(world: FakeWorld, command: Command) -> Feedback | None:
    target, at = command.roles["target"], command.roles["at"]
    if target == command.roles["object"]:
        return _refusal(Code.REFUSED_BY_BODY, command, f"{target} cannot carry itself", target)
    if _is_at(world, target, at) or world.is_ground(target):
        return None
    return _refusal(Code.NOT_VISIBLE, command, f"{target} is not to be seen at {at}", target)


def _door_wide(world: FakeWorld, command: Command) -> Feedback | None:
    target = command.roles["target"]
    shut = target if world.doors.get(target, 1.0) < PASSABLE else None
    if target in world.carriers:
        shut = world.hidden_by(target)
    return _refusal(Code.OBSTRUCTED, command, f"the door of {shut} is in the way", shut) if shut else None


def _room(relation: str) -> Check:
    def check(world: FakeWorld, command: Command) -> Feedback | None:
        name, target = command.roles["object"], command.roles["target"]
        if not world.regions(relation, target) and not world.is_ground(target):
            return _refusal(Code.REFUSED_BY_BODY, command, f"nothing can be {relation} {target}", target)
        if free_spot(world, name, relation, target) is None:
            return _refusal(Code.NO_ROOM, command, f"no free spot {relation} {target} for {name}", target)
        return None

    return check


def _door(world: FakeWorld, command: Command) -> Feedback | None:
    name = command.roles["object"]
    return None if name in world.doors else _refusal(Code.REFUSED_BY_BODY, command, f"{name} has no door", name)


def _person_of(role: str) -> Check:
    def check(world: FakeWorld, command: Command) -> Feedback | None:
        name = command.roles[role]
        if name in world.persons:
            return None
        return _refusal(Code.REFUSED_BY_BODY, command, f"{name} is nobody to give something to or take it from", name)

    return check


def _watered(world: FakeWorld, command: Command) -> Feedback | None:
    at = command.roles["at"]
    if any(atom.predicate == "liquid_in" and atom.args[1] == at for atom in world.states):
        return None
    return _refusal(Code.PRECONDITION, command, f"there is no water at {at}", at)


_AT_WORK = (_place("at"), _near("at"))

CHECKS: dict[str, tuple[Check, ...]] = {
    "chop": (*_AT_WORK, _holding, _here("target")),
    "draw": (*_AT_WORK, _holding, is_so("liquid_in", "contents", "at"), lidless("object"), unfilled("object")),
    "fill": (
        *_AT_WORK,
        _in_hand("source"),
        is_so("liquid_in", "contents", "source"),
        _here("target"),
        lidless("source"),
        lidless("target"),
        unfilled("target"),
    ),
    "heat": (*_AT_WORK, _here("object"), _on_heater, _inside),
    "pour": (
        *_AT_WORK,
        _in_hand("source"),
        is_so("stuff_in", "contents", "source"),
        _here("target"),
        lidless("source"),
        lidless("target"),
    ),
    "receive": (_known("object"), _person_of("from"), _near("from"), _hand_free, _with("from")),
    "screw": (_with(""),),
    "unscrew": (_with(""),),
    "wet": (*_AT_WORK, _holding, _watered),
    "wipe": (*_AT_WORK, _holding, is_so("wet", "object"), _here("target")),
    "drive": (_place("to"),),
    "pick": (_known("object"), _place("at"), _near("at"), _hand_free, _in_view, _unloaded),
    "put": (_known("object"), _place("at"), _near("at"), _holding, _target_here, _door_wide, _room("on")),
    "insert": (_known("object"), _place("at"), _near("at"), _holding, _target_here, _door_wide, _room("in")),
    "open": (_door, _place("at"), _near("at"), _hand_free),
    "close": (_door, _place("at"), _near("at"), _hand_free),
    "give": (_known("object"), _person_of("to"), _near("to"), _holding),
}
"""The checks of each primitive, in order."""
