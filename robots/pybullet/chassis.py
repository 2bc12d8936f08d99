"""The robot: a planar base, a lifting column, a Franka Panda and a mast with a head camera, as one articulated body.

Its configuration is a vector of eleven numbers: base x, y and yaw in the world, height of the column, and the seven
joints of the arm. The mirror, in which motions are planned, uses the same description with a fixed root. The arm, its
meshes and its limits are those of `pybullet_data`.
"""

from __future__ import annotations

import tempfile
from math import hypot
from pathlib import Path
from string import Template
from typing import Final

import numpy as np
import pybullet
import pybullet_data
from numpy.typing import NDArray

from robots.pybullet.limits import joint_limits
from semantics.geometry import PlanarPose, Vector

__all__ = [
    "COLUMN",
    "FINGERS",
    "MAST",
    "MAST_HEIGHT",
    "OPEN_WIDTH",
    "RADIUS",
    "SIZE",
    "Chassis",
    "Configuration",
    "load",
]

Configuration = NDArray[np.float64]
SIZE: Final = 11
RADIUS: Final = 0.2
"""Radius of the base, in metres."""
COLUMN: Final = (0.15, 0.85)
"""Lowest and highest height of the arm's foot above the floor, in metres."""
MAST_HEIGHT: Final = 1.5
"""Height of the head camera."""
MAST: Final = (-0.1, -0.15)
"""Position of the mast on the base, ahead and to the left of its centre, in metres."""
OPEN_WIDTH: Final = 0.04
"""How far each finger opens, in metres."""
GRIP_FORCE: Final = 20.0

JOINTS: Final = ("base_x", "base_y", "base_yaw", "column", *(f"panda_joint{i}" for i in range(1, 8)))
FINGERS: Final = ("panda_finger_joint1", "panda_finger_joint2")
FORCES: Final = (4000.0, 4000.0, 1500.0, 3000.0, 87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0)

FILE: Final = Path(__file__).with_name("chassis.urdf")


def description(*, fixed: bool) -> str:
    """Return the robot as URDF text; with `fixed`, the joints of the base do not move."""
    folder = Path(pybullet_data.getDataPath()) / "franka_panda"
    arm = (folder / "panda.urdf").read_text(encoding="utf-8").replace("package://meshes", str(folder / "meshes"))
    return Template(FILE.read_text(encoding="utf-8")).substitute(
        arm=arm[arm.index("<link") : arm.rindex("</robot>")],
        slide="fixed" if fixed else "prismatic",
        turn="fixed" if fixed else "continuous",
        radius=RADIUS,
        mast=f"{MAST[0]} {MAST[1]}",
        head=MAST_HEIGHT,
        lowest=COLUMN[0],
        highest=COLUMN[1],
    )


def load(client: int, *, fixed: bool) -> int:
    """Load the robot into a physics client; return its body id.

    With `fixed`, contacts between its own links are found, too.
    """
    flags = pybullet.URDF_USE_SELF_COLLISION | pybullet.URDF_USE_SELF_COLLISION_EXCLUDE_PARENT if fixed else 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "body.urdf"
        path.write_text(description(fixed=fixed), encoding="utf-8")
        body: int = pybullet.loadURDF(str(path), useFixedBase=True, flags=flags, physicsClientId=client)
    return body


