"""Boards that the hand reaches only in part are told, and those of the shipped worlds are in order."""

from pathlib import Path

import pytest

from graftwork.checks import check_paths
from graftwork.checks.bodies import Means
from tests.checking.test_geometry import BENCH, DOMAIN, PEG, RACK, ROBOT


def told(folder: Path, *things: str, robot: str = "") -> list[tuple[str, str]]:
    """Return code and message of what the simulator tells of a scene with these things."""
    (folder / "domain.yaml").write_text(DOMAIN)
    scene = folder / "scenes" / "room.yaml"
    scene.parent.mkdir()
    scene.write_text("domain: workshop\nthings:\n" + "".join(f"  {thing}\n" for thing in (*things, ROBOT)))
    report = check_paths([str(scene)], Means(robot, samples=True))
    return [(found.code, found.message) for found in (*report.problems, *report.notes)]


@pytest.mark.parametrize(
    "rack",
    [
        RACK.replace("1.2]", "0.3]"),  # its lower board is 15 cm above the floor
        RACK.replace("size", "boards: [1.0, 1.12], size"),  # 9 cm are between the boards
        RACK.replace("0.35", "1.2"),
    ],
)
def test_a_board_that_is_too_low_or_too_deep_is_told(tmp_path: Path, rack: str):
    found = [message for code, message in told(tmp_path, BENCH, rack, PEG) if code == "board-out-of-reach"]
    assert found
    assert "on the board of 'rack0' at" in found[0]
    assert "of 20 poses of a peg; expected at least 19" in found[0]


def test_a_board_with_room_is_not_told(tmp_path: Path):
    assert not told(tmp_path, BENCH, RACK, PEG)


def test_no_poses_are_tried_for_a_body_without_a_simulated_hand(tmp_path: Path):
    assert not told(tmp_path, BENCH, RACK.replace("1.2]", "0.3]"), PEG, robot="fake")


def test_the_boards_of_the_shipped_kitchen_are_in_order():
    report = check_paths([str(Path(__file__).parents[2] / "domains" / "kitchen")], Means(samples=True))
    assert not report.problems
    assert not [note for note in report.notes if note.code == "no-samples"]


def test_without_a_simulator_it_is_said_that_nothing_was_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "robots.pybullet.board_samples", None)
    assert [code for code, _ in told(tmp_path, BENCH, RACK, PEG)] == ["no-samples"]
