"""`open` and `close`: doors with a vertical hinge.

To open a door, the hand grasps the handle with verified contact, and the base pulls it along its arc. The arm is rigid
and the hand keeps its direction, so that the round handle turns between the fingers. Then the hand releases the handle,
reaches behind the free edge, and the base sweeps the door wide open. To close a door, one push from outside along the
same arc is enough. Of a door with two leaves, one is moved after the other.
"""

from __future__ import annotations

from math import cos, pi, sin, tan
from typing import NamedTuple

import numpy as np
import pybullet

from robots.leaves import RIGHT, Leaf
from robots.pybullet.description import Configuration
from robots.pybullet.kinematics import LimitExcess, Reach, solve
from robots.pybullet.manipulation.reach import backed, station, way_behind, withdraw
from robots.pybullet.motion import Failed, Steps, halt, pause
from robots.pybullet.rig import Rig
from robots.pybullet.scenery.world import DOOR
from semantics.geometry.geometry import PlanarPose, to_world
from semantics.logic.feedback import Code

PULLED = 0.75  # the angle up to which the hand pulls the door by its handle, in radians; from there on it pushes
NARROW = 0.45  # the width below which a leaf is narrow, in metres: at `PULLED`, the hand does not fit behind it
PULLED_FAR = 1.25
"""The same for a narrow leaf, and for one with its hinge at the left, where the elbow is in the way behind it."""
BEFORE_LIMIT = 0.07
"""How far before its limit the hand stops pushing a leaf that opens no wider than `SWEPT`, in radians."""
ENOUGH = 2.0 / 3.0  # the share of that angle from which on the hand fits behind the leaf and need not pull
SWEPT = 1.85
SHUT = 0.03  # angle in radians below which a door counts as shut
PRESSED_SHUT = 0.002
"""Angle in radians at which the hand stops pushing a door: a hand that goes on is bent back at its wrist."""
NEARLY_SHUT, SLOW_PACE = 0.06, 0.06
"""Angle in radians from which on a door is pushed slowly, and the share of the cruising speed for that."""
REACH = 0.62  # distance from the centre of the base to the fingertips while the base moves the door, in metres
PITCH = 0.25  # pitch of the hand below the horizontal at a door
COLUMN_BELOW = 0.58  # how far the foot of the arm is below the fingertips at a door, in metres
RUNS = (0.3, 0.2, 0.12, 0.06)  # distances by which the base may back off from a posture at a door, in metres
HAND_HALF = 0.105
BESIDE = 0.06
"""How far beside its handle a leaf is pushed shut, in metres: a hand that rubs against the handle pulls it along."""
TIE_FORCE = 300.0


class Panel(NamedTuple):
    """A leaf of a door in the room: its furniture, its link, its geometry, and the frame of the furniture."""

    name: str
    link: int
    leaf: Leaf
    frame: PlanarPose

    def angle(self, rig: Rig) -> float:
        """Return its angle from shut, in radians."""
        return rig.world.door_angle(self.name, self.link)


def _panels(rig: Rig, name: str) -> list[Panel]:
    frame = rig.world.furniture[name].pose
    return [Panel(name, link, leaf, frame) for link, leaf in enumerate(rig.world.leaves[name])]


def _posture(rig: Rig, frame: PlanarPose, spot: tuple[float, float], height: float) -> Configuration:
    """Return the configuration with level fingertips at a spot of the furniture's frame, facing it."""
    lowest, highest = rig.description.column
    lift = min(max(height - COLUMN_BELOW, lowest), highest)
    arm = solve(rig.description, Reach(REACH, height, PITCH, 0.0), lift)
    if isinstance(arm, LimitExcess):
        why = f"no posture of the arm gets to {height:.2f} m above the floor: {arm}."
        low, high = lowest + COLUMN_BELOW, highest + COLUMN_BELOW
        how = f"The hand opens and shuts doors well between {low:.2f} and {high:.2f} m above the floor."
        raise Failed(Code.OUT_OF_REACH, "door", why, (), how)
    yaw = frame.yaw + pi
    x, y = to_world(frame, *spot)
    return np.concatenate([[x - REACH * cos(yaw), y - REACH * sin(yaw), yaw], arm])


