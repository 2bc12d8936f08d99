"""Furniture and things from files: read with their places, and every mistake told at its place."""

import re
from pathlib import Path

import pytest

from domains.reader import load_domain, load_scene
from graftwork.checks import check_paths
from robots.fake import FakeRobot
from robots.furniture import fittings
from tests.solid_files import BENCH, BOLT, PLACES, shop, write_obj, write_stl


def told(world: Path) -> list[tuple[str, int, str]]:
    return [(found.code, found.line, found.message) for found in check_paths([str(world)]).problems]


def line_of(world: Path, words: str) -> int:
    lines = (world / "domain.yaml").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if words in line)


def test_a_world_of_files_has_no_problem_and_its_places(tmp_path: Path):
    world = shop(tmp_path)
    assert told(world) == []
    domain = load_domain(str(world))
    scene = load_scene(domain, "room")
    bench = next(item for item in scene.layout.furniture if item.name == "bench0")
    assert bench.size == pytest.approx((1.2, 0.6, 0.72))
    assert [surface.high[2] for surface in fittings(bench).surfaces] == [0.32, 0.72]
    bolt = next(piece for piece in scene.layout.pieces if piece.name == "box0").shape
    assert bolt.size == pytest.approx((0.04, 0.04, 0.09), abs=1e-6)
    assert bolt.mass == pytest.approx(1000 * BOLT.volume, rel=1e-4)
    sensed = FakeRobot(scene.layout).observation().sightings
    assert sensed["box0"].box.low[2] == pytest.approx(0.72)
    assert sensed["bench0"].box.size == pytest.approx((0.6, 1.2, 0.72), abs=1e-3)


def test_a_space_of_furniture_can_be_put_into(tmp_path: Path):
    inside = "insides: {tray: {x: [-0.3, 0.3], y: [-0.6, 0.6], z: [0.32, 0.6]}}, surfaces"
    world = shop(tmp_path, ("surfaces", inside), ("bench: {affordances: [", "bench: {affordances: [contain, "))
    assert told(world) == []
    bench = next(item for item in load_scene(load_domain(str(world)), "room").layout.furniture if item.name == "bench0")
    (space,) = fittings(bench).compartments
    assert (space.low[2], space.high[2]) == (0.32, 0.6)
    assert fittings(bench).interior == space


OF_BENCH = [
    ("meshes/bench.obj", "meshes/desk.obj", "bad-mesh", "'desk.obj' cannot be read: No such file"),
    ("meshes/bench.obj", "domain.yaml", "bad-mesh", "expected a file that ends in .obj, .stl, .urdf"),
    ("meshes/bench.obj", "../out.obj", "bad-mesh", "outside the folder of the world; expected it there, or "),
    ("scale: 0.001", "scale: 1", "out-of-range", "is 1200 m long; .* is it in millimetres\\? Then 'scale: 0.001'"),
    ("scale: 0.001, ", "", "out-of-range", "is it in millimetres\\? Then 'scale: 0.001'"),
    ("up: y", "up: x", "unknown-axis", "expected one of y, z"),
    ("height: 0.72", "height: 1.72", "beyond-the-edge", "'top' is outside its mesh along z; .* from 0 to 0.72 m"),
    ("y: [-0.6, 0.6]", "y: [-0.6, 0.9]", "beyond-the-edge", "outside its mesh along y; expected from -0.6 to 0.6"),
    ("height: 0.72", "height: 0.5", "beyond-the-edge", "nothing carries it in its middle; expected 0.32"),
    ("x: [-0.3, 0.3], y: [-0.6", "x: [0.3, -0.3], y: [-0.6", "out-of-range", "the smaller number first"),
    ("height: 0.72", "heigth: 0.72", "unknown-key", "unknown key 'heigth'"),
    ("model: mesh, mesh: {", "model: table, mesh: {", "keys-contradict", "has 'mesh' and the model 'table'"),
]
BENCH_AFFORDS = "bench: {affordances: ["
OF_BENCH += [
    (BENCH_AFFORDS, f"{BENCH_AFFORDS}contain, ", "keys-contradict", "affords contain and its mesh names no 'insides'"),
    (PLACES, "turn: 0", "keys-contradict", "affords support and its mesh names no 'surfaces'"),
]
OF_BOLT = [
    ("bolt.stl", "bolt.stl, scale: 300", "out-of-range", "is 27 m long; .* is it in metres\\? Then 'scale: 1'"),
    ("density: 1000", "density: 20000, size: [1, 1, 1]", "keys-contradict", "a mesh has the size of its file"),
    ("mesh: {file: meshes/bolt.stl}, density", "density", "missing-key", "no 'mesh'; expected one such as"),
    ("bolt.stl", "bolt.stl, insides: {a: {x: [0, 1], y: [0, 1], z: [0, 1]}}", "keys-contradict", "of furniture only"),
]
WRONG = [(*case, "  bench: {") for case in OF_BENCH] + [(*case, "form: mesh") for case in OF_BOLT]


