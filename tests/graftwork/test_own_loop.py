"""Subtrees of a session in loops of the caller's: at any rate, in asyncio, under py_trees, watched and recorded."""

import asyncio
import io
import threading
import time

import py_trees
import pytest
from py_trees.common import Access, Status

from bt import examine
from bt.node import walk
from bt.record import Entries, read_record
from bt.terminal import LiveTree
from bt.ticking import Ticker
from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.run import own_loop
from robots.errors import BodyTakenError
from robots.fake import FakeRobot, InjectedFault
from robots.lease import driver_of
from semantics.errors import UsageError
from semantics.logic.feedback import Code
from tests.wall_clock import without_wall_clock

FASTER = 20
"""How many seconds pass for a loop in one of the wall clock."""
TICKS = 2000
"""More than any loop here needs."""


class SelfRunning:
    """A clock that runs by itself, faster than that of the wall."""

    simulated = False

    def __init__(self):
        self._began = time.monotonic()

    def now(self):
        return (time.monotonic() - self._began) * FASTER

    def sleep(self, seconds):
        time.sleep(max(seconds, 0.0) / FASTER)


class HurriedTime:
    """Stands in for the module `time` of the loop: its seconds are short."""

    @staticmethod
    def monotonic():
        return time.monotonic() * FASTER


class SetTime:
    """Stands in for the module `time` of the loop: its seconds pass when the test says so."""

    now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def hurried(monkeypatch):
    monkeypatch.setattr(own_loop, "time", HurriedTime)


@pytest.fixture
def wall(monkeypatch):
    monkeypatch.setattr(own_loop, "time", SetTime())
    return own_loop.time


def made(clock=None):
    return FakeRobot(load_scene(load_domain("kitchen"), "small").arrangement, clock=clock)


@pytest.fixture
def body():
    return made()


@pytest.fixture
def session(body):
    with Session("kitchen", "small", robot=body, memory=None) as opened:
        yield opened


@pytest.fixture
def moving():
    """Return a session with a body whose clock runs by itself."""
    with Session("kitchen", "small", robot=made(SelfRunning()), memory=None) as opened:
        yield opened


def ticked(root, wait, until=lambda: False):
    """Tick to the end, or until something is so; return the number of ticks."""
    for number in range(1, TICKS):
        root.tick_once()
        if root.status != Status.RUNNING or until():
            return number
        wait()
    raise AssertionError(f"{root.name} is {root.status} after {TICKS} ticks")


def repeated(*calls):
    for _ in range(TICKS):
        for call in calls:
            call()


def read(namespace):
    board = py_trees.blackboard.Client(namespace=namespace)
    for key in ("goal", "outcome", "feedback"):
        board.register_key(key, access=Access.READ)
    return board


def pose(body):
    return body.observation().agents["robot0"].pose


# any loop, any rate


@pytest.mark.parametrize("rate", [5, 20, 100])
def test_a_loop_that_only_waits_lets_a_simulated_clock_go_on(session, hurried, rate):
    tree = session.subtree("open the fridge")
    ticked(tree, lambda: time.sleep(1 / rate / FASTER))
    assert tree.status == Status.SUCCESS


@pytest.mark.parametrize("rate", [5, 20, 100])
def test_a_loop_with_the_line_of_the_session_takes_no_time_and_is_the_same_each_time(rate):
    def played():
        body = made()
        with Session("kitchen", "small", robot=body, memory=None) as session:
            tree = session.subtree("bring me the milk")
            number = ticked(tree, lambda: session.sleep(1 / rate))
            assert tree.status == Status.SUCCESS
            assert body.world.held("human0") == ("milk0",)
            return number, body.clock.now()

    first = played()
    assert played() == first
    assert first[1] == pytest.approx((first[0] - 1) / rate)


def test_a_clock_that_the_caller_lets_go_on_is_left_alone(session, body):
    tree = session.subtree("open the fridge")
    number = ticked(tree, lambda: body.clock.sleep(0.05))
    assert body.clock.now() == pytest.approx(0.05 * (number - 1))


