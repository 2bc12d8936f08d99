"""Code of others that ends the program, raises, answers nonsense, prints, or does not end."""

import json
import sys
import time
from pathlib import Path

import pytest

from domains.reader import load_domain, load_scene
from graftwork import Session
from planning.planners.own import OwnPlanner
from robots.fake import FakeRobot
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.state import Action
from tests.commands import commanded

EXITS = "import sys\n\nclass Do:\n    def start(self, operator, robot):\n        WHERE\n\nSKILLS = {'open': Do()}\n"
WITHOUT_CLOCK = """
import sys

class Body:
    name = "robot0"
    observation = start = stop = close = lambda *_: None

    @property
    def clock(self):
        ENDING
"""


class Planner:
    name = "mine"

    def __init__(self, answer):
        self.answer = answer

    def solve(self, domain, problem, *, seconds):
        return self.answer()

    def close(self):
        pass


class Hostile:
    def __repr__(self):
        raise ValueError("no words")


class HostileError(Exception):
    __str__ = Hostile.__repr__


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda: FoundPlan((Action("fly", ("robot0", "moon")),), True), "does not exist: 'fly'"),
        (lambda: ["a step"], "neither a FoundPlan"),
        (lambda: sys.exit(0), "SystemExit: 0"),
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: FoundPlan(None, True), "TypeError"),
        (lambda: FoundPlan((Action("open", None),), True), "TypeError"),
        (lambda: FoundPlan((Action("open", (1, 2)),), True), "neither a FoundPlan"),
        (lambda: FoundPlan((Action(None, ("robot0",)),), True), "neither a FoundPlan"),
        (lambda: FoundPlan((Action("open", ("robot0",)),), True), "(open robot0)"),
        (lambda: FoundPlan((Action("open", ("robot0",) * 4),), True), "(open robot0 robot0 robot0 robot0)"),
        (lambda: FoundPlan((Action("robot0", ()),), True), "unknown capability 'robot0'"),
        (lambda: NoPlan("nothing"), "neither a FoundPlan"),
        (Hostile, "planner mine"),
        (lambda: (_ for _ in ()).throw(HostileError()), "HostileError"),
    ],
)
def test_what_a_planner_of_ones_own_does_wrong_is_told_as_its_mistake(answer, words):
    with Session("kitchen", "small", robot="fake", memory=None, planner=Planner(answer)) as session:
        episode = session.handle("open the fridge")
    assert episode.outcome == "unavailable"
    assert "planner mine" in episode.message
    assert words in episode.message


def test_a_generator_of_actions_is_a_plan():
    def answer():
        return FoundPlan((Action("open", [name]) for name in "ab"), True)

    actions = OwnPlanner(Planner(answer)).solve("", "", seconds=9.0).actions
    assert actions == (Action("open", ("a",)), Action("open", ("b",)))


def test_the_time_limit_of_a_planner_of_ones_own_is_kept():
    slow = Planner(lambda: time.sleep(60))
    began = time.monotonic()
    answer = OwnPlanner(slow).solve("", "", seconds=0.1)
    assert time.monotonic() - began < 30
    assert answer.feedback.code == "planner-timeout"


def broken(*_):
    raise OSError("the bus is gone")


def ends(*_):
    sys.exit("the bus is gone")


@pytest.mark.parametrize(
    ("domain", "scene", "words"),
    [("kitchen", "small", "open the fridge"), ("tabletop", "four", "put the red block on the blue block")],
)
@pytest.mark.parametrize("does", [broken, ends])
@pytest.mark.parametrize(("method", "outcome"), [("start", "failed"), ("observation", "unavailable")])
def test_a_body_that_raises_ends_the_run_with_a_failure_of_the_body(domain, scene, words, does, method, outcome):
    body = FakeRobot(load_scene(load_domain(domain), scene).arrangement)
    with Session(domain, scene, robot=body, memory=None) as session:
        run = session.start(words)
        run.wait()
        setattr(body, "_observed" if method == "observation" else method, does)
        episode = run.finish()
    assert episode.outcome == outcome
    assert "the bus is gone" in str((episode.message, *episode.feedback))


