"""A lease of a body: one driver at a time, and nothing that a late driver does reaches the body."""

import threading

import pytest

from robots.errors import BodyTakenError
from robots.fake import FakeRobot
from robots.lease import Lease, driver_of
from semantics.body.protocols import ConcurrentMotion, ExactSensing, Interlocked, LimitedMotion, MotionStatus, Robot
from semantics.logic.feedback import Code
from semantics.logic.state import Command
from tests.contracts.bodies import LAYOUT

DRIVE = Command("drive", "robot0", {"to": "table0"})


@pytest.fixture
def body():
    made = FakeRobot(LAYOUT)
    yield made
    made.close()


def lease(body, owner="the first"):
    return Lease(body, owner, lambda reason: None)


def test_a_lease_is_a_robot_with_the_abilities_of_its_body_and_no_others(body):
    leased = lease(body)
    for ability in (Robot, Interlocked, ExactSensing, ConcurrentMotion, LimitedMotion):
        assert isinstance(leased, ability) == isinstance(body, ability), ability
    assert leased.world is body.world
    assert not hasattr(leased, "no_such_thing")


def test_nothing_moves_before_a_lease_is_taken_and_after_it_was_given_back(body):
    leased = lease(body)
    assert leased.start(DRIVE).poll().stage is MotionStatus.FAILED
    leased.take()
    motion = leased.start(DRIVE)
    assert motion.poll().stage is MotionStatus.RUNNING
    leased.give_back()
    late = leased.start(DRIVE).poll()
    assert (late.stage, late.feedback.code) == (MotionStatus.FAILED, Code.UNAVAILABLE)


def test_the_second_driver_is_told_who_drives(body):
    first, second = lease(body), lease(body, "the second")
    first.take()
    with pytest.raises(BodyTakenError, match="the first"):
        second.take()
    assert driver_of(body) is first
    first.give_back()
    second.take()
    refused = first.start(DRIVE).poll().feedback
    assert "the second drives it now" in refused.why


def test_a_driver_that_has_lost_the_body_stops_its_own_motions_only(body):
    first, second = lease(body), lease(body, "the second")
    first.take()
    own = first.start(Command("drive", "robot0", {"to": "sink0"}))
    first.give_back()
    second.take()
    own.cancel()
    others = second.start(DRIVE)
    first.stop()
    first.close()
    assert own.poll().stage is MotionStatus.FAILED
    assert others.poll().stage is MotionStatus.RUNNING
    second.stop()
    assert others.poll().stage is MotionStatus.FAILED


def test_nothing_starts_after_a_person_has_stopped_the_driver_until_it_takes_the_body_again(body):
    leased = lease(body)
    leased.take()
    leased.stopped = "the person said stop"
    assert leased.start(DRIVE).poll().feedback.code is Code.CANCELLED
    leased.give_back()
    leased.take()
    assert leased.start(DRIVE).poll().stage is MotionStatus.RUNNING


def test_one_thread_shares_a_lease_and_another_is_refused(body):
    leased, refused = lease(body), []
    leased.take()
    leased.take()

    def other():
        try:
            leased.take()
        except BodyTakenError as error:
            refused.append(error)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert len(refused) == 1
    leased.give_back()
    assert driver_of(body) is leased
    leased.give_back()
    assert driver_of(body) is None


def test_of_many_threads_that_take_a_body_at_once_one_gets_it(body):
    for _ in range(50):
        start, taken = threading.Barrier(8), []

        def take(start=start, taken=taken):
            mine = lease(body, "one of many")
            start.wait()
            if mine.refusal() is None:
                taken.append(mine)

        threads = [threading.Thread(target=take) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(taken) == 1
        taken[0].give_back()