def test_py_trees_ticks_it_with_its_own_loop(session, hurried):
    tree = py_trees.trees.BehaviourTree(session.subtree("open the fridge"))
    tree.tick_tock(2, number_of_iterations=TICKS, stop_on_terminal_state=True)
    assert tree.root.status == Status.SUCCESS


def test_it_lives_in_asyncio_beside_other_work(session, hurried):
    beats = 0

    async def beat():
        nonlocal beats
        while True:
            beats += 1
            await asyncio.sleep(0.002)

    async def done(sentence):
        other = asyncio.create_task(beat())
        tree = session.subtree(sentence)
        for _ in range(TICKS):
            tree.tick_once()
            if tree.status != Status.RUNNING:
                break
            await asyncio.sleep(0.002)
        other.cancel()
        return tree.status

    assert asyncio.run(done("open the fridge")) == Status.SUCCESS
    assert beats > 10


def test_subtrees_at_once_do_not_let_the_clock_go_on_twice(session, body, wall):
    sentences = ("put the apple on the shelf", "open the fridge")
    policy = py_trees.common.ParallelPolicy.SuccessOnAll(synchronise=False)
    root = py_trees.composites.Parallel("both", policy, children=[session.subtree(each) for each in sentences])
    with pytest.warns(UserWarning, match="drives robot0 at the same time"):
        root.tick_once()
    for _ in range(10):
        wall.now += 0.1
        root.tick_once()
    assert body.clock.now() == pytest.approx(1.0)
    root.stop(Status.INVALID)


def test_a_loop_in_physics_goes_on_by_itself_and_by_the_line_of_the_session(hurried):
    with Session("kitchen", "small", robot="pybullet", memory=None) as session:
        for sentence, wait in (
            ("open the fridge", lambda: time.sleep(0.05 / FASTER)),
            ("close the fridge", lambda: session.sleep(0.05)),
        ):
            tree = session.subtree(sentence)
            ticked(tree, wait)
            assert tree.status == Status.SUCCESS


# goals that hold, and the blackboard


def test_a_goal_that_holds_is_a_leaf_that_succeeds_and_is_done_when_it_does_not_hold_any_more(session, body):
    session.handle("open the fridge")
    tree = session.subtree("open the fridge", namespace="fridge")
    moved_at = body.clock.now()
    tree.tick_once()
    assert (tree.status, read("fridge").outcome) == (Status.SUCCESS, Outcome.ALREADY)
    assert body.clock.now() == moved_at
    body.set_door("fridge0", 0.0)
    session.sleep(0.1)
    ticked(tree, lambda: session.sleep(0.05))
    assert (tree.status, read("fridge").outcome) == (Status.SUCCESS, Outcome.ACHIEVED)
    assert body.world.doors["fridge0"] > 0.5


def test_the_blackboard_tells_goal_outcome_and_feedback(session, body):
    tree = session.subtree("open the fridge", namespace="door")
    board = read("door")
    assert (board.goal, board.outcome, board.feedback) == ("(opened fridge0)", None, None)
    tree.tick_once()
    assert board.outcome is None
    tree.stop(Status.INVALID)
    assert (board.outcome, board.feedback) == (Outcome.STOPPED, None)
    session.say("stop")
    tree.tick_once()
    assert (board.outcome, board.feedback.code) == (Outcome.STOPPED, Code.CANCELLED)
    session.say("go on")
    for _ in range(200):
        body.add_fault(InjectedFault(Code.STUCK, "open", fraction=0.0))
    ticked(tree, lambda: session.sleep(0.05))
    assert tree.status == Status.FAILURE
    assert (board.outcome, board.feedback.code) == (Outcome.FAILED, Code.NO_PLAN)  # refused twice, there is no way


class Reads(py_trees.behaviour.Behaviour):
    """A leaf of the caller's that reads the outcome of a subtree."""

    def __init__(self, key):
        super().__init__(f"reads {key}")
        self.attach_blackboard_client(namespace="kitchen").register_key(key, access=Access.READ)

    def update(self):
        return Status.SUCCESS


