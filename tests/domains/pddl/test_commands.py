"""The commands that export and import worlds, and plan for the goal of a problem."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from affordances import Scene
from domains.files import domain_yaml, scene_yaml
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from graftwork.cli.app import app
from planning import FastDownward, solve
from semantics.logic.atoms import Atom, Literal
from tests.domains.pddl.exhaustive import cheapest
from tests.domains.pddl.worlds import WORLDS, read


def test_export_writes_a_domain_and_a_problem(tmp_path: Path):
    goal = "(on apple0 counter0)"
    done = CliRunner().invoke(
        app,
        ["domain", "export", "kitchen", "--scene", "small", "--goal", goal, "--into", str(tmp_path / "out"), "--json"],
    )
    assert done.exit_code == 0
    files = json.loads(done.output)["files"]
    assert [Path(name).name for name in files] == ["domain.pddl", "problem.pddl"]
    assert f"(:goal (and {goal}))" in Path(files[1]).read_text(encoding="utf-8")


def test_export_leaves_out_what_the_goal_does_not_ask_for(tmp_path: Path):
    def actions(folder: Path, *goal: str) -> set[str]:
        words = ["domain", "export", "kitchen", "--scene", "small", *goal, "--into", str(folder)]
        assert CliRunner().invoke(app, words).exit_code == 0
        return set(re.findall(r"\(:action (\S+)", (folder / "domain.pddl").read_text(encoding="utf-8")))

    whole = actions(tmp_path / "whole")
    on = actions(tmp_path / "on", "--goal", "(on apple0 counter0)")
    beside = actions(tmp_path / "beside", "--goal", "(left_of apple0 milk0)")
    assert {"place", "place_left_of", "place_right_of", "chop"} <= whole
    assert on.isdisjoint({"place_left_of", "place_right_of", "chop"})
    assert {"place", "place_left_of"} <= beside
    assert beside.isdisjoint({"place_right_of", "place_left_of_seen_from"})


def test_what_export_leaves_out_is_in_no_cheapest_plan(tmp_path: Path):
    """Another planner finds a plan in the text, and it has the cost that ours proves in the whole world."""
    goal = "(inhand milk0 human0)"
    words = ["domain", "export", "kitchen", "--scene", "small", "--goal", goal, "--into", str(tmp_path)]
    assert CliRunner().invoke(app, words).exit_code == 0
    planner = FastDownward()
    answer = planner.solve(*(Path(tmp_path, f"{name}.pddl").read_text() for name in ("domain", "problem")), seconds=20)
    kitchen = load_domain("kitchen")
    scene = load_scene(kitchen, "small")
    wanted = frozenset({Literal(Atom("inhand", ("milk0", "human0")))})
    whole = Problem(kitchen, scene.things, Scene.as_written(scene, kitchen).state, (wanted,))
    plan = solve(whole, planner=planner)
    planner.close()
    assert answer.optimal
    assert sum(whole.ground(step).cost for step in answer.actions) == plan.cost


def test_export_writes_nothing_over(tmp_path: Path):
    (tmp_path / "domain.pddl").write_text("mine", encoding="utf-8")
    done = CliRunner().invoke(app, ["domain", "export", "kitchen", "--into", str(tmp_path)])
    assert "is there already" in str(done.exception)
    assert (tmp_path / "domain.pddl").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", WORLDS)
def test_an_imported_world_is_the_same_problem(name: str, tmp_path: Path):
    domain, problem = read(WORLDS[name].domain, WORLDS[name].problem, tmp_path / "own")
    (tmp_path / "scenes").mkdir()
    (tmp_path / "domain.yaml").write_text(domain_yaml(domain), encoding="utf-8")
    (tmp_path / "scenes" / "one.yaml").write_text(scene_yaml(domain, problem.scene, problem.goal), encoding="utf-8")
    again = load_domain(tmp_path)
    assert set(again.capabilities) == set(domain.capabilities)
    scene = load_scene(again, "one")
    assert cheapest(again, type(problem)(scene, problem.goal)) == WORLDS[name].cost


def test_import_makes_a_world_with_scenes(tmp_path: Path):
    read(WORLDS["shelves"].domain, WORLDS["shelves"].problem, tmp_path)
    files = [str(tmp_path / "domain.pddl"), str(tmp_path / "problem.pddl")]
    done = CliRunner().invoke(app, ["domain", "import", *files, "--into", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    assert load_scene(load_domain(tmp_path / "out"), "problem").facts


def test_plan_takes_the_goal_of_a_problem(tmp_path: Path):
    read(WORLDS["shelves"].domain, WORLDS["shelves"].problem, tmp_path)
    files = ["--domain", str(tmp_path / "domain.pddl"), "--scene", str(tmp_path / "problem.pddl")]
    done = CliRunner(env={"GRAFTWORK_DATA": None}).invoke(app, ["plan", *files])  # which is for tests, and no setting
    assert done.exit_code == 0, done.output
    assert "3 steps, cost 3" in done.output
