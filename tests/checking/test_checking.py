"""What a check looks at: names, folders and single files, and everything that can stand in their place."""

import os
from pathlib import Path

import pytest

from domains.errors import Diagnostic
from domains.reader import available_domains
from domains.scaffold import new_world
from graftwork.checks import Report, check_paths
from graftwork.checks.files import load_source
from tests.checking.shed import shed


def codes(report: Report) -> list[str]:
    return [problem.code for problem in report.problems]


def only(*names: str) -> Diagnostic:
    report = check_paths(names)
    assert len(report.problems) == 1
    return report.problems[0]


@pytest.mark.parametrize("world", available_domains())
def test_the_worlds_that_ship_have_no_errors(world: str):
    report = check_paths([world])
    assert report.errors == 0
    assert report.files


def test_a_folder_stands_for_the_domain_its_scenes_and_its_cases(tmp_path: Path):
    report = check_paths([str(shed(tmp_path))])
    assert report.problems == ()
    assert [Path(file).name for file in report.files] == ["domain.yaml", "good.yaml", "good.yaml"]


def test_a_folder_of_worlds_stands_for_all_of_them(tmp_path: Path):
    shed(tmp_path / "one")
    shed(tmp_path / "more" / "two")
    assert len(check_paths([str(tmp_path)]).files) == 6


def test_a_folder_of_scenes_stands_for_the_scenes(tmp_path: Path):
    assert len(check_paths([str(shed(tmp_path) / "scenes")]).files) == 1


def test_a_file_that_is_named_twice_is_told_once(tmp_path: Path):
    scene = shed(tmp_path) / "scenes" / "good.yaml"
    scene.write_text("domain: shed\n")
    report = check_paths([str(tmp_path), str(scene), str(scene)])
    assert [problem.file for problem in report.problems].count(str(scene)) == 1
    assert report.files.count(str(scene)) == 1


def test_every_mistake_of_every_file_is_told(tmp_path: Path):
    shed(tmp_path)
    scene, cases = tmp_path / "scenes" / "good.yaml", tmp_path / "cases" / "good.yaml"
    scene.write_text(scene.read_text().replace("on: bench0", "on: bnch0").replace("class: saw", "class: swa"))
    cases.write_text("- name: nothing\n")
    report = check_paths([str(tmp_path)])
    assert {Path(problem.file).parent.name for problem in report.problems} == {"scenes", "cases"}
    assert [problem.nearest for problem in report.problems if problem.culprit == "bnch0"] == [("bench0",)]


def test_a_scene_of_an_unusable_domain_says_so(tmp_path: Path):
    (shed(tmp_path) / "domain.yaml").write_text("name: shed\n")
    report = check_paths([str(tmp_path)])
    assert codes(report).count("unusable-domain") == 2


def test_a_scene_of_an_unusable_domain_tells_its_cause_too(tmp_path: Path):
    (shed(tmp_path) / "domain.yaml").write_text("name: shed\n")
    report = check_paths([str(tmp_path / "scenes" / "good.yaml")])
    assert {"unusable-domain", "missing-key"} == set(codes(report))
    assert report.held_up == {str(tmp_path / "domain.yaml"): 1}


@pytest.mark.parametrize(("pose", "told"), [("[0.0, 0.0, 1.5708]", []), ("[1.1, 0.5, 0.0]", ["pose-elsewhere"])])
def test_an_agent_whose_pose_is_at_another_place_than_the_scene_says_is_told(
    tmp_path: Path, pose: str, told: list[str]
):
    new_world("garage", tmp_path)
    room = tmp_path / "garage" / "scenes" / "room.yaml"
    text = room.read_text()
    assert "robot0: {class: robot, pose: [0.0, 0.0, 1.5708], at: floor0}" in text
    room.write_text(text.replace("pose: [0.0, 0.0, 1.5708], at", f"pose: {pose}, at"))
    report = check_paths([str(tmp_path / "garage")])
    assert codes(report) == told
    senses = "(at robot0 floor0), but by its pose a body senses (at robot0 bench0)"
    assert all(senses in problem.message for problem in report.problems)


@pytest.mark.parametrize("world", available_domains())
def test_a_world_that_ships_has_no_mistakes_and_no_warnings(world: str):
    assert check_paths([world]).problems == ()


def test_a_scene_alone_finds_its_domain_by_name(tmp_path: Path):
    scene = tmp_path / "mine.yaml"
    scene.write_text("domain: kitchen\nthings: {robot0: {class: robt, pose: [0, 0, 0]}}\n")
    report = check_paths([str(scene)])
    assert "unknown-class" in codes(report)
    scene.write_text("domain: kitchn\nthings: {}\n")
    assert codes(check_paths([str(scene)])) == ["no-domain"]


@pytest.mark.parametrize("name", ["", "kitchn", "nowhere/at/all", "no\0name", "a" * 5000, "~"])
def test_a_name_that_stands_for_nothing_is_told(name: str):
    assert only(name).code in ("unknown-path", "unreadable")


def test_a_world_that_is_nearly_named_is_suggested():
    assert only("kitchn").nearest == ("kitchen",)


def test_a_folder_of_the_name_of_a_world_that_ships_is_ambiguous(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kitchen").mkdir()
    assert check_paths(["kitchen"]).errors == 0  # a folder without a world is not meant
    shed(tmp_path / "kitchen")
    assert only("kitchen").code == "ambiguous-name"
    assert "./kitchen for the folder" in only("kitchen").message
    assert len(check_paths(["./kitchen"]).files) == 3


def test_a_world_that_ships_is_not_ambiguous_with_itself(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(load_source("kitchen").parent.parent)
    assert check_paths(["kitchen"]).errors == 0


def test_an_empty_folder_holds_no_world(tmp_path: Path):
    assert only(str(tmp_path)).code == "no-world"
    (tmp_path / "scenes").mkdir()
    assert only(str(tmp_path / "scenes")).code == "no-world"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "unreadable"),
        (b"\x00\x01\x02\xff\xfe", "unreadable"),
        ("l\u00e4nge: 1".encode("latin-1"), "unreadable"),
        (b"# only a comment\n", "unreadable"),
        (b"x" * 2_000_001, "unreadable"),
        (b"colour: blue\n", "unknown-file"),
        (b"--- 1\n--- 2\n", "unreadable"),
        (b"[" * 10_000, "unreadable"),
    ],
)
def test_a_file_that_holds_no_world_is_told(tmp_path: Path, content: bytes, code: str):
    path = tmp_path / "some.yaml"
    path.write_bytes(content)
    assert only(str(path)).code == code


def test_what_is_no_plain_file_is_told(tmp_path: Path):
    (tmp_path / "folder.yaml").mkdir()
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "circle.yaml").symlink_to(tmp_path / "circle.yaml")
    (tmp_path / "notes.txt").write_text("buy milk")
    told = [only(str(tmp_path / name)).code for name in ("folder.yaml", "pipe.yaml", "circle.yaml", "notes.txt")]
    assert told == ["no-world", "unreadable", "unknown-path", "unknown-file"]


def test_a_folder_that_holds_itself_is_left(tmp_path: Path):
    shed(tmp_path)
    (tmp_path / "again").symlink_to(tmp_path, target_is_directory=True)
    assert len(check_paths([str(tmp_path)]).files) == 3


def test_the_summary_counts_errors_warnings_and_files():
    problem = Diagnostic("a.yaml", 1, 1, "no", "invalid")
    assert Report((problem,), ("a.yaml",)).words() == "1 error in 1 file"
    assert Report((), ("a.yaml", "b.yaml")).words() == "no mistakes in 2 files"
