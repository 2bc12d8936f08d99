import math
from random import Random

import pytest

from domains.problem import Problem
from planning import CostModel, Tries, best_part, pddl_text, solve
from planning.problem.grounding import ground
from semantics.errors import UsageError
from semantics.logic.atoms import Atom
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import Action, Plan, State
from tests.planning.cheapest import cheapest
from tests.planning.kitchen import DOMAIN, checked, conjunct, scene, shipped
from tests.planning.random_kitchens import goal, kitchen

PLACES = {
    "floor0": (0.0, 0.0),
    "human0": (0.0, 1.0),
    "table0": (3.0, 0.0),
    "counter0": (3.0, 4.0),
    "sink0": (4.0, 4.0),
    "shelf0": (0.0, 4.0),
    "fridge0": (5.0, 1.0),
    "trash0": (6.0, 6.0),
}


def priced(model, found):
    return Problem(DOMAIN, found, State(), costs=model)


def cost(model, text):
    found, _ = shipped("full")
    name, *args = text.split()
    return priced(model, found).ground(Action(name, tuple(args))).cost


def test_each_term_of_the_formula_adds_what_it_says():
    drive, grasp = "move robot0 floor0 table0", "grasp robot0 apple0 table0 table0"
    assert cost(CostModel(), drive) == 100
    assert cost(CostModel(per_metre=2, places=PLACES), drive) == 700
    assert cost(CostModel(per_metre=2, places=PLACES), grasp) == 100
    assert cost(CostModel(per_second=0.5, durations={"grasp": 4}), grasp) == 300
    assert cost(CostModel(risk=3), grasp) == round(100 * (1 + 3 * -math.log(0.9)))
    assert cost(CostModel(risk=3, record={"grasp": Tries(6, 4)}), grasp) == round(100 * (1 + 3 * -math.log(15 / 20)))
    sure = CostModel(risk=3, sure={("apple0", "carry"): 0.5}, prior=Tries(1, 1))
    assert cost(sure, grasp) == round(100 * (1 + 3 * -math.log(0.25)))


def test_an_action_s_own_record_starts_from_its_capability_s():
    apple = Action("grasp", ("robot0", "apple0", "table0", "table0"))
    model = CostModel(risk=1, record={"grasp": Tries(9, 1), apple: Tries(0, 4)})
    assert cost(model, str(apple)[1:-1]) == round(100 * (1 - math.log(0.9 * 4 / 8)))
    assert cost(model, "grasp robot0 banana0 table0 table0") == round(100 * (1 - math.log(0.9)))


def test_nothing_is_free_and_nothing_costs_without_end():
    found, _ = shipped("small")
    model = CostModel(risk=1e3, scale=1, sure={("fridge0", "open"): 0.0})
    costs = [one.cost for one in ground(priced(model, found))]
    assert min(costs) >= 1
    assert max(costs) == cost(model, "open robot0 fridge0 fridge0")
    assert max(costs) < 1e5


@pytest.mark.parametrize(
    "wrong",
    [
        {"risk": -1.0},
        {"per_metre": math.inf},
        {"scale": 0},
        {"prior": Tries(0, 1)},
        {"sure": {("a", "b"): 1.5}},
        {"record": {"grasp": Tries(-1, 0)}},
        {"durations": {"grasp": math.nan}},
    ],
)
def test_a_model_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(UsageError):
        CostModel(**wrong)


def test_without_a_model_costs_are_the_domain_s(planner):
    found, state = shipped("full")
    with_none = solve(Problem(DOMAIN, found, state, checked("(inhand milk0 human0)").conjuncts, None), planner=planner)
    with_scale = solve(
        Problem(DOMAIN, found, state, checked("(inhand milk0 human0)").conjuncts, CostModel(scale=1)), planner=planner
    )
    assert with_none.cost == with_scale.cost == 5
    assert (with_none.optimal, with_scale.optimal) == (True, True)
    assert "?" in pddl_text(Problem(DOMAIN, found, state, (conjunct("(opened fridge0)"),))).domain