def test_the_static_checks_know_the_keys(session):
    tree = session.subtree("open the fridge", namespace="kitchen")
    root = py_trees.composites.Sequence("root", memory=True, children=[tree, Reads("outcome"), Reads("outcom")])
    flaws = [flaw for flaw in examine(root) if flaw.sort == "unknown-key"]
    assert [flaw.culprits for flaw in flaws] == [("/kitchen/outcom",)]


def test_two_subtrees_have_keys_of_their_own(session):
    first, second = (session.subtree(f"{verb} the fridge", namespace=verb) for verb in ("open", "close"))
    ticked(first, lambda: session.sleep(0.05))
    assert (read("open").outcome, read("close").outcome) == (Outcome.ACHIEVED, None)
    assert second.status == Status.INVALID


# threads and errors


def test_another_thread_is_refused_and_disturbs_nothing(session):
    tree = session.subtree("open the fridge")
    tree.tick_once()
    refused = []

    def tick():
        try:
            tree.tick_once()
        except UsageError as error:
            refused.append(str(error))

    thread = threading.Thread(target=tick)
    thread.start()
    thread.join()
    assert "the thread that began it" in refused[0]
    assert ticked(tree, lambda: session.sleep(0.05)) > 10
    assert tree.status == Status.SUCCESS


class Loose:
    """A skill whose motion begins and then breaks."""

    def start(self, operator, robot):
        robot.start(operator.command)
        raise RuntimeError("the arm has come loose")


@pytest.mark.parametrize("under", ["loop", "ticker"])
def test_an_error_below_stops_the_body_and_reaches_the_caller(body, under):
    with Session("kitchen", "small", robot=body, memory=None, skills={"open": Loose()}) as session:
        tree = session.subtree("open the fridge", namespace="broken")
        root = py_trees.composites.Sequence("root", memory=True, children=[tree])
        tick = root.tick_once if under == "loop" else Ticker(root).tick
        with pytest.raises(RuntimeError, match="come loose"):
            repeated(tick, lambda: session.sleep(0.05))
        assert driver_of(body) is None
        assert (read("broken").outcome, read("broken").feedback.code) == (Outcome.FAULT, Code.EXCEPTION)
        assert not [node for node in walk(tree.decorated) if node.status == Status.RUNNING]
        body.clock.sleep(10.0)
        assert body.world.doors["fridge0"] < 0.5
        assert session.handle("put the apple on the counter").outcome is Outcome.ACHIEVED


class LooseOnce:
    """A skill that breaks at its first start."""

    broke = False

    def start(self, operator, robot):
        if not self.broke:
            self.broke = True
            raise RuntimeError("the arm has come loose")
        return robot.start(operator.command)


def test_a_subtree_that_is_ticked_again_after_an_error_begins_anew(body):
    with Session("kitchen", "small", robot=body, memory=None, skills={"open": LooseOnce()}) as session:
        tree = session.subtree("open the fridge", namespace="again")
        with pytest.raises(RuntimeError):
            ticked(tree, lambda: session.sleep(0.05))
        ticked(tree, lambda: session.sleep(0.05))
        assert (tree.status, read("again").outcome) == (Status.SUCCESS, Outcome.ACHIEVED)
        assert driver_of(body) is None


class Breaks(py_trees.behaviour.Behaviour):
    """A leaf of the caller's that breaks after some ticks."""

    def __init__(self, ticks):
        super().__init__("breaks")
        self.left = ticks

    def update(self):
        self.left -= 1
        if not self.left:
            raise RuntimeError("out of paper")
        return Status.RUNNING


def both(*children):
    policy = py_trees.common.ParallelPolicy.SuccessOnAll(synchronise=False)
    return py_trees.composites.Parallel("both", policy, children=list(children))


def test_an_error_elsewhere_stops_the_body_where_the_tree_is_recorded(session, body):
    root = both(session.subtree("open the fridge"), Breaks(10))
    with pytest.raises(RuntimeError), session.recorded(root) as recorded:
        ticked(root, lambda: (recorded.ticked(), session.sleep(0.05)))
    assert driver_of(body) is None
    there = pose(body)
    body.clock.sleep(5.0)
    assert pose(body) == there


