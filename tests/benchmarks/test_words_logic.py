"""Whether a goal says what was meant, by logic: what cannot hold together is true of the worlds, and is used."""

import random

import pytest

from benchmarks.words.logic import GROUPS, Known, alternatives, literals_of
from benchmarks.words.worlds import Place, place_of
from domains.world import World
from semantics.errors import UsageError
from semantics.logic.atoms import Literal
from semantics.logic.state import Action, State

SCENES = [
    ("kitchen", "small"),
    ("kitchen", "tea"),
    ("kitchen", "home2"),
    ("tabletop", "four"),
    ("tabletop", "tower"),
    ("blocks", "sussman"),
    ("blocks", "towers"),
    ("barman", "shot"),
    ("barman", "counter"),
    ("pizza", "corner"),
    ("office", "sodas"),
]


def random_states(place: Place, steps: int, seed: int = 1):
    """Yield the states of a random walk."""
    dice, state = random.Random(seed), place.truth
    problem = World(place.domain, place.things).problem(state)
    choices = {
        name: [
            [thing.name for thing in place.things.values() if thing.affords(parameter.affordances)]
            for parameter in capability.parameters
        ]
        for name, capability in place.domain.capabilities.items()
    }
    names = sorted(name for name, each in choices.items() if all(each))
    done = 0
    for _ in range(300_000):
        if done == steps:
            break
        name = dice.choice(names)
        args = tuple(dice.choice(things) for things in choices[name])
        if not may_begin(place, name, args, state):
            continue
        try:
            operator = problem.ground(Action(name, args))
        except UsageError:
            continue
        if operator.applicable(state):
            state = operator.apply(state)
            done += 1
            yield state


def may_begin(place: Place, name: str, args: tuple[str, ...], state: State) -> bool:
    """Return whether the facts that a capability needs hold: a quick test before it is ground."""
    capability = place.domain.capabilities[name]
    binding = {f"?{parameter.name}": arg for parameter, arg in zip(capability.parameters, args, strict=True)}
    return all(state.holds(Literal(each.atom.replaced(binding), each.positive)) for each in needed(capability))


def needed(capability):
    return [template.literal for template in capability.precondition]


@pytest.mark.parametrize(("world", "scene"), SCENES)
def test_no_state_of_a_random_walk_is_against_what_is_said_to_exclude_each_other(world, scene):
    place = place_of(world, scene)
    states = [place.truth, *random_states(place, 40)]
    assert len(states) > 20
    for state in states:
        for group in GROUPS[world]:
            assert not Known(place, state.atoms, frozenset()).contradicts_itself, group


def known(place: Place, *texts: str) -> Known:
    return Known.of(place, literals_of(texts, place))


@pytest.mark.parametrize(
    ("goal", "condition", "value"),
    [
        (["(on cup0 counter0)"], "(on cup0 counter0)", True),
        (["(on cup0 counter0)"], "(not (on cup0 table0))", True),
        (["(inhand cup0 human0)"], "(not (on cup0 table0))", True),
        (["(not (on cup0 table0))"], "(not (on cup0 table0))", True),
        (["(on cup0 counter0)"], "(in cup0 fridge0)", False),
        (["(on cup0 counter0)"], "(on mug0 counter0)", None),
        (["(on cup0 counter0)", "(on mug0 counter0)"], "(on mug0 counter0)", True),
        (["(not (on cup0 table0))"], "(on cup0 counter0)", None),
        (["(opened fridge0)"], "(not (closed fridge0))", True),
        (["(inhand apple0 robot0)"], "(inhand banana0 robot0)", False),
        (["(inhand apple0 human0)"], "(inhand banana0 human0)", None),
        (["(in apple0 fridge0)", "(in banana0 fridge0)"], "(forall (?x - fruit) (in ?x fridge0))", True),
        (["(in apple0 fridge0)"], "(forall (?x - fruit) (in ?x fridge0))", None),
        (["(inhand banana0 human0)"], "(exists (?x - fruit) (inhand ?x human0))", True),
        (["(inhand cup0 human0)"], "(exists (?x - fruit) (inhand ?x human0))", None),
        (["(inhand cola0 human0)"], "(exists (?x - drink) (inhand ?x human0))", True),
        (["(in cola0 fridge0)"], "(or (on cola0 table0) (in cola0 sink0))", False),
        (["(on cola0 table0)"], "(or (on cola0 table0) (in cola0 sink0))", True),
    ],
)
def test_a_goal_makes_a_condition_true_or_false_or_leaves_it_open(goal, condition, value):
    place = place_of("kitchen", "small")
    assert known(place, *goal).value(place.condition(condition)) is value


def test_a_block_under_another_one_is_not_clear():
    place = place_of("blocks", "sussman")
    assert known(place, "(on red_block blue_block)").value(place.condition("(clear blue_block)")) is False
    assert known(place, "(holding red_block)").value(place.condition("(handempty)")) is False


def test_what_nothing_changes_is_as_it_was():
    place = place_of("barman", "counter")
    assert known(place, "(contains tall_glass lemon)").value(place.condition("(made_of lemon1 lemon)")) is True
    assert known(place, "(contains tall_glass lemon)").value(place.condition("(made_of lemon1 mint)")) is False


def test_a_goal_with_alternatives_is_taken_apart():
    place = place_of("kitchen", "small")
    ways = alternatives(place.condition("(and (closed fridge0) (or (in apple0 fridge0) (not (on cup0 table0))))"))
    assert {frozenset(map(str, way)) for way in ways} == {
        frozenset({"(closed fridge0)", "(in apple0 fridge0)"}),
        frozenset({"(closed fridge0)", "(not (on cup0 table0))"}),
    }


def test_a_goal_that_no_state_meets_is_known_as_such():
    place = place_of("kitchen", "small")
    assert known(place, "(on cup0 table0)", "(in cup0 fridge0)").contradicts_itself
    assert known(place, "(on cup0 table0)", "(not (on cup0 table0))").contradicts_itself
    assert not known(place, "(on cup0 table0)", "(in mug0 fridge0)").contradicts_itself
