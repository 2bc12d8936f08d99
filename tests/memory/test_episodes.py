"""What is kept of each run, shown and forgotten."""

from datetime import UTC, datetime

import pytest

from graftwork.memory import Memory
from graftwork.record.episode import Outcome
from semantics.errors import UnknownNameError
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
