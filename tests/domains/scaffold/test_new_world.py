"""A new world works as it is, and nothing is ever written over."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from domains.reader import available_scenes, load_domain, load_scene
from domains.scaffold import new_world
from graftwork.checks import check_paths
from graftwork.cli.app import app
from graftwork.session import Session
from semantics.errors import UsageError


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def world(tmp_path: Path) -> Path:
    new_world("garage", tmp_path / "mine")
    return tmp_path / "mine" / "garage"


def test_a_new_world_has_its_name_everywhere(world: Path):
    domain = load_domain(world)
    assert domain.name == "garage"
    assert available_scenes(domain) == ("room",)
    assert load_scene(domain, "room").arrangement.robot.name == "robot0"


def test_a_new_world_has_nothing_to_complain_of(world: Path):
    assert check_paths([str(world)]).problems == ()


def test_its_cases_pass_and_its_robot_moves(world: Path):
    assert "3 passed" in run("test", str(world))
    assert "cost 4" in run("plan", "throw away the box", "--domain", str(world), "--scene", "room")
    with Session(str(world), "room", robot="fake", memory=None) as session:
        assert session.handle("put the screwdriver on the shelf").outcome == "achieved"


def test_things_can_be_put_on_its_floor_and_taken_from_there(world: Path):
    with Session(str(world), "room", robot="fake", memory=None) as session:
        assert session.handle("put the wrench on the floor").outcome == "achieved"
        assert session.handle("put the wrench on the shelf").outcome == "achieved"


def test_editors_find_the_schemas(world: Path):
    for file, schema in {"domain.yaml": "domain", "scenes/room.yaml": "scene"}.items():
        first = (world / file).read_text(encoding="utf-8").split("\n")[0]
        named = first.removeprefix("# yaml-language-server: $schema=")
        assert (world / file).parent.joinpath(named).resolve() == (world / "schemas" / f"{schema}.json").resolve()
        assert (world / "schemas" / f"{schema}.json").is_file()


def test_nothing_is_written_over(world: Path):
    (world / "domain.yaml").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="is there already; expected a new name or another folder"):
        new_world("garage", world.parent)
    assert (world / "domain.yaml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["", "Garage", "../garage", "a/b", "my world", ".", "x" * 61, "-x", "garage\n"])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str):
    with pytest.raises(UsageError, match="is no name for a world"):
        new_world(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="file"):
        new_world("garage", tmp_path / "file")


def test_the_command_tells_what_it_made_and_what_to_do_next(tmp_path: Path):
    told = run("domain", "new", "garage", "--into", str(tmp_path))
    assert f"graftwork check {tmp_path / 'garage'}" in told
    assert (tmp_path / "garage" / "schemas" / "case.json").is_file()


@pytest.mark.parametrize("what", ["domain", "scene", "case"])
def test_a_schema_is_printed_as_json(what: str):
    import json

    assert json.loads(run("domain", "schema", what))["$schema"].startswith("https://json-schema.org")
