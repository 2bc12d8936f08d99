"""CoPAL's mid level, the whole ladder, and what is judged of them."""

from collections import Counter

import pytest

from benchmarks.copal_ladder.configurations import OURS
from benchmarks.copal_ladder.running.cluttered import Cluttered
from benchmarks.copal_ladder.running.ours import Ours
from benchmarks.copal_ladder.running.outcome import Drink, Outcome, drink
from benchmarks.copal_ladder.standin.line import Mistake
from benchmarks.copal_ladder.standin.writing import Wish
from benchmarks.copal_ladder.suite import main
from benchmarks.copal_ladder.telling import judged, mean_of, to_the_model
from domains.problem import Problem
from planning import make_planner, solve
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import And, Atom, Literal
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal
from tests.benchmarks.copal_bar import RECIPE, SmallBar
from tests.benchmarks.test_copal_standin import about

GOAL = frozenset(
    {
        Literal(Atom("contains", ("first_glass", one)), one in RECIPE.must)
        for one in ("gin", "milk", "rum", "lime_slice")
    }
    | {Literal(Atom("on", ("first_glass", "tray")))}
)
STRANGER = Mistake("unknown-name get", "milk_bottle>lime_juice")


def nothing(state, domain):
    return NoPlan(Feedback(Code.INVALID_PLAN, "planning", "nobody plans here"))


def ours(bar, planner=nothing, robot=None):
    ladder = Ours(bar.domain, bar.scene, robot or bar.robot, planner, bar.model.text)
    return ladder.run(bar.text, GOAL)


@pytest.fixture(scope="module")
def planner():
    made = make_planner()
    yield made
    made.close()


@pytest.mark.parametrize(
    "kind",
    ["not-in-hand pour", "not-in-hand put", "hand-full get", "hands-used screw", "closed put", "closed get"],
)
def test_the_mid_level_mends_what_the_logs_call_recoverable(kind, tmp_path):
    bar = SmallBar(tmp_path, about(kind))
    ladder = bar.sequencer(rules=True)
    assert ladder.run(bar.text).executable
    assert ladder.answered["rule"] >= 1
    assert drink(bar.robot.state, RECIPE).right


@pytest.mark.parametrize("kind", ["unknown-name put", "hands-full get", "not-openable close"])
def test_the_mid_level_has_no_answer_to_the_others(kind, tmp_path):
    bar = SmallBar(tmp_path, about(kind))
    assert not bar.sequencer(rules=True).run(bar.text).executable


@pytest.mark.parametrize(
    ("kind", "rung"),
    [("unknown-name put", "words"), ("not-openable close", "left out"), ("not-in-hand pour", "rule")],
)
def test_the_ladder_takes_the_cheapest_rung_and_asks_no_model(kind, rung, tmp_path):
    bar = SmallBar(tmp_path, about(kind))
    ran = ours(bar)
    assert ran.executable, ran.reason
    assert ran.answered[rung] >= 1
    assert bar.model.asked == ran.answered["model"] == 0
    assert drink(bar.robot.state, RECIPE).right


def test_what_the_text_forgot_is_for_the_planner(tmp_path, planner):
    bar = SmallBar(tmp_path, aim=Wish(("gin", "lime_slice"), "hand_left", frozenset()))

    def plan(state, domain):
        goal = CheckedGoal(Goal(And(())), (GOAL,))
        return solve(Problem(domain, bar.scene.things, state, goal.conjuncts), planner=planner, seconds=5)

    ran = ours(bar, plan)
    assert ran.executable, ran.reason
    assert (ran.answered["replan"], ran.answered["model"]) == (1, 0)
    assert drink(bar.robot.state, RECIPE).right


def test_the_model_is_asked_last_where_nobody_plans(tmp_path):
    bar = SmallBar(tmp_path, STRANGER)
    bar.text = [line for line in bar.text if "milk_bottle" not in line.text]
    bar.model.met(next(line for line in bar.text if line.mistake))
    ran = ours(bar)
    assert ran.executable, ran.reason
    assert ran.answered["model"] == 1


def test_a_bottle_in_front_is_put_aside_without_a_model(tmp_path):
    bar = SmallBar(tmp_path)
    body = Cluttered(bar.robot, "gin_bottle", "rum_bottle", "shelf")
    ran = ours(bar, robot=body)
    assert ran.executable, ran.reason
    assert body.refused == 1
    assert body.is_clear
    assert ran.answered["model"] == 0
    assert drink(bar.robot.state, RECIPE).right


def test_a_drink_is_judged_by_what_stands_on_the_tray_alone(tmp_path):
    state = SmallBar(tmp_path).state
    assert drink(state, RECIPE).distance is None
    served = state.with_atoms([Atom("on", ("first_glass", "tray")), Atom("contains", ("first_glass", "gin"))])
    assert drink(served, RECIPE).distance == 2.0
    assert drink(served.with_atoms([Atom("contains", ("first_glass", "rum"))]), RECIPE).distance == 2.2
    assert drink(served.with_atoms([Atom("on", ("rum_bottle", "tray"))]), RECIPE).distance is None


def outcome(executable=True, distance=0.0, planted=2, ahead=True, **answered):
    return Outcome("a", 0, planted, Counter(answered), executable, Drink(distance), 0.1, ahead)


def test_the_share_of_the_model_is_of_all_mistakes_that_were_met():
    runs = [outcome(rule=1), outcome(model=1), outcome(ahead=False, rule=3, model=1)]
    assert to_the_model(runs) == (2, 2 + 2 + 4)


def test_each_target_can_be_missed():
    logged = {"H0": {"per_run": {"replans": {"mean": 1.96, "low": 1.68, "high": 2.24}}}}
    good = judged({"H0": [outcome(model=2)], OURS: [outcome(rule=1)]}, logged, [outcome(rule=1)])
    assert all(one.met for one in good)
    bad = {"H0": [outcome(model=1)], OURS: [outcome(executable=False, distance=1.0, model=1)]}
    assert not any(one.met for one in judged(bad, logged, [outcome(model=1)]))


def test_a_mean_lies_in_its_interval():
    found = mean_of([0.0, 1.0, 1.0, 4.0] * 10)
    assert found.low < found.mean == 1.5 < found.high


def test_the_suite_says_what_data_it_lacks(tmp_path):
    with pytest.raises(UsageError, match=r"no copal_scenes/env_state_cocktail\.json .*--data"):
        main(["--data", str(tmp_path)])
