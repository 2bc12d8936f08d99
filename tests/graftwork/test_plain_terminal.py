"""The terminal says what the report says: sentences, each thing once, and what is waited for."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from bt.report.story import Story
from graftwork.cli import options
from tests.commands import commanded
from tests.graftwork.test_commands import graftwork

PDDL = re.compile(r"\((?!speed)[a-z_]+ [a-z]+0")


def test_a_plan_is_told_in_the_sentences_of_the_report(tmp_path):
    goal = "(and (in apple0 fridge0) (closed fridge0))"
    shown = graftwork("plan", "--goal", goal, "--scene", "small", cwd=tmp_path)
    assert not PDDL.search(shown.stdout)
    assert shown.stdout.startswith("goal   apple0 is in fridge0 and fridge0 is closed\n")
    told = json.loads(graftwork("plan", "--goal", goal, "--scene", "small", "--json", cwd=tmp_path).stdout)
    pddl = graftwork("plan", "--goal", goal, "--scene", "small", "--pddl", cwd=tmp_path).stdout
    assert f"goal   {goal}\n" in pddl
    assert all(step in pddl for step in told["plan"])
    assert told["goal"] == goal


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Run one sentence three ways, with a memory, and return the outputs."""
    folder = tmp_path_factory.mktemp("runs")
    words = ("run", "put the apple in the fridge", "--scene", "small", "--robot", "fake", "--memory", "m.sqlite")
    told = {name: graftwork(*words, *more, cwd=folder) for name, more in WAYS.items()}
    return folder, told


WAYS = {"plain": ("--record", "rec"), "pddl": ("--pddl", "--no-memory"), "quiet": ("--quiet", "--no-memory")}


def test_a_run_tells_its_steps_and_its_goal_in_the_sentences_of_its_report(runs):
    folder, told = runs
    assert not PDDL.search(told["plain"].stdout + told["plain"].stderr)
    events = [json.loads(line) for line in (folder / "rec" / "record.jsonl").read_text().splitlines()]
    vocabulary = next(event for event in events if event["e"] == "vocabulary")
    steps = next(event["steps"] for event in events if event["e"] == "plan")
    story = Story(vocabulary=vocabulary)
    for step in steps:
        assert f"● {story.sentence(step)} begins" in told["plain"].stderr
        assert f"● {step} begins" in told["pddl"].stderr
    assert "goal    apple0 is in fridge0" in told["plain"].stdout
    assert "goal    (in apple0 fridge0)" in told["pddl"].stdout


def test_a_quiet_run_prints_its_outcome_alone(runs):
    quiet = runs[1]["quiet"]
    assert quiet.stdout.splitlines() == [runs[1]["pddl"].stdout.splitlines()[0]]
    assert quiet.stderr == ""


def test_what_is_remembered_and_recorded_is_shown_in_sentences(runs):
    folder, _ = runs
    shown = graftwork("memory", "show", "1", "--memory", "m.sqlite", cwd=folder).stdout
    assert "goal    apple0 is in fridge0" in shown
    assert not PDDL.search(shown)
    assert (
        "goal    (in apple0 fridge0)"
        in graftwork("memory", "show", "1", "--memory", "m.sqlite", "--pddl", cwd=folder).stdout
    )
    assert not PDDL.search(graftwork("record", "show", "rec", cwd=folder).stdout)


@pytest.mark.parametrize("sentence", ["bring me the unicorn", "put the fridge on the table", "sing me a song"])
def test_a_refusal_is_told_once_where_nobody_is_at_a_terminal(sentence, tmp_path):
    ended = graftwork("run", sentence, "--scene", "small", "--robot", "fake", "--no-memory", cwd=tmp_path)
    reason = ended.stdout.removeprefix("refused: ").splitlines()[0]
    assert ended.returncode == 3
    assert (ended.stdout + ended.stderr).count(reason) == 1
    assert "refused" not in ended.stderr


def test_a_quiet_plan_prints_its_outcome_alone(tmp_path):
    words = ("plan", "put the apple in the fridge", "--scene", "small", "--quiet")
    ended = graftwork(*words, cwd=tmp_path)
    assert (ended.stdout, ended.stderr) == ("planned: The plan stands; nothing was moved.\n", "")


class AtOnce(threading.Timer):
    """A second that has passed when it begins."""

    def start(self):
        self.function(*self.args, **self.kwargs)


@pytest.mark.parametrize(("silent", "told"), [(False, "planning …\n"), (True, "")])
def test_what_takes_longer_than_a_second_is_said_on_one_line(monkeypatch, capsys, silent, told):
    monkeypatch.setattr(options.threading, "Timer", AtOnce)
    with options.waiting("planning", silent=silent):
        pass
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", told)


def test_a_terminal_shows_what_is_waited_for_no_longer_than_that(monkeypatch, capsys):
    monkeypatch.setattr(options.threading, "Timer", AtOnce)
    monkeypatch.setattr(options.sys.stderr, "isatty", lambda: True)
    with options.waiting("planning"):
        assert capsys.readouterr().err == "planning …"
    assert capsys.readouterr().err == "\r\x1b[K"


def test_what_is_being_said_when_the_wait_ends_is_cleared_too(monkeypatch, capsys):
    begun, echo = threading.Event(), options.echo

    def say_slowly(*args, **kwargs):
        begun.set()
        time.sleep(0.2)
        echo(*args, **kwargs)

    monkeypatch.setattr(options, "echo", say_slowly)
    at_once = partial(threading.Timer, 0.0)
    monkeypatch.setattr(options.threading, "Timer", lambda _, *said: at_once(*said))
    monkeypatch.setattr(options.sys.stderr, "isatty", lambda: True)
    with options.waiting("planning"):
        assert begun.wait(5.0)
    assert capsys.readouterr().err == "planning …\r\x1b[K"


def test_nothing_is_said_of_what_is_done_in_a_moment(capsys):
    with options.waiting("planning"):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("graftwork run --domain ", {"kitchen", "tabletop", "blocks"}),
        ("graftwork plan --domain tabletop --scene ", {"four", "tower"}),
        ("graftwork scene --scene sm", {"small"}),
        ("graftwork run --robot f", {"fake"}),
    ],
)
def test_a_shell_completes_names(typed, names, tmp_path):
    asked = {"_GRAFTWORK_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    ended = commanded((), tmp_path, os.environ | asked)
    assert names <= set(ended.stdout.split())
    assert "nothing" not in ended.stdout
    last = typed.split(" ")[-1]
    assert all(name.startswith(last) for name in ended.stdout.split())


def test_a_shell_can_have_the_completion_installed(tmp_path: Path):
    assert "--install-completion" in graftwork("--help", cwd=tmp_path).stdout
    command = f"'{sys.executable}' -m graftwork --show-completion; exit $?"  # for the shell that runs it
    shell = ["bash", "-c", command]
    shown = subprocess.run(shell, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=60, check=True)
    assert "complete_bash" in shown.stdout