class Broken(FakeRobot):
    """A body on a table, of which one part breaks once it is told to."""

    part, does = "", staticmethod(broken)

    def __init__(self):
        super().__init__(load_scene(load_domain("tabletop"), "four").arrangement)

    def _use(self, part):
        if part == self.part:
            self.does()

    @property
    def clock(self):
        self._use("clock")
        return self._clock

    @clock.setter
    def clock(self, clock):
        self._clock = clock

    def stop(self):
        self._use("stop")
        super().stop()

    def close(self):
        self._use("close")
        super().close()


@pytest.mark.parametrize("does", [broken, ends])
@pytest.mark.parametrize(
    ("part", "outcome", "words"),
    [("stop", "unavailable", "does not stop"), ("clock", "unavailable", "OutsideError"), ("close", "achieved", "")],
)
def test_a_body_that_cannot_stop_or_close_or_tell_the_time_breaks_no_run_off(part, outcome, words, does, caplog):
    body = Broken()
    with Session("tabletop", "four", robot=body, memory=None) as session:
        run = session.start("put the red block on the blue block")
        run.tick()
        body.part, body.does = part, does
        episode = run.finish()
    assert episode.outcome == outcome
    assert words in episode.message
    assert "does not close" in caplog.text
    assert "the bus is gone" in caplog.text


@pytest.mark.parametrize("ending", ["sys.exit(0)", "raise RuntimeError"])
def test_a_body_without_a_clock_is_a_mistake_of_its_class(tmp_path: Path, ending):
    (tmp_path / "own.py").write_text(WITHOUT_CLOCK.replace("ENDING", ending))
    command = ["run", "open the fridge", "--scene", "small", "--robot", "own.py:Body", "--no-memory"]
    done = commanded(tuple(command), tmp_path, {})
    assert done.returncode == 2
    assert "it cannot be made" in done.stderr


def test_a_body_that_raises_once_is_tried_again():
    body = FakeRobot(load_scene(load_domain("kitchen"), "small").arrangement)
    start, calls = body.start, []

    def once(command):
        calls.append(command)
        return broken() if len(calls) == 1 else start(command)

    body.start = once
    with Session("kitchen", "small", robot=body, memory=None) as session:
        episode = session.handle("open the fridge")
    assert episode.outcome == "achieved"
    assert "body-failed" in [feedback.code for feedback in episode.feedback]


@pytest.mark.parametrize("where", ["sys.exit(0)", "raise SystemExit(0)"])
def test_a_skill_that_ends_the_program_ends_the_run_as_a_fault(tmp_path: Path, where):
    (tmp_path / "own.py").write_text(EXITS.replace("WHERE", where))
    command = ["run", "open the fridge", "--scene", "small", "--robot", "fake", "--no-memory", "--skills", "own.py"]
    done = commanded(tuple(command), tmp_path, {})
    assert done.returncode == 70
    assert "SystemExit" in done.stdout + done.stderr


PRINTS = """
print("hello")
from robots.fake import FakeRobot
from domains.reader import load_domain, load_scene

SKILLS = {}

class Body(FakeRobot):
    def __init__(self):
        print("made")
        super().__init__(load_scene(load_domain("kitchen"), "small").arrangement)
"""


@pytest.mark.parametrize(
    "command",
    [
        ("check", "blocks", "--robot", "prints.py:Body"),
        ("check", "blocks", "--skills", "prints.py"),
        ("check", "prints.py:Body"),
        ("scene", "--scene", "small", "--robot", "prints.py:Body"),
        ("scene", "--scene", "small", "--picture", "it.png", "--robot", "prints.py:Body"),
    ],
)
def test_a_module_that_prints_does_not_break_the_json_of_other_commands(tmp_path: Path, command):
    (tmp_path / "prints.py").write_text(PRINTS)
    done = commanded((*command, "--json"), tmp_path, {})
    assert json.loads(done.stdout)
    assert "hello" in done.stderr


def test_a_module_that_ends_the_program_is_a_mistake_and_one_that_prints_does_not_break_json(tmp_path: Path):
    command = ["run", "open the fridge", "--scene", "small", "--robot", "fake", "--no-memory", "--json"]
    (tmp_path / "ends.py").write_text("import sys\nsys.exit(0)\n")
    assert commanded((*command, "--skills", "ends.py"), tmp_path, {}).returncode == 2
    (tmp_path / "prints.py").write_text("print('hello')\nSKILLS = {}\n")
    done = commanded((*command, "--skills", "prints.py"), tmp_path, {})
    assert json.loads(done.stdout)["outcome"] == "achieved"
    assert "hello" in done.stderr
