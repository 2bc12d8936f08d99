"""Searches that run beside the control ticks: no tick waits for one, and nothing is left of one that is called off."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import enumerate as threads

import numpy as np
import pytest

from benchmarks import stagehand
from benchmarks.motion.scenes import boxes_on_furniture
from robots.pybullet import PyBulletRobot
from robots.pybullet.camera import Camera
from robots.pybullet.manipulation import spots
from robots.pybullet.manipulation.reach import backed
from robots.pybullet.timing import TICK
from robots.pybullet.turns import TESTS_A_TICK, spend, take_turns
from semantics.body.layout import Furniture, Layout, MovableObject, RobotStart, Shape
from semantics.body.protocols import Motion, MotionStatus
from semantics.geometry.geometry import PlanarPose
from semantics.geometry.solids import gap
from semantics.logic.state import Command
from tests.robots.pybullet.kitchen import APPLE, BOWL, LAYOUT, succeeds

CROWDED = 7
"""The seed of a scene in which box15 stands behind another box, so that a pick searches for about thirty ticks."""
PICK = Command("pick", "robot0", {"object": "box15", "source": "shelf0", "at": "shelf0"})
PLATE = Shape("open-box", (0.24, 0.24, 0.02), 0.3)
TABLE = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0, 1.57)),
    (Furniture("counter0", "counter", PlanarPose(0.0, 1.9, -1.57), (1.6, 0.6, 0.85)),),
    (
        MovableObject("bowl0", BOWL, "on", "counter0", (-0.4, 0.1)),
        MovableObject("plate0", PLATE, "on", "counter0", (0.1, 0.1)),
        MovableObject("apple0", APPLE, "on", "counter0", (0.6, -0.1)),
    ),
)


def under_way() -> list[str]:
    return [thread.name for thread in threads() if thread.name == "search"]


@pytest.fixture
def crowded() -> Iterator[PyBulletRobot]:
    body = PyBulletRobot(boxes_on_furniture(CROWDED, 20))
    succeeds(body, "drive", to="shelf0")
    yield body
    body.close()


def start_searching(robot: PyBulletRobot) -> Motion:
    """Begin a pick, and go on until its search has stood still for some ticks."""
    motion = robot.start(PICK)
    waited = 0
    while waited < 5:
        robot.clock.sleep(TICK)
        waited = waited + 1 if under_way() else 0
    return motion


def count_tests(robot: PyBulletRobot, motion: Motion) -> list[int]:
    """Return the number of configurations that each tick of a motion tests, to the end of the motion."""
    made = []
    while motion.poll().stage is MotionStatus.RUNNING and len(made) < 3600:
        before = robot.rig.mirror.tests
        robot.clock.sleep(TICK)
        made.append(robot.rig.mirror.tests - before)
    return made


def test_a_search_waits_for_the_next_tick_when_its_tests_are_made():
    done = []

    def search() -> str:
        for number in range(2 * TESTS_A_TICK + 10):
            spend()
            done.append(number)
        return "found"

    ticks = take_turns(search)
    assert next(ticks) == 0.0
    assert len(done) < TESTS_A_TICK
    next(ticks)
    with pytest.raises(StopIteration) as end:
        next(ticks)
    assert end.value.value == "found"
    assert not under_way()


def test_a_search_that_ends_in_its_first_tick_costs_no_tick():
    with pytest.raises(StopIteration) as end:
        next(take_turns(lambda: spend(5)))
    assert end.value.value is None


def test_a_search_fails_in_the_tick_that_waits_for_it():
    def search() -> None:
        spend(TESTS_A_TICK)
        raise LookupError

    ticks = take_turns(search)
    next(ticks)
    with pytest.raises(LookupError):
        next(ticks)


def test_a_search_that_is_called_off_leaves_what_it_had_entered():
    left = []

    @contextmanager
    def entered() -> Iterator[None]:
        try:
            yield
        finally:
            left.append(under_way())

    def search() -> None:
        with entered():
            while True:
                spend()

    ticks = take_turns(search)
    next(ticks)
    assert under_way()
    ticks.close()
    assert left == [["search"]]
    assert not under_way()


def test_a_signal_ends_a_search_after_the_turn_in_which_it_comes():
    turns = []

    def search() -> None:
        while True:
            signal.raise_signal(signal.SIGINT)
            spend(TESTS_A_TICK / 2)
            turns.append("half")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            next(take_turns(search))
    finally:
        signal.signal(signal.SIGINT, before)
    assert turns == ["half"]
    assert not under_way()


def test_outside_a_search_work_is_not_counted():
    spend(10 * TESTS_A_TICK)


@pytest.fixture
def loaded() -> Iterator[PyBulletRobot]:
    """A robot that holds a bowl with an apple in it."""
    body = PyBulletRobot(TABLE)
    succeeds(body, "drive", to="counter0")
    (x, y, z), _ = body.rig.world.pose("bowl0")
    stagehand.move_piece(body, "apple0", (x, y, z + 0.03))
    body.clock.sleep(1.0)
    succeeds(body, "pick", object="bowl0", source="counter0", at="counter0")
    yield body
    body.close()


def test_what_a_held_bowl_carries_is_not_in_its_way(loaded):
    rig = loaded.rig
    assert rig.load_on("bowl0") == ("apple0",)
    back = backed(rig.description, rig.now(), 0.3)
    search = rig.find(lambda: rig.mirror.path_clashes([rig.now(), back], rig.grip))
    with pytest.raises(StopIteration) as end:
        next(search)
    assert end.value.value == frozenset()


def test_a_loaded_bowl_is_set_on_a_plate_and_no_tick_waits_for_a_search(loaded):
    motion = loaded.start(Command("put", "robot0", {"object": "bowl0", "target": "plate0", "at": "counter0"}))
    made = count_tests(loaded, motion)
    assert motion.poll().stage is MotionStatus.DONE, motion.poll().feedback
    assert max(made) <= 2 * TESTS_A_TICK


def test_a_long_search_is_spread_over_ticks_and_ends(crowded):
    motion = crowded.start(PICK)
    made = count_tests(crowded, motion)
    assert motion.poll().stage is MotionStatus.DONE, motion.poll().feedback
    assert sum(made) > 10 * TESTS_A_TICK
    assert max(made) <= 2 * TESTS_A_TICK


def test_a_cancelled_search_ends_at_once_and_the_next_one_finds_all_as_before(crowded):
    start_searching(crowded).cancel()
    assert not under_way()
    tests = crowded.rig.mirror.tests
    crowded.clock.sleep(0.5)
    assert crowded.rig.mirror.tests == tests
    assert crowded.rig.mirror.opening == crowded.rig.description.hand.opening
    succeeds(crowded, PICK.primitive, **PICK.roles)


def test_no_search_outlives_its_robot(crowded):
    start_searching(crowded)
    crowded.close()
    assert not under_way()


def test_a_thing_that_is_moved_during_a_search_is_taken_where_it_is_then(crowded):
    motion = start_searching(crowded)
    x, y, z = crowded.rig.world.pose("box15")[0]
    stagehand.move_piece(crowded, "box15", (x, y + 0.02, z))
    count_tests(crowded, motion)
    assert motion.poll().stage is MotionStatus.DONE, motion.poll().feedback
    assert crowded.rig.held == "box15"


def test_one_scene_gives_one_run_tick_by_tick():
    def run() -> list[tuple[int, list[float]]]:
        body = PyBulletRobot(boxes_on_furniture(CROWDED, 20))
        succeeds(body, "drive", to="shelf0")
        motion, seen = body.start(PICK), []
        while motion.poll().stage is MotionStatus.RUNNING:
            body.clock.sleep(TICK)
            seen.append((body.rig.mirror.tests, body.rig.chassis.configuration().tolist()))
        body.close()
        return seen

    assert run() == run()


def test_looking_around_takes_a_picture_a_tick(monkeypatch):
    robot, taken = PyBulletRobot(LAYOUT), []
    look = Camera.look

    def counted(self, *args):
        taken.append(robot.clock.now())
        return look(self, *args)

    monkeypatch.setattr(Camera, "look", counted)
    before = robot.observation().number
    robot.clock.sleep(1.0)
    robot.close()
    assert robot.observation().number > before
    assert len(taken) > 2
    assert max(np.unique(taken, return_counts=True)[1]) == 1


def test_each_outline_that_a_spot_is_compared_with_counts(monkeypatch):
    robot, spent, compared = PyBulletRobot(TABLE), [], []
    world = robot.rig.world
    thing, target = spots.standing(world, "apple0"), spots.targets(world, "counter0", "on")[0]
    monkeypatch.setattr(spots, "spend", lambda tests=1.0: spent.append(tests))
    monkeypatch.setattr(spots, "gap", lambda one, other: compared.append(other) or gap(one, other))
    assert list(spots.tight_spots(world, target, thing, ("apple0",)))
    robot.close()
    assert compared
    assert sum(spent) >= 0.2 * len(compared) - 1e-9
