"""The portfolio on ground tasks, with no engine but Fast Downward, and with one of one's own."""

import json

import pytest

from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import solve
from planning.portfolio import Feature, Portfolio, choose, features
from planning.portfolio.choice import TABLE, PortfolioEntry
from planning.portfolio.feature import features_of_task
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan, State
from tests.planning.kitchen import DOMAIN, checked, shipped
from tests.planning.portfolio import problems

LMCUT, HMAX, BLIND = "astar(lmcut())", "astar(hmax())", "astar(blind())"
RULES = "begin_rule\n1\n0 0\n1 1 0\nend_rule\n"
OPERATOR = "begin_operator\no0\n1\n3 0\n2\n0 0 -1 1\n{}\n1\nend_operator\n"


@pytest.fixture(scope="module")
def alone():
    """A portfolio where nothing but Fast Downward is installed."""
    made = Portfolio(available=("fast-downward",))
    yield made
    made.close()


@pytest.mark.parametrize(
    ("text", "more", "search"),
    [
        (OPERATOR.format("0 1 0 1"), set(), LMCUT),
        (OPERATOR.format("1 2 0 1 0 1"), {Feature.CONDITIONAL_EFFECTS}, HMAX),
        (OPERATOR.format("0 1 0 1") + RULES, {Feature.DERIVED}, BLIND),
        (OPERATOR.format("1 2 0 1 0 1") + RULES, {Feature.CONDITIONAL_EFFECTS, Feature.DERIVED}, BLIND),
    ],
)
def test_what_is_left_in_a_ground_task_decides_the_search(text, more, search):
    found = features_of_task(text)
    assert found.present == {Feature.COSTS} | more
    assert choose(found).search == search


def test_a_session_s_question_takes_the_quick_way_and_its_choice_can_be_told(alone):
    found, state = shipped("full")
    plan = solve(Problem(DOMAIN, found, state, checked("(inhand milk0 human0)").conjuncts), planner=alone)
    assert isinstance(plan, Plan)
    assert (plan.cost, plan.optimal, plan.planner, alone.choice.search) == (5, True, "portfolio", LMCUT)
    assert list(alone._made) == [("fast-downward", "")]  # nobody was asked by text
    told = json.loads(json.dumps(alone.choice.as_dict()))
    assert told["planner"] == "fast-downward"
    assert alone.choice.sentence == " ".join([told["why"], *(one["why"] for one in told["excluded"])])
    assert "kairos is not installed (extra: kairos)" in alone.choice.sentence


def test_what_a_rich_world_leaves_is_told_too(alone):
    bar = load_domain("barman")
    counter = load_scene(bar, "counter")
    goal = checked("(powered blender)")
    plan = solve(
        Problem(bar, counter.things, State(frozenset(counter.facts), counter.numbers), goal.conjuncts), planner=alone
    )
    assert isinstance(plan, Plan)
    assert (plan.optimal, alone.choice.search) == (
        True,
        LMCUT,
    )


@pytest.mark.parametrize(("name", "feature"), [("NUMERIC", Feature.NUMERIC), ("LASTING", Feature.DURATIVE)])
def test_without_a_planner_for_it_a_problem_is_unsupported_and_the_extra_named(alone, name, feature):
    answer = alone.solve(*getattr(problems, name), seconds=5)
    assert isinstance(answer, NoPlan)
    assert (answer.feedback.code, answer.proven) == (Code.UNSUPPORTED, False)
    assert feature in answer.feedback.culprits
    assert "(extra: kairos)" in answer.feedback.why
    assert f"it does not take {feature}" in answer.feedback.why


class Waiter:
    """Stands for an engine of one's own."""

    name = "up:waiter"

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        return NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", "not yet"))

    def close(self) -> None:
        return None


def test_an_engine_of_one_s_own_takes_part_with_a_row_of_the_table():
    row = PortfolioEntry("up:waiter", "", "the waiter", False, frozenset({Feature.COSTS, Feature.UNREADABLE}))
    table = (*TABLE, row)
    made = Portfolio(available=("up:waiter",), table=table, makers={"up:waiter": lambda _: Waiter()})
    answer = made.solve(*problems.NUMERIC, seconds=5)
    assert isinstance(answer, NoPlan)
    assert (answer.feedback.why, made.choice.planner) == ("not yet", "up:waiter")
    choice = choose(features(*problems.COSTS), present=("fast-downward", "up:waiter"), table=table)
    (passed,) = [one for one in choice.excluded if one.entry is row]
    assert (choice.search, passed.feature) == (LMCUT, Feature.COSTS)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:unified_planning")
def test_engines_of_unified_planning_are_made_by_their_name():
    row = PortfolioEntry(
        "up:fast-downward", "", "Fast Downward by unified-planning", False, frozenset({Feature.UNREADABLE})
    )
    made = Portfolio(proof=False, available=(row.planner,), table=(row,))
    answer = made.solve(*problems.PLAIN, seconds=30)
    made.close()
    assert isinstance(answer, FoundPlan)
    assert (len(answer.actions), answer.optimal, made.choice.planner) == (1, False, row.planner)
