"""What a person says while the robot moves: a stop ends everything, a wait holds it, and only "go on" ends either."""

import threading

import pytest

from bt import Entries, Runner
from bt.runner import Listener
from domains.reader import load_domain, load_scene
from graftwork import Limits, Outcome, Session
from graftwork.language.openai_model import OpenAIModel
from graftwork.run.run import Run
from robots.fake import FakeRobot
from semantics.logic.goal import Goal
from semantics.logic.parsing import parse_formula
from tests.graftwork.blocked import GOAL, blocked
from tests.graftwork.test_decided_meanwhile import Thinks
from tests.silent_server import SilentServer

SENTENCE = "put the apple on the shelf"
PROGRAM = "achieve(on(apple0, shelf0))\nachieve(on(apple0, table0))\n"


@pytest.fixture
def journal() -> Entries:
    return Entries()


@pytest.fixture
def body() -> FakeRobot:
    return FakeRobot(load_scene(load_domain("kitchen"), "small").arrangement)


@pytest.fixture
def session(body, journal):
    with Session(scene="small", robot=body, memory=None, journals=[journal]) as opened:
        yield opened


def at_work(session: Session, ticks: int = 10) -> Run:
    run = session.start(SENTENCE)
    for _ in range(ticks):
        assert run.tick()
    return run


def at_rest(body: FakeRobot) -> bool:
    """Whether none of the body's motions runs on."""
    body.clock.sleep(0.05)
    return not body.motion_interlock.blocks(frozenset({"robot0"}), "robot0")[0]


def test_a_wait_holds_the_run_with_the_body_at_rest_until_go_on(session, body, journal):
    run = at_work(session)
    assert run.say("hold on a second, please")
    before = body.clock.now(), run.runner.ticks
    for _ in range(3):
        assert run.tick()
    assert run.is_held
    assert (body.clock.now(), run.runner.ticks) == before
    assert at_rest(body)
    run.say("what a nice day")
    while run.is_reading:
        assert run.tick()
    assert "I wait" in run.reply
    assert run.say("ok, go on")
    assert not run.is_held
    assert run.finish().outcome is Outcome.ACHIEVED
    means = [event["means"] for event in journal.of("heard") if "think" not in event["reply"]]
    assert means == ["wait", None, "go_on"]


@pytest.mark.parametrize("ticks", [1, 3, 40, 80, 120, 160])
def test_a_run_reaches_its_goal_wherever_it_was_held(session, body, ticks):
    run = session.start(SENTENCE)
    for _ in range(ticks):
        run.tick()
    for _ in range(7):  # more often than a step may begin without progress
        if not run.is_over:
            assert run.say("wait")
            assert run.tick()
            assert run.say("go on")
            assert run.tick()
    assert run.finish().outcome is Outcome.ACHIEVED


def test_a_program_goes_on_with_the_statement_that_was_held(session, body):
    run = session.program(PROGRAM)
    for held in (10, 90, 250):
        while run.tick() and run.runner.ticks < held:
            pass
        assert run.say("wait")
        assert run.tick()
        assert at_rest(body)
        assert run.say("carry on")
    assert run.finish().outcome is Outcome.ACHIEVED
    assert run.runner.ticks > 250


def test_the_time_of_a_wait_does_not_count(body):
    body.clock.simulated = False
    with Session(scene="small", robot=body, memory=None, limits=Limits(run_seconds=60.0)) as session:
        run = session.start(SENTENCE)
        run.wait()
        for _ in range(10):
            run.tick()
        run.say("wait")
        until = body.clock.now() + 100.0
        while body.clock.now() < until:
            assert run.tick()
        run.say("go on")
        assert run.finish().outcome is Outcome.ACHIEVED
        assert run.runner.ended.seconds < 60.0


def test_a_stop_ends_the_run_and_only_go_on_ends_the_stop(session, body, journal):
    run = at_work(session)
    assert session.say("no, no, stop that!")
    assert not run.tick()
    assert run.episode.outcome is Outcome.STOPPED
    assert at_rest(body)
    moved = body.world.carriers.copy()
    episode = session.handle(SENTENCE)
    assert (episode.outcome, episode.ticks) == (Outcome.STOPPED, 0)
    assert 'nobody has said "go on"' in episode.message
    assert not session.say("put the apple on the shelf")
    assert session.handle(SENTENCE).outcome is Outcome.STOPPED
    assert body.world.carriers == moved
    assert session.say("you can go on")
    assert session.handle(SENTENCE).outcome is Outcome.ACHIEVED
    (heard,) = journal.of("heard")
    assert (heard["words"], heard["means"]) == ("no, no, stop that!", "stop")


