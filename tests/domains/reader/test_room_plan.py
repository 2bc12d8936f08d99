"""A scene with ``arrange`` gets poses: free of collisions, with room to work, the same ones for the same seed."""

from itertools import combinations
from pathlib import Path

import pytest

from domains.errors import DomainFileError
from domains.reader import load_domain, load_scene
from graftwork.checks import check_paths
from robots.arrangement import arranged, bounds
from robots.furniture import fittings
from robots.ground_plan import overlaps, plan_of
from semantics.body.layout import Layout
from semantics.geometry.geometry import PlanarPose
from semantics.geometry.ground_plan import FloorPlan, shift_apart
from tests.docs.blocks import DOCS
from tests.docs.links import File, steps_of

THINGS = """\
  floor0: {class: floor}
  bench0: {class: bench}
  rack0: {class: rack}
  chest0: {class: chest}
  tools0: {class: tool_drawer, of: chest0, level: 2}
  bin0: {class: bin}
  charger0: {class: charger}
  robot0: {class: robot, at: floor0}
  hammer0: {class: hammer, on: bench0}
  pliers: {class: pliers, on: bench0, count: 3}
  boxes: {class: nails, in: tools0, count: 4}
  rag0: {class: rag, on: rack0, level: 1}
  rag1: {class: rag, in: bin0}
"""
ROBOT_RADIUS = 0.23


def scene_file(folder: Path, things: str = THINGS, arrange: str = "true") -> Path:
    """Write the garage of the newcomer's page with a scene that states no poses."""
    (domain,) = (
        step
        for step in steps_of(DOCS / "first-world.md")
        if isinstance(step, File) and step.path == "garage/domain.yaml"
    )
    (folder / "domain.yaml").write_text(domain.text)
    (folder / "scenes").mkdir(exist_ok=True)
    scene = folder / "scenes" / "room.yaml"
    scene.write_text(f"domain: garage\narrange: {arrange}\nthings:\n{things}")
    return scene


def layout_of(folder: Path, things: str = THINGS, arrange: str = "true") -> Layout:
    scene = scene_file(folder, things, arrange)
    layout = load_scene(load_domain(folder), scene).layout
    assert layout is not None
    return layout


@pytest.mark.parametrize("seed", range(12))
def test_nothing_overlaps_and_the_robot_has_room_wherever_it_works(tmp_path: Path, seed: int):
    layout = layout_of(tmp_path, arrange=str(seed))
    assert not list(overlaps(layout.furniture))
    stands = [stand for item in layout.furniture if (stand := fittings(item).stand) is not None]
    assert len(stands) == 5
    for pose in (*stands, layout.robot.pose):
        standing = FloorPlan(pose, ROBOT_RADIUS, ROBOT_RADIUS)
        assert all(shift_apart(standing, plan_of(item)) is None for item in layout.furniture)
    spots = arranged(layout)
    boxes = [bounds(piece.shape, spots[piece.name]) for piece in layout.pieces]
    assert all(first.distance(second) > 0.02 for first, second in combinations(boxes, 2))


@pytest.mark.parametrize("seed", range(12))
def test_the_check_finds_nothing_in_an_arranged_scene(tmp_path: Path, seed: int):
    assert not check_paths([str(scene_file(tmp_path, arrange=str(seed)))]).problems


def test_the_same_seed_gives_the_same_room_and_another_one_gives_another(tmp_path: Path):
    assert layout_of(tmp_path) == layout_of(tmp_path, arrange="0")
    assert layout_of(tmp_path) != layout_of(tmp_path, arrange="1")


def test_what_has_a_pose_or_an_offset_keeps_it(tmp_path: Path):
    things = THINGS.replace("bench}", "bench, pose: [2, 1, 3.1416], size: [1.5, 0.7, 0.8]}")
    things = things.replace("hammer, on: bench0", "hammer, on: bench0, offset: [0.2, 0.1]")
    layout = layout_of(tmp_path, things)
    bench = next(item for item in layout.furniture if item.name == "bench0")
    assert (bench.pose, bench.size) == (PlanarPose(2.0, 1.0, 3.1416), (1.5, 0.7, 0.8))
    assert next(piece for piece in layout.pieces if piece.name == "hammer0").offset == (0.2, 0.1)
    assert not list(overlaps(layout.furniture))


def test_a_robot_is_arranged_at_the_place_where_it_is_said_to_be(tmp_path: Path):
    assert not check_paths([str(scene_file(tmp_path, THINGS.replace("at: floor0", "at: rack0")))]).problems


def test_what_there_is_no_room_for_is_told_with_its_place(tmp_path: Path):
    with pytest.raises(DomainFileError) as caught:
        layout_of(tmp_path, THINGS.replace("count: 4", "count: 60"))
    problem = caught.value.problems[0]
    assert (problem.code, problem.line) == ("no-room", 14)
    assert "there is no room for it in 'tools0'" in problem.message


@pytest.mark.parametrize("arrange", ["false", "maybe", "-1", "1.5"])
def test_without_arrange_poses_are_asked_for(tmp_path: Path, arrange: str):
    with pytest.raises(DomainFileError) as caught:
        layout_of(tmp_path, arrange=arrange)
    codes = {problem.code for problem in caught.value.problems}
    assert "missing-key" in codes
    assert codes <= {"missing-key", "wrong-kind", "out-of-range", "wrong-number-of-robots"}


def test_a_wall_and_a_model_of_ones_own_have_no_usual_size(tmp_path: Path):
    with pytest.raises(DomainFileError) as caught:
        layout_of(tmp_path, THINGS + "  wall0: {class: wall}\n")
    assert "expected one, since a wall has no usual size" in caught.value.problems[0].message
