import json
from dataclasses import replace

import pytest

from graftwork.memory import Subtree
from graftwork.memory.subtree import reads_of, scene_of
from semantics.errors import UsageError
from semantics.logic.atoms import dnf, literals
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, first_failure
from tests.memory.kitchen import MILK, MILK_GOAL, MILK_PLAN, World, domain


def steps_of(world, actions=MILK_PLAN):
    return [domain().ground(Action(text.split()[0], tuple(text.split()[1:])), world.things) for text in actions]


def test_a_subtree_comes_back_from_its_json_as_it_was():
    subtree = World().subtree(MILK, MILK_GOAL, MILK_PLAN)
    assert Subtree.from_dict(json.loads(json.dumps(subtree.as_dict()))) == subtree


@pytest.mark.parametrize(
    "change",
    [
        {"version": 3},
        {"program": "achieve(in"},
        {"program": None},
        {"program": ""},
        {"program": "def f():\n    pass"},
        {"program": "achieve(opened(fridge0), by=[''])"},
        {"things": []},
        {"version": 1, "goal": "(in", "actions": [], "optimal": True},
        {"version": 1, "goal": "(in milk0 fridge0)", "actions": [""], "optimal": True},
    ],
)
def test_a_document_that_is_no_subtree_is_refused(change):
    document = World().subtree(MILK, MILK_GOAL, MILK_PLAN).as_dict()
    with pytest.raises((ValueError, TypeError, AttributeError, UsageError)):
        Subtree.from_dict({**document, **change})


def test_a_plan_reads_what_its_steps_need_and_do_not_make_themselves():
    reads = {str(literal) for literal in reads_of(steps_of(World()), dnf(parse_formula(MILK_GOAL))[0])}
    assert "(in milk0 fridge0)" in reads
    assert "(at robot0 floor0)" in reads
    assert "(free milk0)" in reads
    assert "(inhand milk0 robot0)" not in reads
    assert "(at robot0 fridge0)" not in reads


def test_the_reads_hold_exactly_where_the_plan_can_be_run_to_its_goal():
    """Regression and simulation agree on every state that differs from the first one in one fact."""
    world = World()
    steps, goal = steps_of(world), dnf(parse_formula(MILK_GOAL))[0]
    reads, state = reads_of(steps, goal), world.state
    atoms = {literal.atom for literal in reads} | set(state.atoms)
    for atom in atoms:
        changed = state.with_atoms(deleted=[atom]) if atom in state.atoms else state.with_atoms([atom])
        assert changed.satisfies(reads) == (first_failure(steps, changed, goal) is None), atom


def test_an_empty_plan_reads_its_goal():
    goal = dnf(parse_formula(MILK_GOAL))[0]
    assert reads_of((), goal) == goal


def test_a_described_thing_is_meant_again_only_while_things_are_as_they_were():
    def scene(sentence, world):
        facts = tuple(literals(parse_formula("(inhand cup0 human0)")))
        return scene_of(sentence, ("cup0", "human0"), facts, world.vocabulary, world.state)

    painted, moved = World(), World().move("apple0", "on", "counter0")
    painted.things["cup0"] = replace(painted.things["cup0"], attributes=(("colour", "red"),))
    described, plain = "bring me the blue cup", "bring me the cup"
    assert scene(described, World()) == scene(described, World())
    assert scene(described, World()) != scene(described, painted)
    assert scene(described, World()) != scene(described, moved)
    assert scene(plain, World()) == scene(plain, painted) == scene(plain, moved)
