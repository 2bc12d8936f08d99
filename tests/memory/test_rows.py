"""A bad row costs itself alone: it is marked and told, and everything else is used."""

import json
import logging
import sqlite3
import zlib
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from graftwork.errors import MemoryFileError
from graftwork.memory import Memory
from graftwork.record.episode import Tried
from semantics.logic.state import Action
from tests.memory.kitchen import MILK, MILK_GOAL, MILK_PLAN, World, episode, learn_milk, recall

FRIDGE = "open the fridge"
DEEP = "[" * 100_000
TRIED = Tried(Action("open", ("robot0", "fridge0", "fridge0")), 2, 1, 3.5)


def change(path, statement, *values):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def value(path, statement):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchone()[0]


@pytest.fixture
def two(memory):
    """A memory of two sentences, the first of which a test spoils."""
    memory.remember(episode(tried=(TRIED,)), World().subtree(MILK, MILK_GOAL, MILK_PLAN))
    memory.remember(episode(FRIDGE, tried=(TRIED,)), World().subtree(FRIDGE, "(opened fridge0)"))
    return memory


BAD = {
    "no object": "7",
    "no JSON": '{"version": 1',
    "another version": '{"version": 9}',
    "fields missing": '{"version": 1}',
    "nested too deeply": DEEP,
    "nested inside": f'{{"version": 1, "outcome": "achieved", "seconds": {DEEP}',
    "a wrong kind": '{"version": 1, "goal": 3, "actions": 4, "outcome": [], "plan": 7}',
    "a deep goal": json.dumps({"version": 1, "goal": "(not " * 20_000}),
    "a huge number": '{"version": 1, "goal": ' + "9" * 6000 + "}",
    "half a character": '{"version": 1, "instruction": "\\ud800"}',
}


@pytest.mark.parametrize("table", ["episodes", "subtrees"])
@pytest.mark.parametrize("sealed", [True, False], ids=["with its checksum", "from before checksums"])
@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_a_bad_row_costs_only_itself(two, path, caplog, table, sealed, text):
    columns = {"episodes": "at, document", "subtrees": "key, domain, goal, scene, document, at"}[table]
    change(path, f"UPDATE {table} SET document = ? WHERE id = 1", text)
    with closing(sqlite3.connect(path)) as connection:
        row = connection.execute(f"SELECT {columns} FROM {table} WHERE id = 1").fetchone()
    change(path, f"UPDATE {table} SET crc = ? WHERE id = 1", zlib.crc32("\0".join(row).encode()) if sealed else None)
    is_episode = table == "episodes"
    assert [record.id for record in two.list()] == ([2] if is_episode else [2, 1])
    assert (recall(two, World()) is not None) == is_episode
    assert recall(two, World(), FRIDGE).worked == 1
    assert two.tried("kitchen")[0].worked in ((2, 4) if is_episode else (4,))
    assert two.show(2).episode.instruction == FRIDGE
    (aside,) = two.set_aside()
    assert (aside.table, aside.key) == (table, {"id": 1})
    (told,) = caplog.messages
    assert f"{table} 1: it" in told
    assert str(path) in told


def test_a_changed_text_is_told_by_its_checksum(two, path, caplog):
    change(path, "UPDATE subtrees SET document = replace(document, 'milk0', 'acid0') WHERE id = 1")
    change(path, "UPDATE episodes SET document = replace(document, 'achieved', 'failed') WHERE id = 1")
    assert recall(two, World()) is None
    assert [record.id for record in two.list()] == [2]
    assert caplog.text.count("its checksum is wrong") == 2
    with pytest.raises(MemoryFileError, match="episode 1 cannot be used: see graftwork memory check"):
        two.show(1)


@pytest.mark.parametrize("count", ["worked = 'many'", "worked = -1", "failed = 0.5"])
def test_counts_that_are_none_are_not_believed(two, path, count):
    change(path, f"UPDATE subtrees SET {count} WHERE id = 1")
    assert recall(two, World()) is None
    assert recall(two, World(), FRIDGE) is not None


def test_bytes_that_are_no_text_cost_only_their_row(two, path):
    change(path, "UPDATE episodes SET document = CAST(x'ff00c3' AS TEXT) WHERE id = 1")
    change(path, "UPDATE subtrees SET at = x'ff' WHERE id = 1")
    assert [record.id for record in two.list()] == [2]
    assert {row.table for row in two.set_aside()} == {"episodes", "subtrees"}


def test_learning_the_same_again_replaces_a_bad_row(two, path):
    change(path, "UPDATE subtrees SET document = '{}' WHERE id = 1")
    assert recall(two, World()) is None
    learn_milk(two, World())
    assert recall(two, World()).worked == 2
    assert two.set_aside() == ()


def test_a_bad_row_is_marked_once_and_kept(two, path, caplog):
    change(path, "UPDATE episodes SET document = 'x' WHERE id = 1")
    for _ in range(3):
        assert len(two.list()) == 1
    assert len(caplog.messages) == 1
    assert value(path, "SELECT document FROM episodes WHERE id = 1") == "x"


def test_a_bad_row_in_a_file_that_cannot_be_written_is_left_out_all_the_same(two, path, monkeypatch, caplog):
    change(path, "UPDATE episodes SET document = 'x' WHERE id = 1")
    monkeypatch.setattr("sqlite3.connect", full(sqlite3.connect))
    with caplog.at_level(logging.INFO):
        assert [record.id for record in two.list()] == [2]
    assert len(caplog.messages) == 1


def full(connect):
    """Return a `connect` to files that cannot grow, and whose pages cannot be written again."""

    def connected(*args, **kwargs):
        connection = connect(*args, **kwargs)
        connection.execute("PRAGMA query_only = ON")
        return connection

    return connected


def test_tries_that_make_no_sense_are_left_out(two, path):
    for number, tried in enumerate(
        ('[{"action": null}]', '[{"worked": "x"}]', "[7]", '{"a": 1}', '[{"seconds": 1e999}]')
    ):
        document = f'{{"version": 1, "domain": "kitchen", "tried": {tried}}}'
        change(path, "INSERT INTO episodes (id, at, document) VALUES (?, '2026-11-20', ?)", 10 + number, document)
    assert two.tried("kitchen") == (TRIED._replace(worked=4, failed=2, seconds=7.0),)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_whatever_a_row_is_changed_into_nothing_is_raised_and_the_other_is_read(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("memory") / "memory.sqlite"
    memory = Memory(path)
    memory.remember(episode(tried=(TRIED,)), World().subtree(MILK, MILK_GOAL, MILK_PLAN))
    memory.remember(episode(FRIDGE), World().subtree(FRIDGE, "(opened fridge0)"))
    table = data.draw(st.sampled_from(["episodes", "subtrees"]))
    text = bytearray(value(path, f"SELECT document FROM {table} WHERE id = 1").encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=6) | st.sampled_from(PIECES))
    change(path, f"UPDATE {table} SET document = CAST(? AS TEXT), crc = NULL WHERE id = 1", bytes(text))
    memory.list()
    memory.tried("kitchen")
    recall(memory, World())
    assert memory.show(2).episode.instruction == FRIDGE
    assert recall(memory, World(), FRIDGE) is not None


PIECES = [
    b"[" * 3000,
    b"null",
    b"1e999",
    b"NaN",
    b'"\\ud800"',
    b"{",
    b"}",
    b"-1",
    b"[]",
    b'""',
    b"(not " * 3000,
    b"9" * 5000,
]
