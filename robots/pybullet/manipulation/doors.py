"""`open` and `close`: doors with a vertical hinge.

To open a door, the hand grasps the handle with verified contact, and the base pulls it along its arc. The arm is rigid
and the hand keeps its direction, so that the round handle turns between the fingers. Then the hand releases the handle,
reaches behind the free edge, and the base sweeps the door wide open. To close a door, one push from outside along the
same arc is enough.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

import numpy as np
import pybullet

from robots.furniture import to_world
from robots.pybullet.description import Configuration
from robots.pybullet.kinematics import LimitExcess, Reach, solve
from robots.pybullet.manipulation.reach import backed, station, way_behind, withdraw
from robots.pybullet.motion import Failed, Steps, pause
from robots.pybullet.rig import Rig
from robots.pybullet.scenery.carpentry import DOOR_THICKNESS, HANDLE
from robots.pybullet.scenery.world import DOOR, OPEN_ANGLE
from semantics.feedback import Code
from semantics.geometry import PlanarPose

__all__ = ["RUNS", "close_door", "come", "empty_handed", "open_door", "press", "tie_to_handle"]

PULLED = 0.75
"""The angle up to which the hand pulls the door by its handle, in radians; from there on it pushes."""
ENOUGH = 0.5
"""The angle from which the hand fits behind the door and need not pull, in radians."""
SWEPT = 1.85
SHUT = 0.03
"""Angle in radians below which a door counts as shut."""
PRESSED_SHUT = 0.002
"""Angle in radians at which the hand stops pushing a door: a hand that goes on is bent back at its wrist."""
REACH = 0.62
"""Distance from the centre of the base to the fingertips while the base moves the door, in metres."""
PITCH = 0.25
"""Pitch of the hand below the horizontal at a door."""
COLUMN_BELOW = 0.58
"""How far the foot of the arm is below the fingertips at a door, in metres."""
RUNS = (0.3, 0.2, 0.12, 0.06)
"""Distances by which the base may back off from a posture at a door, in metres."""
HAND_HALF = 0.105
TIE_FORCE = 300.0


class Hinge(NamedTuple):
    """A door's geometry in the frame of its furniture: hinge line, width, and the frame itself."""

    x: float
    y: float
    width: float
    height: float
    frame: PlanarPose

    def point(self, angle: float, along: float, out: float) -> tuple[float, float]:
        """Return the spot `along` the panel from the hinge and `out` from its outer face's plane, at an angle."""
        return (
            self.x + along * sin(angle) + out * cos(angle),
            self.y - along * cos(angle) + out * sin(angle),
        )


def _hinge(rig: Rig, name: str) -> Hinge:
    item = rig.world.furniture[name]
    width, depth, _ = item.size
    return Hinge(depth / 2 - DOOR_THICKNESS, width / 2, width, rig.world.offered[name].handle, item.pose)


def _posture(rig: Rig, hinge: Hinge, spot: tuple[float, float], height: float) -> Configuration:
    """Return the configuration with level fingertips at a spot of the furniture's frame, facing it."""
    lowest, highest = rig.description.column
    lift = min(max(height - COLUMN_BELOW, lowest), highest)
    arm = solve(rig.description, Reach(REACH, height, PITCH, 0.0), lift)
    if isinstance(arm, LimitExcess):
        why = f"no posture of the arm gets to {height:.2f} m above the floor: {arm}."
        low, high = lowest + COLUMN_BELOW, highest + COLUMN_BELOW
        how = f"The hand opens and shuts doors well between {low:.2f} and {high:.2f} m above the floor."
        raise Failed(Code.OUT_OF_REACH, "door", why, (), how)
    yaw = hinge.frame.yaw + pi
    x, y = to_world(hinge.frame, *spot)
    return np.concatenate([[x - REACH * cos(yaw), y - REACH * sin(yaw), yaw], arm])


