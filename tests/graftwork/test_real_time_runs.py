"""Runs at the speed of the wall clock: the same runs, and slower ones are told."""

import json
from pathlib import Path

import pytest

from bt.record import read_record
from graftwork.session import Session
from graftwork.setup.settings import load_settings
from semantics.errors import UsageError
from tests.graftwork.test_commands import graftwork
from tests.wall_clock import without_wall_clock

ASKED = "put the apple on the counter"


class Wall:
    """A wall clock in place of the real one, which counts what is waited for."""

    def __init__(self, computing: float) -> None:
        self.time, self.waited, self.computing = 0.0, 0.0, computing

    def __call__(self) -> float:
        self.time += self.computing
        return self.time

    def wait(self, seconds: float) -> None:
        self.time += seconds
        self.waited += seconds


def run(folder: Path, computing: float | None = None):
    """Run the sentence, in real time if a time that each look at the wall clock takes is given."""
    with Session(scene="small", robot="fake", memory=None, record=folder, real_time=computing is not None) as session:
        wall = Wall(computing or 0.0)
        if session.environment.pace is not None:
            session.environment.pace._wall, session.environment.pace._wait = wall, wall.wait
        began = session.environment.robot.clock.now()
        episode = session.handle(ASKED)
        return episode, session.environment.robot.clock.now() - began, wall.waited


def test_a_run_in_real_time_is_the_same_run_and_takes_its_time(tmp_path):
    usual, _, _ = run(tmp_path / "usual")
    watched, seconds, waited = run(tmp_path / "watched", 0.0)
    assert (watched.outcome, watched.ticks, watched.notes) == ("achieved", usual.ticks, usual.notes)
    assert waited == pytest.approx(seconds, abs=0.1)
    first, second = (without_wall_clock(read_record(tmp_path / name)) for name in ("usual", "watched"))
    assert first[1:] == second[1:]  # the first event names the folder


def test_a_run_slower_than_real_time_says_so_in_its_episode_and_its_record(tmp_path):
    episode, _, _ = run(tmp_path / "slow", 0.2)
    (note,) = (note for note in episode.notes if "slower than real time" in note)
    assert note in [event["text"] for event in read_record(tmp_path / "slow") if event["e"] == "note"]


@pytest.mark.parametrize(("word", "truth"), [("yes", True), ("1", True), ("off", False), ("False", False)])
def test_it_is_a_setting(tmp_path, word, truth):
    settings = load_settings({}, environment={"GRAFTWORK_REAL_TIME": word}, folder=tmp_path, user_folder=tmp_path)
    assert settings.real_time is truth


def test_a_word_that_is_neither_true_nor_false_is_refused(tmp_path):
    with pytest.raises(UsageError, match="real_time must be true or false, not 'often'"):
        load_settings({}, environment={"GRAFTWORK_REAL_TIME": "often"}, folder=tmp_path, user_folder=tmp_path)


def test_the_command_line_takes_it(tmp_path):
    ended = graftwork(
        "run", "open the fridge", "--scene", "small", "--robot", "symbolic", "--no-memory", "--real-time", "--json",
        cwd=tmp_path,
    )  # fmt: skip
    assert json.loads(ended.stdout)["outcome"] == "achieved"


def test_ctrl_c_while_the_wall_clock_is_waited_for_ends_the_run_with_the_body_at_rest():
    with Session(scene="small", robot="fake", memory=None, real_time=True) as session:
        wall = Wall(0.0)
        session.environment.pace._wall, session.environment.pace._wait = wall, wall.wait

        def interrupted(seconds: float) -> None:
            wall.wait(seconds)
            if session.environment.robot.clock.now() > 1.0:
                raise KeyboardInterrupt

        session.environment.pace._wait = interrupted
        with pytest.raises(KeyboardInterrupt):
            session.handle(ASKED)
        session.environment.pace._wait = wall.wait
        assert session.handle(ASKED).outcome == "achieved"
