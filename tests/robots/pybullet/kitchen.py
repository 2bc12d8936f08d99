"""A small kitchen for the tests of the simulated body, and how to make the body do something."""

from math import pi

from robots.pybullet import PyBulletRobot
from semantics.body.layout import Furniture, Layout, MovableObject, Person, RobotStart, Shape
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.geometry.geometry import PlanarPose
from semantics.logic.state import Command

MILK = Shape("box", (0.065, 0.065, 0.18), 0.5)
APPLE = Shape("sphere", (0.065, 0.065, 0.065), 0.15)
CUP = Shape("cylinder", (0.066, 0.066, 0.085), 0.18)
BOWL = Shape("open-box", (0.16, 0.16, 0.07), 0.3)
KNIFE = Shape("box", (0.18, 0.02, 0.012), 0.05)

LAYOUT = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0, 0.4)),
    (
        Furniture("counter0", "counter", PlanarPose(0.0, 1.9, -pi / 2), (1.6, 0.6, 0.85)),
        Furniture("shelf0", "shelf", PlanarPose(-2.1, 0.0, 0.0), (1.0, 0.35, 1.2)),
        Furniture("sink0", "sink", PlanarPose(-1.6, 1.9, -pi / 2), (0.7, 0.6, 0.85)),
        Furniture("fridge0", "fridge", PlanarPose(1.2, -1.9, pi / 2), (0.6, 0.55, 1.2)),
    ),
    (
        MovableObject("apple0", APPLE, "on", "counter0", (-0.4, 0.1)),
        MovableObject("cup0", CUP, "on", "counter0", (0.0, 0.1)),
        MovableObject("knife0", KNIFE, "on", "counter0", (0.4, 0.1), yaw=0.4),
        MovableObject("bowl0", BOWL, "on", "counter0", (-0.1, -0.15)),
        MovableObject("milk0", MILK, "in", "fridge0", (0.05, 0.06), level=1, yaw=0.3),
    ),
    (Person("human0", PlanarPose(-1.8, -1.6, pi / 4)),),
)


def done(robot: PyBulletRobot, primitive: str, **roles: str) -> MotionProgress:
    """Do a command to its end, at most a simulated minute."""
    motion = robot.start(Command(primitive, "robot0", roles))
    start = robot.clock.now()
    while motion.poll().stage is MotionStatus.RUNNING and robot.clock.now() < start + 60.0:
        robot.clock.sleep(0.05)
    return motion.poll()


def succeeds(robot: PyBulletRobot, primitive: str, **roles: str) -> bool:
    """Return whether a command was done."""
    progress = done(robot, primitive, **roles)
    assert progress.stage is MotionStatus.DONE, f"{primitive} {roles}: {progress.feedback}"
    return True
