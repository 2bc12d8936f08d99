"""The copal set: which problems it has, that a seed gives one text, and that texts of blocks are done to the end."""

import os
from pathlib import Path

import pytest

from benchmarks.words.copal import problems, tried
from graftwork.setup.plans import PlanningOptions
from planning import FastDownward
from planning.service import InProcess
from semantics.logic.state import State

DATA = Path(os.environ.get("GRAFTWORK_DATA", Path(__file__).resolve().parents[2] / "data"))
HERE = all((DATA / name).is_dir() for name in ("copal_ground_truth", "copal_scenes"))
pytestmark = pytest.mark.skipif(not HERE, reason="GRAFTWORK_DATA names no folder with CoPAL's ground truth and scenes")


@pytest.fixture(scope="module")
def planner():
    planner = FastDownward()
    yield planner
    planner.close()


@pytest.fixture(scope="module")
def said(planner):
    return tuple(problems(DATA, 0, planner))


def test_there_are_thirty_five_problems_whose_goals_do_not_hold(said):
    worlds = [each.world for each in said]
    assert (worlds.count("barman"), worlds.count("pizza"), worlds.count("blocks")) == (10, 10, 15)
    assert [each.name for each in said if each.world == "blocks"] == [f"p{number:02}" for number in range(2, 17)]
    for each in said:
        assert each.wrong(State(each.scene.facts, each.scene.numbers)), each.name
        assert each.lines
        assert each.sentence
    assert said[0].sentence == "Please, prepare Bloody Mary cocktail"


def test_a_seed_gives_one_text_and_another_seed_others(said, planner):
    again, other = tuple(problems(DATA, 0, planner)), tuple(problems(DATA, 1, planner))
    assert [each.lines for each in again] == [each.lines for each in said]
    assert sum(a.lines != b.lines for a, b in zip(said, other, strict=True)) > 20


@pytest.mark.parametrize("name", ["p02", "p04", "p09"])
def test_a_logged_text_is_done_to_the_end_of_its_goal(name, said, planner):
    (problem,) = [each for each in said if each.name == name]
    outcome = tried(problem, PlanningOptions(InProcess(planner), patience=1.0), with_goal=True)
    assert outcome.right, outcome.why
    assert 0 < outcome.kept <= outcome.steps
