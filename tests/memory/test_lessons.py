"""What was taught is kept, forgotten and taken back, by several processes at once."""

import multiprocessing
import sqlite3

import pytest

from domains.reader import load_domain
from graftwork.memory import Memory
from semantics.errors import UnknownNameError
from semantics.logic.lesson import read_lesson

NEVER = read_lesson({"never": ["(on ?x ?p)"], "sorts": ["?x knife"], "text": "never put a knife there"})
SLOW = read_lesson({"asked": ["(on ?x ?p)"], "values": ["speed 20cm/s"]})


@pytest.fixture
def taught(tmp_path):
    return Memory(tmp_path / "memory.sqlite").taught


def kept(store):
    return [each.lesson for each in store.list()]


def test_lessons_are_kept_in_order_and_hold_in_their_world_and_those_that_extend_it(taught):
    taught.learn(NEVER, "kitchen")
    taught.learn(SLOW, "barman")
    assert kept(taught) == [NEVER, SLOW]
    assert [lesson for _, lesson in taught.of(load_domain("kitchen"))] == [NEVER]
    assert taught.list()[0].lesson.text == "never put a knife there"


def test_what_is_forgotten_lies_in_the_bin_and_comes_back(taught):
    number = taught.learn(NEVER, "kitchen")
    assert taught.forget([number]) == 1
    assert kept(taught) == []
    assert [each.gone for each in taught.list(bin=True)] == [True]
    assert [each.gone for each in taught.undo()] == [False]
    assert kept(taught) == [NEVER]


def test_undo_takes_a_lesson_back_together_with_what_it_had_replaced(taught):
    first = taught.learn(NEVER, "kitchen")
    taught.learn(SLOW, "kitchen", [first])
    assert kept(taught) == [SLOW]
    assert {each.number: each.gone for each in taught.undo()} == {first: False, first + 1: True}
    assert kept(taught) == [NEVER]
    taught.undo()
    assert kept(taught) == [SLOW]


def test_an_unknown_number_is_named_and_changes_nothing(taught):
    taught.learn(NEVER, "kitchen")
    with pytest.raises(UnknownNameError, match="L7"):
        taught.forget([1, 7])
    assert kept(taught) == [NEVER]
    assert Memory(taught.database.path.with_name("none"), make=False).taught.undo() == ()


def test_a_lesson_that_was_changed_by_something_else_is_not_used(taught):
    taught.learn(NEVER, "kitchen")
    taught.learn(SLOW, "kitchen")
    with sqlite3.connect(taught.database.path) as connection:
        connection.execute("UPDATE lessons SET document = replace(document, 'knife', 'spoon') WHERE id = 1")
    assert kept(taught) == [SLOW]


def _learn(path):
    for _ in range(10):
        Memory(path).taught.learn(SLOW, "kitchen")


def test_processes_that_learn_at_once_lose_nothing(taught):
    path = taught.database.path
    taught.learn(NEVER, "kitchen")
    processes = [multiprocessing.get_context("spawn").Process(target=_learn, args=(path,)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert kept(taught) == [NEVER, *[SLOW] * 20]


def test_everything_is_forgotten_with_the_episodes(taught):
    taught.learn(NEVER, "kitchen")
    Memory(taught.database.path).forget()
    assert kept(taught) == []
    assert taught.list(bin=True) == ()