def test_the_nearest_and_the_surest_thing_is_taken(planner):
    found, state = scene({"cup0": "counter0", "cup1": "table0"})
    either = checked("(or (inhand cup0 human0) (inhand cup1 human0))")

    def taken(model):
        plan = solve(Problem(DOMAIN, found, state, either.conjuncts, model), planner=planner)
        assert isinstance(plan, Plan)
        assert plan.optimal
        return plan.steps[1].action.args[1]

    near = CostModel(per_metre=1, places=PLACES)
    assert taken(near) == "cup1"
    slippery = Action("grasp", ("robot0", "cup1", "table0", "table0"))
    assert taken(CostModel(per_metre=1, places=PLACES, risk=1, record={slippery: Tries(0, 5)})) == "cup1"
    assert taken(CostModel(per_metre=1, places=PLACES, risk=9, record={slippery: Tries(0, 5)})) == "cup0"


def models(random, found):
    movable = [name for name, thing in found.items() if "carry" in thing.affordances]
    actions = random.sample([one.action for one in ground(Problem(DOMAIN, found, State()))], 12)
    return CostModel(
        per_metre=random.choice([0, 0.5, 3]),
        per_second=random.choice([0, 0.2]),
        risk=random.choice([0, 1, 5]),
        scale=10,
        places=PLACES,
        durations={"grasp": 4.0, "putin": 6.0, "open": 9.0},
        record={action: Tries(random.randint(0, 9), random.randint(0, 9)) for action in actions}
        | {"grasp": Tries(3, 2)},
        sure={(name, "carry"): random.random() for name in movable},
    )


@pytest.mark.parametrize("seed", range(12))
def test_what_is_called_optimal_is_cheapest_among_all_things(planner, seed):
    random = Random(seed)
    found, state = kitchen(random, 3)
    wanted, model = goal(random, (found, state), random.choice([1, 2])), models(random, found)
    text = CheckedGoal(Goal(Atom("at", ("robot0", "sink0"))), (wanted,))
    plan = solve(Problem(DOMAIN, found, state, text.conjuncts, model), planner=planner)
    least = cheapest(ground(priced(model, found)), state, wanted)
    assert isinstance(plan, Plan) == (least is not None)
    if isinstance(plan, Plan):
        assert plan.optimal
        assert plan.cost == least


def test_signatures_tell_apart_what_costs_differently():
    tried = Action("grasp", ("robot0", "cup2", "table0", "table0"))
    model = CostModel(sure={("cup1", "carry"): 0.5}, record={tried: Tries(1, 0)})
    one, other, surer, tested = (model.signature(name) for name in ("cup0", "cup3", "cup1", "cup2"))
    assert one == other
    assert len({one, surer, tested}) == 3


class Whims:
    """Costs of one's own, that know no formula."""

    scale = 10

    def price(self, operator, needs):
        return 10 * operator.cost + sum(map(len, operator.action.args)) % 7

    def least(self, operator):
        return 10 * operator.cost

    def dearest(self, cost):
        return cost + 1

    def signature(self, name):
        return name


@pytest.mark.parametrize("seed", range(8))
def test_costs_of_ones_own_are_planned_with_as_well(planner, seed):
    random = Random(seed)
    found, state = kitchen(random, 4)
    asked = Problem(DOMAIN, found, state, (goal(random, (found, state), 2),), Whims())
    plan = solve(asked, planner=planner)
    least = cheapest(ground(asked), state, asked.conjunct)
    assert isinstance(plan, Plan) == (least is not None)
    if isinstance(plan, Plan):
        assert plan.cost >= least
        assert plan.cost == least or not plan.optimal
        assert part_is_whole(best_part(asked, planner=planner), plan)


def part_is_whole(part, plan):
    return part.reached == plan.goal and (part.plan.cost == plan.cost or not plan.optimal)
