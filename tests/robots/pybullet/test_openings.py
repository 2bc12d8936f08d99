"""The hand opens as far as there is room: beside other things the fingers open less, to grasp and to set down."""

from collections.abc import Callable, Iterator
from math import dist, pi

import pytest

from robots.pybullet import PyBulletRobot
from robots.pybullet.manipulation.search import BESIDE_A_FINGER, openings
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.body.protocols import MotionProgress, MotionStatus
from semantics.geometry.geometry import PlanarPose
from semantics.geometry.points import MapPoint
from semantics.logic.feedback import Code
from semantics.logic.state import Command

CUBE = Shape("box", (0.04, 0.04, 0.04), 0.05)
BOWL = Shape("open-box", (0.15, 0.15, 0.04), 0.3)
TABLES = {
    "panda-fixed": Furniture("table0", "table", PlanarPose(0.53, 0.0, pi), (0.72, 0.68, 0.72)),
    "mobile-panda": Furniture("table0", "table", PlanarPose(0.9, 0.0, pi), (0.72, 0.68, 0.72)),
}
GREEN = MovableObject("green", CUBE, "on", "table0", (0.0, 0.0))
BEYOND_BOWLS = 0.02 + 0.03 + 0.075
"""From the middle of a block to the middle of a bowl that is 3 cm beside it, in metres."""
BETWEEN_BOWLS = (
    GREEN,
    MovableObject("bowl0", BOWL, "on", "table0", (0.02, BEYOND_BOWLS)),
    MovableObject("bowl1", BOWL, "on", "table0", (BEYOND_BOWLS, -0.035)),
    MovableObject("bowl2", BOWL, "on", "table0", (-0.02, -BEYOND_BOWLS - 0.02)),
)
"""On three sides of the block; whichever way the wide open fingers close, one of them would be in a bowl."""


def ring(gap: float) -> tuple[MovableObject, ...]:
    """Return four blocks around the middle of the table, with a gap to a block that stands there."""
    ways = {"east": (1, 0), "north": (0, 1), "west": (-1, 0), "south": (0, -1)}
    far = 0.04 + gap
    return tuple(MovableObject(name, CUBE, "on", "table0", (x * far, y * far)) for name, (x, y) in ways.items())


@pytest.fixture
def body() -> Iterator[Callable[..., PyBulletRobot]]:
    made: list[PyBulletRobot] = []

    def make(pieces: tuple[MovableObject, ...], name: str = "panda-fixed") -> PyBulletRobot:
        start = RobotStart("robot0", PlanarPose(0.0, 0.0), name)
        made.append(PyBulletRobot(Layout(start, (TABLES[name],), pieces)))
        return made[-1]

    yield make
    for robot in made:
        robot.close()


def done(robot: PyBulletRobot, primitive: str, where: MapPoint | None = None, **roles: str) -> MotionProgress:
    values, places = ({}, {}) if where is None else ({"turn": 0.0}, {"where": where})
    motion = robot.start(Command(primitive, robot.name, {**roles, "at": "table0"}, values, places))
    end = robot.clock.now() + 60.0
    while motion.poll().stage is MotionStatus.RUNNING and robot.clock.now() < end:
        robot.clock.sleep(0.05)
    return motion.poll()


def places(robot: PyBulletRobot, pieces: tuple[MovableObject, ...]) -> dict[str, tuple[float, float, float]]:
    return {piece.name: robot.rig.world.pose(piece.name)[0] for piece in pieces if piece.name != "green"}


def assert_untouched(robot: PyBulletRobot, before: dict[str, tuple[float, float, float]]) -> None:
    moved = {name: dist(at, robot.rig.world.pose(name)[0]) for name, at in before.items()}
    assert max(moved.values()) < 0.003, moved


