from math import hypot

import pytest

from benchmarks import stagehand
from robots.pybullet import PyBulletRobot
from semantics.body.protocols import MotionStatus
from semantics.logic.feedback import Code
from tests.robots.pybullet.kitchen import done, succeeds

NICHE = (-1.02, 1.85)
"""Between the sink and the counter, where the base has no room."""


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [("cup0", *NICHE), ("cup0", -2.3, 2.3), ("apple0", 0.3, 2.4), ("knife0", 1.75, -1.9)],
    ids=["between the sink and the counter", "beside the sink", "behind the counter", "beyond"],
)
def test_what_fell_to_the_floor_is_taken_up_wherever_it_lies(
    robot: PyBulletRobot, name: str, x: float, y: float
) -> None:
    stagehand.move_piece(robot, name, (x, y, robot.rig.world.shapes[name].size[2] / 2 + 0.01))
    robot.clock.sleep(0.3)
    succeeds(robot, "pick", object=name, source="floor0", at="floor0")
    assert robot.observation().agents["robot0"].held == (name,)


def test_it_does_not_drive_to_what_lies_at_its_feet(robot: PyBulletRobot) -> None:
    stagehand.move_piece(robot, "cup0", (0.6, 0.2, 0.06))
    robot.clock.sleep(0.3)
    succeeds(robot, "pick", object="cup0", source="floor0", at="floor0")
    base = stagehand.posture(robot).base
    assert hypot(base.x, base.y) < 0.5


def test_what_is_not_on_the_floor_is_not_looked_for_all_over_the_room(robot: PyBulletRobot) -> None:
    stagehand.move_piece(robot, "cup0", (-1.6, 1.6, 0.9))
    robot.clock.sleep(0.3)
    progress = done(robot, "pick", object="cup0", source="floor0", at="floor0")
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback is not None
    assert progress.feedback.code is Code.OUT_OF_REACH
    base = stagehand.posture(robot).base
    assert hypot(base.x, base.y) < 0.1