# nobody ticks it any more


def until(condition):
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to that in ten seconds")


def test_a_body_that_moves_by_itself_is_stopped_when_nobody_ticks_any_more(moving, hurried):
    body = moving.environment.robot
    tree = moving.subtree("bring me the milk")
    ticked(tree, lambda: time.sleep(0.002), until=lambda: body.clock.now() > 0.5 and driver_of(body) is not None)
    until(lambda: driver_of(body) is None)
    there = pose(body)
    time.sleep(0.1)
    assert pose(body) == there
    assert tree.status == Status.RUNNING
    ticked(tree, lambda: time.sleep(0.002))
    assert tree.status == Status.SUCCESS
    assert body.world.held("human0") == ("milk0",)
    until(lambda: not [thread for thread in threading.enumerate() if thread.name == "subtree-watch"])


def test_a_runner_of_the_session_needs_no_watch(moving):
    assert moving.run(moving.subtree("open the fridge")).status == "success"
    assert not [thread for thread in threading.enumerate() if thread.name == "subtree-watch"]


def test_a_simulated_body_is_stopped_after_a_second_of_its_clock_without_a_tick(session, body):
    tree = session.subtree("bring me the milk")
    tree.tick_once()
    session.sleep(0.05)
    tree.tick_once()
    twin = made()
    with Session("kitchen", "small", robot=twin, memory=None) as other:
        beside = other.subtree("bring me the milk")
        for seconds in (0.05, 1.0):
            beside.tick_once()
            other.sleep(seconds)
        session.sleep(30.0)
        assert body.clock.now() == pytest.approx(30.05)
        assert pose(body) == pose(twin)
        assert driver_of(body) is None
        assert driver_of(twin) is not None
    ticked(tree, lambda: session.sleep(0.05))
    assert tree.status == Status.SUCCESS


def test_somebody_else_may_take_a_body_that_nobody_has_driven_for_a_second(session, body, wall):
    tree = session.subtree("open the fridge")
    tree.tick_once()
    wall.now = 0.9
    with pytest.raises(BodyTakenError):
        session.handle("put the apple on the counter")
    wall.now = 1.1
    run = session.start("put the apple on the counter")
    tree.tick_once()
    assert tree.status == Status.FAILURE
    assert "put the apple on the counter" in tree.feedback.why
    assert run.finish().outcome is Outcome.ACHIEVED
    ticked(tree, lambda: session.sleep(0.05))
    assert tree.status == Status.SUCCESS


@pytest.mark.parametrize("under", ["loop", "ticker"])
def test_a_wait_holds_a_subtree_until_somebody_says_to_go_on(session, body, under):
    tree = session.subtree("open the fridge")
    tick = tree.tick_once if under == "loop" else Ticker(tree).tick
    for _ in range(10):
        tick()
        session.sleep(0.05)
    assert session.say("wait")
    tick()
    there = pose(body)
    for _ in range(100):
        tick()
        session.sleep(0.05)
    assert (tree.status, pose(body)) == (Status.RUNNING, there)
    assert session.say("go on")
    for _ in range(200):
        tick()
        session.sleep(0.05)
        if tree.status != Status.RUNNING:
            break
    assert tree.status == Status.SUCCESS


def test_a_wait_ends_with_the_subtree_that_it_held(session):
    tree = session.subtree("open the fridge")
    tree.tick_once()
    session.say("wait")
    tree.tick_once()
    tree.stop(Status.INVALID)
    ticked(tree, lambda: session.sleep(0.05))
    assert tree.status == Status.SUCCESS


# record, report and terminal


