"""The two ways to write a problem, by the modelling library and straight from ours, have to mean the same."""

import dataclasses
from random import Random

import pytest

from domains.problem import Problem
from planning import pddl_text
from planning.cheapest.reach import reach
from planning.task.reachability import Individual, TooManyError, explore
from planning.task.schemas import schemas
from semantics.body.protocols import FoundPlan, NoPlan
from tests.planning.kitchen import DOMAIN, conjunct, scene, shipped
from tests.planning.random_kitchens import goal, kitchen, with_dear_moves


def explored(found, state, wanted):
    asked = {part.predicate for one in DOMAIN.capabilities.values() for part in one.precondition}
    facts = {name: frozenset(tuple(atom) for atom in state.atoms if atom.args[0] == name) for name in found}
    individuals = {
        name: Individual(name, thing.class_name, thing.affordances, (facts[name],)) for name, thing in found.items()
    }
    individuals[""] = Individual("", "", frozenset(), (frozenset(),))
    return explore(schemas(DOMAIN, frozenset(asked)), individuals), conjunct(wanted)


@pytest.mark.parametrize("seed", range(300, 316))
def test_both_texts_have_the_same_optimal_cost(planner, seed):
    random = Random(seed)
    found, state = kitchen(random, 4)
    wanted = goal(random, (found, state), random.choice([1, 2]))
    domain = with_dear_moves(random.choice([1, 3]))
    text = pddl_text(Problem(domain, found, state, (wanted,)))
    theirs = planner.solve(text.domain, text.problem, seconds=60)
    ours = reach(Problem(domain, found, state, (wanted,)), planner, 30.0)
    if isinstance(theirs, NoPlan):
        assert isinstance(ours, NoPlan)
        assert ours.proven
        return
    assert isinstance(theirs, FoundPlan)
    assert ours.optimal
    assert ours.cost == sum(domain.ground(text.read(action), found).cost for action in theirs.actions)


def test_what_is_on_the_table_is_not_grasped_from_the_counter():
    found, state = scene({"apple0": "table0"})
    result, _ = explored(found, state, "(on apple0 shelf0)")
    places = {(args[2], args[3]) for schema, args, _ in result.actions if schema.name == "grasp"}
    assert places == {(name, name) for name in ("floor0", "counter0", "table0", "shelf0")}


def test_one_thing_is_never_in_two_places():
    found, state = scene({"apple0": "table0"})
    result, wanted = explored(found, state, "(and (on apple0 table0) (on apple0 shelf0))")
    assert not result.possible(wanted)
    assert result.possible(conjunct("(and (on apple0 table0) (closed fridge0))"))


def test_state_spaces_that_are_too_large_are_given_up(monkeypatch):
    monkeypatch.setattr("planning.task.reachability.LIMIT", 3)
    found, state = scene({"apple0": "table0"})
    with pytest.raises(TooManyError):
        explored(found, state, "(on apple0 shelf0)")


def test_a_problem_that_is_too_large_to_be_explored_is_left_to_the_other_way(planner, monkeypatch):
    monkeypatch.setattr("planning.task.reachability.LIMIT", 3)
    found, state = shipped("small")
    assert reach(Problem(DOMAIN, found, state, (conjunct("(opened fridge0)"),)), planner, 5.0) is None


def test_agents_act_at_their_own_cost(planner):
    human = dataclasses.replace(DOMAIN.agents["human"], capabilities=frozenset({"open", "move"}))
    robot = dataclasses.replace(DOMAIN.agents["robot"], capabilities=frozenset({"move"}))
    domain = dataclasses.replace(DOMAIN, agents={"robot": robot, "human": human})
    found, state = scene({"milk0": "fridge0"})
    answer = reach(Problem(domain, found, state, (conjunct("(opened fridge0)"),)), planner, 10.0)
    assert (answer.cost, answer.optimal) == (200, True)