def come(rig: Rig, goal: Configuration) -> Steps:
    """Reach a posture by a straight drive ahead at the end, over the longest of `RUNS` for which there is room.

    Raises:
        Failed: No path is free (`obstructed`).
    """
    path = yield from way_behind(rig, goal, RUNS, "door")
    yield from rig.travel(path._replace(waypoints=(*path.waypoints, goal)))


def open_door(rig: Rig, name: str) -> Steps:
    """Open a door wide, one leaf after the other.

    Raises:
        Failed: The hand is full (`refused-by-body`), the hand missed the handle (`not-grasped`), or the door does not
            follow (`stuck`).
    """
    rig.check_empty(name)
    for panel in _panels(rig, name):
        rig.chassis.open_fingers()
        yield from withdraw(rig)
        if panel.angle(rig) < ENOUGH * _pulled_to(panel.leaf):
            yield from _pull(rig, panel)
        if panel.angle(rig) < min(SWEPT - 0.15, panel.leaf.limit - BEFORE_LIMIT):
            yield from _sweep_open(rig, panel)
        yield from withdraw(rig, station(rig, name).stand)
        enough = 0.8 * rig.world.wide_open(name, panel.link)
        if panel.angle(rig) < enough:
            raise _does_not_stay(rig, panel, f"open: {enough:.2f} rad is wide enough")


def _pulled_to(leaf: Leaf) -> float:
    """Return the angle up to which the hand pulls a leaf by its handle, in radians."""
    return PULLED if leaf.width >= NARROW and leaf.side == RIGHT else PULLED_FAR


def _pull(rig: Rig, panel: Panel) -> Steps:
    """Grasp the handle and pull it along the first part of its arc."""
    name, leaf = panel.name, panel.leaf
    pulled = _pulled_to(leaf)
    angle = panel.angle(rig)
    at = _posture(rig, panel.frame, leaf.point(angle, leaf.along, leaf.out), leaf.height)
    yield from come(rig, at)
    yield from rig.close_on(name)
    tie = tie_to_handle(rig, name, panel.link)
    try:
        arc = [leaf.point(float(goal), leaf.along, leaf.out) for goal in np.linspace(angle, pulled, 8)[1:]]
        yield from rig.move(*(_posture(rig, panel.frame, spot, leaf.height) for spot in arc), pace=0.7)
    finally:
        pybullet.removeConstraint(tie, physicsClientId=rig.world.client)
    rig.chassis.open_fingers()
    yield from pause(0.3, 0.5)
    if panel.angle(rig) < 0.7 * pulled:
        angle, how = panel.angle(rig), _clearing(rig, panel) or f"Pull {name} again from where it is."
        why = f"the handle slipped out of the fingers at {angle:.2f} rad, and {0.7 * pulled:.2f} rad is wide enough."
        raise Failed(Code.NOT_GRASPED, name, why, (name,), how)
    yield from rig.move(backed(rig.description, rig.now(), 0.12))


def tie_to_handle(rig: Rig, name: str, link: int = DOOR) -> int:
    """Constrain the fingertips to the handle that both touch, with free rotation about it; return the constraint."""
    client = rig.world.client
    hand = pybullet.getLinkState(rig.chassis.body, rig.chassis.hand, physicsClientId=client)
    tool, _ = rig.chassis.tool()
    on_hand, _ = pybullet.multiplyTransforms(*pybullet.invertTransform(hand[0], hand[1]), tool, (0, 0, 0, 1))
    door = pybullet.getLinkState(rig.world.body(name), link, physicsClientId=client)
    on_door, _ = pybullet.multiplyTransforms(*pybullet.invertTransform(door[0], door[1]), tool, (0, 0, 0, 1))
    tie: int = pybullet.createConstraint(
        rig.chassis.body, rig.chassis.hand, rig.world.body(name), link, pybullet.JOINT_POINT2POINT, (0, 0, 0),
        on_hand, on_door, physicsClientId=client,
    )  # fmt: skip
    pybullet.changeConstraint(tie, maxForce=TIE_FORCE, physicsClientId=client)
    return tie


