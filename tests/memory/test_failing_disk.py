"""Files of the memory on a disk that fails: a clear error, no earlier row lost, and never called damaged."""

import errno
import os
import sqlite3
from contextlib import closing, contextmanager

import pytest

from affordances.mapping import Evidence, EvidenceFileError
from graftwork.errors import MemoryFileError
from graftwork.memory import Memory
from graftwork.memory.evidence import store_beside
from graftwork.memory.upkeep import checked, repaired
from tests.failing_disk import disk_full_at
from tests.memory.kitchen import World, episode, learn_milk, recall

CAUSES = "the disk is full|the disk did not take it"


@contextmanager
def pages_at_most(count, monkeypatch):
    """Let no database grow beyond a number of pages: SQLite's own way to have a full disk."""

    def connected(*args, **kwargs):
        connection = connect(*args, **kwargs)
        connection.execute(f"PRAGMA max_page_count = {count}")
        return connection

    connect = sqlite3.connect
    with monkeypatch.context() as patched:
        patched.setattr("semantics.process.database.sqlite3.connect", connected)
        yield


def remember_until_full(memory, most=60):
    """Store episodes of several sizes; return how many were stored, and what was said."""
    said = []
    for number in range(most):
        try:
            memory.remember(episode(f"sentence {number}", message="x" * (37 * number)))
        except MemoryFileError as error:
            said.append(str(error))
    return most - len(said), said


def sound(path, stored):
    """Whether the file holds the first row and those stored, and all is well."""
    memory = Memory(path)
    found = checked(path)
    return (
        len(memory.list()) == stored + 1
        and recall(memory, World()).worked == 1
        and all(each.is_sound for each in found)
        and memory.remember(episode()) > 0
    )


@pytest.fixture
def one(tmp_path):
    """Make files with one row, each in a folder of its own."""

    def make(name):
        (tmp_path / str(name)).mkdir()
        path = tmp_path / str(name) / "memory.sqlite"
        learn_milk(Memory(path), World())
        return path

    return make


@pytest.mark.parametrize("pages", range(8, 24))
def test_a_full_disk_is_called_full_and_no_row_is_lost(one, monkeypatch, pages):
    path = one(pages)
    memory = Memory(path)
    with pages_at_most(pages, monkeypatch):
        stored, said = remember_until_full(memory)
    assert said
    assert all("the disk is full; what the file holds is sound: make room" in each for each in said)
    assert sound(path, stored)


@pytest.mark.parametrize("size", [*range(0, 36_000, 4000), *range(36_000, 80_000, 1777), *range(80_000, 200_000, 9999)])
def test_wherever_a_file_may_not_grow_no_row_is_lost_and_none_is_called_damaged(one, size):
    path = one(size)
    memory = Memory(path)
    with disk_full_at(size):
        stored, said = remember_until_full(memory, 12)
        for read in (memory.list, lambda: recall(memory, World()), lambda: memory.tried("kitchen")):
            try:
                read()
            except MemoryFileError as error:
                said.append(str(error))
    assert not any("damaged" in each for each in said)
    assert all("--no-memory" in each for each in said)
    assert sound(path, stored)


@pytest.mark.parametrize("size", [0, 1, 512, 4096, 5000, 12_288, 20_000, 32_768, 33_000, 45_056, 60_000])
def test_a_memory_that_cannot_be_made_can_be_made_once_there_is_room(tmp_path, size):
    def use():
        memory = Memory(path)
        for _ in range(100):
            memory.remember(episode(message="x" * 3000))

    path = tmp_path / "memory.sqlite"
    with disk_full_at(size), pytest.raises(MemoryFileError) as caught:
        use()
    assert "damaged" not in str(caught.value)
    Memory(path).remember(episode())


@pytest.mark.parametrize("pages", range(1, 9))
def test_evidence_on_a_full_disk_is_as_before(tmp_path, monkeypatch, pages):
    store = store_beside(tmp_path / "memory.sqlite")
    store.add([Evidence.worked("cup", "pour", body="fake")])
    kept = 1
    with pages_at_most(pages, monkeypatch):
        for number in range(60):
            try:
                store.add([Evidence.worked(f"class{number}{part}" * 9, "pour", body="fake") for part in range(7)])
                kept += 7
            except EvidenceFileError as error:
                assert "the disk is full" in str(error)  # noqa: PT017 - some are stored
    assert len(store.load()) == kept
    store.add([Evidence.worked("cup", "pour", body="fake")])
    assert store.load().evidence("cup", "pour")[0].times == 2


