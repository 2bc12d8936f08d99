import copy
import pickle

import pytest

from domains.problem import Problem
from domains.reader import load_domain, load_scene
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Action, State

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")
START = State(SMALL.facts, SMALL.numbers)
OPENED, CLOSED = (frozenset({Literal(Atom(name, ("fridge0",)))}) for name in ("opened", "closed"))


def problem(*goal):
    return Problem(KITCHEN, SMALL.things, START, *([goal] if goal else []))


class Doubled:
    """Costs twice what the domain says, and more for what is to be opened."""

    scale = 2

    def price(self, operator, needs):
        return 2 * operator.cost + sum("open" in asked for asked in needs.values())

    def least(self, operator):
        return 2 * operator.cost

    def dearest(self, cost):
        return cost + 1

    def signature(self, name):
        return ()


def test_a_problem_that_asks_for_nothing_is_solved_where_it_begins():
    assert problem().conjunct == frozenset() == problem().reached


def test_a_goal_has_an_alternative_and_one_conjunct_is_told_of_a_single_one():
    with pytest.raises(UsageError, match="no alternative"):
        Problem(KITCHEN, SMALL.things, START, ())
    assert problem(OPENED).conjunct == OPENED
    with pytest.raises(UsageError, match="2 alternatives"):
        _ = problem(OPENED, CLOSED).conjunct


def test_the_alternative_that_holds_already_is_found():
    assert problem(OPENED).reached is None
    assert problem(OPENED, CLOSED).reached == CLOSED


def test_another_state_goal_or_domain_is_another_problem_and_the_first_stays():
    asked = problem(OPENED)
    changed = asked.with_state(State()).with_goal(OPENED, CLOSED).within(load_domain("blocks"))
    assert (changed.state, changed.goal, changed.domain.name) == (State(), (OPENED, CLOSED), "blocks")
    assert (asked.state, asked.goal, asked.domain) == (START, (OPENED,), KITCHEN)
    assert asked.within(KITCHEN) is asked


def test_what_is_derived_is_computed_once_for_the_same_objects():
    blocks = load_domain("barman")
    scene = load_scene(blocks, "counter")
    asked = Problem(blocks, scene.things, State(scene.facts, scene.numbers))
    assert asked.axioms is asked.with_state(State()).with_goal(frozenset()).axioms
    assert asked.closed == (asked.axioms.close(asked.state) if asked.axioms else asked.state)


def test_actions_cost_what_the_domain_says_or_what_the_costs_do():
    action = Action("open", ("robot0", "fridge0", "fridge0"))
    plain, dear = problem().ground(action), Problem(KITCHEN, SMALL.things, START, costs=Doubled()).ground(action)
    assert plain == KITCHEN.ground(action, SMALL.things)
    assert dear.cost == 2 * plain.cost + 1
    assert dear.added == plain.added


def test_what_is_computed_from_a_domain_is_kept_with_it_and_is_no_part_of_its_value():
    domain, computed = load_domain("kitchen"), []
    for _ in range(2):
        assert domain.remember(("test", 1), lambda: computed.append(1) or len(computed)) == 1
    assert pickle.loads(pickle.dumps(domain)) == domain == copy.deepcopy(domain)
    assert pickle.loads(pickle.dumps(domain)).remember(("test", 1), lambda: 2) == 2
    for number in range(200):
        domain.remember(("many", number), lambda: number)  # noqa: B023  # it is called at once
    assert domain.remember(("test", 1), lambda: 3) == 3
