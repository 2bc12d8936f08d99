"""Classes of one's own on the command line: what ``check`` finds wrong with them, and who may name one."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from domains.reader import load_domain, load_scene
from graftwork import Outcome, Session
from graftwork.cli.app import app
from graftwork.errors import SettingsError
from graftwork.run.past import read_past
from graftwork.setup.settings import Settings, load_settings
from robots.fake import FakeRobot
from semantics.errors import OutsideError, UsageError

ROOT = Path(__file__).parents[2]
HOUSE = f"{ROOT}/examples/own_body.py:House"
LAMPS = ["--domain", str(ROOT / "examples/lamps")]

BROKEN = f"""
import sys
sys.path.insert(0, {str(ROOT / "examples")!r})
from dataclasses import replace
from own_body import House, Motion
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.body.motion import MotionProgress, MotionStatus
from semantics.body.protocols import FoundPlan, ModelReply, NoPlan
from semantics.logic.state import Action


class Blind(House):
    def observation(self):
        raise ValueError("no eyes")


class Backwards(House):
    def observation(self):
        return replace(super().observation(), number=10_000 - self.count)


class Restless(House):
    def stop(self):
        pass


class Silent(House):
    def observation(self):
        return replace(super().observation(), told={{}})


class NeedsMore(House):
    def __init__(self, wire):
        super().__init__()


def made():
    return House()


class Wrong:
    name = "wrong"

    def solve(self, domain, problem, *, seconds):
        return FoundPlan((Action("fly", ()),), optimal=True)

    def close(self):
        pass


class Strange(Wrong):
    profile = "shorthand"

    def solve(self, domain, problem, *, seconds):
        return None


class Talker:
    name = "talker"

    def complete(self, messages, *, schema=None):
        return ModelReply("well, " + messages[-1].content)


class Forever:
    def start(self, operator, robot):
        return self

    def poll(self):
        return MotionProgress(MotionStatus.RUNNING)

    def cancel(self):
        pass


class Throws:
    def start(self, operator, robot):
        raise ZeroDivisionError("by zero")


class Nothing:
    pass
