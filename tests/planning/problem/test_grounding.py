from random import Random

import pytest

from domains.problem import Problem
from planning.problem.grounding import actions, ground
from semantics.errors import UnknownNameError
from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import State
from tests.planning.kitchen import DOMAIN, scene, shipped
from tests.planning.random_kitchens import kitchen
from tests.planning.relaxation import reachable, reached_operators


def test_only_affording_things_and_capable_agents_are_named():
    found, _ = shipped("small")
    opened = [str(action) for action in actions(DOMAIN, DOMAIN.capabilities["open"], found)]
    assert set(opened) == {
        f"(open robot0 fridge0 {place})" for place, thing in found.items() if "location" in thing.affordances
    }
    moves = list(actions(DOMAIN, DOMAIN.capabilities["move"], found))
    assert all(action.args[0] == "robot0" and action.args[1] != action.args[2] for action in moves)


def test_an_unknown_capability_is_refused():
    with pytest.raises(UnknownNameError, match="grasp"):
        ground(Problem(DOMAIN, shipped("small")[0], State()), ["gras"])


def test_the_relaxation_reaches_what_can_be_reached_and_not_what_cannot():
    found, state = scene({"milk0": "fridge0"})
    reached = reachable(ground(Problem(DOMAIN, found, State())), state)
    assert Literal(Atom("inhand", ("milk0", "human0"))) in reached
    assert Literal(Atom("in", ("milk0", "fridge0")), False) in reached
    assert Literal(Atom("at", ("human0", "table0"))) not in reached


@pytest.mark.parametrize("seed", range(5))
def test_what_a_random_walk_makes_true_is_reached(seed):
    random = Random(seed)
    found, state = kitchen(random, 4)
    operators = ground(Problem(DOMAIN, found, State()))
    reached, taken = reachable(operators, state), {one.action for one in reached_operators(operators, state)}
    for _ in range(30):
        step = random.choice([one for one in operators if one.applicable(state)])
        assert step.action in taken
        state = step.apply(state)
        assert {Literal(atom) for atom in state.atoms} <= reached
