"""`open` and `close` of drawers, which slide straight out of their cabinet.

The hand grasps the handle from the front with verified contact, and the base backs off with a rigid arm. To close a
drawer, the closed fingers push its front beside the handle. A low handle is grasped steeply from above: the pitch of
the hand is the flattest that the arm reaches.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import cos, pi, sin

import numpy as np
import pybullet

from robots.leaves import pull_of
from robots.pybullet.description import BodyDescription, Configuration
from robots.pybullet.kinematics import Reach, posture
from robots.pybullet.manipulation.doors import close_door, come, open_door, press, tie_to_handle
from robots.pybullet.manipulation.reach import backed, station, withdraw
from robots.pybullet.motion import Failed, Steps, pause
from robots.pybullet.rig import Rig
from robots.pybullet.turns import take_turns
from semantics.geometry.geometry import PlanarPose, to_world
from semantics.logic.feedback import Code

PITCHES = (0.25, 0.5, 0.8, 1.05)  # pitches of the hand below the horizontal, the preferred first
REACHES = (0.62, 0.7, 0.54, 0.76)
"""Distances from the centre of the base to the fingertips, in metres, the preferred first."""
COLUMN_BELOW = (0.58, 0.45, 0.7, 0.3)
"""How far the foot of the arm is below the fingertips, in metres, as far as the column goes."""
BESIDE = (0.06, 0.16, 0.1, 0.13)
"""How far beside its handle a drawer may be pushed, in metres: near it, or clear of the handle above."""
DRAWN = 0.8  # the opening from which on a drawer counts as pulled out
SHUT = 0.012  # how far a drawer may be out to count as shut, in metres
SLOWLY = 0.06  # the last part of the way of a drawer, which is slow: it stops at its cabinet at once
PRESSED_SHUT = 0.004
"""How far it is out when the hand stops pushing, in metres: a hand that goes on is bent back at its wrist."""


def open_front(rig: Rig, name: str) -> Steps:
    """Open a door wide, or pull a drawer out; raises as `open_door` and `open_drawer` do."""
    return open_drawer(rig, name) if rig.world.offered[name].travel else open_door(rig, name)


def close_front(rig: Rig, name: str) -> Steps:
    """Push a door or a drawer shut; raises as `close_door` and `close_drawer` do."""
    return close_drawer(rig, name) if rig.world.offered[name].travel else close_door(rig, name)


def open_drawer(rig: Rig, name: str) -> Steps:
    """Pull a drawer out by its handle.

    Raises:
        Failed: The hand is full (`refused-by-body`), does not get to the handle (`out-of-reach`, `obstructed`), or
            missed it (`not-grasped`); or the drawer does not follow (`stuck`).
    """
    rig.check_empty(name)
    rig.chassis.open_fingers()
    yield from withdraw(rig)
    out, travel = rig.world.door_angle(name), rig.world.offered[name].travel
    if out < DRAWN * travel:
        yield from _pull(rig, name, out, travel)
    yield from withdraw(rig, _home(rig, name))
    if rig.world.door_angle(name) < DRAWN * travel:
        raise _does_not_stay(rig, name, "open")


def _pull(rig: Rig, name: str, out: float, travel: float) -> Steps:
    """Grasp the handle and back off with it."""
    pull = pull_of(rig.world.furniture[name])
    at = yield from take_turns(lambda: _at_handle(rig, name, out + pull.x - pull.face, (0.0,)))
    yield from come(rig, at)
    yield from rig.close_on(name)
    tie = tie_to_handle(rig, name)
    try:
        yield from rig.move(
            *(backed(rig.description, at, float(way)) for way in np.linspace(0.0, travel - out, 6)[1:]), pace=0.6
        )
    finally:
        pybullet.removeConstraint(tie, physicsClientId=rig.world.client)
    rig.chassis.open_fingers()
    yield from pause(0.3, 0.5)
    if rig.world.door_angle(name) < DRAWN * travel:
        why = f"the handle slipped out of the fingers at {rig.world.door_angle(name):.2f} of {travel:.2f} m."
        raise Failed(Code.NOT_GRASPED, name, why, (name,), f"Pull {name} again from where it is.")
    yield from rig.move(backed(rig.description, rig.now(), 0.15))


def close_drawer(rig: Rig, name: str) -> Steps:
    """Push a drawer shut.

    Raises:
        Failed: The hand is full (`refused-by-body`), or something keeps the drawer open (`stuck`, `obstructed`).
    """
    rig.check_empty(name)
    yield from withdraw(rig)
    out = rig.world.door_angle(name)
    rig.chassis.move_fingers(0.0)
    shut = yield from take_turns(lambda: _at_handle(rig, name, -SHUT / 2, BESIDE))
    yield from come(rig, backed(rig.description, shut, out + 0.12))
    yield from rig.move(*(backed(rig.description, shut, float(way)) for way in np.linspace(out, SLOWLY, 6)), pace=0.6)
    yield from press(rig, name, shut, shut=PRESSED_SHUT)
    yield from rig.move(backed(rig.description, rig.now(), 0.2))
    rig.chassis.open_fingers()
    yield from withdraw(rig, _home(rig, name))
    if rig.world.door_angle(name) > SHUT:
        raise _does_not_stay(rig, name, "shut")


def _does_not_stay(rig: Rig, name: str, how_far: str) -> Failed:
    why = f"the drawer is out by {rig.world.door_angle(name):.2f} m and does not stay {how_far}."
    inside = [thing for thing in rig.world.shapes if rig.world.offered[name].box.contains(rig.world.box(thing).centre)]
    how = f"Take {' and '.join(inside)} out, and move it again." if inside else f"Move {name} again from where it is."
    return Failed(Code.STUCK, name, why, (name, *inside), how)


def _home(rig: Rig, name: str) -> PlanarPose | None:
    return station(rig, rig.world.furniture[name].part_of).stand


def _at_handle(rig: Rig, name: str, ahead: float, sides: tuple[float, ...]) -> Configuration:
    """Return a free configuration with the fingertips before the front of a shut drawer, so many metres `ahead` of it.

    The `sides` are distances to the right of the handle, in metres, the preferred first.

    Raises:
        Failed: No posture gets there (`out-of-reach`), or all hit something (`obstructed`).
    """
    item, pull = rig.world.furniture[name], pull_of(rig.world.furniture[name])
    height = rig.world.offered[name].handle
    culprits: set[str] = set()
    rig.mirror.sync(rig.world)
    spots = (to_world(item.pose, pull.face + ahead, pull.y + aside) for aside in sides)
    postures = (_postures(rig.description, *spot, height, item.pose.yaw + pi) for spot in spots)
    for configuration in chain.from_iterable(postures):
        clashes = rig.mirror.clashes(configuration) - {name}
        if not clashes:
            return configuration
        culprits |= clashes
    if culprits:
        others = ", ".join(sorted(culprits))
        why, how = f"{others} in the way of the handle.", f"Move {others} away first."
        raise Failed(Code.OBSTRUCTED, name, why, sorted(culprits), how)
    (low, high), why = rig.description.column, f"no posture gets to its handle, {height:.2f} m high."
    low, high = low + min(COLUMN_BELOW), high + max(COLUMN_BELOW)
    how = f"The hand reaches handles well between {low:.2f} and {high:.2f} m."
    raise Failed(Code.OUT_OF_REACH, name, why, (name,), how)


def _postures(description: BodyDescription, x: float, y: float, height: float, yaw: float) -> Iterator[Configuration]:
    low, high = description.column
    for pitch in PITCHES:
        for reach in REACHES:
            lifts = dict.fromkeys(min(max(height - below, low), high) for below in COLUMN_BELOW)
            for lift in lifts:
                arm = posture(description, Reach(reach, height, pitch, 0.0), lift)
                if arm is not None:
                    yield np.concatenate([[x - reach * cos(yaw), y - reach * sin(yaw), yaw], arm])