def come(rig: Rig, goal: Configuration, pace: float) -> Steps:
    """Reach a posture by a straight drive ahead at the end, over the longest of `RUNS` for which there is room.

    Raises:
        Failed: No path is free (`obstructed`).
    """
    rig.mirror.sync(rig.world)
    yield from rig.travel(way_behind(rig, goal, RUNS, "door"))
    yield from rig.move(goal, pace=pace)


def open_door(rig: Rig, name: str) -> Steps:
    """Open a door wide.

    Raises:
        Failed: The hand is full (`refused-by-body`), the hand missed the handle (`not-grasped`), or the door does not
            follow (`stuck`).
    """
    empty_handed(rig, name)
    rig.chassis.open_fingers()
    yield from withdraw(rig)
    hinge = _hinge(rig, name)
    if rig.world.door_angle(name) < ENOUGH:
        yield from _pull(rig, name, hinge)
    if rig.world.door_angle(name) < SWEPT - 0.15:
        yield from _sweep_open(rig, name, hinge)
    yield from withdraw(rig, station(rig, name).stand)
    if rig.world.door_angle(name) < 0.8 * OPEN_ANGLE:
        raise _does_not_stay(rig, name, f"open: {0.8 * OPEN_ANGLE:.2f} rad is wide enough")


def empty_handed(rig: Rig, name: str) -> None:
    """Check that nothing is in the hand.

    Raises:
        Failed: Something is (`refused-by-body`).
    """
    if rig.held is not None:
        raise Failed(
            Code.REFUSED_BY_BODY, name, f"the hand holds {rig.held}.", (rig.held,), f"Put {rig.held} down first."
        )


def _pull(rig: Rig, name: str, hinge: Hinge) -> Steps:
    """Grasp the handle and pull it along the first part of its arc."""
    along, out = hinge.width - HANDLE.inset, DOOR_THICKNESS + HANDLE.standoff
    angle = rig.world.door_angle(name)
    at = _posture(rig, hinge, hinge.point(angle, along, out), hinge.height)
    yield from come(rig, at, 0.6)
    yield from rig.close_on(name)
    tie = tie_to_handle(rig, name)
    try:
        arc = [hinge.point(float(goal), along, out) for goal in np.linspace(angle, PULLED, 8)[1:]]
        yield from rig.move(*(_posture(rig, hinge, spot, hinge.height) for spot in arc), pace=0.5)
    finally:
        pybullet.removeConstraint(tie, physicsClientId=rig.world.client)
    rig.chassis.open_fingers()
    yield from pause(0.3, 0.5)
    if rig.world.door_angle(name) < 0.7 * PULLED:
        angle = rig.world.door_angle(name)
        why = f"the handle slipped out of the fingers at {angle:.2f} rad, and {0.7 * PULLED:.2f} rad is wide enough."
        raise Failed(
            Code.NOT_GRASPED, name, why, (name,), _clearing(rig, name) or f"Pull {name} again from where it is."
        )
    yield from rig.move(backed(rig.description, rig.now(), 0.12))


def tie_to_handle(rig: Rig, name: str) -> int:
    """Constrain the fingertips to the handle that both touch, with free rotation about it; return the constraint."""
    client = rig.world.client
    hand = pybullet.getLinkState(rig.chassis.body, rig.chassis.hand, physicsClientId=client)
    tool, _ = rig.chassis.tool()
    on_hand, _ = pybullet.multiplyTransforms(*pybullet.invertTransform(hand[0], hand[1]), tool, (0, 0, 0, 1))
    door = pybullet.getLinkState(rig.world.body(name), DOOR, physicsClientId=client)
    on_door, _ = pybullet.multiplyTransforms(*pybullet.invertTransform(door[0], door[1]), tool, (0, 0, 0, 1))
    tie: int = pybullet.createConstraint(
        rig.chassis.body, rig.chassis.hand, rig.world.body(name), DOOR, pybullet.JOINT_POINT2POINT, (0, 0, 0),
        on_hand, on_door, physicsClientId=client,
    )  # fmt: skip
    pybullet.changeConstraint(tie, maxForce=TIE_FORCE, physicsClientId=client)
    return tie


