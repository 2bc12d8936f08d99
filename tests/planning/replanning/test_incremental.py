from random import Random

import pytest

from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import CostModel, replan, solve
from planning.problem.grounding import ground
from planning.replanning.replan import PlanSource, Relaxed, landmark_cut, lower_bound
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import Plan, State, first_failure
from tests.planning.cheapest import cheapest
from tests.planning.kitchen import DOMAIN, checked, complete, scene
from tests.planning.random_kitchens import MOVABLE, SURFACES, goal, kitchen, with_dear_moves

MILK = "(inhand milk0 human0)"


class Never:
    """A planner that must not be asked."""

    name = "never"

    def solve(self, domain, problem, *, seconds):
        raise AssertionError("a fresh plan was asked for")

    def close(self):
        return None


class Late(Never):
    """A planner that never finds anything in time."""

    def solve(self, domain, problem, *, seconds):
        return NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", "too late"))


def bring(planner, where, text=MILK, at="floor0", opened=False):
    found, state = scene(where, at=at, opened=opened)
    plan = solve(Problem(DOMAIN, found, state, checked(text).conjuncts), planner=planner)
    assert plan.optimal
    return found, state, plan


def test_where_the_plan_left_it_the_rest_is_cheapest(planner):
    found, state, plan = bring(planner, {"milk0": "fridge0", "apple0": "table0"})
    for step in plan.steps[:2]:
        state = step.apply(state)
    rest = Plan(plan.steps[2:], plan.goal, optimal=True)
    again = replan(Problem(DOMAIN, found, state, checked(MILK).conjuncts), rest, state, planner=Never())
    assert (again.how, again.answer.steps, again.answer.optimal, again.bound) == (PlanSource.TAIL, rest.steps, True, 3)


def test_what_cannot_matter_may_change(planner):
    found, state, plan = bring(planner, {"milk0": "fridge0", "apple0": "table0"})
    _, moved = scene({"milk0": "fridge0", "apple0": "shelf0"})
    again = replan(Problem(DOMAIN, found, moved, checked(MILK).conjuncts), plan, state, planner=Never())
    assert (again.how, again.answer.steps, again.answer.optimal) == (PlanSource.TAIL, plan.steps, True)
    assert again.why.startswith("Nothing that matters has changed")


def test_luck_is_used(planner):
    found, state, plan = bring(planner, {"milk0": "fridge0"})
    _, lucky = scene({"milk0": "fridge0"}, at="fridge0", opened=True)
    again = replan(Problem(DOMAIN, found, lucky, checked(MILK).conjuncts), plan, state, planner=Never())
    assert (again.how, again.answer.cost, again.answer.optimal) == (PlanSource.TAIL, 3, True)


def test_a_moved_thing_is_fetched_from_its_new_place_without_a_planner(planner):
    text = "(on apple0 shelf0)"
    found, state, plan = bring(planner, {"apple0": "table0"}, text)
    _, moved = scene({"apple0": "counter0"})
    again = replan(Problem(DOMAIN, found, moved, checked(text).conjuncts), plan, state, planner=Never())
    assert (again.how, again.answer.cost, again.bound, again.answer.optimal) == (PlanSource.REPAIR, 4, 4, True)
    assert first_failure(again.answer.steps, moved, plan.goal) is None


def test_a_door_that_was_shut_is_opened_again(planner):
    found, state, plan = bring(planner, {"milk0": "fridge0"}, opened=True, at="fridge0")
    _, shut = scene({"milk0": "fridge0"}, at="fridge0")
    again = replan(Problem(DOMAIN, found, shut, checked(MILK).conjuncts), plan, state, planner=Never())
    assert (again.how, again.answer.optimal) == (PlanSource.REPAIR, True)
    assert [step.action.name for step in again.answer.steps] == ["open", "take_out", "move", "handover"]


def test_what_holds_already_needs_nothing(planner):
    found, state, plan = bring(planner, {"milk0": "fridge0"})
    there = State(state.atoms | {Atom("inhand", ("milk0", "human0"))})
    again = replan(Problem(DOMAIN, found, there, checked(MILK).conjuncts), plan, state, planner=Never())
    assert (again.answer.steps, again.answer.optimal) == ((), True)


def test_without_a_fresh_plan_in_time_what_there_is_is_given_with_its_bound(planner):
    text = "(and (on apple0 shelf0) (on milk0 shelf0))"
    found, state, plan = bring(planner, {"apple0": "table0", "milk0": "table0"}, text)
    _, moved = scene({"apple0": "counter0", "milk0": "table0"})
    again = replan(Problem(DOMAIN, found, moved, checked(text).conjuncts), plan, state, planner=Late())
    assert isinstance(again.answer, Plan)
    assert again.how is not PlanSource.FRESH
    assert again.answer.cost >= again.bound > 0
    assert again.answer.optimal == (again.answer.cost == again.bound)


def test_a_share_above_the_optimum_may_be_allowed(planner):
    text = "(and (on apple0 shelf0) (on milk0 shelf0))"
    found, state, plan = bring(planner, {"apple0": "table0", "milk0": "table0"}, text)
    _, moved = scene({"apple0": "counter0", "milk0": "table0"})
    again = replan(Problem(DOMAIN, found, moved, checked(text).conjuncts), plan, state, planner=Never(), within=1.0)
    assert again.answer.cost <= 2 * again.bound
    assert f"{again.answer.cost}" in again.why


