from math import hypot

import pytest

from graftwork.conformance.bodies import BODY, BodySubject
from semantics.body.protocols import Clock, Motion, MotionStatus, Robot
from semantics.logic.feedback import Code
from semantics.logic.state import Command
from tests.contracts.bodies import BODIES, FIRST, LAYOUT, MOBILE

TICK = 0.05
PATIENCE = 60.0


@pytest.fixture(params=BODIES)
def robot(request):
    body = BODIES[request.param](LAYOUT)
    yield body
    body.close()


@pytest.mark.parametrize("one", BODY, ids=lambda one: one.sentence)
@pytest.mark.parametrize("name", BODIES)
def test_it_meets_what_every_body_has_to_do(name, one):
    one.test(BodySubject(lambda: BODIES[name](LAYOUT), (FIRST[name],)))


@pytest.fixture(params=MOBILE)
def driver(request):
    body = BODIES[request.param](LAYOUT)
    yield body
    body.close()


@pytest.fixture
def first(request):
    """A motion that the body of `robot` can do at the start."""
    return FIRST[request.node.callspec.params["robot"]]


def do(robot, primitive, **roles):
    """Start a motion and let time pass until it ends."""
    motion = robot.start(Command(primitive, "robot0", roles))
    deadline = robot.clock.now() + PATIENCE
    while motion.poll().stage is MotionStatus.RUNNING and robot.clock.now() < deadline:
        robot.clock.sleep(TICK)
    return motion


def sensed(robot):
    """Return a sensing that is newer than now."""
    now = robot.clock.now()
    while robot.observation().time <= now:
        robot.clock.sleep(TICK)
    return robot.observation()


def test_it_is_a_robot_with_a_clock(robot):
    assert isinstance(robot, Robot)
    assert isinstance(robot.clock, Clock)
    assert robot.name == "robot0"


def test_asking_twice_at_one_moment_gives_the_same_sensing(robot):
    assert sensed(robot).number == robot.observation().number


def test_furniture_is_always_listed_with_its_stand_and_a_door_with_its_opening(robot):
    sightings = sensed(robot).sightings
    assert {"table0", "fridge0"} <= sightings.keys()
    assert sightings["table0"].surfaces
    assert sightings["table0"].opening is None
    assert sightings["table0"].stand is not None
    assert sightings["fridge0"].interior is not None
    assert sightings["fridge0"].opening == pytest.approx(0.0, abs=0.02)


def test_it_knows_where_it_stands_and_that_it_holds_nothing(driver):
    view = sensed(driver).agents["robot0"]
    assert (view.pose.x, view.pose.y) == pytest.approx((0.0, 0.0), abs=0.05)
    assert view.held == ()


def test_what_is_behind_a_shut_door_is_not_seen_nor_searched(robot):
    observation = sensed(robot)
    assert "milk0" not in observation.sightings
    assert "fridge0" not in observation.searched


def test_what_is_seen_on_the_table_is_seen_above_it(robot):
    do(robot, "drive", to="table0")
    observation = sensed(robot)
    top = observation.sightings["table0"].surfaces[0].high[2]
    assert observation.sightings["juice0"].box.low[2] == pytest.approx(top, abs=0.03)
    assert observation.sightings["juice0"].box.centre[2] > top


@pytest.mark.parametrize(
    ("primitive", "roles"),
    [("somersault", {}), ("drive", {}), ("pick", {"object": "juice0"}), ("drive", {"to": "nowhere0"})],
)
def test_what_makes_no_sense_is_a_motion_that_has_already_failed(robot, primitive, roles):
    motion = robot.start(Command(primitive, "robot0", roles))
    assert isinstance(motion, Motion)
    progress = motion.poll()
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback.code is Code.REFUSED_BY_BODY


def test_a_drive_ends_at_the_stand_of_the_place(driver):
    progress = do(driver, "drive", to="table0").poll()
    assert progress.stage is MotionStatus.DONE, progress.feedback
    observation = sensed(driver)
    pose, stand = observation.agents["robot0"].pose, observation.sightings["table0"].stand
    assert hypot(pose.x - stand.x, pose.y - stand.y) < 0.3


def test_a_cancelled_motion_is_over_and_the_robot_stays(robot, first):
    motion = robot.start(first)
    robot.clock.sleep(0.8)
    assert motion.poll().stage is MotionStatus.RUNNING
    motion.cancel()
    progress = motion.poll()
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback.code is Code.CANCELLED
    robot.clock.sleep(0.5)
    here = sensed(robot).agents["robot0"].pose
    robot.clock.sleep(1.0)
    there = sensed(robot).agents["robot0"].pose
    assert (here.x, here.y) == pytest.approx((there.x, there.y), abs=0.01)


def test_progress_grows_from_nothing_to_all(robot, first):
    motion = robot.start(first)
    fractions = [motion.poll().fraction]
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(TICK)
        fractions.append(motion.poll().fraction)
    assert fractions == sorted(fractions)
    assert 0.0 <= fractions[0] < 0.5
    assert fractions[-1] == 1.0


def test_what_was_picked_is_held_and_what_was_put_is_not(robot):
    do(robot, "drive", to="table0")
    picked = do(robot, "pick", object="juice0", source="table0", at="table0").poll()
    assert picked.stage is MotionStatus.DONE, picked.feedback
    assert sensed(robot).agents["robot0"].held == ("juice0",)
    put = do(robot, "put", object="juice0", target="table0", at="table0").poll()
    assert put.stage is MotionStatus.DONE, put.feedback
    robot.clock.sleep(0.5)
    observation = sensed(robot)
    assert observation.agents["robot0"].held == ()
    top = observation.sightings["table0"].surfaces[0].high[2]
    assert observation.sightings["juice0"].box.low[2] == pytest.approx(top, abs=0.03)


def test_what_is_behind_a_shut_door_is_not_picked(robot):
    do(robot, "drive", to="fridge0")
    progress = do(robot, "pick", object="milk0", source="fridge0", at="fridge0").poll()
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback.code in {Code.OBSTRUCTED, Code.OUT_OF_REACH, Code.NOT_VISIBLE}
