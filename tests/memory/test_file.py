"""The file of a memory: shared, damaged, of another program, read-only."""

import multiprocessing
import os
import shutil
import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from graftwork.errors import MemoryFileError
from graftwork.memory import Memory, default_place
from semantics.errors import UsageError
from tests.memory.kitchen import (
    MILK,
    MILK_GOAL,
    MILK_PLAN,
    World,
    episode,
    learn_milk,
    recall,
)


def _remember_many(path, count):
    memory = Memory(path)
    for _ in range(count):
        memory.remember(episode(), World().subtree(MILK, MILK_GOAL, MILK_PLAN))


def test_two_processes_lose_nothing(path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_remember_many, args=(path, 20)) for _ in range(2)]
    for worker in workers:
        worker.start()
    _remember_many(path, 5)
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0, 0]
    memory = Memory(path)
    assert len(memory.list()) == 45
    assert recall(memory, World()).worked == 45


def test_one_may_read_while_another_writes(memory):
    learn_milk(memory, World())
    with memory._store.transaction() as writing:
        writing.execute("DELETE FROM episodes")
        assert len(memory.list()) == 1
    assert memory.list() == ()


def test_a_killed_write_leaves_nothing_half_done(memory):
    def cut():
        with memory._store.transaction() as connection:
            connection.execute("DELETE FROM episodes")
            raise KeyboardInterrupt

    learn_milk(memory, World())
    with pytest.raises(KeyboardInterrupt):
        cut()
    assert len(memory.list()) == 1


@pytest.mark.parametrize(
    "content", [b"this is no database at all, but text" * 200, b"\x00" * 5000, b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_damaged_file_is_named_and_left_as_it_is(path, content):
    path.write_bytes(content)
    with pytest.raises(MemoryFileError, match="damaged") as caught:
        Memory(path)
    assert str(path) in str(caught.value)
    assert isinstance(caught.value, UsageError)
    assert path.read_bytes() == content


def test_text_that_cannot_be_stored_does_not_make_the_file_a_damaged_one(memory):
    with pytest.raises(UnicodeEncodeError):
        memory.remember(replace(episode(), instruction="bring \udcff milk"))
    assert memory.list() == ()


def test_a_file_damaged_in_the_middle_is_an_error_of_the_memory(memory, path):
    for _ in range(200):
        learn_milk(memory, World())
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(MemoryFileError, match="damaged"):
        memory.list()


def test_a_document_that_cannot_be_read_is_an_error_of_the_memory(memory, path):
    learn_milk(memory, World())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE subtrees SET document = '{}'")
    connection.close()
    with pytest.raises(MemoryFileError, match="subtree"):
        recall(memory, World())


def test_a_database_of_another_program_is_left_alone(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (id)")
    connection.close()
    with pytest.raises(MemoryFileError, match="another program"):
        Memory(path)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]
    connection.close()


def test_a_memory_of_a_later_version_is_refused(memory, path):
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(MemoryFileError, match="later version"):
        Memory(path)


@pytest.mark.parametrize("place", ["/proc/memory.sqlite", "/proc/nowhere/memory.sqlite", "/"])
def test_a_place_where_nothing_can_be_made_is_named(place):
    with pytest.raises(MemoryFileError, match="--no-memory"):
        Memory(place)


@pytest.fixture
def open_folder():
    """A folder that a user without rights can enter (pytest's own can only be entered by its owner)."""
    folder = Path(tempfile.mkdtemp(prefix="graftwork-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_file_that_may_only_be_read_says_so(open_folder):
    path = open_folder / "memory.sqlite"
    Memory(path).remember(episode())
    path.chmod(0o444)
    open_folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        with pytest.raises(MemoryFileError, match=r"cannot be (written|opened)"):
            Memory(path)
    finally:
        if root:
            os.seteuid(0)
        open_folder.chmod(0o755)


def test_the_folder_is_made_for_its_owner_alone(tmp_path):
    Memory(tmp_path / "new" / "folder" / "memory.sqlite")
    assert (tmp_path / "new" / "folder").stat().st_mode & 0o077 == 0


def test_the_default_place_is_in_the_users_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_place().name == "memory.sqlite"
    assert default_place().parent.name == "graftwork"
