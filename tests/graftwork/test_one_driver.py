"""A body has one driver: runs, trees and sessions that come second are refused, and a stop reaches whoever drives."""

import threading
from contextlib import closing

import py_trees
import pytest
from py_trees.common import Status

from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from robots.errors import BodyTakenError
from robots.fake import FakeRobot
from robots.lease import driver_of
from robots.served import BodyServer, ServedRobot
from semantics.body.protocols import MotionStatus
from semantics.errors import UsageError
from semantics.logic.feedback import Code
from semantics.logic.state import Command

DRIVE = Command("drive", "robot0", {"to": "table0"})


@pytest.fixture
def body():
    return FakeRobot(load_scene(load_domain("kitchen"), "small").arrangement)


@pytest.fixture
def session(body):
    with Session("kitchen", "small", robot=body, memory=None) as opened:
        yield opened


@pytest.fixture
def other(body):
    with Session("kitchen", "small", robot=body, memory=None) as opened:
        yield opened


def test_of_two_threads_that_handle_at_once_one_drives(session):
    ended, refused, start = [], [], threading.Barrier(2)

    def handle(instruction):
        start.wait()
        try:
            ended.append(session.handle(instruction))
        except UsageError as error:
            refused.append(str(error))

    sentences = ("put the apple on the counter", "open the fridge")
    threads = [threading.Thread(target=handle, args=(sentence,)) for sentence in sentences]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [episode.outcome for episode in ended] == [Outcome.ACHIEVED]
    assert len(refused) == 1
    assert ended[0].instruction in refused[0]


def test_a_second_session_is_told_who_drives_the_body(session, other):
    run = session.start("open the fridge")
    with pytest.raises(BodyTakenError, match="open the fridge"):
        other.start("put the apple on the counter")
    assert run.finish().outcome is Outcome.ACHIEVED
    assert other.handle("close the fridge").outcome is Outcome.ACHIEVED


def test_each_end_of_a_run_gives_the_body_back(session, body):
    session.handle("bring me the unicorn")
    assert driver_of(body) is None
    run = session.start("open the fridge")
    run.wait()
    run.leave()
    assert driver_of(body) is None
    run = session.start("open the fridge")
    run.cancel()
    run.finish()
    assert driver_of(body) is None


def test_no_tree_of_ones_own_runs_beside_an_instruction(session):
    tree = session.subtree("open the fridge")
    run = session.start("put the apple on the counter")
    with pytest.raises(BodyTakenError, match="put the apple"):
        session.run(tree)
    run.finish()
    assert session.run(session.subtree("open the fridge")).status == "success"


def test_a_subtree_in_a_loop_of_ones_own_has_the_body_while_it_runs(session, other, body):
    tree = session.subtree("open the fridge")
    assert driver_of(body) is None
    tree.tick_once()
    assert tree.status == Status.RUNNING
    with pytest.raises(BodyTakenError):
        other.start("put the apple on the counter")
    tree.stop(Status.INVALID)
    assert driver_of(body) is None
    run = other.start("put the apple on the counter")
    tree.tick_once()
    assert tree.status == Status.FAILURE
    assert "put the apple on the counter" in tree.feedback.why
    assert run.finish().outcome is Outcome.ACHIEVED


def test_subtrees_of_one_tree_share_the_body(session, body):
    sentences = ("open the fridge", "put the apple on the counter")
    both = py_trees.composites.Sequence("both", memory=True, children=[session.subtree(each) for each in sentences])
    assert session.run(both).status == "success"
    assert driver_of(body) is None


def test_a_stop_that_another_session_hears_ends_the_run_that_drives(session, other):
    run = session.start("open the fridge")
    run.wait()
    for _ in range(5):
        run.tick()
    assert other.say("stop")
    assert run.finish().outcome is Outcome.STOPPED
    assert session.handle("open the fridge").outcome is Outcome.STOPPED  # nobody has said to go on
    assert other.say("go on")
    assert session.handle("open the fridge").outcome is Outcome.ACHIEVED


def test_a_wait_that_another_session_hears_holds_the_run_that_drives(session, other):
    run = session.start("open the fridge")
    run.wait()
    run.tick()
    assert other.say("wait")
    run.tick()
    assert run.is_held
    assert other.say("go on")
    assert run.finish().outcome is Outcome.ACHIEVED


def test_a_served_body_has_one_driver_too(session, body, tmp_path):
    with BodyServer(body, tmp_path / "body.sock"), closing(ServedRobot(tmp_path / "body.sock")) as client:
        run = session.start("open the fridge")
        run.wait()
        run.tick()
        refused = client.start(DRIVE).poll()
        assert refused.stage is MotionStatus.FAILED
        assert "open the fridge" in str(refused.feedback)
        client.stop()
        assert run.finish().outcome is Outcome.ACHIEVED
        motion = client.start(DRIVE)
        assert motion.poll().stage is MotionStatus.RUNNING
        with pytest.raises(BodyTakenError, match=r"a client of .*body\.sock"):
            session.start("close the fridge")
        assert session.say("stop")
        assert client.start(DRIVE).poll().feedback.code is Code.CANCELLED
        assert motion.poll().stage is not MotionStatus.RUNNING
        assert session.say("go on")
    assert driver_of(body) is None


@pytest.mark.parametrize("stopped_by", ["session", "other"])
def test_a_stop_ends_a_subtree_in_a_loop_of_ones_own(session, other, body, stopped_by):
    tree = session.subtree("open the fridge")
    for _ in range(5):
        tree.tick_once()
        body.clock.sleep(0.05)
    assert tree.status == Status.RUNNING
    assert (session if stopped_by == "session" else other).say("stop")
    tree.tick_once()
    assert tree.status == Status.FAILURE
    assert tree.feedback.code is Code.CANCELLED
    assert driver_of(body) is None
    pose = body.observation().agents["robot0"].pose
    body.clock.sleep(5.0)
    assert body.observation().agents["robot0"].pose == pose


def test_after_a_stop_a_subtree_begins_only_when_somebody_has_said_to_go_on(session):
    tree = session.subtree("open the fridge")
    assert session.say("stop")
    tree.tick_once()
    assert tree.status == Status.FAILURE
    assert session.say("go on")
    tree.tick_once()
    assert tree.status == Status.RUNNING
    tree.stop(Status.INVALID)


def test_a_broken_off_instruction_gives_the_body_back_and_another_one_may_follow(session, body, monkeypatch):
    def interrupt(seconds):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(body.clock, "sleep", interrupt)
        with pytest.raises(KeyboardInterrupt):
            session.handle("open the fridge")
    assert driver_of(body) is None
    assert session.handle("open the fridge").outcome is Outcome.ACHIEVED


def test_an_answer_that_raises_gives_the_body_back(session, body):
    def answer(question):
        raise RuntimeError("nobody there")

    with pytest.raises(UsageError, match="nobody there"):
        session.handle("bring me the drink", answer)
    assert driver_of(body) is None
    assert session.handle("open the fridge").outcome is Outcome.ACHIEVED


def test_a_closed_session_gives_the_body_back_though_its_subtree_was_never_stopped(body):
    with Session("kitchen", "small", robot=body, memory=None) as closed:
        tree = closed.subtree("open the fridge")
        tree.tick_once()
    assert driver_of(body) is None
    tree.tick_once()
    assert tree.status == Status.FAILURE


def test_closing_a_session_leaves_the_body_to_the_one_that_drives_it(session, body):
    with Session("kitchen", "small", robot=body, memory=None):
        run = session.start("open the fridge")
    assert run.finish().outcome is Outcome.ACHIEVED
