"""Rules from repairs that worked: kept in the memory, proposed with their evidence, accepted into one's own file."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from domains.reader import load_domain
from graftwork import Outcome, Session
from graftwork.cli.app import app
from graftwork.recovery.accepted_rules import accepted, rule_text
from robots.fake import InjectedFault
from semantics.errors import UsageError
from semantics.logic.feedback import Code


def in_the_way(memory: Path, thing: str) -> list[tuple[str, str | None]]:
    """Open the fridge while something blocks its door, as the body says; return what failed and what mended it."""
    with Session(scene="small", robot="fake", memory=memory) as session:
        session.environment.robot.add_fault(InjectedFault(Code.OBSTRUCTED, "open", culprits=(thing,)))
        episode = session.handle("open the fridge")
        assert episode.outcome is Outcome.ACHIEVED
        return [(one["feedback"]["code"], one["solved_by"]) for one in episode.failures]


def tell(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["repairs", *map(str, words)])
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def memory(tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("learning") / "memory.sqlite"
    for thing in ("cup0", "banana0", "apple0"):
        assert in_the_way(file, thing) == [("obstructed", "replan")]
    return file


@pytest.mark.slow
def test_what_planning_did_three_times_is_listed_with_how_it_did_in_simulation(memory: Path):
    code, told = tell("list", "--memory", memory, "--json")
    document = json.loads(told)
    assert (code, document["domain"]) == (0, "kitchen")
    (proposal,) = document["proposals"]
    assert (proposal["code"], proposal["capability"]) == ("obstructed", "open")
    assert proposal["tried"] >= 10
    assert proposal["mended"] == proposal["tried"]
    assert proposal["passes"]


@pytest.mark.slow
def test_an_accepted_rule_mends_the_next_run_without_planning_and_is_not_proposed_again(memory: Path, tmp_path: Path):
    mine = tmp_path / "memory.sqlite"
    mine.write_bytes(memory.read_bytes())
    wrong = CliRunner().invoke(app, ["repairs", "accept", "learned-open-2", "--memory", str(mine)])
    assert isinstance(wrong.exception, UsageError)
    code, told = tell("accept", "learned-open-1", "--memory", mine)
    assert (code, "learned-open-1 is a rule of kitchen now" in told) == (0, True)
    assert [rule.name for rule in accepted(mine, load_domain("kitchen"))] == ["learned-open-1"]
    assert in_the_way(mine, "cup0") == [("obstructed", "rule")]
    document = json.loads(tell("list", "--memory", mine, "--json")[1])
    assert (document["accepted"], document["proposals"]) == (["learned-open-1"], [])


def test_nothing_is_proposed_from_an_empty_memory(tmp_path: Path):
    assert tell("list", "--memory", tmp_path / "none.sqlite") == (
        0,
        "no repair of kitchen has worked often enough to be proposed\n",
    )


def test_the_rules_of_every_world_are_read_back_as_they_were_written(tmp_path: Path):
    for name in ("kitchen", "barman"):
        domain = load_domain(name)
        file = tmp_path / f"memory-repairs-{name}.yaml"
        file.write_text("repairs:\n" + "".join(map(rule_text, domain.repairs)), encoding="utf-8")
        assert accepted(tmp_path / "memory.sqlite", domain) == domain.repairs
