"""``graftwork memory`` for what was taught: as a person meets it."""

import json

import pytest

from graftwork.memory import Memory
from semantics.logic.lesson import read_lesson
from tests.graftwork.test_commands import graftwork

FRIDGE = {"asked": ["(any ?x ?p)"], "given": ["(in ?x fridge0)"], "also": ["(closed fridge0)"], "text": "shut it"}
NEVER = {"never": ["(inhand ?x human0)"], "sorts": ["?x knife"], "text": "never hand me a knife"}


@pytest.fixture
def memory(tmp_path):
    taught = Memory(tmp_path / "memory.sqlite").taught
    for each in (FRIDGE, NEVER):
        taught.learn(read_lesson(each), "kitchen")

    def run(*words):
        ended = graftwork("memory", *words, "--memory", "memory.sqlite", cwd=tmp_path)
        assert "Traceback" not in ended.stderr
        return ended

    return run


def test_what_was_taught_is_listed_shown_and_found(memory):
    assert "L2" in memory("list").stdout
    assert [each["lesson"] for each in json.loads(memory("list", "--json").stdout)["lessons"]] == [FRIDGE, NEVER]
    shown = memory("show", "L2").stdout
    assert "never hand me a knife" in shown
    assert "the knife is in the hand of human0" in shown
    assert json.loads(memory("show", "l1", "--json").stdout)["lesson"] == FRIDGE
    found = memory("search", "the knife")
    assert (found.returncode, "L2" in found.stdout, "L1" in found.stdout) == (0, True, False)
    assert memory("search", "unicorns").returncode == 1
    assert json.loads(memory("stats", "--json").stdout)["lessons"] == 2


def test_what_was_forgotten_comes_back(memory):
    assert "undo" in memory("forget", "L1").stdout
    assert "L1" not in memory("list").stdout
    assert memory("undo").stdout.startswith("kept: L1")
    assert "L1" in memory("list").stdout


def test_lessons_are_taken_to_another_memory_as_a_whole(memory, tmp_path):
    assert "2 lessons" in memory("export", "lessons.yaml").stdout
    assert memory("export", "lessons.yaml").returncode == 2  # it is there already
    other = graftwork("memory", "import", "lessons.yaml", "--memory", "other.sqlite", cwd=tmp_path)
    assert "learned 2 lessons" in other.stdout
    assert [each.lesson.as_dict() for each in Memory(tmp_path / "other.sqlite").taught.list()] == [FRIDGE, NEVER]
    assert "2 known already" in memory("import", "lessons.yaml").stdout
    spoilt = (tmp_path / "lessons.yaml").read_text(encoding="utf-8").replace("(inhand ?x human0)", "(over ?x human0)")
    (tmp_path / "spoilt.yaml").write_text(spoilt, encoding="utf-8")
    refused = graftwork("memory", "import", "spoilt.yaml", "--memory", "third.sqlite", cwd=tmp_path)
    assert refused.returncode == 2
    assert "'over'" in refused.stderr
    assert Memory(tmp_path / "third.sqlite", make=False).taught.list() == ()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["show", "L9"], "L9"),
        (["forget", "L9"], "L9"),
        (["show", "x"], "no number"),
        (["forget", "1" * 40], "no number"),
        (["search", "the"], "no word"),
        (["import", "none.yaml"], "none.yaml"),
        (["export", "no/such/folder.yaml"], "folder.yaml"),
    ],
)
def test_a_mistake_is_named(memory, words, told):
    ended = memory(*words)
    assert ended.returncode == 2
    assert told in ended.stderr
