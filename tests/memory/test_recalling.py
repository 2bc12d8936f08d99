"""What worked is recalled where it still works."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from domains.reader import load_domain, load_scene
from semantics.logic.atoms import dnf
from semantics.logic.state import first_failure
from tests.memory.kitchen import MILK, MILK_GOAL, MILK_PLAN, World, domain, episode, learn_milk, recall


def test_nothing_is_recalled_from_an_empty_memory(memory):
    assert recall(memory, World()) is None


def test_what_worked_is_recalled_with_a_plan_that_still_works(memory):
    learn_milk(memory, World())
    world = World()
    found = recall(memory, world)
    assert str(found.goal) == MILK_GOAL
    assert found.goal.text == MILK
    assert [str(action) for action in found.actions] == [f"({text})" for text in MILK_PLAN]
    assert (found.as_before, found.optimal, found.worked, found.failed) == (True, True, 1, 0)
    steps = [domain().ground(action, world.things) for action in found.actions]
    assert first_failure(steps, world.state, dnf(found.goal.formula)[0]) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Bring me the MILK!",
        "  bring me   the milk ",
        "Please bring me the milk.",
        "Could you bring me the milk, please?",
    ],
)
def test_case_spaces_punctuation_and_politeness_make_no_difference(memory, sentence):
    learn_milk(memory, World())
    assert recall(memory, World(), sentence) is not None


@pytest.mark.parametrize("sentence", ["bring me milk", "bring me the milks", "don't bring me the milk", "", "please"])
def test_another_sentence_is_asked_anew(memory, sentence):
    learn_milk(memory, World())
    assert recall(memory, World(), sentence) is None


def test_another_domain_is_asked_anew(memory):
    learn_milk(memory, World())
    world = World()
    world.domain = replace(world.domain, name="tabletop")
    assert recall(memory, world) is None


def test_a_thing_that_moved_leaves_the_goal_but_not_the_plan(memory):
    learn_milk(memory, World())
    found = recall(memory, World().move("milk0", "on", "counter0"))
    assert str(found.goal) == MILK_GOAL
    assert (found.as_before, found.optimal) == (False, False)


def test_what_the_plan_does_not_read_may_change(memory):
    learn_milk(memory, World())
    found = recall(memory, World().move("cup0", "on", "counter0"))
    assert found.as_before
    assert not found.optimal, "the proof covers the state it was made in, and no other"


def with_a_throw(world):
    """Let the robot fling anything to anybody from where it is."""
    handover = world.domain.capabilities["handover"]
    throw = replace(handover, name="throw", precondition=(), distinct=())
    capabilities = {**world.domain.capabilities, "throw": throw}
    robot = world.domain.agents["robot"]
    agents = {**world.domain.agents, "robot": replace(robot, capabilities=robot.capabilities | {"throw"})}
    world.domain = replace(world.domain, capabilities=capabilities, agents=agents)


def with_a_capability_nobody_has(world):
    capabilities = {**world.domain.capabilities, "throw": world.domain.capabilities["handover"]}
    world.domain = replace(world.domain, capabilities=capabilities)


def with_dear_moves(world):
    move = replace(world.domain.capabilities["move"], cost=9)
    world.domain = replace(world.domain, capabilities={**world.domain.capabilities, "move": move})


def with_a_door_that_needs_no_opening(world):
    take = world.domain.capabilities["take_out"]
    take = replace(take, precondition=tuple(one for one in take.precondition if one.predicate != "closed"))
    world.domain = replace(world.domain, capabilities={**world.domain.capabilities, "take_out": take})


def with_dear_agents(world):
    agents = {name: replace(agent, cost=agent.cost + 1) for name, agent in world.domain.agents.items()}
    world.domain = replace(world.domain, agents=agents)


def with_a_person_who_helps(world):
    human = replace(world.domain.agents["human"], capabilities=frozenset({"handover"}))
    world.domain = replace(world.domain, agents={**world.domain.agents, "human": human})


def with_a_second_robot(world):
    world.things["robot1"] = world.domain.thing("robot1", "robot")


def with_a_cup_like_a_bowl(world):
    world.things["cup0"] = world.domain.thing("cup0", "bowl")


@pytest.mark.parametrize(
    "change",
    [
        with_a_throw,
        with_a_capability_nobody_has,
        with_dear_moves,
        with_a_door_that_needs_no_opening,
        with_dear_agents,
        with_a_person_who_helps,
        with_a_second_robot,
        with_a_cup_like_a_bowl,
    ],
)
def test_a_proof_ends_with_any_change_of_what_it_rests_on(memory, change):
    learn_milk(memory, World())
    world = World()
    assert recall(memory, world).optimal
    change(world)
    found = recall(memory, world)
    assert found.as_before
    assert not found.optimal


def test_words_are_no_part_of_a_proof(memory):
    learn_milk(memory, World())
    world = World()
    world.domain = replace(world.domain, phrases=(), rules=())
    assert recall(memory, world).optimal


def test_a_plan_through_a_thing_of_another_sort_is_not_as_before(memory):
    world = World()
    actions = (
        "move robot0 floor0 table0",
        "grasp robot0 cup0 table0 table0",
        "move robot0 table0 counter0",
        "place robot0 cup0 counter0",
    )
    memory.remember(episode("fetch the cup"), world.subtree("fetch the cup", "(on cup0 counter0)", actions))
    changed = World()
    changed.things["table0"] = domain().thing("table0", "shelf")
    assert recall(memory, World(), "fetch the cup").as_before
    assert not recall(memory, changed, "fetch the cup").as_before


def extended(changes=""):
    """Return a world that builds on the kitchen, in the scene of the kitchen."""
    world = World()
    with TemporaryDirectory() as folder:
        path = Path(folder, "domain.yaml")
        path.write_text(f"name: mine\nextends: kitchen\n{changes}", encoding="utf-8")
        world.domain = load_domain(path)
        world.things = dict(load_scene(world.domain, "small").things)
    return world


def test_what_worked_in_a_world_is_recalled_in_one_that_builds_on_it(memory):
    learn_milk(memory, World())
    found = recall(memory, extended())
    assert str(found.goal) == MILK_GOAL
    assert found.as_before


def test_it_is_not_where_the_class_of_its_thing_is_another(memory):
    learn_milk(memory, World())
    milk = "{override: true, affordances: [grasp, carry], shape: {form: box, size: [0.07, 0.07, 0.2]}}"
    assert recall(memory, extended(f"classes:\n  milk: {milk}\n")) is None
