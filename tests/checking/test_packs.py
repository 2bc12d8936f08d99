"""Rule packs, checked as files of their own and with the world they stand beside."""

from pathlib import Path

import pytest

from domains.scaffold import new_world
from graftwork.checks import check_paths

PACK = """% what is above what
above(X, Y) :- holds(on, [X, Y]).
above(X, Z) :- holds(on, [X, Y]), above(Y, Z).
"""
BROKEN = """above(X, Y) :- holds(onn, [X, Y]).
wide(X) :- thing(X, shlf), affords(X, suport).
odd(X) :- holds(in, [X]).
bad :- shell(ls).
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    new_world("shed", tmp_path)
    domain = tmp_path / "shed" / "domain.yaml"
    rule = 'rules:\n  file: rules.pl\n  no-loop: {when: "above(X, X), Culprits = [X]", say: "{0} is above itself"}\n'
    domain.write_text(domain.read_text().replace("rules:\n", rule))
    return tmp_path / "shed"


def told(*paths: Path) -> set[tuple[str, int, int, str, str]]:
    report = check_paths(map(str, paths))
    return {(Path(one.file).name, one.line, one.column, one.code, one.culprit) for one in report.problems}


def test_a_good_pack_is_told_nothing_of(world: Path):
    (world / "rules.pl").write_text(PACK)
    assert told(world) == set()
    assert told(world / "rules.pl") == set()


def test_a_pack_is_told_the_names_its_world_does_not_have(world: Path):
    (world / "rules.pl").write_text(PACK + BROKEN.replace("bad :- shell(ls).\n", ""))
    expected = {
        ("rules.pl", 4, 22, "unknown-predicate", "onn"),
        ("rules.pl", 5, 21, "unknown-class", "shlf"),
        ("rules.pl", 5, 39, "unknown-affordance", "suport"),
        ("rules.pl", 6, 17, "condition-never-holds", "in"),
    }
    assert told(world / "rules.pl") == expected
    assert told(world) == expected


def test_a_pack_that_asks_for_a_shell_is_refused_where_it_does(world: Path):
    (world / "rules.pl").write_text(PACK + "bad :- shell(ls).\n")
    assert ("rules.pl", 4, 8, "bad-rule-pack", "") in told(world / "rules.pl")


def test_a_pack_without_a_world_is_checked_by_itself(tmp_path: Path):
    (tmp_path / "rules.pl").write_text(BROKEN)
    assert {one[3] for one in told(tmp_path / "rules.pl")} == {"bad-rule-pack"}
