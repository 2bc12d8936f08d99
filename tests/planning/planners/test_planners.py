"""What every planner must do, run over all that are registered and over some of unified-planning's."""

import ast
from pathlib import Path
from random import Random

import pytest

import planning
from domains.problem import Problem
from graftwork.conformance.planners import PLANNER
from planning import make_planner, pddl_text, solve
from planning.errors import PlannerUnavailableError
from planning.registry import PLANNERS
from semantics.body.protocols import FoundPlan, NoPlan, Planner
from semantics.errors import UnknownNameError
from semantics.logic.feedback import Code
from semantics.logic.state import Plan, first_failure
from tests.planning.kitchen import DOMAIN, conjunct, scene, shipped
from tests.planning.random_kitchens import goal, kitchen

STOCK = "up:fast-downward-opt"
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:unified_planning")


@pytest.fixture(scope="module", params=[*PLANNERS, STOCK])
def any_planner(request):
    if request.param == "kairos":
        pytest.importorskip("kairos")
    made = make_planner(request.param)
    assert made.name == request.param
    yield made
    made.close()
    made.close()


@pytest.fixture(scope="module")
def stock():
    return make_planner(STOCK)


def test_it_is_a_planner(any_planner):
    assert isinstance(any_planner, Planner)


def test_it_solves_and_keeps_the_names_of_the_text(any_planner):
    found, state = shipped("small")
    text = pddl_text(Problem(DOMAIN, found, state, (conjunct("(inhand milk0 human0)"),)))
    answer = any_planner.solve(text.domain, text.problem, seconds=60)
    assert isinstance(answer, FoundPlan)
    assert answer.optimal == (any_planner.name != "kairos")
    steps = [DOMAIN.ground(text.read(action), found) for action in answer.actions]
    assert first_failure(steps, state, conjunct("(inhand milk0 human0)")) is None
    assert len(steps) == 5 or not answer.optimal


def test_it_says_that_there_is_no_plan(any_planner):
    found, state = scene({"apple0": "table0"})
    text = pddl_text(Problem(DOMAIN, found, state, (conjunct("(at human0 table0)"),)))
    answer = any_planner.solve(text.domain, text.problem, seconds=60)
    assert isinstance(answer, NoPlan)
    assert answer.feedback.code is Code.NO_PLAN


NUMERIC = (
    "(define (domain d) (:requirements :strips :conditional-effects :numeric-fluents) (:predicates (p))"
    " (:functions (level)) (:action fill :parameters () :precondition (and)"
    " :effect (and (increase (level) 1) (when (>= (level) 2) (p)))))",
    "(define (problem x) (:domain d) (:init (= (level) 0)) (:goal (p)))",
)


def test_what_an_engine_does_not_take_is_named(stock):
    answer = stock.solve(*NUMERIC, seconds=10.0)
    assert isinstance(answer, NoPlan)
    assert (answer.feedback.code, answer.proven, answer.feedback.recoverable) == (Code.UNSUPPORTED, False, False)
    assert "increase-effects" in answer.feedback.culprits
    assert "increase-effects" in answer.feedback.why
    assert "conditional-effects" not in answer.feedback.culprits, "these are compiled away"


def test_an_unknown_planner_or_engine_is_refused_with_the_valid_names():
    with pytest.raises(UnknownNameError, match="did you mean fast-downward"):
        make_planner("fastdownward")
    with pytest.raises(UnknownNameError, match="fast-downward-opt"):
        make_planner("up:fast-downward-optimal")


@pytest.mark.parametrize("seed", range(100, 110))
def test_plans_cost_what_unified_planning_finds_cheapest(planner, stock, seed):
    random = Random(seed)
    found, state = kitchen(random, 4)
    wanted = goal(random, (found, state), 2)
    text = pddl_text(Problem(DOMAIN, found, state, (wanted,)))
    theirs = stock.solve(text.domain, text.problem, seconds=60)
    ours = solve(
        Problem(DOMAIN, found, state, (wanted,)),
        planner=planner,
    )
    assert isinstance(ours, Plan) == isinstance(theirs, FoundPlan)
    if isinstance(ours, Plan):
        assert ours.cost == sum(DOMAIN.ground(text.read(action), found).cost for action in theirs.actions)


@pytest.mark.parametrize("seed", range(200, 212))
def test_plans_replay_on_random_kitchens(planner, seed):
    random = Random(seed)
    found, state = kitchen(random, random.choice([3, 4, 5, 6]))
    wanted = goal(random, (found, state), random.choice([1, 2, 3]))
    answer = solve(
        Problem(DOMAIN, found, state, (wanted,)),
        planner=planner,
        seconds=5,
    )
    if isinstance(answer, NoPlan):
        assert answer.feedback.code in (Code.NO_PLAN, Code.PLANNER_TIMEOUT)
        return
    for step in answer.steps:
        assert step.applicable(state)
        state = step.apply(state)
    assert state.satisfies(wanted)


def test_public_names_exist():
    assert all(hasattr(planning, name) for name in planning.__all__)


def test_only_the_worker_imports_what_is_under_the_gpl():
    room = Path(planning.__file__).parent
    importers = set()
    for path in room.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.split(".")[0] in ("fast_downward", "up_fast_downward") for name in names):
                importers.add(path.name)
    assert importers == {"worker.py"}


def test_a_stock_engine_writes_nothing_where_another_one_may_write(tmp_path, monkeypatch, stock):
    (tmp_path / "output.sas").mkdir()  # the name of Fast Downward's task in the working directory
    monkeypatch.chdir(tmp_path)
    found, state = shipped("small")
    text = pddl_text(Problem(DOMAIN, found, state, (conjunct("(inhand milk0 human0)"),)))
    assert isinstance(stock.solve(text.domain, text.problem, seconds=60), FoundPlan)
    assert [path.name for path in tmp_path.iterdir()] == ["output.sas"]


def test_an_engine_that_breaks_proves_nothing(monkeypatch, stock):
    found, state = shipped("small")
    text = pddl_text(Problem(DOMAIN, found, state, (conjunct("(inhand milk0 human0)"),)))
    monkeypatch.setenv("PYTHONHASHSEED", "none")  # the engine's process, a Python, ends at once with the exit code 1
    with pytest.raises(PlannerUnavailableError, match=r"up:fast-downward-opt.*broke off.*PYTHONHASHSEED"):
        stock.solve(text.domain, text.problem, seconds=60)


@pytest.mark.parametrize("one", PLANNER, ids=lambda one: one.sentence)
@pytest.mark.parametrize("name", [*PLANNERS, STOCK])
def test_it_meets_what_every_planner_has_to_do(name, one):
    if name in ("kairos", "portfolio"):
        pytest.importorskip("kairos")
    one.test(lambda: make_planner(name))