@pytest.mark.parametrize("size", range(0, 60_000, 6000))
def test_a_repair_on_a_full_disk_leaves_everything_as_it_was(one, size):
    path = one(size)
    for number in range(40):
        Memory(path).remember(episode(message="x" * 100 * number))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE episodes SET document = 'x' WHERE id = 7")
    with disk_full_at(size), pytest.raises(MemoryFileError, match=CAUSES):
        repaired(path)
    assert not [file.name for file in path.parent.iterdir() if ".before-" in file.name]
    assert checked(path)[0].sound == {"episodes": 40, "subtrees": 1, "lessons": 0}
    repaired(path)
    assert checked(path)[0].is_sound
    assert len(Memory(path).list()) == 40


CASES = {
    "full": (sqlite3.SQLITE_FULL, "the disk is full"),
    "failing": (sqlite3.SQLITE_IOERR_WRITE, "the disk did not take it"),
    "index of the log": (sqlite3.SQLITE_IOERR_SHMSIZE, "the disk did not take it"),
    "locked": (sqlite3.SQLITE_BUSY, "another process has been writing"),
    "read-only": (sqlite3.SQLITE_READONLY_DBMOVED, "it cannot be written"),
    "not to be opened": (sqlite3.SQLITE_CANTOPEN, "it cannot be opened or made"),
    "damaged": (sqlite3.SQLITE_CORRUPT, "it is damaged"),
    "no database": (sqlite3.SQLITE_NOTADB, "it is damaged"),
}


def raising(code):
    def connect(*_, **__):
        error = sqlite3.OperationalError("as SQLite says it")
        error.sqlite_errorcode = code
        raise error

    return connect


@pytest.mark.parametrize(("code", "told"), CASES.values(), ids=CASES)
def test_each_cause_has_its_own_words(one, monkeypatch, code, told):
    memory = Memory(one("x"))
    monkeypatch.setattr("semantics.process.database.sqlite3.connect", raising(code))
    for verb in (memory.list, lambda: memory.remember(episode())):
        with pytest.raises(MemoryFileError, match=told) as caught:
            verb()
        assert ("memory repair" in str(caught.value)) == (told == "it is damaged")


class Disk:
    """What `os.statvfs` says of a disk."""

    def __init__(self, flag=0, free=1 << 30):
        self.f_flag, self.f_bavail, self.f_frsize = flag, free, 1


def test_a_failing_write_on_a_disk_without_room_is_one_of_a_full_disk(one, monkeypatch):
    memory = Memory(one("x"))
    monkeypatch.setattr("semantics.process.database.sqlite3.connect", raising(sqlite3.SQLITE_IOERR_SHMSIZE))
    monkeypatch.setattr("semantics.process.database.os.statvfs", lambda _: Disk(free=0))
    with pytest.raises(MemoryFileError, match="the disk is full"):
        memory.list()


def test_a_read_only_disk_and_missing_rights_are_told_apart(one, monkeypatch):
    memory = Memory(one("x"))
    monkeypatch.setattr("semantics.process.database.sqlite3.connect", raising(sqlite3.SQLITE_READONLY))
    monkeypatch.setattr("semantics.process.database.os.statvfs", lambda _: Disk(flag=os.ST_RDONLY))
    with pytest.raises(MemoryFileError, match="its disk is read-only"):
        memory.remember(episode())
    monkeypatch.setattr("semantics.process.database.os.statvfs", lambda _: Disk())
    monkeypatch.setattr("semantics.process.database.os.access", lambda *_, **__: False)
    with pytest.raises(MemoryFileError, match="you have no right to"):
        memory.remember(episode())


def test_a_file_that_is_locked_is_called_locked(one, monkeypatch):
    monkeypatch.setattr("semantics.process.database.PATIENCE_SECONDS", 0.05)
    path = one("x")
    memory = Memory(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(MemoryFileError, match="another process has been writing"):
            memory.remember(episode())
        assert len(memory.list()) == 1


def test_a_folder_on_a_disk_that_fails_is_told(tmp_path, monkeypatch):
    def mkdir(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("pathlib.Path.mkdir", mkdir)
    with pytest.raises(MemoryFileError, match=r"its folder cannot be made \(No space left"):
        Memory(tmp_path / "new" / "memory.sqlite")
