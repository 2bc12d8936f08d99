import pytest

from domains.reader import load_domain, load_scene
from graftwork.setup.model_body import symbolic_robot
from robots.fake import InjectedFault
from semantics.body.protocols import Clock, MotionStatus, Robot
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code
from semantics.logic.state import Command

BLOCKS = load_domain("blocks")
SUSSMAN = load_scene(BLOCKS, "sussman")
UNSTACK = Command("pick", "", {"object": "blue_block", "source": "red_block", "at": "table0"})
HELD = Atom("holding", ("blue_block",))


@pytest.fixture
def robot():
    body = symbolic_robot(BLOCKS, SUSSMAN)
    yield body
    body.close()


def do(robot, command):
    motion = robot.start(command)
    while motion.poll().stage is MotionStatus.RUNNING:
        robot.clock.sleep(0.05)
    return motion.poll()


def test_it_is_a_robot_with_a_clock(robot):
    assert isinstance(robot, Robot)
    assert isinstance(robot.clock, Clock)


def test_what_it_does_has_exactly_the_effect_of_the_model_and_takes_its_time(robot):
    before = robot.state
    assert do(robot, UNSTACK).stage is MotionStatus.DONE
    assert robot.clock.now() == pytest.approx(1.0, abs=0.06)
    gone = {Atom("on", ("blue_block", "red_block")), Atom("clear", ("blue_block",)), Atom("handempty")}
    assert robot.state.atoms == before.atoms - gone | {HELD, Atom("clear", ("red_block",))}


def test_nothing_changes_before_the_motion_has_ended(robot):
    before = robot.state
    motion = robot.start(UNSTACK)
    robot.clock.sleep(0.9)
    assert motion.poll().stage is MotionStatus.RUNNING
    assert robot.state == before


def test_a_cancelled_motion_changes_nothing(robot):
    before = robot.state
    motion = robot.start(UNSTACK)
    robot.clock.sleep(0.5)
    motion.cancel()
    robot.clock.sleep(5.0)
    assert motion.poll().feedback.code is Code.CANCELLED
    assert robot.state == before
    assert robot.observation().told[HELD] is False


def test_what_the_precondition_forbids_is_refused_and_names_what_lacks(robot):
    progress = do(robot, Command("pick", "", {"object": "red_block", "source": "table0", "at": "table0"}))
    assert progress.stage is MotionStatus.FAILED
    assert progress.feedback.code is Code.PRECONDITION
    assert "(clear red_block)" in progress.feedback.why
    assert "red_block" in progress.feedback.culprits


@pytest.mark.parametrize(
    "command",
    [
        Command("somersault", ""),
        Command("pick", ""),
        Command("pick", "", {"object": "moon", "source": "sun", "at": "table0"}),
    ],
)
def test_what_makes_no_sense_is_a_motion_that_has_already_failed(robot, command):
    assert do(robot, command).feedback.code is Code.REFUSED_BY_BODY


def test_a_second_motion_waits_for_the_first(robot):
    robot.start(UNSTACK)
    assert robot.start(UNSTACK).poll().feedback.code is Code.REFUSED_BY_BODY


def test_a_fault_that_was_asked_for_comes_once_and_leaves_the_world_as_it_was(robot):
    before = robot.state
    robot.add_fault(InjectedFault(Code.NOT_GRASPED, "pick"))
    failed = do(robot, UNSTACK)
    assert failed.feedback.code is Code.NOT_GRASPED
    assert failed.feedback.culprits == (next(iter(UNSTACK.roles.values())),)
    assert failed.fraction == pytest.approx(0.5)
    assert robot.state == before
    assert do(robot, UNSTACK).stage is MotionStatus.DONE


def test_a_world_that_changes_meanwhile_makes_the_motion_fail(robot):
    motion = robot.start(UNSTACK)
    robot.clock.sleep(0.5)
    robot.change(deleted=[Atom("clear", ("blue_block",))])
    robot.clock.sleep(1.0)
    assert motion.poll().feedback.code is Code.PRECONDITION


def test_a_sensing_tells_the_truth_of_every_fact_and_lists_what_held_once(robot):
    do(robot, UNSTACK)
    robot.clock.sleep(0.1)
    told = robot.observation().told
    assert told[HELD] is True
    assert told[Atom("on", ("blue_block", "red_block"))] is False
    assert told[Atom("on", ("red_block", "green_block"))] is False
    assert {atom for atom, true in told.items() if true} == robot.state.atoms
    assert Atom("on", ("blue_block", "red_block")) in set(told)


def test_what_was_closed_takes_no_command(robot):
    robot.close()
    robot.close()
    assert robot.start(UNSTACK).poll().feedback.code is Code.UNAVAILABLE
