"""The robot in a physics client: a base, a lifting column, a Franka Panda and a mast with a camera, as one body.

What its joints are and may do is data (`robots.pybullet.description`). The mirror, in which motions are planned, uses
the same description with a fixed root. The arm and its meshes are those of `pybullet_data`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import chain
from math import hypot
from pathlib import Path
from string import Template
from typing import Final

import numpy as np
import pybullet
import pybullet_data

from robots.pybullet.description import SIZE, BodyDescription, Configuration
from robots.pybullet.limits import CommandedMotion, joint_limits
from robots.pybullet.timing import TICK, MotionState, brake, profile, timed
from semantics.geometry.geometry import Box, PlanarPose, Vector

HEAD: Final = 0.05  # how far the camera is above the middle of its housing, in metres

AT_REST: Final[Configuration] = np.zeros(SIZE)
PUSHED: Final = 0.1  # the least lag at which something pushes the robot, as a share of the one at which it has arrived
STEEPLY, LEAST_FORCE = 0.7, 10.0
"""Cosine from upwards up to which a finger presses on something from above, and the least force, in newtons."""
FILE: Final = Path(__file__).with_name("chassis.urdf")


def _urdf(description: BodyDescription, *, fixed: bool) -> str:
    """Return the robot as URDF text; with `fixed`, the joints of the base do not move."""
    folder = Path(pybullet_data.getDataPath()) / "franka_panda"
    arm = (folder / "panda.urdf").read_text(encoding="utf-8").replace("package://meshes", str(folder / "meshes"))
    camera = description.camera
    return Template(FILE.read_text(encoding="utf-8")).substitute(
        arm=arm[arm.index("<link") : arm.rindex("</robot>")],
        slide="fixed" if fixed else "prismatic",
        turn="fixed" if fixed else "continuous",
        radius=description.base.radius,
        mast=f"{camera.ahead} {camera.aside}",
        head=camera.height - HEAD,
        lowest=description.column[0],
        highest=description.column[1],
    )


def load(client: int, description: BodyDescription, *, fixed: bool, at: PlanarPose | None = None) -> int:
    """Load the robot into a physics client, with its root at a pose; return its body id."""
    return _load(client, description, fixed=fixed, at=at, flags=0)


def load_for_planning(client: int, description: BodyDescription, at: PlanarPose) -> int:
    """Load the robot with a fixed root so that contacts between its own links are found; return its body id."""
    flags = pybullet.URDF_USE_SELF_COLLISION | pybullet.URDF_USE_SELF_COLLISION_EXCLUDE_PARENT
    return _load(client, description, fixed=True, at=at, flags=flags)


def _load(client: int, description: BodyDescription, *, fixed: bool, at: PlanarPose | None, flags: int) -> int:
    root = at or PlanarPose(0.0, 0.0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "body.urdf"
        path.write_text(_urdf(description, fixed=fixed), encoding="utf-8")
        body: int = pybullet.loadURDF(
            str(path),
            basePosition=(root.x, root.y, 0.0),
            baseOrientation=pybullet.getQuaternionFromEuler((0.0, 0.0, root.yaw)),
            useFixedBase=True,
            flags=flags,
            physicsClientId=client,
        )
    return body


def indices(client: int, body: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the index of each joint and of each link by name."""
    infos = [pybullet.getJointInfo(body, i, physicsClientId=client) for i in range(pybullet.getNumJoints(body, client))]
    return {info[1].decode(): info[0] for info in infos}, {info[12].decode(): info[0] for info in infos}


