"""What is kept of each run, shown and forgotten."""

from datetime import UTC, datetime

import pytest

from graftwork.language.conversation import MOST_TURNS, Turn, things_of, turn_document
from graftwork.memory import Memory
from graftwork.record.episode import Outcome
from semantics.errors import UnknownNameError
from semantics.logic.atoms import Atom, Literal
from semantics.logic.goal import Goal
from semantics.logic.quantity import Quantity
from tests.memory.kitchen import MILK, MILK_GOAL, MILK_PLAN, World, episode, learn_milk, recall


def test_every_episode_is_kept_and_listed_latest_first(memory):
    numbers = [memory.remember(episode(outcome=outcome, message=f"it {outcome}")) for outcome in Outcome]
    records = memory.list()
    assert [record.id for record in records] == numbers[::-1]
    assert [record.episode.outcome for record in records] == list(Outcome)[::-1]
    assert memory.show(numbers[0]).episode == episode(message="it achieved")
    assert records[0].at == datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_another_memory_of_the_same_file_knows_the_same(memory, path):
    learn_milk(memory, World())
    assert recall(Memory(path), World()) == recall(memory, World())
    assert Memory(path).list() == memory.list()


def test_a_record_shows_what_was_learned_and_its_evidence(memory):
    number = learn_milk(memory, World())
    learn_milk(memory, World())
    record = memory.show(number)
    assert (record.worked, record.failed) == (2, 0)
    assert str(record.subtree.goal) == MILK_GOAL
    assert record.subtree == World().subtree(MILK, MILK_GOAL, MILK_PLAN)


def test_forgetting_one_forgets_what_it_taught(memory):
    number = learn_milk(memory, World())
    other = memory.remember(episode("open the fridge"), World().subtree("open the fridge", "(opened fridge0)"))
    assert memory.forget(number) == 1
    assert recall(memory, World()) is None
    assert recall(memory, World(), "open the fridge") is not None
    assert [record.id for record in memory.list()] == [other]


def test_forgetting_all_leaves_nothing_behind_in_the_file(memory, path):
    learn_milk(memory, World())
    learn_milk(memory, World())
    assert memory.forget() == 2
    assert memory.list() == ()
    assert recall(memory, World()) is None
    assert not any(b"milk" in file.read_bytes() for file in path.parent.iterdir())


@pytest.mark.parametrize("verb", ["show", "forget"])
def test_an_unknown_number_lists_the_known_ones(memory, verb):
    memory.remember(episode())
    with pytest.raises(UnknownNameError, match="unknown episode '77'; valid: 1"):
        getattr(memory, verb)(77)


def turn_about(name, **fields):
    facts = (Literal(Atom("on", (name, "shelf0"))), Literal(Atom("opened", ("fridge0",)), positive=False))
    was = frozenset({Atom("on", (name, "table0"))})
    return Turn(
        f"put the {name[:-1]} away",
        Goal(facts[0].formula, f"put the {name[:-1]} away"),
        facts,
        things_of(facts),
        was,
        "Done.",
        **fields,
    )


def kept(memory, world, *turns, **fields):
    return memory.remember(episode(**fields), None, [turn_document(turn, world.vocabulary) for turn in turns])


def test_the_last_turns_of_a_conversation_are_kept_with_their_episodes(memory, path):
    apple, banana, milk = map(turn_about, ("apple0", "banana0", "milk0"))
    kept(memory, World(), apple)
    memory.remember(episode())
    number = kept(memory, World(), banana, milk)
    assert Memory(path).turns("kitchen", "small", World().vocabulary) == [apple, banana, milk]
    assert (
        memory.turns("kitchen", "full", World().vocabulary) == memory.turns("blocks", "small", World().vocabulary) == []
    )
    assert memory.show(number).episode == episode()
    for _ in range(MOST_TURNS):
        kept(memory, World(), apple)
    assert memory.turns("kitchen", "small", World().vocabulary) == [apple] * MOST_TURNS
    memory.forget()
    assert memory.turns("kitchen", "small", World().vocabulary) == []


def test_what_is_no_longer_there_is_not_recalled_nor_what_was_said_before_it(memory):
    apple, banana, milk = map(turn_about, ("apple0", "banana0", "milk0"))
    kept(memory, World(), apple, banana, milk)
    assert memory.turns("kitchen", "small", World().without("banana0").vocabulary) == [milk]
    assert memory.turns("kitchen", "small", World().without("milk0").vocabulary) == []
    assert memory.turns("kitchen", "small", World().without("apple0").add("lemon", "apple0").vocabulary) == [
        banana,
        milk,
    ]


def test_a_goal_of_which_a_formula_does_not_say_all_is_not_kept(memory):
    goal = Goal(Atom("on", ("apple0", "shelf0")), values=(("speed", Quantity.read("20cm/s")),))
    kept(memory, World(), Turn("slowly", goal))
    assert memory.turns("kitchen", "small", World().vocabulary) == [Turn("slowly")]
