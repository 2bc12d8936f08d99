import pytest

from domains.errors import DomainFileError
from graftwork.cases import load_suites
from semantics.errors import UnknownNameError, UsageError
from tests.cases.worlds import make_world

ONE = "{name: a, goal: (on cup0 floor0), cost: 4}"


def found(*names):
    return [[case.name for case in suite.cases] for suite in load_suites(list(map(str, names)))]


def test_a_world_is_found_by_folder_domain_file_cases_folder_and_file(tmp_path):
    file = make_world(tmp_path, ONE)
    for path in (tmp_path, tmp_path / "domain.yaml", tmp_path / "cases", file):
        assert found(path) == [["a"]]


def test_what_is_named_twice_is_run_once(tmp_path):
    file = make_world(tmp_path, ONE)
    make_world(tmp_path, "{name: b, goal: (on cup0 floor0), cost: 4}", "second.yml")
    assert found(file, tmp_path, tmp_path / "cases") == [["a", "b"]]


def test_several_worlds_are_several_suites(tmp_path):
    first, second = make_world(tmp_path / "one", ONE), make_world(tmp_path / "two", ONE)
    assert found(first, second) == [["a"], ["a"]]


def test_a_world_that_ships_is_found_by_its_name():
    assert len(found("kitchen")[0]) >= 25


def test_a_path_from_here_is_found(tmp_path, monkeypatch):
    make_world(tmp_path, ONE)
    monkeypatch.chdir(tmp_path)
    assert found(".") == [["a"]]
    assert load_suites(["./cases"])[0].cases[0].place == ("cases/first.yaml", 1)


def test_problems_of_all_files_are_told_at_once(tmp_path):
    make_world(tmp_path, "{name: a}")
    make_world(tmp_path, "{name: b, goal: (on, cost: 4}", "second.yaml")
    with pytest.raises(DomainFileError) as caught:
        load_suites([str(tmp_path)])
    assert {problem.file.rsplit("/", 1)[1] for problem in caught.value.problems} == {"first.yaml", "second.yaml"}


def test_what_is_not_there_is_bad_usage(tmp_path):
    file = make_world(tmp_path, ONE)
    with pytest.raises(UnknownNameError, match="kitchen"):
        load_suites(["kitchn"])
    with pytest.raises(UsageError, match=r"there is no .*nowhere\.yaml"):
        load_suites([str(tmp_path / "nowhere.yaml")])
    file.unlink()
    with pytest.raises(UsageError, match="there are no cases in"):
        load_suites([str(tmp_path)])


def test_cases_without_a_domain_beside_them_are_bad_usage(tmp_path):
    lonely = tmp_path / "cases" / "first.yaml"
    lonely.parent.mkdir()
    lonely.write_text(ONE, encoding="utf-8")
    with pytest.raises(UsageError, match=r"there is no .*domain\.yaml"):
        load_suites([str(lonely)])
