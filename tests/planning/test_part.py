from random import Random

import pytest

from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import solve, validate
from planning.costs import CostModel
from planning.part import JUDGE, PartialPlan, best_part, soft_goals
from planning.problem.grounding import ground
from planning.validation import Valid
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import Literal
from semantics.logic.feedback import Code
from semantics.logic.state import Plan, State, first_failure
from tests.planning.adl_worlds import adl_problem, every_operator
from tests.planning.exhaustive import best_by_walking
from tests.planning.kitchen import DOMAIN, checked, conjunct, scene, shipped
from tests.planning.random_kitchens import goal, kitchen
from tests.planning.relaxation import reached_operators


def literal(text):
    (found,) = conjunct(text)
    return found


def check(planner, random, world, wanted, operators):
    """Ask for the best part with random weights and hard literals, and compare with a walk through all states."""
    found, state, domain = world
    weights = {one: random.choice([1, 2, 0.5, 3]) for one in sorted(wanted) if random.random() < 0.6}
    hard = frozenset(random.sample(sorted(wanted), random.choice([0, 0, 1])))
    weights = {one: weight for one, weight in weights.items() if one not in hard}
    part = best_part(Problem(domain, found, state, (wanted,)), planner=planner, weights=weights, hard=hard)
    best = best_by_walking(operators, state, hard, {one: weights.get(one, 1) for one in wanted - hard})
    if best is None:
        assert isinstance(part, NoPlan)
        assert part.proven
        return
    assert isinstance(part, PartialPlan)
    assert part.optimal
    assert (part.value, -part.plan.cost) == best
    assert part.reached >= hard
    assert first_failure(part.plan.steps, state, part.reached) is None
    assert set(part.left_out) == wanted - part.reached


KITCHENS = [(2, seed) for seed in range(60)] + [pytest.param(3, seed, marks=pytest.mark.slow) for seed in range(24)]


@pytest.mark.parametrize(("size", "seed"), KITCHENS)
def test_no_other_part_is_worth_more_or_costs_less(planner, size, seed):
    random = Random(seed)
    found, state = kitchen(random, size)
    wanted = goal(random, (found, state), 2) | goal(random, (found, state), 2)
    check(
        planner,
        random,
        (found, state, DOMAIN),
        wanted,
        reached_operators(ground(Problem(DOMAIN, found, State())), state),
    )


@pytest.mark.parametrize("seed", range(60))
def test_nor_in_a_rich_world(planner, seed):
    random = Random(seed)
    domain, found, state, wanted = adl_problem(seed)
    operators = every_operator(domain, found, state)
    more = sorted({atom for one in operators for atom in one.added | one.deleted} - {one.atom for one in wanted})
    wanted |= {Literal(atom, random.random() < 0.6) for atom in random.sample(more, min(2, len(more)))}
    check(planner, random, (found, state, domain), wanted, operators)


def test_the_dearer_wish_wins_and_the_other_is_told_why(planner):
    found, state = shipped("full")
    wanted = conjunct("(and (inhand milk0 robot0) (inhand juice0 robot0) (at human0 table0))")
    juice, milk, human = map(literal, ("(inhand juice0 robot0)", "(inhand milk0 robot0)", "(at human0 table0)"))
    part = best_part(Problem(DOMAIN, found, state, (wanted,)), planner=planner, weights={juice: 2.5})
    assert isinstance(part, PartialPlan)
    assert (part.reached, part.value, part.plan.goal) == ({juice}, 2.5, {juice})
    assert "juice0 is in the hand of robot0" in part.left_out[milk].why
    assert part.left_out[human].why == "human0 cannot move"


def test_a_whole_goal_is_a_part_of_itself(planner):
    found, state = shipped("full")
    wanted = conjunct("(and (on apple0 shelf0) (on banana0 shelf0))")
    part = best_part(Problem(DOMAIN, found, state, (wanted,)), planner=planner)
    whole = solve(
        Problem(DOMAIN, found, state, checked("(and (on apple0 shelf0) (on banana0 shelf0))").conjuncts),
        planner=planner,
    )
    assert isinstance(part, PartialPlan)
    assert isinstance(whole, Plan)
    assert (part.reached, dict(part.left_out), part.plan.cost, part.optimal) == (wanted, {}, whole.cost, True)


def test_what_is_so_already_is_given_up_only_for_more(planner):
    found, state = shipped("small")
    kept, wished = literal("(closed fridge0)"), literal("(opened fridge0)")
    equal = best_part(Problem(DOMAIN, found, state, (frozenset({kept, wished}),)), planner=planner)
    dearer = best_part(
        Problem(DOMAIN, found, state, (frozenset({kept, wished}),)), planner=planner, weights={wished: 1.5}
    )
    assert (equal.reached, equal.plan.steps) == ({kept}, ())
    assert (dearer.reached, dearer.plan.cost) == ({wished}, 2)


def test_hard_literals_that_cannot_be_had_leave_no_part(planner):
    found, state = shipped("small")
    wanted = conjunct("(and (at human0 table0) (opened fridge0))")
    answer = best_part(
        Problem(DOMAIN, found, state, (wanted,)), planner=planner, hard=frozenset({literal("(at human0 table0)")})
    )
    assert isinstance(answer, NoPlan)
    assert (answer.feedback.code, answer.feedback.why, answer.proven) == (Code.NO_PLAN, "human0 cannot move", True)