def test_the_impossible_is_proven_by_a_fresh_solve(planner):
    found, state, plan = bring(planner, {"milk0": "fridge0"})
    closed = State(frozenset(atom for atom in state.atoms if atom.predicate not in ("reachable", "closed")))
    again = replan(Problem(DOMAIN, found, closed, checked(MILK).conjuncts), plan, state, planner=planner)
    assert isinstance(again.answer, NoPlan)
    assert again.how is PlanSource.FRESH


def test_the_landmark_cut_of_a_small_task():
    step = lambda asked, made, cost: Relaxed(frozenset(asked), frozenset(made), cost)  # noqa: E731  # short
    steps = [step({1}, {2}, 3), step({1}, {3}, 4), step({2, 3}, {4}, 5), step({2}, {4}, 20)]
    assert landmark_cut(steps, {1}, [{4}]) == 12
    assert landmark_cut(steps, {1}, [{4}, {2}]) == 3
    assert landmark_cut(steps, {1}, [{1}]) == 0
    assert landmark_cut(steps, {2}, [{3}]) == float("inf")


def disturbed(random, found, state):
    """Move a thing, the robot or the door, or nothing."""
    facts = {atom for atom in state.atoms if not DOMAIN.predicates[atom.predicate].bookkeeping}
    kind = random.choice(["thing", "thing", "robot", "door", "none"])
    if kind == "thing":
        name = random.choice([name for name in found if name in MOVABLE])
        if not any(atom.args[1:] == (name,) for atom in facts):  # nothing stands on it or lies in it
            facts = {atom for atom in facts if atom.args[:1] != (name,) or atom.predicate not in ("on", "in", "inhand")}
            facts.add(Atom("on", (name, random.choice(SURFACES))))
    elif kind == "robot":
        facts = {atom for atom in facts if atom.predicate != "at" or atom.args[0] != "robot0"}
        facts.add(Atom("at", ("robot0", random.choice([*SURFACES, "fridge0", "floor0"]))))
    elif kind == "door":
        facts = {atom for atom in facts if atom.predicate not in ("opened", "closed")}
        facts.add(Atom(random.choice(["opened", "closed"]), ("fridge0",)))
    return complete(found, facts)


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_called_optimal_that_is_not(planner, seed):
    random = Random(seed)
    found, state = kitchen(random, 3)
    wanted = goal(random, (found, state), random.choice([1, 2]))
    text = CheckedGoal(Goal(Atom("at", ("robot0", "sink0"))), (wanted,))
    costs = CostModel(risk=2, sure={("apple0", "carry"): 0.4, ("bowl0", "contain"): 0.6}) if seed % 3 == 0 else None
    domain = with_dear_moves(5) if seed % 2 else DOMAIN
    plan = solve(Problem(domain, found, state, text.conjuncts, costs), planner=planner)
    if isinstance(plan, NoPlan):
        return
    spent = random.randrange(len(plan.steps) + 1)
    for step in plan.steps[:spent]:
        state = step.apply(state)
    now = disturbed(random, found, state)
    rest = Plan(plan.steps[spent:], plan.goal, plan.optimal)
    again = replan(Problem(domain, found, now, text.conjuncts, costs), rest, state, planner=planner)
    priced = Problem(domain, found, now, (wanted,), costs)
    least = cheapest(ground(priced), now, wanted)
    assert lower_bound(priced) <= (float("inf") if least is None else least)
    if least is None:
        assert isinstance(again.answer, NoPlan)
        return
    assert isinstance(again.answer, Plan)
    assert first_failure(again.answer.steps, now, wanted) is None
    assert again.bound <= least <= again.answer.cost
    assert not again.answer.optimal or again.answer.cost == least


def test_in_a_rich_world_the_rest_is_taken_where_nothing_changed_and_else_planned_anew(planner):
    bar = load_domain("barman")
    counter = load_scene(bar, "counter")
    state, text = State(frozenset(counter.facts), counter.numbers), checked("(contains tall_glass soda_water)")
    plan = solve(Problem(bar, counter.things, state, text.conjuncts), planner=planner)
    assert isinstance(plan, Plan)
    assert plan.optimal
    expected = plan.steps[0].apply(state)
    rest = Plan(plan.steps[1:], plan.goal, optimal=True)
    again = replan(Problem(bar, counter.things, expected, text.conjuncts), rest, expected, planner=Never())
    assert (again.how, again.answer.steps, again.answer.optimal) == (PlanSource.TAIL, rest.steps, True)
    opened = State(expected.atoms - {Atom("closed", ("soda_bottle",))}, expected.numbers)
    fresh = replan(Problem(bar, counter.things, opened, text.conjuncts), rest, expected, planner=planner)
    assert (fresh.how, fresh.answer.optimal) == (PlanSource.FRESH, True)
    assert fresh.answer.cost == rest.cost - 1  # nothing is unscrewed
    assert first_failure(fresh.answer.steps, opened, plan.goal) is None