def _sweep_open(rig: Rig, panel: Panel) -> Steps:
    """Reach behind the free edge and push the leaf wide open."""
    leaf, height = panel.leaf, panel.leaf.height + 0.1
    edge = leaf.point(panel.angle(rig), leaf.width, 0.0)
    rig.chassis.move_fingers(0.0)
    behind = (max(leaf.x + 0.2, min(edge[0] - 0.08, leaf.x + 0.3)), leaf.aside(edge[1], HAND_HALF + 0.06))
    yield from come(rig, _posture(rig, panel.frame, behind, height))
    wide = (behind[0] + 0.02, leaf.aside(leaf.y, HAND_HALF - 0.04))
    if leaf.limit < SWEPT:
        beyond = (wide[0] - leaf.x) / tan(leaf.limit - BEFORE_LIMIT)
        wide = (wide[0], leaf.aside(leaf.y, HAND_HALF + beyond))
    yield from rig.move(_posture(rig, panel.frame, wide, height))
    yield from rig.move(backed(rig.description, rig.now(), 0.35))
    rig.chassis.open_fingers()


def close_door(rig: Rig, name: str) -> Steps:
    """Push a door shut, one leaf after the other.

    Raises:
        Failed: The hand is full (`refused-by-body`), or an obstacle keeps the door open (`stuck`, `obstructed`).
    """
    rig.check_empty(name)
    for panel in _panels(rig, name):
        leaf, height, angle = panel.leaf, panel.leaf.height, panel.angle(rig)
        if angle <= PRESSED_SHUT:
            continue
        yield from withdraw(rig)
        rig.chassis.move_fingers(0.0)
        along = min(0.8 * leaf.width, leaf.along - BESIDE)
        start = _posture(rig, panel.frame, leaf.point(angle, along, leaf.thickness + 0.2), height)
        yield from come(rig, start)
        angles = np.linspace(angle, min(angle, NEARLY_SHUT), 12)
        arc = [leaf.point(float(goal), along, leaf.thickness + 0.02) for goal in angles]
        yield from rig.move(*(_posture(rig, panel.frame, spot, height) for spot in arc), pace=0.6)
        shut = _posture(rig, panel.frame, leaf.point(0.0, along, leaf.thickness - 0.012), height)
        yield from press(rig, name, shut, shut=PRESSED_SHUT, link=panel.link)
        yield from rig.move(backed(rig.description, rig.now(), 0.3))
        rig.chassis.open_fingers()
        yield from withdraw(rig, station(rig, name).stand)
        if panel.angle(rig) > SHUT:
            raise _does_not_stay(rig, panel, f"shut: {SHUT} rad is shut")


def press(rig: Rig, name: str, goal: Configuration, shut: float, link: int = DOOR) -> Steps:
    """Push slowly, since a fast hand is bent back, until what is pushed is open by less than `shut` (rad or m)."""
    for fraction in rig.move(goal, pace=SLOW_PACE):
        if rig.world.door_angle(name, link) < shut:
            break
        yield fraction
    yield from halt(rig.chassis)


def _does_not_stay(rig: Rig, panel: Panel, how_far: str) -> Failed:
    """Return the failure of a door that does not stay where it was moved to, with what touches it."""
    why = f"the door is at {panel.angle(rig):.2f} rad and does not stay {how_far}."
    how = _clearing(rig, panel) or f"Nothing touches the door of {panel.name}: push it again."
    return Failed(Code.STUCK, panel.name, why, (panel.name, *_against(rig, panel)), how)


def _clearing(rig: Rig, panel: Panel) -> str:
    """Return the suggestion to move away what touches a door; empty if nothing does."""
    against = _against(rig, panel)
    return f"Move {' and '.join(against)} away from the door of {panel.name}." if against else ""


def _against(rig: Rig, panel: Panel) -> list[str]:
    body, client = rig.world.body(panel.name), rig.world.client
    points = pybullet.getContactPoints(bodyA=body, linkIndexA=panel.link, physicsClientId=client)
    touching = {rig.world.names.get(point[2], panel.name) for point in points if point[8] < 0.002}
    return sorted(touching - {panel.name, rig.name})
