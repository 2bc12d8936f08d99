"""The preconditions of the fake robot's primitives: each check returns the reason against a command, or None."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import hypot
from typing import Concatenate

from robots.fake.spots import free_spot
from robots.fake.world import PASSABLE, FakeWorld
from semantics.atoms import Atom
from semantics.feedback import Code, Feedback
from semantics.state import Command

__all__ = ["CHECKS", "Check"]

Check = Callable[[FakeWorld, Command], Feedback | None]
NEAR = 0.9
"""The largest distance from a stand at which the robot can work there, in metres."""


def _none_of(code: Code, why: str, found: Callable[Concatenate[FakeWorld, ...], Iterable[str]], *roles: str) -> Check:
    """Make a check that `found` finds no culprit, given the world and the fillers of `roles`; ``agent`` is one, too.

    The words `why` have places for the fillers, then for the culprits, and for all culprits as `found`.
    """

    def check(world: FakeWorld, command: Command) -> Feedback | None:
        fillers = [command.agent if role == "agent" else command.roles[role] for role in roles]
        culprits = tuple(found(world, *fillers))
        if not culprits:
            return None
        told = why.format(*fillers, *culprits, found=", ".join(culprits))
        return Feedback(code, str(command), told, culprits=culprits)

    return check


def _needs(
    code: Code, why: str, holds: Callable[Concatenate[FakeWorld, ...], bool], *roles: str, blamed: int | None = None
) -> Check:
    """Make a check that `holds` of the fillers of `roles`; a refusal blames the first `blamed` of them, or all."""
    return _none_of(code, why, lambda world, *names: () if holds(world, *names) else names[:blamed], *roles)


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


def _shut_before(world: FakeWorld, target: str) -> str | None:
    """Return what is shut around a target, or the target itself when its own door is not wide open."""
    if target in world.carriers:
        return world.hidden_by(target)
    return target if world.doors.get(target, 1.0) < PASSABLE else None


def _known(role: str) -> Check:
    return _needs(Code.REFUSED_BY_BODY, "{} is no movable thing", lambda world, name: name in world.shapes, role)


def _place(role: str) -> Check:
    return _needs(
        Code.REFUSED_BY_BODY,
        "{} is no place",
        lambda world, name: world.stand(name) is not None or world.is_ground(name),
        role,
    )


def _near(role: str) -> Check:
    return _needs(Code.OUT_OF_REACH, "the robot is not at {}", _is_near, role)


def _in_hand(role: str) -> Check:
    return _needs(Code.DROPPED, "{} is not in the hand", lambda world, name: name in world.held(world.robot), role)


def _with(giver: str) -> Check:
    return _needs(
        Code.PRECONDITION,
        "{} is not in the hand of {}",
        lambda world, name, person: name in world.held(person),
        "object",
        giver,
    )


def _seen_at(role: str, holds: Callable[[FakeWorld, str, str], bool]) -> Check:
    return _needs(Code.NOT_VISIBLE, "{} is not to be seen at {}", holds, role, "at", blamed=1)


def _here(role: str) -> Check:
    return _seen_at(role, lambda world, name, at: _is_at(world, name, at) and world.hidden_by(name) is None)


def _is_so(predicate: str, *roles: str) -> Check:
    slots = " ".join("{}" for _ in roles)
    return _needs(
        Code.PRECONDITION,
        f"({predicate} {slots}) does not hold",
        lambda world, *names: Atom(predicate, names) in world.states,
        *roles,
    )


def _lidless(role: str) -> Check:
    return _needs(
        Code.OBSTRUCTED, "the lid of {} is on", lambda world, name: Atom("closed", (name,)) not in world.states, role
    )


def _unfilled(role: str) -> Check:
    return _none_of(
        Code.NO_ROOM,
        "{2} is in {0} already",
        lambda world, name: [culprit for liquid in _liquids(world, name)[:1] for culprit in (name, liquid)],
        role,
    )


def _person_of(role: str) -> Check:
    why = "{} is nobody to give something to or take it from"
    return _needs(Code.REFUSED_BY_BODY, why, lambda world, name: name in world.persons, role)


def _room(relation: str) -> tuple[Check, Check]:
    return _needs(
        Code.REFUSED_BY_BODY,
        f"nothing can be {relation} {{}}",
        lambda world, target: bool(world.regions(relation, target)) or world.is_ground(target),
        "target",
    ), _needs(
        Code.NO_ROOM,
        f"no free spot {relation} {{}} for {{}}",
        lambda world, target, name: free_spot(world, name, relation, target) is not None,
        "target",
        "object",
        blamed=1,
    )


_hand_free = _none_of(Code.PRECONDITION, "the hand holds {0}", lambda world: world.held(world.robot))
_holding = _in_hand("object")
_on_heater = _needs(
    Code.PRECONDITION,
    "{} is not on {}",
    lambda world, name, heater: heater in (name, world.carriers.get(name, ("", ""))[1]),
    "object",
    "heater",
)
_inside = _needs(Code.PRECONDITION, "{} is not in {}", _is_inside, "contents", "object")
_in_view = (
    _none_of(
        Code.OBSTRUCTED,
        "the door of {found} is in the way",
        lambda world, name, at: filter(None, [world.hidden_by(name) if world.root(name) == at else None]),
        "object",
        "at",
    ),
    _seen_at("object", _is_at),
)
_unloaded = _none_of(
    Code.OBSTRUCTED,
    "{found} on top of {0}",
    lambda world, name: sorted(other for other, carrier in world.carriers.items() if carrier == ("on", name)),
    "object",
)
_target_here = (
    _needs(
        Code.REFUSED_BY_BODY,
        "{} cannot carry itself",
        lambda _, target, name: target != name,
        "target",
        "object",
        blamed=1,
    ),
    _seen_at("target", lambda world, target, at: _is_at(world, target, at) or world.is_ground(target)),
)
_door_wide = _none_of(
    Code.OBSTRUCTED,
    "the door of {found} is in the way",
    lambda world, target: filter(None, [_shut_before(world, target)]),
    "target",
)
_door = _needs(Code.REFUSED_BY_BODY, "{} has no door", lambda world, name: name in world.doors, "object")
_watered = _needs(Code.PRECONDITION, "there is no water at {}", lambda world, at: bool(_liquids(world, at)), "at")

_AT_WORK = (_place("at"), _near("at"))

CHECKS: dict[str, tuple[Check, ...]] = {
    "chop": (*_AT_WORK, _holding, _here("target")),
    "draw": (*_AT_WORK, _holding, _is_so("liquid_in", "contents", "at"), _lidless("object"), _unfilled("object")),
    "fill": (
        *_AT_WORK,
        _in_hand("source"),
        _is_so("liquid_in", "contents", "source"),
        _here("target"),
        _lidless("source"),
        _lidless("target"),
        _unfilled("target"),
    ),
    "heat": (*_AT_WORK, _here("object"), _on_heater, _inside),
    "pour": (
        *_AT_WORK,
        _in_hand("source"),
        _is_so("stuff_in", "contents", "source"),
        _here("target"),
        _lidless("source"),
        _lidless("target"),
    ),
    "receive": (_known("object"), _person_of("from"), _near("from"), _hand_free, _with("from")),
    "screw": (_with("agent"),),
    "unscrew": (_with("agent"),),
    "wet": (*_AT_WORK, _holding, _watered),
    "wipe": (*_AT_WORK, _holding, _is_so("wet", "object"), _here("target")),
    "drive": (_place("to"),),
    "pick": (_known("object"), _place("at"), _near("at"), _hand_free, *_in_view, _unloaded),
    "put": (_known("object"), _place("at"), _near("at"), _holding, *_target_here, _door_wide, *_room("on")),
    "insert": (_known("object"), _place("at"), _near("at"), _holding, *_target_here, _door_wide, *_room("in")),
    "open": (_door, _place("at"), _near("at"), _hand_free),
    "close": (_door, _place("at"), _near("at"), _hand_free),
    "give": (_known("object"), _person_of("to"), _near("to"), _holding),
}
"""The checks of each primitive, in order."""
