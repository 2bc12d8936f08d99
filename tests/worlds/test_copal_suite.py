"""The suite of CoPAL's recipes: its names and its measure are, and its own data is reached."""

import os
from pathlib import Path

import pytest

from benchmarks.copal.judging import Judge, distance
from benchmarks.copal.recipes import Recipe, named
from benchmarks.copal.scenes import import_copal
from benchmarks.copal.suite import goals_of, main, outcomes
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import FastDownward, solve
from semantics.errors import UsageError
from semantics.logic.atoms import And
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import Plan, State
from tests.worlds.states import bar, written

pytestmark = pytest.mark.filterwarnings("ignore:.*deprecated:DeprecationWarning")  # unified-planning's use of pyparsing


@pytest.fixture(scope="module")
def planner():
    found = FastDownward()
    found.warm_up()
    yield found
    found.close()


@pytest.fixture(scope="module")
def domain():
    return load_domain("barman")


@pytest.fixture
def scene_of(tmp_path, domain):
    def load(state):
        path = tmp_path / "bar.yaml"
        path.write_text(import_copal(written(tmp_path, state), domain).text("state.json"), encoding="utf-8")
        return load_scene(domain, path)

    return load


def recipe(must, may=()):
    return Recipe("own", "barman", frozenset(must), frozenset(may))


def solved(asked, scene, domain, planner):
    state = State(scene.facts, scene.numbers)
    goal = CheckedGoal(Goal(And(())), goals_of(asked, scene))
    plan = solve(Problem(domain, scene.things, state, goal.conjuncts), planner=planner, seconds=60.0)
    assert isinstance(plan, Plan)
    assert plan.optimal
    return plan


def test_any_glass_may_be_asked_for(scene_of):
    scene = scene_of(bar())
    wanted = [{one.atom.args[0] for one in goal if one.positive} for goal in goals_of(recipe(["tea"]), scene)]
    assert wanted == [{"first_glass"}, {"second_glass"}]


def test_a_drink_is_planned_done_and_judged(scene_of, domain, planner):
    scene = scene_of(bar())
    asked = recipe(["tea", "kiwi"])
    verdict = Judge(domain, scene).verdict(solved(asked, scene, domain, planner), asked)
    assert (verdict.wrong, verdict.second) == ("", "valid")


def test_a_drink_that_lacks_something_or_has_too_much_is_told(scene_of, domain, planner):
    scene = scene_of(bar())
    plan = solved(recipe(["tea"]), scene, domain, planner)
    told = Judge(domain, scene).verdict(plan, recipe(["cola"])).wrong
    assert told == "distance 1.2: lacks ['cola'], and has ['tea']"


@pytest.mark.parametrize(
    ("word", "name"),
    [("sliced_lemon", "lemon_slice"), ("Margerita Pizza", "Margherita_Pizza"), ("coca-cola", "coca_cola")],
)
def test_other_names_are_read_as_what_is_there(word, name):
    assert named(word, ["lime_slice", "Pesto_Pizza", "coke", name]) == name


def test_a_name_that_nothing_is_like_is_told():
    with pytest.raises(UsageError, match="'absinthe'"):
        named("absinthe", ["milk", "tea"])


def test_the_measure_is_that_of_copal():
    assert distance(2, 1) == pytest.approx(2.2)


def test_a_folder_without_the_data_is_told(tmp_path):
    with pytest.raises(UsageError, match="copal_scenes"):
        main(["--data", str(tmp_path)])


@pytest.mark.parametrize("world", ["barman", "pizza"])
def test_copals_own_recipes_are_reached(world, planner):
    data = os.environ.get("GRAFTWORK_DATA")
    if not data or not Path(data, "copal_scenes").is_dir():
        pytest.skip("GRAFTWORK_DATA names no folder with copal_scenes in it")
    found = list(outcomes(Path(data), world, planner, seconds=5.0))
    assert len(found) == 10
    assert not [(one.recipe.name, one.wrong) for one in found if one.wrong]
    assert [one.recipe.name for one in found if not one.optimal] == (
        ["Buffalo Chicken Pizza"] if world == "pizza" else []
    )
    assert all(one.optimal or one.bound for one in found)
