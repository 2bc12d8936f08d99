"""The store on a real disk: several processes, foreign files, places that cannot be written."""

import os
import sqlite3
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import affordances.mapping.store
from affordances.mapping import Evidence, EvidenceFileError, EvidenceStore, ObjectAffordances
from affordances.mapping.store import OURS
from semantics.process.reading import read_table
from tests.affordances.mapping.drawn import NOON, pieces

CUP = Evidence.worked("cup", "pour", body="fake", at=NOON)


@pytest.fixture
def store(tmp_path):
    return EvidenceStore(tmp_path / "deep" / "evidence.sqlite")


def test_a_store_without_a_file_is_empty_and_makes_none(store):
    assert len(store.load()) == 0
    assert store.load().evidence("cup", "pour") == ()
    assert store.forget("cup") == 0
    store.add([])
    assert not store.path.parent.exists()


def test_what_is_added_is_there_and_adds_up(store):
    store.add([CUP, CUP])
    EvidenceStore(store.path).add([CUP, Evidence.asked("cup", "pour", True, model="m", strategy="logic", at=NOON)])
    assert store.load().evidence("cup", "pour")[-1] == CUP._replace(times=3)
    assert store.load().probability("cup", "pour") == pytest.approx((0.2 + 4 + 3) / (1 + 4 + 3))


@settings(max_examples=15, deadline=None)
@given(st.lists(pieces(), max_size=12), st.lists(pieces(), max_size=12))
def test_a_store_joins_evidence_as_a_mapping_does(tmp_path_factory, some, more):
    store = EvidenceStore(tmp_path_factory.mktemp("store") / "evidence.sqlite")
    store.add(some)
    store.add(more)
    assert store.load() == ObjectAffordances([*some, *more])


def test_a_class_or_a_pair_can_be_forgotten(store):
    store.add([CUP, CUP._replace(affordance="carry"), CUP._replace(class_name="mug")])
    assert store.forget("cup", "pour") == 1
    assert store.forget("cup") == 1
    assert list(store.load().classes) == ["mug"]


def _add(path: Path) -> None:
    for _ in range(10):
        EvidenceStore(path).add([CUP])


def test_several_processes_may_add_at_once(store):
    with ProcessPoolExecutor(3) as pool:
        list(pool.map(_add, [store.path] * 3))
    assert store.load().evidence("cup", "pour") == (CUP._replace(times=30),)


def test_a_file_of_another_program_is_left_alone(store):
    store.path.parent.mkdir()
    with sqlite3.connect(store.path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = store.path.read_bytes()
    for verb in (store.load, lambda: store.add([CUP])):
        with pytest.raises(EvidenceFileError, match="another program"):
            verb()
    assert store.path.read_bytes() == before


def test_a_file_of_a_later_version_is_left_alone(store):
    store.add([CUP])
    with sqlite3.connect(store.path) as later:
        later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(EvidenceFileError, match="later version"):
        store.load()


@pytest.mark.parametrize(
    "content", [b"not a database, but longer than a header of sixteen bytes", b"SQLite format 3\0" + b"\1" * 200]
)
def test_a_damaged_file_is_told_of_and_left_alone(store, content):
    store.path.parent.mkdir()
    store.path.write_bytes(content)
    with pytest.raises(EvidenceFileError, match="damaged"):
        store.load()
    assert store.path.read_bytes() == content


BAD = ("source = 'rumour'", "share = 2", "share = 'much'", "times = 0", "times = -3", "at = 'noon'", "by = x'ff'")


@pytest.mark.parametrize("bad", [*BAD, "how = CAST(x'c3' AS TEXT)"])
def test_a_row_that_makes_no_sense_costs_only_itself_and_is_told_of(store, caplog, bad):
    store.add([CUP, CUP._replace(class_name="mug")])
    with sqlite3.connect(store.path) as connection:
        connection.execute(f"UPDATE evidence SET {bad} WHERE class = 'cup'")
    connection.close()
    for _ in range(2):
        assert list(store.load().classes) == ["mug"]
    (told,) = caplog.messages
    assert "evidence cup pour" in told
    with sqlite3.connect(store.path) as connection:
        assert connection.execute("SELECT count(*) FROM evidence").fetchone() == (2,)
    connection.close()


def test_a_row_that_makes_no_sense_is_replaced_by_the_next_of_its_voice(store):
    store.add([CUP])
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE evidence SET share = 7")
    connection.close()
    for _ in range(2):
        store.add([CUP])
    assert store.load().evidence("cup", "pour") == (CUP._replace(times=2),)


def test_a_file_of_before_rows_were_marked_is_read_and_brought_up_to_date(store):
    store.path.parent.mkdir()
    with sqlite3.connect(store.path) as connection:
        connection.execute(read_table(affordances.mapping.store.__file__)["migrations"][0])
        connection.execute(f"PRAGMA application_id = {OURS}")
        connection.execute("PRAGMA user_version = 1")
        row = ("cup", "pour", "worked", 1.0, "fake", "", 1, NOON.isoformat())
        connection.execute("INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        connection.execute("INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ("mug", "pour", "rumour", *row[3:]))
    connection.close()
    assert store.load().evidence("cup", "pour") == (CUP,)
    assert list(store.load().classes) == ["cup"]
    store.add([CUP])
    assert store.load().evidence("cup", "pour") == (CUP._replace(times=2),)


def test_an_empty_file_is_a_new_store(store):
    store.path.parent.mkdir()
    store.path.touch()
    assert len(store.load()) == 0
    store.add([CUP])
    assert len(store.load()) == 1


def test_a_place_that_cannot_be_made_is_told_of(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(EvidenceFileError, match="folder cannot be made"):
        EvidenceStore(tmp_path / "file" / "evidence.sqlite").add([CUP])


def test_a_store_in_a_folder_that_cannot_be_written_is_read(store, monkeypatch):
    store.add([CUP])
    file = store.path.rename(store.path.with_name("what? 100 % #1.sqlite"))
    file.parent.chmod(0o500)
    if os.access(file.parent, os.W_OK):
        monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    assert EvidenceStore(file).load().evidence("cup", "pour") == (CUP,)
    assert list(file.parent.iterdir()) == [file]
    file.parent.chmod(0o700)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_is_told_of(store):
    store.add([CUP])
    store.path.chmod(0o400)
    with pytest.raises(EvidenceFileError, match="cannot be written"):
        store.add([CUP])
