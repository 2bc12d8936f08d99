"""``memory check`` and ``memory repair``: no sound row is lost, and the file as it was is kept."""

import json
import random
import sqlite3
from contextlib import closing, suppress

import pytest
from typer.testing import CliRunner

from affordances.mapping import Evidence
from graftwork.cli.app import app
from graftwork.errors import MemoryFileError
from graftwork.memory import Memory
from graftwork.memory.evidence import store_beside
from graftwork.memory.upkeep import checked, repaired
from semantics.errors import UsageError
from tests.memory.kitchen import World, episode, learn_milk, recall
from tests.memory.test_rows import change

PAGE = 4096


def told(*words):
    return CliRunner().invoke(app, ["memory", *words])


@pytest.fixture
def many(path):
    """A file of some hundred pages, in which each episode says its own number; with evidence beside it."""
    memory = Memory(path)
    learn_milk(memory, World())
    for number in range(2, 300):
        memory.remember(episode(f"sentence {number}", message="x" * 900))
    store_beside(path).add([Evidence.worked(name, "carry", body="fake") for name in ("cup", "mug")])
    return memory


def test_a_sound_memory_is_sound_and_left_as_it_is(many, path):
    before = path.read_bytes()
    assert [found.is_sound for found in checked(path)] == [True, True]
    assert [repair.copy for repair in repaired(path)] == [None, None]
    assert path.read_bytes() == before
    done = told("check", "--memory", str(path))
    assert done.exit_code == 0
    assert "299 episodes, 1 subtrees, 0 lessons; sound" in " ".join(done.stdout.split())
    assert "2 evidence; sound" in done.stdout


def test_where_there_is_no_memory_nothing_is_wrong_and_nothing_is_made(tmp_path):
    place = str(tmp_path / "new" / "memory.sqlite")
    for words in (["check"], ["repair"], ["list"]):
        done = told(*words, "--memory", place)
        assert (done.exit_code, done.stdout) == (0, "nothing is remembered yet\n")
    assert list(tmp_path.iterdir()) == []


def test_bad_rows_are_told_and_taken_out_and_kept_in_a_copy(many, path):
    change(path, "UPDATE episodes SET document = 'x' WHERE id = 7")
    change(path, "UPDATE subtrees SET document = '{}'")
    change(store_beside(path).path, "UPDATE evidence SET share = 3 WHERE class = 'mug'")
    done = told("check", "--memory", str(path), "--json")
    assert done.exit_code == 1
    document = json.loads(done.stdout)
    assert document["sound"] is False
    memory, evidence = document["files"]
    assert memory["sound"] == {"episodes": 298, "subtrees": 0, "lessons": 0}
    assert [(row["table"], row["key"]) for row in memory["bad"]] == [("episodes", {"id": 7}), ("subtrees", {"id": 1})]
    assert evidence["bad"][0]["key"]["class"] == "mug"
    done = told("repair", "--memory", str(path))
    assert done.exit_code == 0
    assert "as it was before, it is in" in done.stdout
    assert [found.is_sound for found in checked(path)] == [True, True]
    assert len(many.list()) == 298
    assert list(store_beside(path).load().classes) == ["cup"]
    (copy,) = path.parent.glob("memory.sqlite.before-*")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT document FROM episodes WHERE id = 7").fetchone() == ("x",)
        assert connection.execute("SELECT count(*) FROM subtrees").fetchone() == (1,)


def test_the_list_says_what_it_leaves_out(many, path):
    change(path, "UPDATE episodes SET document = 'x' WHERE id = 7")
    done = told("list", "--memory", str(path))
    assert "1 row cannot be used: graftwork memory check" in done.output
    assert len(json.loads(told("list", "--memory", str(path), "--json").stdout)["set_aside"]) == 1


def test_a_row_that_was_marked_and_can_be_read_now_comes_back(many, path):
    change(path, "UPDATE episodes SET fault = 'of a later version' WHERE id = 7")
    assert len(many.list()) == 298
    assert checked(path)[0].bad[0].reason == "of a later version; it can be read now"
    repaired(path)
    assert len(many.list()) == 299


def spoiled(path, *pages):
    """Fill pages of the file with nonsense, as a failing disk does."""
    content = bytearray(path.read_bytes())
    for page in pages:
        content[page * PAGE : (page + 1) * PAGE] = b"\xa5" * PAGE
    path.write_bytes(content)


