"""The suite of CoPAL's recipes: its reduction is right, its names and its measure are, and its own data is reached."""

import os
from pathlib import Path

import pytest

from benchmarks.copal.judging import Judge, distance
from benchmarks.copal.recipes import Recipe, named
from benchmarks.copal.reducing import reduced, vessel_of
from benchmarks.copal.suite import goal_of, main, outcomes
from domains.reading import load_domain, load_scene
from graftwork.importing import import_copal
from planning import FastDownward, solve
from semantics.atoms import And, Atom, Literal
from semantics.errors import UsageError
from semantics.goal import CheckedGoal, Goal
from semantics.state import Plan, State
from tests.worlds.states import bar, glass, written

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


def solved(goals, state, things, domain, planner):
    plan = solve(CheckedGoal(Goal(And(())), tuple(goals)), state, things, domain, planner=planner, seconds=60.0)
    assert isinstance(plan, Plan)
    assert plan.optimal
    return plan


@pytest.mark.parametrize("must", [["tea"], ["milk"], ["kiwi"], ["tea", "kiwi"], ["tea", "cola"]])
def test_a_reduced_scene_costs_what_the_whole_one_does(must, scene_of, domain, planner):
    scene = scene_of(bar())
    small = reduced(scene, must, ["tray"])
    least = solved(
        [goal_of(recipe(must), small, scene)], small.state, small.things | _substances(scene), domain, planner
    )
    goals = [
        frozenset({Literal(Atom("on", (one, "tray"))), *(Literal(Atom("contains", (one, name))) for name in must)}
                  | {Literal(Atom("contains", (one, name)), False) for name in _substances(scene).keys() - set(must)})
        for one in ("first_glass", "second_glass")
    ]  # fmt: skip
    whole = solved(goals, State(scene.facts, scene.numbers), scene.things, domain, planner)
    assert least.cost == whole.cost
    assert len(small.things) < len(scene.things)


def _substances(scene):
    return {name: thing for name, thing in scene.things.items() if "substance" in thing.affordances}


def test_a_drink_is_planned_done_and_judged(scene_of, domain, planner):
    scene = scene_of(bar())
    asked = recipe(["tea", "kiwi"])
    small = reduced(scene, asked.must, ["tray"])
    plan = solved([goal_of(asked, small, scene)], small.state, small.things | _substances(scene), domain, planner)
    verdict = Judge(domain, scene).verdict(plan, asked)
    assert (verdict.wrong, verdict.second) == ("", "valid")


def test_a_drink_that_lacks_something_or_has_too_much_is_told(scene_of, domain, planner):
    scene = scene_of(bar())
    asked = recipe(["tea"])
    small = reduced(scene, asked.must, ["tray"])
    plan = solved([goal_of(asked, small, scene)], small.state, small.things | _substances(scene), domain, planner)
    told = Judge(domain, scene).verdict(plan, recipe(["cola"])).wrong
    assert told == "distance 1.2: lacks ['cola'], and has ['tea']"


def test_glasses_that_differ_are_not_taken_for_equal(scene_of):
    with pytest.raises(UsageError, match="not equal"):
        vessel_of(scene_of(bar() | {"second_glass": glass(volume=0.5)}))


def test_a_glass_that_is_not_empty_is_not_reduced(scene_of):
    filled = glass(holdsLiquid=["tea"], fillLevel=0.1)
    with pytest.raises(UsageError, match="empty hands and glasses"):
        reduced(scene_of(bar() | {"first_glass": filled, "second_glass": filled}), ["tea"], ["tray"])


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
