"""The garage of the newcomer's page, with the fake body: what is in a drawer is found, used and put away."""

from operator import attrgetter
from pathlib import Path

import pytest

from bt.record import read_record
from graftwork import Session
from tests.docs.blocks import DOCS
from tests.docs.links import File, steps_of
from tests.graftwork.test_commands import run_json


@pytest.fixture
def garage(tmp_path: Path) -> Path:
    for step in steps_of(DOCS / "first-world.md"):
        if isinstance(step, File) and step.path.startswith("garage/"):
            path = tmp_path / step.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.text, encoding="utf-8")
    return tmp_path


def told(garage: Path, sentence: str) -> dict:
    options = ("--domain", "./garage", "--scene", "room", "--no-memory")
    code, answer = run_json(sentence, garage, *options)
    assert code == 0, answer
    return answer


def test_a_thing_that_nobody_has_seen_is_looked_for_in_drawers(garage: Path):
    scene = garage / "garage" / "scenes" / "room.yaml"
    scene.write_text(scene.read_text().replace("in: nails0}", "in: nails0, hidden: true}"))
    answer = told(garage, "put the box of nails on the bench")
    assert answer["outcome"] == "achieved"
    assert "explore" in {turn["rung"] for turn in answer["turns"]} | {fix["rung"] for fix in answer["fixes"]}
    assert "(take_out robot0 box0 nails0 chest0)" in str(answer["plan"])


@pytest.mark.parametrize("robot", ["fake", "pybullet"])
def test_what_lies_in_shut_drawers_is_planned_for_as_the_scene_says(garage: Path, robot: str):
    scene = garage / "garage" / "scenes" / "room.yaml"
    scene.write_text(scene.read_text().replace("on: bench0, offset: [0.1, 0.1], yaw: 1.5708}", "in: tools0}"))
    with Session(domain=str(garage / "garage"), scene="room", robot=robot, memory=None) as session:
        run = session.start("put the pliers and the box of nails on the bench")
        run.wait()
        taken = [step.args[1] for step in map(attrgetter("action"), run.plan.steps) if step.name == "take_out"]
        run.cancel()
        run.finish()
    assert sorted(taken) == ["box0", "pliers0"]


def test_a_drawer_is_shut_after_something_was_put_away(garage: Path):
    answer = told(garage, "put away the pliers in the tool drawer")
    assert answer["outcome"] == "achieved"
    steps = str(answer["plan"])
    assert steps.index("pull robot0 tools0") < steps.index("store robot0 pliers0") < steps.index("push robot0 tools0")


def test_a_drawer_that_is_open_above_is_shut_before_the_one_below_is_pulled(garage: Path):
    scene = garage / "garage" / "scenes" / "room.yaml"
    text = scene.read_text()
    assert "level: 2}" in text
    scene.write_text(text.replace("level: 2}", "level: 2, opened: true}"))
    options = ("--domain", "./garage", "--scene", "room", "--no-memory", "--record", "run")
    code, answer = run_json("put the box of nails on the bench", garage, *options)
    assert (code, answer["outcome"]) == (0, "achieved")
    blamed = [each["culprits"] for each in answer["feedback"] if each["code"] == "obstructed"]
    assert ["tools0"] in blamed
    plans = [event["steps"] for event in read_record(garage / "run") if event["e"] == "plan"]
    shut = next(str(steps) for steps in plans if "push robot0 tools0" in str(steps))
    assert shut.index("push robot0 tools0 chest0") < shut.index("pull robot0 nails0 chest0")


def test_a_robot_is_charged_at_a_dock(garage: Path):
    assert told(garage, "charge yourself")["goal"] == "(charged robot0)"