def recorded_run(folder, wait=None):
    """Record a loop in which a subtree is ticked beside a leaf of the caller's; return what the terminal showed."""
    shown = io.StringIO()
    body = made()
    body.add_fault(InjectedFault(Code.NOT_GRASPED, "pick"))
    with Session("kitchen", "small", robot=body, memory=None, record=folder, journals=[LiveTree(shown)]) as session:
        hello = py_trees.behaviours.Success(name="hello")
        fetch = session.subtree("put the apple on the shelf")
        tree = py_trees.trees.BehaviourTree(py_trees.composites.Sequence("day", memory=True, children=[hello, fetch]))
        with session.recorded(tree.root, "tidy up") as recorded:
            tree.add_post_tick_handler(recorded.ticked)
            while tree.root.status in (Status.INVALID, Status.RUNNING):
                tree.tick()
                session.sleep(0.05)
        assert recorded.report == str(folder / "report.html")
    return shown.getvalue()


def test_a_loop_of_ones_own_has_a_record_a_report_and_a_view_in_the_terminal(tmp_path):
    shown = recorded_run(tmp_path / "first")
    events = read_record(tmp_path / "first")
    kinds = {event["e"] for event in events}
    assert {"start", "goal", "plan", "tree", "tick", "view", "resume", "failure", "rung", "end"} <= kinds
    assert events[0]["instruction"] == "tidy up"
    assert next(event for event in events if event["e"] == "tree")["root"]["name"] == "day"
    assert (events[-1]["e"], events[-1]["outcome"]) == ("end", "achieved")
    assert "tidy up" in (tmp_path / "first" / "report.html").read_text(encoding="utf-8")
    assert "robot0 puts apple0 on shelf0 worked" in shown
    recorded_run(tmp_path / "second")
    assert without_wall_clock(read_record(tmp_path / "second")) == without_wall_clock(events)


def test_so_has_a_tree_that_the_session_ticks(body, tmp_path):
    told = Entries()
    with Session("kitchen", "small", robot=body, memory=None, record=tmp_path / "kept", journals=[told]) as session:
        assert session.run(session.subtree("open the fridge"), title="the door").status == "success"
        assert [event["outcome"] for event in told.of("end")] == ["achieved"]
        assert session.run(session.subtree("close the fridge")).status == "success"
    assert [event["instruction"] for event in told.of("start")] == ["the door", "close the fridge"]
    assert read_record(tmp_path / "kept")[-1]["outcome"] == "achieved"
    assert (tmp_path / "kept" / "report.html").exists()


def test_what_a_person_is_asked_for_is_told_there_too(tmp_path):
    with Session("kitchen", "tea", robot="fake", memory=None, record=tmp_path / "tea") as session:
        tree = session.subtree("open the jar")
        with session.recorded(tree) as recorded:
            ticked(tree, lambda: (recorded.ticked(), session.sleep(0.05)))
            recorded.ticked()
    assert [each["text"] for each in read_record(tmp_path / "tea") if each["e"] == "request"] == [
        "please: unscrew jar0"
    ]


def test_one_tree_is_recorded_at_a_time(session):
    with session.recorded(session.subtree("open the fridge")), pytest.raises(UsageError, match="another tree"):
        session.run(session.subtree("open the fridge"))


def test_a_loop_that_is_left_is_recorded_as_stopped(body):
    told = Entries()
    with Session("kitchen", "small", robot=body, memory=None, journals=[told]) as session:
        root = session.subtree("open the fridge")
        with session.recorded(root) as recorded:
            root.tick_once()
            recorded.ticked()
        assert root.status == Status.INVALID
        assert driver_of(body) is None
    assert told.of("end")[0]["outcome"] == "stopped"


def test_a_plan_made_ahead_for_a_state_that_is_past_is_made_anew_without_trouble(tmp_path):
    with Session("kitchen", "small", robot=made(), memory=None, record=tmp_path / "kept") as session:
        children = [session.subtree("open the fridge"), session.subtree("put the apple in the sink")]
        root = py_trees.composites.Sequence("day", memory=True, children=children)
        assert session.run(root, title="the day").status == "success"
    events = read_record(tmp_path / "kept")
    assert [event["why"] for event in events if event["e"] == "plan"] == ["first", "first", "replan"]
    assert not [event for event in events if event["e"] in ("failure", "feedback", "rung")]
