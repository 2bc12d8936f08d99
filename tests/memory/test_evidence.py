"""What counts for and against what was learned."""

import pytest

from graftwork.record.episode import Outcome
from tests.memory.kitchen import MILK, MILK_GOAL, MILK_PLAN, World, episode, learn_milk, recall


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.ACHIEVED])
def test_only_what_was_achieved_is_learned(memory, outcome):
    learn_milk(memory, World(), outcome=outcome)
    assert recall(memory, World()) is None
    assert len(memory.list()) == 1


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.REFUSED])
def test_two_failures_in_a_row_end_recalling_and_a_success_begins_it_again(memory, outcome):
    learn_milk(memory, World())
    learn_milk(memory, World(), outcome=outcome, recalled=True)
    assert (recall(memory, World()).worked, recall(memory, World()).failed) == (1, 1)
    learn_milk(memory, World(), outcome=outcome, recalled=True)
    assert recall(memory, World()) is None
    learn_milk(memory, World())
    assert (recall(memory, World()).worked, recall(memory, World()).failed) == (2, 2)


@pytest.mark.parametrize("outcome", [Outcome.STOPPED, Outcome.UNAVAILABLE, Outcome.FAULT, Outcome.ALREADY])
def test_what_is_not_the_subtrees_fault_does_not_count(memory, outcome):
    learn_milk(memory, World())
    for _ in range(3):
        learn_milk(memory, World(), outcome=outcome)
    assert (recall(memory, World()).worked, recall(memory, World()).failed) == (1, 0)


def test_a_goal_reached_by_another_plan_after_a_move_is_the_same_experience(memory):
    learn_milk(memory, World())
    moved = World().move("milk0", "on", "counter0")
    actions = (
        "move robot0 floor0 counter0",
        "grasp robot0 milk0 counter0 counter0",
        "move robot0 counter0 human0",
        "handover robot0 human0 milk0",
    )
    memory.remember(episode(recalled=True), moved.subtree(MILK, MILK_GOAL, actions))
    assert recall(memory, moved).as_before
    assert recall(memory, World()).worked == 2


def test_of_two_readings_the_better_proven_is_recalled(memory):
    world = World()
    other = "(on milk0 table0)"
    memory.remember(episode(goal=other), world.subtree(MILK, other))
    for _ in range(2):
        learn_milk(memory, world)
    assert str(recall(memory, world).goal) == MILK_GOAL


def test_a_goal_given_without_a_sentence_teaches_nothing(memory):
    memory.remember(episode(instruction=""), World().subtree("", MILK_GOAL, MILK_PLAN))
    assert recall(memory, World(), "") is None
