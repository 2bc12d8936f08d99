"""The data of the whole runs can be read, and a run is judged from outside."""

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("pybullet", reason="the simulated body needs the extra 'sim'")

from benchmarks.whole_runs.rooms import domain_of, room_of
from benchmarks.whole_runs.rows import FILES, Row, load_rows
from benchmarks.whole_runs.suite import main
from domains.reader import load_domain, load_scene
from robots.arrangement import arranged

EACH = [row for part in FILES for row in load_rows(part, seeds=1)]
SOME = Random(20261124).sample(EACH, 40)


@pytest.mark.parametrize("row", SOME, ids=lambda row: f"{row.part}-{row.name}")
def test_the_room_of_a_row_is_a_scene_in_which_everything_has_its_place(row: Row, tmp_path: Path):
    scene = load_scene(load_domain(domain_of(row)), room_of(row, tmp_path))
    assert {piece.name for piece in scene.arrangement.pieces} == arranged(scene.arrangement).keys()


def test_a_room_of_a_world_of_this_folder_can_be_changed(tmp_path: Path):
    for row in load_rows("wipes", names=["galley-counter", "galley-counter-towel"]):
        assert Path(room_of(row, tmp_path)).parent == tmp_path
        load_scene(load_domain(domain_of(row)), room_of(row, tmp_path))


def test_a_thing_to_be_fetched_stands_on_its_board_and_is_believed_only_behind_a_door(tmp_path: Path):
    for row in load_rows("fetch", seeds=2):
        scene = load_scene(load_domain("kitchen"), room_of(row, tmp_path))
        start = row.data["start"]
        (piece,) = (piece for piece in scene.arrangement.pieces if piece.name == start["thing"])
        assert (piece.where, piece.level) == (start["furniture"], start["level"])
        believed = [fact.args[1] for fact in scene.beliefs if fact.args[0] == piece.name]
        assert believed == (["fridge0"] if piece.where == "fridge0" else [])


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("--part", "tabletop", "--rows", "blue-to-corner"),
        ("--part", "disturbances", "--rows", "door-shut-as-it-opens"),
        ("--part", "impossible", "--rows", "plate-in-bowl"),
    ],
)
def test_a_run_is_done_and_judged(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]):
    assert main([*words, "--seeds", "1"]) == 0
    assert capsys.readouterr().out.startswith("right ")