@pytest.mark.parametrize(("old", "new", "code", "why", "line"), WRONG)
def test_a_mistake_is_told_at_its_place_with_what_is_valid(tmp_path: Path, old, new, code, why, line):
    world = shop(tmp_path, (old, new))
    write_obj(tmp_path / "out.obj", BENCH)
    found = told(world)
    assert (code, line_of(world, line)) in [(each[0], each[1]) for each in found]
    assert re.search(why, "\n".join(message for each, _, message in found if each == code))


def test_a_door_without_a_hinge_is_told(tmp_path: Path):
    opens = ("affordances:\n", "affordances:\n  open: it has a door\n")
    world = shop(tmp_path, opens, ("bench: {affordances: [", "bench: {affordances: [open, "))
    found = [(code, line) for code, line, message in told(world) if "has no door with a hinge" in message]
    assert found == [("keys-contradict", line_of(world, "  bench: {"))]


def test_a_file_outside_the_world_is_used_where_the_world_says_so(tmp_path: Path):
    world = shop(tmp_path, ("file: meshes/bench.obj", "file: ../out.obj, outside: true"))
    write_obj(tmp_path / "out.obj", BENCH)
    assert told(world) == []


def test_a_link_that_leads_out_of_the_world_is_outside(tmp_path: Path):
    world = shop(tmp_path)
    (world / "meshes" / "bench.obj").rename(tmp_path / "bench.obj")
    (world / "meshes" / "bench.obj").symlink_to(tmp_path / "bench.obj")
    assert "bad-mesh" in [code for code, _, _ in told(world)]


def test_an_open_surface_has_no_volume_so_its_mass_has_to_be_stated(tmp_path: Path):
    world = shop(tmp_path)
    write_stl(world / "meshes" / "bolt.stl", BOLT._replace(faces=BOLT.faces[1:]))
    assert "not closed" in {code: message for code, _, message in told(world)}["bad-mesh"]
    domain = world / "domain.yaml"
    domain.write_text(domain.read_text().replace("density: 1000", "mass: 0.3"))
    assert told(world) == []


def test_the_size_of_a_mesh_is_not_stated_in_a_scene(tmp_path: Path):
    world = shop(tmp_path)
    scene = world / "scenes" / "room.yaml"
    scene.write_text(scene.read_text().replace("class: bench,", "class: bench, size: [1, 1, 1],"))
    assert "unknown-key" in [code for code, _, _ in told(world)]


def test_furniture_of_a_file_gets_a_pose_where_the_scene_is_arranged(tmp_path: Path):
    world = shop(tmp_path)
    scene = world / "scenes" / "room.yaml"
    text = scene.read_text().replace("things:", "arrange: true\nthings:", 1)
    scene.write_text(text.replace(", pose: [1.9, 0.5, 3.1416]", ""))
    assert told(world) == []
    bench = next(item for item in load_scene(load_domain(str(world)), "room").layout.furniture if item.name == "bench0")
    assert bench.size == pytest.approx((1.2, 0.6, 0.72))
