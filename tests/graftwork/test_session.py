"""A session from Python: runs ticked from outside, answered, stopped; faults that leave a trace."""

from pathlib import Path

import pytest

import domains
from domains.reader import load_domain, load_scene
from graftwork import Limits, Outcome, Session, read_record
from graftwork.errors import NothingToDoError, SettingsError
from graftwork.run.past import read_past
from graftwork.testing import ScriptedModel
from robots.fake import FakeRobot
from semantics.body.protocols import FoundPlan, Interlocked, Motion, NoPlan, Robot
from semantics.errors import UnknownNameError, UsageError
from semantics.logic.feedback import Code
from semantics.logic.state import Action, Operator
from tests.sealed_body import SealedBody


@pytest.fixture
def session(tmp_path):
    with Session(robot="fake", memory=tmp_path / "memory.sqlite") as opened:
        yield opened


def test_an_answer_to_a_question_lets_the_run_go_on(session):
    run = session.start("bring me the can")
    run.wait()
    assert run.episode is None
    assert run.question.options[:2] == ("can0", "can1")
    assert run.say("can1")
    assert run.finish().goal == "(inhand can1 human0)"


def test_a_sentence_that_needed_an_answer_asks_again_the_next_time(session):
    run = session.start("bring me the can")
    run.wait()
    run.say("can1")
    assert run.finish().outcome is Outcome.ACHIEVED
    run = session.start("bring me the can")
    run.wait()
    assert run.question is not None


def test_stop_ends_a_run_between_two_ticks(session):
    run = session.start("open the fridge")
    run.wait()
    for _ in range(10):
        assert run.tick()
    assert run.say("Stop!")
    assert run.finish().outcome is Outcome.STOPPED
    assert not run.tick()


def test_words_that_answer_nothing_are_of_no_use(session):
    run = session.start("open the fridge")
    run.wait()
    if run.say("what a nice day"):  # not yet read
        while run.is_reading:
            run.tick()
    assert "I am busy" in run.reply
    run.cancel()
    assert run.finish().outcome is Outcome.STOPPED


def test_each_instruction_of_a_session_counts_for_itself(session):
    first = session.handle("open the fridge")
    second = session.handle("close the fridge")
    assert first.outcome is second.outcome is Outcome.ACHIEVED
    assert "load" in first.seconds
    assert "load" not in second.seconds


def test_only_what_can_be_done_has_a_subtree(session):
    with pytest.raises(NothingToDoError, match="unicorn"):
        session.subtree("bring me the unicorn")


class Loose:
    def start(self, operator: Operator, robot: Robot) -> Motion:
        raise RuntimeError("the arm has come loose")


def test_a_fault_in_a_skill_names_the_node_and_the_log(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with Session(robot="fake", memory=None, skills={"open": Loose()}) as session:
        episode = session.handle("open the fridge")
    assert episode.outcome is Outcome.FAULT
    assert "open" in episode.feedback[-1].what
    assert "graftwork.log" in episode.message
    assert "come loose" in next(tmp_path.rglob("graftwork.log")).read_text(encoding="utf-8")


class OneStep:
    """A planner of one's own, which knows a single answer."""

    name = "one-step"

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        return FoundPlan((Action("move", ("robot0", "floor0", "sink0")),), optimal=False)

    def close(self) -> None:
        pass


def test_a_planner_and_a_body_of_ones_own_are_taken(tmp_path):
    layout = load_scene(load_domain("kitchen"), "small").layout
    with Session(scene="small", robot=FakeRobot(layout), planner=OneStep(), memory=None) as session:
        episode = session.handle("go to the sink")
    assert (episode.outcome, episode.plan) == (Outcome.ACHIEVED, ("(move robot0 floor0 sink0)",))
    assert not episode.optimal


def test_a_planner_that_lies_is_found_out_before_anything_moves():
    with Session(scene="small", robot="fake", planner=OneStep(), memory=None) as session:
        episode = session.handle("go to the table")
    assert (episode.outcome, episode.ticks) == (Outcome.REFUSED, 0)
    assert episode.feedback[0].code is Code.INVALID_PLAN


def test_an_unknown_planner_is_named():
    with pytest.raises(UnknownNameError, match="fast-downward"):
        Session(robot="fake", planner="fast-downwards", memory=None)


def test_a_run_that_takes_too_long_fails_with_the_limit():
    with Session(robot="fake", memory=None, limits=Limits(run_seconds=3.0)) as session:
        episode = session.handle("put all the fruit on the shelf")
    assert episode.outcome is Outcome.FAILED
    assert episode.feedback[-1].code is Code.TIMEOUT


def test_a_session_drives_a_body_that_allows_no_further_attribute_with_one_interlock():
    body = SealedBody(FakeRobot(load_scene(load_domain("kitchen"), "small").arrangement))
    with Session("kitchen", "small", robot=body, memory=None) as session:
        assert isinstance(session.environment.robot, Interlocked)
        assert session.handle("put the apple on the counter").outcome is Outcome.ACHIEVED


@pytest.mark.parametrize(
    "given",
    [
        {"seed": -1},
        {"seed": "x"},
        {"seed": True},
        {"affordance_threshold": 7},
        {"costs": {"robot": -5}},
        {"search": "quick"},
        {"real_time": "perhaps"},
        {"planning_seconds": 10**400},
    ],
)
def test_an_argument_takes_the_values_that_its_setting_takes(given):
    (name,) = given
    with pytest.raises(SettingsError, match=f"{name} must be"):
        Session(scene="small", robot="symbolic", memory=None, **given)


class Interrupting:
    def write(self, event, fields):
        raise KeyboardInterrupt


def test_a_record_that_was_interrupted_when_it_began_has_an_end(tmp_path):
    given = {"robot": "fake", "memory": None, "record": tmp_path, "journals": (Interrupting(),)}
    with Session(scene="small", **given) as session, pytest.raises(KeyboardInterrupt):
        session.start("open the fridge")
    assert [event["e"] for event in read_record(tmp_path)] == ["start", "end"]
    assert read_past(tmp_path).outcome == "stopped"


def test_the_record_names_the_model_as_it_was_given(tmp_path):
    model = ScriptedModel([])
    model.name = "openai:maker/model:small"
    with Session(scene="small", robot="fake", model=model, record=tmp_path, memory=None) as session:
        session.start("bring me the milk").cancel()
    assert read_past(tmp_path).settings["model"] == "openai:maker/model:small"


def test_a_session_that_was_closed_says_so_before_it_reads_a_file(tmp_path):
    with Session(scene="small", robot="fake", memory=None) as session:
        pass
    for begin in (session.start, session.program, session.resume):
        with pytest.raises(UsageError, match="closed"):
            begin(tmp_path / "missing")


def test_a_world_and_its_scene_may_be_paths(tmp_path):
    folder = Path(domains.__file__).parent / "blocks"
    scene = next((folder / "scenes").glob("*.yaml"))
    with Session(domain=folder, scene=scene, robot="symbolic", memory=None) as opened:
        assert opened.environment.world.domain.name == "blocks"
        assert opened.environment.world.scene == scene.stem
