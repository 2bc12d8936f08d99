"""What the page about programs says is so: its programs run, its tables name what there is."""

import dataclasses
import math
import re
from pathlib import Path

import pytest

from bt.programs.language import ACTIONS, QUERIES
from bt.programs.place_queries import PLACE_QUERIES
from domains.problem import Problem
from planning import make_planner, solve
from robots.fake import InjectedFault
from semantics.logic.feedback import Code
from semantics.logic.program import ProgramLimits
from tests.bt.programs.worlds import FOUR, KITCHEN, SMALL, TABLETOP, Stage

PAGE = (Path(__file__).parents[3] / "docs" / "programs.md").read_text(encoding="utf-8")
NEAREST, REACH, _HAND, PLACED, ANSWERING, FRUIT, AWAY, SLIPPERY = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def planner():
    made = make_planner()
    yield lambda goal, state: solve(Problem(KITCHEN, SMALL.things, state, goal.conjuncts), planner=made)
    made.close()


def test_the_program_that_asks_where_things_are_answers_in_order():
    stage = Stage(NEAREST, body="fake")
    assert stage.run().status == "success"
    assert stage.heard == ["banana0 is (-0.02, 0.3, -0.0245) away."]
    assert stage.tree.answer.value == ["apple0", "banana0"]


@pytest.mark.parametrize("body", ["fake", "symbolic"])
def test_the_program_about_reach_says_what_is_far_and_goes_on_where_no_body_tells(body):
    text = REACH if body == "fake" else REACH.replace("get_position(cup0)", "point(5, 5)")
    stage = Stage(text, body=body)
    assert stage.run().status == "success"
    assert stage.heard == (["I cannot reach cup0 from here."] if body == "fake" else [])


def test_the_program_that_says_where_puts_the_cup_there_and_turned():
    stage = Stage(PLACED, body="fake")
    assert stage.run().status == "success"
    counter, cup = (stage.robot.observation().sightings[name] for name in ("counter0", "cup0"))
    right, top = counter.surfaces[0].high[:2]
    assert cup.box.centre[:2] == pytest.approx((right - 0.12, top - 0.12))
    assert math.degrees(cup.solid.yaw) == pytest.approx(90)


def test_the_message_about_a_point_that_is_taken_is_the_one_of_the_page():
    text = "pick_up(green_block)\nplace(green_block, where=point(0.67, 0.14))"
    stage = Stage(text, TABLETOP, FOUR, body="fake")
    assert stage.run().status == "failure"
    assert f"{stage.tree.feedback.why} {stage.tree.feedback.how}\n" in PAGE


def test_the_program_that_asks_answers_with_names():
    stage = Stage(ANSWERING, body="fake")
    assert stage.run().status == "success"
    assert stage.tree.answer.as_dict() == {"type": "names", "value": ["apple0", "banana0"]}


def test_the_fruit_goes_to_the_counter():
    stage = Stage(FRUIT, body="fake")
    assert stage.run().status == "success"
    assert stage.heard == ["There are 2 on the counter."]


def test_what_the_person_names_is_put_away(planner):
    stage = Stage(AWAY, body="fake", planner=planner, answers=["apple0"])
    assert stage.run().status == "success"
    assert stage.holds("(in apple0 fridge0)", "(closed fridge0)")


def test_what_cannot_be_put_away_is_told(planner):
    stage = Stage(AWAY, body="fake", planner=planner, answers=["table0"])
    assert stage.run().status == "success"
    assert stage.heard == ["I could not put away table0."]


@pytest.mark.parametrize(("slips", "ending"), [(0, "success"), (2, "success"), (3, "failure")])
def test_a_slippery_cup_is_tried_three_times(slips, ending):
    stage = Stage(SLIPPERY, body="fake")
    for _ in range(slips):
        stage.robot.add_fault(InjectedFault(Code.NOT_GRASPED, "pick"))
    end = stage.run()
    assert end.status == ending
    assert stage.heard == ["Once more."] * slips
    if ending == "failure":
        assert end.reason.why == "the cup slips"
        assert stage.tree.failed_at.line == 16


def test_every_query_action_and_limit_stands_on_the_page():
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", PAGE))))
    assert not {*QUERIES, *PLACE_QUERIES, *ACTIONS} - named
    table = PAGE[PAGE.index("## Limits") :]
    rows = [(re.findall(r"`(\w+)`", one), other) for one, other in re.findall(r"^\| (`.*?) \| (.*?) \|", table, re.M)]
    told = {name: number for names, numbers in rows for name, number in zip(names, numbers.split(", "), strict=True)}
    assert told == {one.name: f"{one.default:,}" for one in dataclasses.fields(ProgramLimits)}