def _sweep_open(rig: Rig, name: str, hinge: Hinge) -> Steps:
    """Reach behind the free edge and push the door wide open."""
    angle = rig.world.door_angle(name)
    edge = hinge.point(angle, hinge.width, 0.0)
    rig.chassis.move_fingers(0.0)
    behind = (max(hinge.x + 0.2, min(edge[0] - 0.08, hinge.x + 0.3)), edge[1] - HAND_HALF - 0.06)
    start = _posture(rig, hinge, behind, hinge.height + 0.1)
    yield from come(rig, start, 0.8)
    wide = (behind[0] + 0.02, hinge.y - HAND_HALF + 0.04)
    yield from rig.move(_posture(rig, hinge, wide, hinge.height + 0.1), pace=0.6)
    yield from rig.move(backed(rig.description, rig.now(), 0.35))
    rig.chassis.open_fingers()


def close_door(rig: Rig, name: str) -> Steps:
    """Push a door shut.

    Raises:
        Failed: The hand is full (`refused-by-body`), or an obstacle keeps the door open (`stuck`, `obstructed`).
    """
    empty_handed(rig, name)
    yield from withdraw(rig)
    hinge = _hinge(rig, name)
    angle = rig.world.door_angle(name)
    rig.chassis.move_fingers(0.0)
    along, height = 0.8 * hinge.width, hinge.height
    start = _posture(rig, hinge, hinge.point(angle, along, DOOR_THICKNESS + 0.2), height)
    yield from come(rig, start, 0.8)
    arc = [hinge.point(float(goal), along, DOOR_THICKNESS + 0.02) for goal in np.linspace(angle, 0.0, 12)]
    yield from rig.move(*(_posture(rig, hinge, spot, height) for spot in arc), pace=0.6)
    shut = _posture(rig, hinge, hinge.point(0.0, along, DOOR_THICKNESS - 0.012), height)
    yield from press(rig, name, shut, shut=PRESSED_SHUT)
    yield from rig.move(backed(rig.description, rig.now(), 0.3))
    rig.chassis.open_fingers()
    yield from withdraw(rig, station(rig, name).stand)
    if rig.world.door_angle(name) > SHUT:
        raise _does_not_stay(rig, name, f"shut: {SHUT} rad is shut")


def press(rig: Rig, name: str, *goals: Configuration, shut: float) -> Steps:
    """Push a door or a drawer along `goals` until it is open by less than `shut`, in radians or metres."""
    for fraction in rig.move(*goals, pace=0.6):
        if rig.world.door_angle(name) < shut:
            rig.chassis.hold()
            return
        yield fraction


def _does_not_stay(rig: Rig, name: str, how_far: str) -> Failed:
    """Return the failure of a door that does not stay where it was moved to, with what touches it."""
    why = f"the door is at {rig.world.door_angle(name):.2f} rad and does not stay {how_far}."
    culprits = (name, *_against(rig, name))
    how = _clearing(rig, name) or f"Nothing touches the door of {name}: push it again."
    return Failed(Code.STUCK, name, why, culprits, how)


def _clearing(rig: Rig, name: str) -> str:
    """Return the suggestion to move away what touches a door; empty if nothing does."""
    against = _against(rig, name)
    return f"Move {' and '.join(against)} away from the door of {name}." if against else ""


def _against(rig: Rig, name: str) -> list[str]:
    """Return what touches a door, by name."""
    points = pybullet.getContactPoints(bodyA=rig.world.body(name), linkIndexA=DOOR, physicsClientId=rig.world.client)
    touching = {rig.world.names.get(point[2], name) for point in points if point[8] < 0.002}
    return sorted(touching - {name, rig.name})