def test_a_stop_between_two_runs_is_kept(session):
    assert session.say("emergency stop")
    assert session.handle(SENTENCE).outcome is Outcome.STOPPED
    assert not session.say("wait")  # nothing is under way
    assert session.say("resume")
    assert not session.say("resume")
    assert session.handle(SENTENCE).outcome is Outcome.ACHIEVED


def test_a_stop_of_another_thread_ends_handle(session, body):
    def stop() -> None:
        while session._run is None or session._run.runner is None or not session._run.runner.ticks:
            pass
        session.say("stop")

    thread = threading.Thread(target=stop)
    thread.start()
    assert session.handle("put all the fruit on the shelf").outcome is Outcome.STOPPED
    thread.join()


def test_a_tree_of_the_caller_is_stopped_and_held_too(session, body):
    tree = session.subtree(SENTENCE)
    said: list[bool] = []

    class Speaks(Listener):
        def ticked(self, runner: Runner) -> None:
            if runner.ticks == 10 and not said:
                said.append(session.say("wait"))
                threading.Timer(0.2, lambda: said.append(session.say("go on"))).start()

    driven = session.environment.robot
    start = driven.start

    def listened(command):
        session._runner.listen(Speaks())
        driven.start = start
        return start(command)

    driven.start = listened
    assert str(session.run(tree).status) == "success"
    assert said == [True, True]
    run = session.start("put the apple on the counter")
    assert run.tick()
    run.say("wait")
    run.cancel()
    run.finish()
    assert str(session.run(session.subtree("open the fridge")).status) == "success"  # that wait ended with its run
    session.say("halt")
    ended = session.run(session.subtree("close the fridge"))
    assert (str(ended.status), ended.ticks) == ("cancelled", 0)


def test_other_words_are_answered_with_what_is_under_way(session, journal):
    run = at_work(session, ticks=3)
    run.say("what a nice day")
    while run.is_reading:
        run.tick()
    assert (
        run.reply == "I heard 'what a nice day', and I am busy: (move robot0 floor0 table0). Say \"stop\" to stop me."
    )
    run.tick()
    heard = journal.of("heard")[-1]
    assert (heard["words"], heard["means"], heard["reply"]) == ("what a nice day", None, run.reply)
    run.cancel()
    run.finish()
    assert not run.say("and now?")
    assert "nothing is under way" in run.reply


def test_words_are_heard_while_a_model_is_asked(body, journal):
    model = Thinks()
    with Session(scene="small", robot=body, memory=None, model=model, journals=[journal]) as session:
        run = session.start("open the fridge")
        assert model.asked.wait(30)
        assert not run.say("how are you?")
        assert "busy: 'open the fridge'" in run.reply
        assert run.say("wait a moment")
        model.go.set()
        for _ in range(3):
            assert run.tick()
        assert run.runner.ticks == 0
        assert run.say("continue")
        assert run.finish().outcome is Outcome.ACHIEVED


def test_a_no_is_an_answer_while_a_question_is_open(session, body):
    with Session(scene="full", robot="fake", memory=None) as session:
        run = session.start("bring me the can")
        run.wait()
        assert run.question is not None
        assert run.say("no")
        assert run.finish().outcome is Outcome.REFUSED


def test_a_model_that_is_consulted_in_mid_run_is_left_at_a_stop():
    with SilentServer() as server:
        model = OpenAIModel("any", base_url=server.base_url, api_key="sk-none", timeout=60.0)
        session, _ = blocked(model=model)
        with session:
            run = session.start(Goal(parse_formula(GOAL), SENTENCE))
            threading.Thread(target=lambda: (server.asked.wait(60), session.say("stop it now"))).start()
            assert run.finish().outcome is Outcome.STOPPED
            assert server.left.wait(30)