def assert_done(progress: MotionProgress) -> None:
    assert progress.stage is MotionStatus.DONE, progress.feedback


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("pieces", [BETWEEN_BOWLS, (GREEN, *ring(0.03))], ids=["bowls", "blocks"])
def test_a_block_that_wide_open_fingers_cannot_reach_is_grasped(body, name, pieces):
    robot = body(pieces, name)
    before = places(robot, pieces)
    assert_done(done(robot, "pick", object="green", source="table0"))
    assert robot.rig.held == "green"
    assert_untouched(robot, before)


@pytest.mark.parametrize("name", TABLES)
def test_a_block_is_set_down_between_others_and_the_open_hand_touches_none(body, name):
    pieces = (MovableObject("green", CUBE, "on", "table0", (-0.2, -0.2)), *ring(0.03))
    robot = body(pieces, name)
    before, middle = places(robot, pieces), TABLES[name].pose
    assert_done(done(robot, "pick", object="green", source="table0"))
    assert_done(done(robot, "put", MapPoint(middle.x, middle.y), object="green", target="table0"))
    assert_untouched(robot, before)
    assert dist(robot.rig.world.pose("green")[0][:2], (middle.x, middle.y)) < 0.01


@pytest.mark.parametrize("corner", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
def test_a_hand_that_lets_go_in_the_corner_of_a_bowl_does_not_push_the_bowl(body, corner):
    bowl = Shape("open-box", (0.17, 0.17, 0.04), 0.3)
    pieces = (MovableObject("green", CUBE, "on", "table0", (0.2, 0.2)), MovableObject("bowl", bowl, "on", "table0"))
    robot = body(pieces)
    before = places(robot, pieces)
    assert_done(done(robot, "pick", object="green", source="table0"))
    there = MapPoint(0.53 + 0.03 * corner[0], 0.03 * corner[1])
    assert_done(done(robot, "insert", there, object="green", target="bowl"))
    assert_untouched(robot, before)


@pytest.mark.parametrize("width", [0.15, 0.16, 0.17])
@pytest.mark.parametrize("yaw", [0.0, 0.46, 0.8])
def test_beside_another_in_a_bowl_no_wall_gets_between_the_fingers(body, yaw, width):
    bowl = Shape("open-box", (width, width, 0.04), 0.3)
    pieces = (
        MovableObject("red", CUBE, "on", "table0", (0.2, 0.2)),
        MovableObject("bowl", bowl, "on", "table0", (0.05, 0.15), yaw=yaw),
        MovableObject("green", CUBE, "in", "bowl", (0.0, 0.0), yaw=0.3),
    )
    robot = body(pieces)
    before = places(robot, (pieces[1],))
    assert_done(done(robot, "pick", object="red", source="table0"))
    assert_done(done(robot, "insert", object="red", target="bowl"))
    assert_untouched(robot, before)


def test_the_hand_is_fully_open_again_after_it_set_down_in_little_room(body):
    pieces = (MovableObject("green", CUBE, "on", "table0", (-0.2, -0.2)), *ring(0.03))
    robot = body(pieces)
    done(robot, "pick", object="green", source="table0")
    assert_done(done(robot, "put", MapPoint(0.53, 0.0), object="green", target="table0"))
    assert robot.rig.chassis.width() > 0.075


def test_where_no_opening_has_room_the_failure_names_what_is_in_the_way(body):
    robot = body((GREEN, *ring(0.012)))
    feedback = done(robot, "pick", object="green", source="table0").feedback
    assert feedback is not None
    assert feedback.code is Code.OBSTRUCTED
    assert {"east", "north", "west", "south"} <= set(feedback.culprits)


def test_the_openings_go_from_the_widest_to_a_little_more_than_the_thing(body):
    rig = body((GREEN,)).rig
    assert openings(rig, 0.04)[0] == rig.description.hand.opening
    assert openings(rig, 0.04)[-1] == pytest.approx(0.02 + BESIDE_A_FINGER)
    assert list(openings(rig, 0.04)) == sorted(openings(rig, 0.04), reverse=True)
    assert openings(rig, 0.074) == (rig.description.hand.opening,)
