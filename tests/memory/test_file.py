"""The file of a memory: shared, damaged, of another program, read-only."""

import json
import multiprocessing
import os
import shutil
import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from graftwork.errors import MemoryFileError
from graftwork.memory import Memory, default_place, instruction_key
from graftwork.memory.store import OURS, statements
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


def test_a_link_that_leads_to_nothing_is_named_and_not_followed(tmp_path):
    for name, target in (("dangling", tmp_path / "new" / "memory.sqlite"), ("loop", tmp_path / "loop")):
        (tmp_path / name).symlink_to(target)
        for make in (False, True):
            with pytest.raises(MemoryFileError, match="link that leads to nothing"):
                Memory(tmp_path / name, make=make)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "loop"]


def test_what_is_no_file_is_named_and_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place, named in ((tmp_path / "pipe", "a pipe"), (tmp_path, "a folder"), ("/dev/zero", "a device")):
        with pytest.raises(MemoryFileError, match=f"it is no file but .*{named.split()[-1]}"):
            Memory(place)
    for name in ("n" * 5000, "null\0character"):
        with pytest.raises(MemoryFileError, match="cannot be opened"):
            Memory(tmp_path / name)


def test_reading_makes_no_file(tmp_path):
    memory = Memory(tmp_path / "new" / "memory.sqlite", make=False)
    assert memory.list() == memory.set_aside() == memory.tried("kitchen") == ()
    assert recall(memory, World()) is None
    assert memory.forget() == 0
    for verb in (memory.show, memory.forget):
        with pytest.raises(UsageError, match="unknown episode"):
            verb(1)
    assert list(tmp_path.iterdir()) == []


def test_a_memory_of_before_there_were_checksums_is_read_and_gets_them(path):
    with sqlite3.connect(path) as connection:
        for statement in filter(str.strip, statements()["migrations"][0].split(";")):
            connection.execute(statement)
        subtree = World().subtree(MILK, MILK_GOAL, MILK_PLAN)
        document = (json.dumps(subtree.as_dict()), "2026-11-20T12:00:00+00:00")
        connection.execute(
            "INSERT INTO subtrees (key, domain, goal, scene, document, at, worked) "
            "VALUES (?, 'kitchen', ?, ?, ?, ?, 1)",
            (instruction_key(MILK), MILK_GOAL, subtree.scene, *document),
        )
        connection.execute(
            "INSERT INTO episodes (document, at, subtree) VALUES (?, ?, 1)",
            (json.dumps(episode().as_dict()), document[1]),
        )
        connection.execute("PRAGMA user_version = 1")
        connection.execute(f"PRAGMA application_id = {OURS}")
    connection.close()
    memory = Memory(path, make=False)
    assert recall(memory, World()).worked == 1
    assert [record.episode for record in memory.list()] == [episode()]
    learn_milk(memory, World())
    assert recall(memory, World()).worked == 2
    assert memory.set_aside() == ()


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
