"""A fake in a small room, and how a test drives it."""

from math import pi

from semantics.body.layout import Furniture, Layout, MovableObject, Person, RobotStart, Shape
from semantics.body.protocols import MotionStatus
from semantics.geometry.geometry import PlanarPose
from semantics.logic.state import Command

CARTON = Shape("box", (0.06, 0.06, 0.18))
BALL = Shape("sphere", (0.06, 0.06, 0.06))
LAYOUT = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0)),
    (
        Furniture("table0", "table", PlanarPose(2.0, 0.0, pi), (1.2, 0.6, 0.72)),
        Furniture("fridge0", "fridge", PlanarPose(0.0, 2.5, -pi / 2), (0.6, 0.55, 1.2)),
        Furniture("trash0", "bin", PlanarPose(0.0, -2.0, pi / 2), (0.16, 0.16, 0.35)),
    ),
    (
        MovableObject("milk0", CARTON, "in", "fridge0", level=1),
        MovableObject("juice0", CARTON, "on", "table0", (0.3, 0.1)),
        MovableObject("tray0", Shape("open-box", (0.3, 0.2, 0.04)), "on", "table0", (-0.2, 0.0)),
        MovableObject("apple0", BALL, "on", "tray0"),
        MovableObject("bowl0", Shape("open-box", (0.16, 0.16, 0.07)), "on", "table0", (0.3, -0.15)),
    ),
    (Person("human0", PlanarPose(-2.0, 0.0)),),
)


def start(robot, primitive, **roles):
    return robot.start(Command(primitive, "robot0", roles))


def finish(robot, motion):
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(0.05)
    return motion.poll()


def do(robot, primitive, **roles):
    return finish(robot, start(robot, primitive, **roles))


def ready(robot, *deeds):
    """Do what must go well before the test."""
    for primitive, roles in deeds:
        progress = do(robot, primitive, **roles)
        assert progress.stage is MotionStatus.DONE, progress.feedback


def drive(to):
    return "drive", {"to": to}


def pick(name, at):
    return "pick", {"object": name, "source": at, "at": at}


def sensed(robot):
    robot.clock.sleep(0.06)
    return robot.observation()


def refused(robot, code, primitive, **roles):
    """Check that a motion fails at once with that code and changes nothing; return its feedback."""
    before = dict(robot.world.spots), dict(robot.world.carriers), dict(robot.world.doors)
    progress = start(robot, primitive, **roles).poll()
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback.code is code, progress.feedback
    assert before == (robot.world.spots, robot.world.carriers, robot.world.doors)
    return progress.feedback