"""


@pytest.fixture
def file(tmp_path):
    (tmp_path / "broken.py").write_text(BROKEN, encoding="utf-8")
    return tmp_path / "broken.py"


def refused(*words):
    """Return why a command is refused as wrong usage."""
    ran = CliRunner().invoke(app, list(words))
    assert isinstance(ran.exception, UsageError), ran.output
    return str(ran.exception)


def checked(name, *more):
    ran = CliRunner().invoke(app, ["check", str(name), *more, "--json"])
    assert ran.exit_code in (0, 2), ran.output
    (tried,) = json.loads(ran.stdout)["classes"]
    unmet = [finding["unmet"] for finding in tried["findings"] if finding["unmet"]]
    assert ran.exit_code == (2 if unmet else 0)
    return tried["kind"], unmet


def test_a_body_that_does_all_passes():
    kind, unmet = checked(HOUSE, *LAMPS, "--try", "light lamp1")
    assert (kind, unmet) == ("body", [])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Blind", "ValueError: no eyes (broken.py, line"),
        ("Backwards", "its numbers go back"),
        ("Restless", "go ended as done and not as cancelled"),
        ("Silent", "'light lamp1' ended as"),
    ],
)
def test_a_body_is_told_what_it_does_wrong(file, name, why):
    kind, unmet = checked(f"{file}:{name}", *LAMPS, "--try", "light lamp1")
    assert kind == "body"
    assert any(why in each for each in unmet), unmet


@pytest.mark.parametrize(
    ("name", "why"), [("Wrong", "which is not in the text"), ("Strange", "its profile is 'shorthand'")]
)
def test_a_planner_is_told_what_it_does_wrong(file, name, why):
    kind, unmet = checked(f"{file}:{name}")
    assert kind == "planner"
    assert any(why in each for each in unmet), unmet


def test_a_model_is_told_what_it_does_wrong(file):
    kind, unmet = checked(f"{file}:Talker")
    assert kind == "model"
    assert len(unmet) == 1
    assert "not an object with the text 'goal'" in unmet[0]


POLISH = ["--domain", str(ROOT / "examples/polish"), "--try", "polish the cup", "--capability", "polish"]


@pytest.mark.parametrize(("name", "why"), [("Forever", "after cancel() it is running"), ("Throws", "by zero")])
def test_a_skill_is_told_what_it_does_wrong(file, name, why):
    kind, unmet = checked(f"{file}:{name}", *POLISH)
    assert kind == "skill"
    assert any(why in each for each in unmet), unmet


def test_a_skill_that_does_all_passes():
    assert checked(f"{ROOT}/examples/own_skill.py:Polish", *POLISH) == ("skill", [])


def test_a_function_may_make_it(file):
    assert checked(f"{file}:made") == ("body", [])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("NeedsMor", "did you mean NeedsMore?"),
        ("NeedsMore", "cannot be made without arguments"),
        ("Nothing", "it is no body, planner, model or skill"),
    ],
)
def test_what_cannot_be_tried_is_named(file, name, why):
    assert why in refused("check", f"{file}:{name}")


def test_a_sentence_without_a_plan_is_named():
    assert "paint" in refused("check", HOUSE, *LAMPS, "--try", "paint lamp1")


def test_the_findings_are_told_in_words(file):
    ran = CliRunner().invoke(app, ["check", f"{file}:Backwards"])
    assert ran.exit_code == 2
    assert "see docs/own-body.md#the-observation" in ran.stdout
    assert "fails" in ran.stdout.splitlines()[-1]


def test_a_body_by_its_class_carries_out_a_sentence():
    ran = CliRunner().invoke(app, ["run", "light lamp1", *LAMPS, "--robot", HOUSE, "--no-memory", "--json"])
    assert ran.exit_code == 0
    episode = json.loads(ran.stdout)
    assert (episode["outcome"], episode["robot"]) == ("achieved", "House")


def test_a_class_that_is_no_body_is_none(file):
    why = refused("run", "light lamp1", *LAMPS, "--robot", f"{file}:Wrong", "--no-memory")
    assert "lacks methods of semantics.body.protocols.Robot" in why


def test_only_the_user_names_a_class(tmp_path):
    users, folder = tmp_path / "users", tmp_path / "here"
    users.mkdir()
    folder.mkdir()
    (folder / "graftwork.toml").write_text('robot = "evil.py:Body"')
    with pytest.raises(SettingsError, match="own configuration folder"):
        load_settings({}, environment={}, folder=folder, user_folder=users)
    (folder / "graftwork.toml").rename(users / "graftwork.toml")
    settings = load_settings({}, environment={}, folder=folder, user_folder=users)
    assert settings.robot == f"{users / 'evil.py'}:Body"


def test_a_record_names_none_without_the_persons_agreement(tmp_path):
    with Session(str(ROOT / "examples/lamps"), robot=HOUSE, memory=None, record=tmp_path / "one") as session:
        run = session.start("light lamp1")
        run.wait()
        run.tick()
        run.cancel()
        run.finish()
    past = read_past(tmp_path / "one")
    assert past.outside(Settings())["robot"] == HOUSE
    assert "robot" not in past.outside(Settings(robot=HOUSE))


@pytest.mark.parametrize("error", [ValueError, OutsideError, SystemExit])
def test_what_a_body_raises_is_a_failure_that_the_ladder_sees(error):
    class Failing(FakeRobot):
        stops = 0

        def start(self, command):
            raise error("the wire is cut")

        def stop(self):
            self.stops += 1
            super().stop()

    body = Failing(load_scene(load_domain("kitchen"), "small").arrangement)
    with Session("kitchen", "small", robot=body, memory=None) as session:
        episode = session.handle("put the apple in the fridge")
        assert body.stops
    assert (episode.outcome, episode.failures[0]["feedback"]["code"]) == (Outcome.FAILED, "body-failed")
    assert "the wire is cut" in episode.message


@pytest.mark.parametrize(("error", "outcome"), [(ValueError, Outcome.FAULT), (OutsideError, Outcome.UNAVAILABLE)])
def test_an_exception_of_a_skill_ends_the_run(error, outcome):
    class Failing:
        def start(self, operator, robot):
            raise error("the wire is cut")

    with Session("kitchen", "small", robot="fake", skills={"open": Failing()}, memory=None) as session:
        episode = session.handle("open the fridge")
    assert episode.outcome is outcome
    assert "the wire is cut" in episode.message