def test_a_wish_for_what_is_nowhere_is_left_out_for_that(planner):
    found, state = scene({"milk0": "fridge0", "apple0": "table0"})
    lost = State(frozenset(atom for atom in state.atoms if "milk0" not in atom.args))
    milk = literal("(inhand milk0 human0)")
    part = best_part(
        Problem(DOMAIN, found, lost, (conjunct("(and (inhand milk0 human0) (on apple0 shelf0))"),)), planner=planner
    )
    assert part.left_out[milk].code is Code.WHEREABOUTS_UNKNOWN


def test_costs_of_ones_own_decide_among_parts_of_equal_worth(planner):
    found, state = scene({"apple0": "table0"}, at="table0")
    places = {"table0": (0.0, 0.0), "shelf0": (9.0, 0.0), "counter0": (1.0, 0.0)}
    wanted = conjunct("(and (on apple0 shelf0) (on apple0 counter0))")
    model = CostModel(per_metre=1.0, risk=1.0, places=places)
    part = best_part(Problem(DOMAIN, found, state, (wanted,), model), planner=planner)
    assert part.reached == {literal("(on apple0 counter0)")}
    assert part.plan.cost == sum(step.cost for step in part.plan.steps) > 300


@pytest.mark.parametrize("weight", [0, -1, float("nan"), float("inf")])
def test_a_weight_that_is_no_weight_is_refused(planner, weight):
    found, state = shipped("small")
    wish = literal("(opened fridge0)")
    with pytest.raises(UsageError):
        best_part(Problem(DOMAIN, found, state, (frozenset({wish}),)), planner=planner, weights={wish: weight})


def test_misuse_is_refused(planner):
    found, state = shipped("small")
    wish, other = literal("(opened fridge0)"), literal("(at robot0 table0)")
    with pytest.raises(UsageError, match="of the goal"):
        best_part(Problem(DOMAIN, found, state, (frozenset({wish}),)), planner=planner, weights={other: 1})
    with pytest.raises(UsageError, match="hard"):
        best_part(Problem(DOMAIN, found, state, (frozenset({wish}),)), planner=planner, hard=frozenset({other}))
    judged = {**found, JUDGE: found["robot0"]}
    with pytest.raises(UsageError, match="judge"):
        best_part(Problem(DOMAIN, judged, state, (frozenset({wish}),)), planner=planner)
    with pytest.raises(UsageError, match="too fine"):
        best_part(Problem(DOMAIN, found, state, (frozenset({wish}),)), planner=planner, weights={wish: 1e-4})


def test_of_alternatives_the_one_whose_part_is_worth_most_is_taken(planner):
    found, state = shipped("full")
    goal = checked("(or (and (at human0 table0) (opened fridge0)) (and (on apple0 shelf0) (on lemon0 shelf0)))")
    part = best_part(Problem(DOMAIN, found, state, goal.conjuncts), planner=planner)
    assert isinstance(part, PartialPlan)
    assert (part.reached, part.value, part.optimal) == (
        conjunct("(and (on apple0 shelf0) (on lemon0 shelf0))"),
        2,
        True,
    )
    door = literal("(opened fridge0)")
    dearer = best_part(Problem(DOMAIN, found, state, goal.conjuncts), planner=planner, weights={door: 5})
    assert (dearer.reached, dearer.value) == ({door}, 5)
    bound = best_part(Problem(DOMAIN, found, state, goal.conjuncts), planner=planner, hard=frozenset({door}))
    assert (bound.reached, bound.value) == ({door}, 0)
    assert next(iter(bound.left_out.values())).why == "human0 cannot move"


def test_more_equal_parts_than_are_tried_are_weighed_by_the_planner_in_one_problem(planner, monkeypatch):
    found, state = shipped("small")
    wanted = conjunct("(and (opened fridge0) (closed fridge0) (at robot0 table0) (at robot0 sink0))")
    tried = best_part(Problem(DOMAIN, found, state, (wanted,)), planner=planner)
    monkeypatch.setattr(soft_goals, "MOST_AT_ONCE", 1)
    weighed = best_part(Problem(DOMAIN, found, state, (wanted,)), planner=planner)
    for part in (tried, weighed):
        assert isinstance(part, PartialPlan)
        assert (len(part.reached), len(part.left_out), part.value, part.optimal) == (2, 2, 2, True)
        assert [step.action.name for step in part.plan.steps] == ["move"]
        assert all("together with" in why.why for why in part.left_out.values())


@pytest.mark.parametrize(
    ("text", "weights", "reached"),
    [
        ("(and (holding left_hand thimble) (holding left_hand tall_glass))", {"(holding left_hand thimble)": 2}, 1),
        ("(and (closed counter) (powered blender) (contains tall_glass mint))", {}, 2),
        ("(and (on mint1 counter) (in mint1 tall_glass))", {"(in mint1 tall_glass)": 1.5}, 1),
    ],
)
def test_a_rich_world_has_its_best_part_too(planner, text, weights, reached):
    bar = load_domain("barman")
    counter = load_scene(bar, "counter")
    state = State(frozenset(counter.facts), counter.numbers)
    own = {literal(name): weight for name, weight in weights.items()}
    part = best_part(Problem(bar, counter.things, state, (conjunct(text),)), planner=planner, weights=own)
    assert isinstance(part, PartialPlan)
    assert (part.optimal, len(part.reached), set(own) <= part.reached) == (True, reached, True)
    assert isinstance(validate(part.plan.steps, state, part.reached), Valid)
    assert set(part.left_out) == conjunct(text) - part.reached
