"""Worlds in folders of one's own are known by name, and a run may say what its agents cost."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from domains.scaffold import new_world
from domains.worlds import placed, worlds_in
from graftwork.cli.app import app
from graftwork.errors import SettingsError
from graftwork.session import Session
from graftwork.setup.settings import load_settings
from semantics.errors import UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    new_world("garage", tmp_path / "mine")
    return tmp_path / "mine"


def run(*arguments: str, code: int = 0, **variables: str) -> str:
    result = CliRunner().invoke(app, arguments, env=variables)
    assert result.exit_code == code, result.output
    return result.output


def test_a_world_is_known_by_name_to_every_command(folder: Path):
    where = str(folder)
    assert f"    in {folder / 'garage'}" in run("domains", GRAFTWORK_DOMAIN_PATH=where)
    goal = ("--goal", "(in box0 bin0)", "--domain", "garage", "--scene", "room")
    assert "cost 4" in run("plan", *goal, GRAFTWORK_DOMAIN_PATH=where)
    assert "3 passed" in run("test", "garage", GRAFTWORK_DOMAIN_PATH=where)
    assert "no mistakes" in run("check", "garage", GRAFTWORK_DOMAIN_PATH=where)
    assert "# The world `garage`" in run("domain", "page", "garage", GRAFTWORK_DOMAIN_PATH=where)


def test_folders_are_parted_as_the_system_parts_them_and_taken_from_the_file_that_says_so(folder: Path):
    (folder.parent / "graftwork.toml").write_text('domain_path = ["mine", "gone"]', encoding="utf-8")
    settings = load_settings({"domain": "garage"}, environment={}, folder=folder.parent, user_folder=folder)
    assert settings.domain_path == (folder, folder.parent / "gone")
    assert settings.domain == str(folder / "garage")


def test_a_name_in_two_places_is_refused_and_shown(folder: Path):
    new_world("garage", folder.parent / "yours")
    folders = (folder, folder.parent / "yours")
    with pytest.raises(UsageError, match=r"several worlds are named 'garage': .*mine.*yours.*; name one by its path"):
        placed("garage", folders)
    assert len(worlds_in(folders)["garage"]) == 2
    assert placed(str(folder / "garage"), folders) == str(folder / "garage")
    assert placed("kitchen", folders) == "kitchen"


def test_agents_cost_what_the_command_line_says():
    goal = ("plan", "--goal", "(at robot0 table0)", "--scene", "small")
    assert "cost 1," in run(*goal)
    assert "cost 7," in run(*goal, "--cost", "robot=7", "--cost", "human=9")
    assert "cost 5," in run(*goal, GRAFTWORK_COSTS="robot=5")


@pytest.mark.parametrize("said", ["robot", "robot=", "robot=-1", "robot=much", "=3"])
def test_a_cost_that_is_none_is_refused(said: str):
    with pytest.raises(SettingsError, match="costs must be such as human=10"):
        load_settings({"costs": [said]}, environment={}, folder=Path("/nowhere"), user_folder=Path("/nowhere"))


def test_a_folder_here_that_holds_a_world_is_known_by_its_bare_name(folder: Path, monkeypatch):
    monkeypatch.chdir(folder)
    assert (placed("garage", ()), placed(".", ()), placed("..", ())) == ("./garage", "./", "../")
    assert (placed("attic", ()), placed("", ()), placed("a\0b", ())) == ("attic", "", "a\0b")
    goal = ("--goal", "(in box0 bin0)", "--scene", "room")
    assert "cost 4" in run("plan", *goal, "--domain", "garage")
    assert "3 passed" in run("test", "garage")
    monkeypatch.chdir(folder / "garage")
    assert "cost 4" in run("plan", *goal, "--domain", ".")
    assert "3 passed" in run("test", ".")


def test_a_name_means_the_same_world_in_python_as_on_the_command_line(folder: Path, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(folder)
    with Session("garage", "room", robot="fake", memory=None) as session:
        assert session.environment.world.domain.name == "garage"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAFTWORK_DOMAIN_PATH", str(folder))
    with Session(domain="garage", robot="fake", memory=None) as session:
        assert Path(session.environment.world.domain.source).parent == folder / "garage"
    with pytest.raises(UsageError, match="kitchen"), Session("kitchn", robot="fake", memory=None):
        pass


def test_plan_tells_its_notes_as_data_too():
    options = ("bring me a drink", "--scene", "small")
    told = [line.removeprefix("note   ") for line in run("plan", *options).splitlines() if line.startswith("note ")]
    document = json.loads(run("plan", *options, "--json"))
    assert told
    assert document["notes"] == told


def test_a_folder_here_is_not_taken_for_another_world_of_its_name(folder: Path, tmp_path: Path, monkeypatch):
    new_world("garage", tmp_path / "yours")
    monkeypatch.chdir(tmp_path / "yours")
    with pytest.raises(UsageError, match=r"several worlds are named 'garage': .*mine.*, \./garage; name one by its"):
        placed("garage", (folder,))
    monkeypatch.chdir(folder)
    assert placed("garage", (folder,)) == str(folder / "garage")
    (folder / "kitchen").mkdir()
    (folder / "kitchen" / "domain.yaml").touch()
    assert placed("kitchen", ()) == "kitchen"