class Chassis:
    """The live robot: commands to its motors, and readings of its joints and fingers.

    Args:
        client: The physics client to load it into.
        description: The robot.
        start: The initial pose of the base.
        posture: The initial height of the arm's foot and the seven joint angles.

    Attributes:
        limits: The limits of the joints, which every command keeps.
    """

    def __init__(self, client: int, description: BodyDescription, start: PlanarPose, posture: Configuration) -> None:
        self.client = client
        self.description = description
        hand = description.hand
        self.body = load(client, description, fixed=not description.moves, at=None if description.moves else start)
        joints, self.links = indices(client, self.body)
        self.joints = [joints[name] for name in description.joints]
        self.fingers = [joints[name] for name in hand.fingers]
        self.hand = self.links[hand.link]
        self.grip = self.links[hand.tool]
        self._start = start
        self._origin = description.origin(start.x, start.y, start.yaw)
        self.target: Configuration = np.concatenate([[start.x, start.y, start.yaw], posture])
        for joint, value in zip(self.joints, self._of_joints(self.target - self._origin), strict=True):
            pybullet.resetJointState(self.body, joint, value, physicsClientId=client)
        for finger in self.fingers:
            pybullet.resetJointState(self.body, finger, hand.opening, physicsClientId=client)
            pybullet.changeDynamics(
                self.body, finger, lateralFriction=hand.friction, spinningFriction=0.02, physicsClientId=client
            )
        self.limits = joint_limits(client, self.body, self.joints)
        self._finger_limits = joint_limits(client, self.body, self.fingers)
        self._before, self._rates = self.target, (AT_REST, AT_REST)
        self._motion = CommandedMotion(description)
        self._commanded = False
        self._brake: Iterator[MotionState] | None = None
        self._sent: dict[int, tuple[float, float, float]] = {}
        self._finger_time = 0.0
        self._finger, self._finger_before = (hand.opening, 0.0, 0.0), hand.opening
        self.open_fingers()
        self.drive(0.0)

    def _of_joints(self, values: Configuration) -> list[float]:
        """Return the values of the coordinates that joints set."""
        driven: list[float] = values[self.description.driven].tolist()
        return driven

    def command(self, target: Configuration, velocity: Configuration, acceleration: Configuration = AT_REST) -> None:
        """Set where every joint is to be at the end of this control tick, and how it moves there.

        Raises:
            JointLimitError: A joint would go beyond its limit, or change its motion too fast; nothing is sent.
        """
        joints = np.array(self._of_joints(target - self._origin))
        self.limits.check(joints, np.array(self._of_joints(velocity)), self.description.forces)
        self._motion.advance(target - self.target)
        self._before, self.target, self._rates = self.target, target, (velocity, acceleration)
        self._commanded = True

    @property
    def braking(self) -> bool:
        """Whether the robot is coming to rest after `hold`."""
        return self._brake is not None

    def complete_tick(self) -> None:
        """Brake or rest if there was no command in this control tick, and move the fingers on."""
        if not self._commanded:
            if self._brake is None and np.any(self._rates):
                self.hold()
            state = None if self._brake is None else next(self._brake, None)
            if state is None:
                self._brake = None
            self.command(*(state or MotionState(self.target, AT_REST, AT_REST)))
        self._commanded = False
        self._finger_before, self._finger_time = self._finger[0], self._finger_time + TICK
        self._finger = tuple(values[0] for values in self._finger_profile.at_time(self._finger_time))

    def drive(self, share: float) -> None:
        """Send the motors what they do from a share of the control tick on: where they are by then, and how fast to go.

        A target for the end of the tick would be a lag at its beginning, which they would make up for at once.
        """
        step = self.target - self._before
        now, speeds = self._of_joints(self._before + share * step - self._origin), self._of_joints(step / TICK)
        for motor in zip(self.joints, now, speeds, self.description.forces, self.limits.speed.tolist(), strict=True):
            self._drive(*motor, gain=0.25)
        slip = self._finger[0] - self._finger_before
        for finger in self.fingers:
            where = self._finger_before + share * slip
            self._drive(finger, where, slip / TICK, self._finger_force, self.description.hand.speed, gain=0.1)

    def _drive(self, joint: int, position: float, speed: float, force: float, most: float, *, gain: float) -> None:
        """Send a motor its position and its speed, if they are others; it makes up for a lag at `most` as fast."""
        if self._sent.get(joint) == (position, speed, force):
            return
        self._sent[joint] = (position, speed, force)
        pybullet.setJointMotorControl2(
            self.body,
            joint,
            pybullet.POSITION_CONTROL,
            targetPosition=position,
            targetVelocity=speed,
            force=force,
            positionGain=gain,
            maxVelocity=most,
            physicsClientId=self.client,
        )

    def check_positions(self, target: Configuration) -> None:
        """Check a configuration.

        Raises:
            JointLimitError: A joint would be beyond its limit.
        """
        self.limits.check_positions(np.array(self._of_joints(target - self._origin)))

    def configuration(self) -> Configuration:
        """Return the measured configuration."""
        states = pybullet.getJointStates(self.body, self.joints, physicsClientId=self.client)
        measured = self._origin.copy()
        measured[self.description.driven] += [state[0] for state in states]
        return measured

    def hold(self) -> None:
        """Begin to brake, without a jump; where something keeps the robot from its target, it then gives way to it."""
        state = MotionState(self.target, *self._rates)
        self._brake = chain(brake(state, self.description.motion_limits), self._give_way())

    def _give_way(self) -> Iterator[MotionState]:
        """Yield the states of a motion to where the robot is, if it lags."""
        driven = self.description.driven
        lag = self.limits.within((self.configuration() - self._origin)[driven]) - (self.target - self._origin)[driven]
        goal = self.target.copy()
        if np.any(np.abs(lag) > PUSHED * self.description.settled[driven]):
            goal[driven] += lag
        for setpoint in timed([self.target, goal], self.description.motion_limits):
            yield setpoint.state

    def open_fingers(self, opening: float | None = None) -> None:
        """Open each finger to `opening` metres from the centre, by default fully."""
        self.move_fingers(self.description.hand.opening if opening is None else opening)

    def move_fingers(self, opening: float, force: float | None = None) -> None:
        """Move each finger to `opening` metres from the centre, with a force in newtons or with that of the hand.

        Raises:
            JointLimitError: The fingers do not open as far, or have not this force; nothing is sent.
        """
        force = self.description.hand.force if force is None else force
        self._finger_limits.check(np.array([opening, opening]), np.zeros(2), [force, force])
        hand = self.description.hand
        self._finger_force, self._finger_time = force, 0.0
        self._finger_profile = profile(self._finger, (opening, 0.0), hand.speed, hand.acceleration, hand.jerk)

    def width(self) -> float:
        """Return the gap between the fingers, in metres."""
        states = pybullet.getJointStates(self.body, self.fingers, physicsClientId=self.client)
        return sum(float(state[0]) for state in states)

    def pinched(self) -> set[int]:
        """Return the bodies that touch both fingers."""
        first, second = ({body for link, body in self._contacts() if link == finger} for finger in self.fingers)
        return first & second

    def touches(self) -> list[tuple[str, int]]:
        """Return what links of the robot touch, as names of links and ids of bodies."""
        names = {index: name for name, index in self.links.items()}
        return [(names[link], body) for link, body in dict.fromkeys(self._contacts())]

    def stands_on(self) -> set[int]:
        """Return the bodies on which a finger presses from above."""
        points = pybullet.getContactPoints(bodyA=self.body, physicsClientId=self.client)
        return {
            each[2] for each in points if each[3] in self.fingers and each[7][2] > STEEPLY and each[9] > LEAST_FORCE
        }

    def _contacts(self) -> Iterator[tuple[int, int]]:
        """Yield the index of a link and the body that it touches, for each contact with something else."""
        points = pybullet.getContactPoints(bodyA=self.body, physicsClientId=self.client)
        return ((point[3], point[2]) for point in points if point[8] < 0.001 and point[2] != self.body)

    def bounds(self) -> Box:
        """Return the bounds of the whole robot as it stands now, from the floor up, in metres."""
        boxes = [pybullet.getAABB(self.body, link, physicsClientId=self.client) for link in self.links.values()]
        lows, highs = zip(*boxes, strict=True)
        (x, y, _), high = np.min(lows, axis=0).tolist(), np.max(highs, axis=0).tolist()
        return Box((x, y, 0.0), (high[0], high[1], high[2]))

    def base(self) -> PlanarPose:
        """Return the measured pose of the base."""
        if not self.description.moves:
            return self._start
        x, y, yaw = self.configuration()[:3]
        return PlanarPose(float(x), float(y), float(yaw))

    def speed(self) -> float:
        """Return the speed of the base, in metres per second."""
        if not self.description.moves:
            return 0.0
        states = pybullet.getJointStates(self.body, self.joints[:2], physicsClientId=self.client)
        return hypot(float(states[0][1]), float(states[1][1]))

    def tool(self) -> tuple[Vector, tuple[float, float, float, float]]:
        """Return position and orientation of the point between the fingertips."""
        state = pybullet.getLinkState(self.body, self.grip, computeForwardKinematics=True, physicsClientId=self.client)
        return state[4], state[5]