@pytest.mark.parametrize("place", [0.15, 0.4, 0.6, 0.95])
@pytest.mark.parametrize("count", [1, 3])
def test_of_a_damaged_file_everything_that_can_be_read_is_saved(many, path, place, count):
    """A leaf page holds some four episodes; an inner page leads to hundreds."""
    first = int(place * path.stat().st_size / PAGE)
    spoiled(path, *range(first, first + count))
    before = path.read_bytes()
    found = checked(path)[0]
    assert found.damage
    assert told("check", "--memory", str(path)).exit_code == 1
    done = told("repair", "--memory", str(path), "--json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)["files"][0]
    assert sqlite_bytes(document["copy"]) == before
    assert checked(path)[0].is_sound
    kept = {record.id for record in many.list()}
    assert len(kept) == found.sound["episodes"] >= 299 - 6 * count
    assert all(record.id == 1 or record.episode.instruction == f"sentence {record.id}" for record in many.list())
    assert recall(many, World()).worked == 1
    assert many.remember(episode()) == 300
    assert {file.suffix for file in path.parent.iterdir() if ".new" in file.name} == set()


def sqlite_bytes(file):
    with open(file, "rb") as opened:
        return opened.read()


def test_a_file_whose_first_page_is_damaged_loses_nothing(many, path):
    spoiled(path, 0)
    assert checked(path)[0].damage
    (repair, _) = repaired(path)
    assert repair.found.sound == {"episodes": 299, "subtrees": 1, "lessons": 0}
    assert checked(path)[0].is_sound
    assert len(many.list()) == 299
    assert recall(many, World()).worked == 1
    assert sorted(file.name for file in path.parent.iterdir())[1:] == ["memory.sqlite", repair.copy.name]


@pytest.mark.parametrize("page", [0, 20], ids=["rows of a sound file", "a damaged file"])
def test_a_link_stays_a_link_and_a_file_for_its_owner_alone_stays_so(many, path, tmp_path, page):
    path.chmod(0o600)
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.sqlite"
    link.symlink_to(path)
    change(path, "UPDATE episodes SET document = 'x' WHERE id = 299")
    if page:
        spoiled(path, page)
    (repair,) = repaired(link)
    assert link.is_symlink()
    assert [file.name for file in link.parent.iterdir()] == ["link.sqlite"]
    assert repair.copy.parent == path.parent
    assert {file.stat().st_mode & 0o777 for file in (path, repair.copy)} == {0o600}
    assert checked(link)[0].is_sound
    assert 290 <= len(Memory(link).list()) < 299


@pytest.mark.parametrize("start", range(0, 400, 40))
def test_whatever_bytes_of_a_file_are_changed_there_is_no_fault_and_a_repair_makes_it_sound(many, path, start):
    """Half of the changes are to the first page, with the names of the tables and columns."""
    base, evidence = path.read_bytes(), store_beside(path).path
    evidence.unlink()
    verbs = (
        lambda: Memory(path, make=False).list(),
        lambda: recall(Memory(path, make=False), World()),
        lambda: Memory(path, make=False).tried("kitchen"),
        lambda: checked(path),
        lambda: Memory(path).remember(episode()),
        lambda: Memory(path).forget(5),
    )
    for seed in range(start, start + 40):
        chance, content = random.Random(seed), bytearray(base)
        for _ in range(chance.choice([1, 1, 3, 20])):
            at, count = chance.randrange(chance.choice([PAGE, len(content)])), chance.choice([1, 2, 8])
            content[at : at + count] = chance.randbytes(count)
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(content)
        for verb in verbs:
            with suppress(UsageError):
                verb()
        with suppress(MemoryFileError):
            repaired(path)
            assert all(found.is_sound for found in checked(path))


def test_a_file_of_which_nothing_can_be_read_is_left_as_it_is(path):
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 50_000)
    before = path.read_bytes()
    assert told("check", "--memory", str(path)).exit_code == 1
    with pytest.raises(MemoryFileError, match="no row of it can be read"):
        repaired(path)
    assert [file.name for file in path.parent.iterdir()] == ["memory.sqlite"]
    assert path.read_bytes() == before


def test_a_file_of_another_program_is_no_damage(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE theirs (id)")
    for words in (["check"], ["repair"]):
        done = told(*words, "--memory", str(path))
        assert isinstance(done.exception, UsageError)
        assert "another program" in str(done.exception)


def test_an_index_that_is_wrong_is_found_and_made_anew(many, path):
    with closing(sqlite3.connect(path)) as connection:
        root = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name LIKE 'sqlite_autoindex_sub%'"
        ).fetchone()[0]
    spoiled(path, root - 1)
    assert checked(path)[0].damage
    repaired(path)
    assert checked(path)[0].is_sound
    assert recall(many, World()).worked == 1
    assert len(many.list()) == 299
