"""Files of an earlier version are read as they are: memories, evidence, rules, and records that end anywhere."""

import gzip
import shutil
from pathlib import Path

import pytest

from bt.record import FILE_NAME, read_record
from domains.reader import load_domain
from graftwork import Outcome, Session
from graftwork.memory import Memory
from graftwork.memory.evidence import store_beside
from graftwork.memory.upkeep import checked
from graftwork.recovery.accepted_rules import accepted
from graftwork.run.past import read_past

HERE = Path(__file__).parent
FILES = ("memory.sqlite", "memory.affordances.sqlite", "memory-repairs-kitchen.yaml")
ENDS = {
    "plan": "(inhand milk0 human0)",
    "value": "(on cup0 shelf0)",
    "order": "(on apple0 shelf0), then (in banana0 fridge0)",
}
"""The goals of the runs whose records can be gone on with; that of a program can be read."""


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    for name in FILES:
        shutil.copy(HERE / name, tmp_path / name)
    return tmp_path / FILES[0]


def record(name: str, folder: Path, share: float = 1.0) -> Path:
    """Unpack a record, up to a share of its lines."""
    lines = gzip.decompress((HERE / f"{name}.jsonl.gz").read_bytes()).splitlines(keepends=True)
    folder.mkdir()
    (folder / FILE_NAME).write_bytes(b"".join(lines[: max(int(share * len(lines)), 1)]))
    return folder


def test_a_memory_with_all_that_stands_beside_it_is_sound(memory: Path):
    assert [found.is_sound for found in checked(memory)] == [True, True]
    assert len(Memory(memory).list()) == 9
    assert [rule.name for rule in accepted(memory, load_domain("kitchen"))] == ["learned-open-1"]
    assert store_beside(memory).load().classes


def test_what_was_learned_is_recalled_with_its_values(memory: Path):
    with Session(scene="small", robot="fake", memory=memory) as session:
        milk = session.handle("bring me the milk")
    with Session(scene="small", robot="fake", memory=memory) as session:
        cup = session.handle("carefully put the cup on the shelf")
    assert [episode.outcome for episode in (milk, cup)] == [Outcome.ACHIEVED] * 2
    assert [episode.recalled for episode in (milk, cup)] == [True] * 2
    assert all(step.endswith(":speed 20cm/s)") for step in cup.plan[:-1])
    assert [Memory(memory).show(number).worked for number in (10, 11)] == [2, 2]


@pytest.mark.parametrize("name", ENDS)
def test_a_record_is_read_whole(name: str, tmp_path: Path):
    folder = record(name, tmp_path / name)
    past = read_past(folder)
    assert past.is_settled
    assert past.goal is not None
    assert (str(past.goal.formula), past.outcome) == (ENDS[name].split("then ")[-1], Outcome.ACHIEVED)


def test_the_record_of_a_program_is_read_whole(tmp_path: Path):
    events = read_record(record("program", tmp_path / "program"))
    assert "achieve(in_(apple0, fridge0))" in next(event["text"] for event in events if event["e"] == "program")
    assert events[-1]["outcome"] == "achieved"


@pytest.mark.parametrize("share", [0.05, 0.4, 0.7])
@pytest.mark.parametrize("name", ENDS)
def test_a_run_goes_on_from_a_record_that_ends_anywhere(name: str, share: float, tmp_path: Path):
    folder = record(name, tmp_path / name, share)
    assert read_record(folder)
    with Session(scene="small", robot="fake", memory=None) as session:
        episode = session.resume(folder).finish()
    assert episode.outcome is Outcome.ACHIEVED, episode.message
