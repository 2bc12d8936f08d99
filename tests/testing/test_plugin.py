"""The pytest plugin, in test runs of its own."""

import subprocess
import sys

import pytest

from tests.cases.worlds import make_world

pytest_plugins = ["pytester"]

GOOD = "- {name: there is no shelf, goal: (on cup0 shelf0), refused: unknown-name}\n"
PLANNED = "- {name: one cup is moved, goal: (on cup0 floor0), cost: 4}\n"
BAD = "- {name: it fails, goal: (on cup0 floor0), cost: 3}\n"
OTHERS = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:xdist", "-p", "no:anyio")
"""No other plugin: to load them takes longer than most of these test runs."""
PLUGIN = ("-p", "graftwork.testing.plugin", *OTHERS, "-W", "error")


@pytest.fixture
def run(pytester):
    return lambda *words: pytester.runpytest_subprocess(*PLUGIN, *words, timeout=120)


def test_cases_beside_a_domain_are_tests(pytester, run):
    make_world(pytester.path / "world", GOOD + PLANNED)
    ran = run("-v")
    ran.assert_outcomes(passed=2)
    ran.stdout.fnmatch_lines(["world/cases/first.yaml::there is no shelf PASSED*", "*::one cup is moved PASSED*"])


def test_a_case_that_fails_says_what_is_different_and_shows_no_traceback(pytester, run):
    make_world(pytester.path / "world", GOOD + BAD)
    ran = run()
    ran.assert_outcomes(passed=1, failed=1)
    ran.stdout.fnmatch_lines(
        ["world/cases/first.yaml:2: it fails", "expected cost 3, got 4", "    (move robot0 floor0 table0)"]
    )
    ran.stdout.no_fnmatch_line("*Traceback*")
    ran.stdout.no_fnmatch_line("*runtest*")


def test_cases_are_chosen_by_name_and_by_file(pytester, run):
    make_world(pytester.path / "world", GOOD + BAD)
    run("-k", "shelf").assert_outcomes(passed=1, deselected=1)
    run("world/cases/first.yaml::it fails").assert_outcomes(failed=1)


def test_a_bad_file_is_an_error_of_collection_with_every_problem(pytester, run):
    make_world(pytester.path / "world", "- {name: a, cost: x}\n")
    ran = run()
    ran.assert_outcomes(errors=1)
    ran.stdout.fnmatch_lines(
        ["world/cases/first.yaml:1:3: nothing is asked for*", "world/cases/first.yaml:1:19: the cost*"]
    )
    ran.stdout.no_fnmatch_line("*Traceback*")


def test_other_yaml_files_are_left_alone(pytester, run):
    for place in ("cases/lonely.yaml", "notes.yaml", "world/scenes/other.yaml"):
        file = pytester.path / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{", encoding="utf-8")
    run().assert_outcomes()


def test_the_fixtures_give_the_world_that_is_asked_for(pytester, run):
    make_world(pytester.path / "world", GOOD)
    pytester.makepyfile(
        """
        import pytest

        def test_by_default(domain, scene):
            assert (domain.name, scene.name) == ("kitchen", "full")

        @pytest.mark.graftwork(scene="small")
        class TestMarked:
            def test_by_a_marker(self, domain, scene):
                assert (domain.name, scene.name) == ("kitchen", "small")

            @pytest.mark.graftwork(domain="world/domain.yaml", scene="world/scenes/room.yaml")
            def test_by_the_closest_marker_and_a_path(self, domain, scene):
                assert (domain.name, scene.name) == ("cupboard", "room")

            @pytest.mark.parametrize("scene", ["full"], indirect=True)
            def test_by_a_parameter(self, scene):
                assert scene.name == "full"

        def test_it_is_read_once(domain, request):
            assert request.getfixturevalue("domain") is domain
        """
    )
    run().assert_outcomes(passed=6)


def test_the_ini_file_names_world_scene_and_planner(pytester, run):
    make_world(pytester.path / "world", GOOD)
    pytester.makeini("[pytest]\ngraftwork_domain = ./world\ngraftwork_planner = kairos")
    folder = pytester.mkdir("inside")
    (folder / "test_ini.py").write_text(
        "def test_ini(domain, scene, planner):\n"
        "    assert (domain.name, scene.name, planner.name) == ('cupboard', 'room', 'kairos')\n",
        encoding="utf-8",
    )
    run("inside").assert_outcomes(passed=1)


def test_the_fixtures_work_together(pytester, run):
    pytester.makepyfile(
        """
        import pytest
        from affordances.scene import Scene
        from domains.problem import Problem
        from graftwork import Session
        from graftwork.testing import assert_plan_valid
        from planning import solve
        from semantics.logic.goal_check import check_goal
        from semantics.logic.goal import Goal
        from semantics.logic.parsing import parse_formula
        from semantics.logic.rules import RuleBook

        pytestmark = pytest.mark.graftwork(scene="small")

        def test_a_plan(domain, scene, planner):
            state = Scene.as_written(scene, domain).state
            words = domain.vocabulary(scene.things, scene.speaker)
            said = Goal(parse_formula("(in juice0 fridge0)"))
            goal = check_goal(said, words, rules=RuleBook(domain.rules), state=state)
            plan = solve(Problem(domain, scene.things, state, goal.conjuncts), planner=planner)
            assert plan.cost == 6
            assert_plan_valid(plan, domain, scene, goal)

        def test_a_run(fake_robot, virtual_clock, scripted_model, planner):
            model = scripted_model({"goal": "(on apple0 counter0)"})
            with Session(scene="small", robot=fake_robot, model=model, planner=planner, memory=None) as session:
                assert session.handle("put the apple on the counter").outcome == "achieved"
            assert virtual_clock.now() > 1.0
            assert model.left == 0

        def test_the_robot_is_new_each_time(fake_robot, virtual_clock):
            assert virtual_clock.now() == 0.0
            assert fake_robot.clock is virtual_clock
        """
    )
    run().assert_outcomes(passed=3)


def test_the_fixtures_are_listed_with_what_they_give(run):
    ran = run("--fixtures", "-v")
    for name in ("domain", "scene", "planner", "scripted_model", "fake_robot", "virtual_clock"):
        ran.stdout.fnmatch_lines([f"{name}*graftwork*"])


def test_a_project_that_does_not_use_it_loads_nothing_of_it(pytester):
    pytester.makepyfile(
        """
        import sys

        def test_nothing_is_loaded(domain):
            heavy = {"numpy", "yaml", "domains", "semantics", "planning", "affordances", "robots", "bt"}
            assert not heavy & set(sys.modules)
            assert domain == "mine"
        """
    )
    pytester.makeconftest("import pytest\n\n@pytest.fixture\ndef domain():\n    return 'mine'\n")
    pytester.runpytest_subprocess("-p", "graftwork.testing.plugin", *OTHERS[2:]).assert_outcomes(passed=1)


def test_importing_the_public_stand_ins_loads_none_of_them():
    code = (
        "import sys, graftwork.testing as t\n"
        "assert not {'numpy', 'yaml', 'planning', 'robots', 'domains'} & set(sys.modules)\n"
        "assert all(getattr(t, name) for name in t.__all__)\n"
        "assert t.__all__ == sorted(t.__all__) and set(t._HOMES) == set(t.__all__)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