def indices(client: int, body: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the index of each joint and of each link by name."""
    infos = [pybullet.getJointInfo(body, i, physicsClientId=client) for i in range(pybullet.getNumJoints(body, client))]
    return {info[1].decode(): info[0] for info in infos}, {info[12].decode(): info[0] for info in infos}


class Chassis:
    """The live robot: commands to its motors, and readings of its joints and fingers.

    Args:
        client: The physics client to load it into.
        start: The initial pose of the base.
        posture: The initial height of the column and the seven joint angles.

    Attributes:
        limits: The limits of the joints, which every command keeps.
    """

    def __init__(self, client: int, start: PlanarPose, posture: Configuration) -> None:
        self.client = client
        self.body = load(client, fixed=False)
        joints, self.links = indices(client, self.body)
        self.joints = [joints[name] for name in JOINTS]
        self.fingers = [joints[name] for name in FINGERS]
        self.hand = self.links["panda_hand"]
        self.grip = self.links["panda_grasptarget"]
        self.target: Configuration = np.concatenate([[start.x, start.y, start.yaw], posture])
        for joint, value in zip(self.joints, self.target, strict=True):
            pybullet.resetJointState(self.body, joint, value, physicsClientId=client)
        for finger in self.fingers:
            pybullet.resetJointState(self.body, finger, OPEN_WIDTH, physicsClientId=client)
            pybullet.changeDynamics(
                self.body, finger, lateralFriction=1.2, spinningFriction=0.02, physicsClientId=client
            )
        self.limits = joint_limits(client, self.body, self.joints)
        self._finger_limits = joint_limits(client, self.body, self.fingers)
        self.command(self.target, np.zeros(SIZE))
        self.move_fingers(OPEN_WIDTH)

    def command(self, target: Configuration, velocity: Configuration) -> None:
        """Send every joint to `target`, with `velocity` as feed-forward.

        Raises:
            JointLimitError: A joint would go beyond its limit; nothing is sent.
        """
        self.limits.check(target, velocity, FORCES)
        self.target = target
        pybullet.setJointMotorControlArray(
            self.body,
            self.joints,
            pybullet.POSITION_CONTROL,
            targetPositions=target.tolist(),
            targetVelocities=velocity.tolist(),
            forces=FORCES,
            positionGains=[0.25] * SIZE,
            velocityGains=[1.0] * SIZE,
            physicsClientId=self.client,
        )

    def configuration(self) -> Configuration:
        """Return the measured configuration."""
        states = pybullet.getJointStates(self.body, self.joints, physicsClientId=self.client)
        return np.array([state[0] for state in states])

    def hold(self) -> None:
        """Command the robot to stay at its measured configuration; a push may have moved it a little beyond a limit."""
        self.command(self.limits.within(self.configuration()), np.zeros(SIZE))

    def move_fingers(self, opening: float) -> None:
        """Move each finger to `opening` metres from the centre.

        Raises:
            JointLimitError: The fingers do not open as far; nothing is sent.
        """
        self._finger_limits.check(np.array([opening, opening]), np.zeros(2), [GRIP_FORCE, GRIP_FORCE])
        pybullet.setJointMotorControlArray(
            self.body,
            self.fingers,
            pybullet.POSITION_CONTROL,
            targetPositions=[opening, opening],
            forces=[GRIP_FORCE, GRIP_FORCE],
            positionGains=[0.1, 0.1],
            physicsClientId=self.client,
        )

    def width(self) -> float:
        """Return the gap between the fingers, in metres."""
        return sum(
            float(state[0]) for state in pybullet.getJointStates(self.body, self.fingers, physicsClientId=self.client)
        )

    def pinched(self) -> set[int]:
        """Return the bodies that touch both fingers."""
        touched = [
            {
                point[2]
                for point in pybullet.getContactPoints(bodyA=self.body, linkIndexA=finger, physicsClientId=self.client)
                if point[8] < 0.001 and point[2] != self.body
            }
            for finger in self.fingers
        ]
        return touched[0] & touched[1]

    def touches(self) -> list[tuple[str, int]]:
        """Return what links of the robot touch, as names of links and ids of bodies."""
        names = {index: name for name, index in self.links.items()}
        points = pybullet.getContactPoints(bodyA=self.body, physicsClientId=self.client)
        pairs = dict.fromkeys((point[3], point[2]) for point in points if point[8] < 0.001 and point[2] != self.body)
        return [(names[link], body) for link, body in pairs]

    def base(self) -> PlanarPose:
        """Return the measured pose of the base."""
        x, y, yaw = self.configuration()[:3]
        return PlanarPose(float(x), float(y), float(yaw))

    def speed(self) -> float:
        """Return the speed of the base, in metres per second."""
        states = pybullet.getJointStates(self.body, self.joints[:2], physicsClientId=self.client)
        return hypot(float(states[0][1]), float(states[1][1]))

    def tool(self) -> tuple[Vector, tuple[float, float, float, float]]:
        """Return position and orientation of the point between the fingertips."""
        state = pybullet.getLinkState(self.body, self.grip, computeForwardKinematics=True, physicsClientId=self.client)
        return state[4], state[5]
