"""Files of solids: each format gives the same solid, and what is none is told."""

import math
from pathlib import Path

import pytest

from semantics.errors import MeshError
from semantics.geometry.geometry import Mesh
from semantics.geometry.meshes import parsed_mesh, triangles
from semantics.geometry.triangles import ball_surface, box_surface, cylinder_surface
from tests.solid_files import BENCH, BOLT, write_obj, write_stl

URDF = """<robot name="rack">
  <link name="foot"><collision><origin xyz="0 0 0.1"/><geometry><box size="0.4 0.6 0.2"/></geometry></collision></link>
  <link name="arm">
    <visual><geometry><sphere radius="9"/></geometry></visual>
    <collision><origin xyz="0.5 0 0"/><geometry><cylinder radius="0.05" length="0.2"/></geometry></collision>
  </link>
  <link name="tip"><visual><geometry><mesh filename="bolt.stl" scale="2 2 2"/></geometry></visual></link>
  <joint name="a" type="revolute">
    <parent link="foot"/><child link="arm"/><origin xyz="0 0 1" rpy="0 0 1.5707963"/>
  </joint>
  <joint name="b" type="fixed"><parent link="arm"/><child link="tip"/><origin xyz="0 0 1"/></joint>
</robot>
"""


def test_the_surfaces_of_simple_solids_are_closed_and_enclose_their_volume():
    assert box_surface((0, 0, 0), (1, 2, 3)).volume == pytest.approx(6.0)
    assert cylinder_surface(1.0, 2.0).volume == pytest.approx(2 * math.pi, rel=0.02)
    assert ball_surface(1.0).volume == pytest.approx(4 / 3 * math.pi, rel=0.04)
    assert all(
        solid.is_closed for solid in (box_surface((0, 0, 0), (1, 1, 1)), cylinder_surface(1, 1), ball_surface(1))
    )


def test_a_bench_in_millimetres_with_y_up_stands_on_the_floor_in_metres(tmp_path: Path):
    write_obj(tmp_path / "bench.obj", BENCH)
    found = triangles(Mesh(str(tmp_path / "bench.obj"), 0.001, "y"))
    assert found.box.low == pytest.approx((-0.3, -0.6, 0.0))
    assert found.box.high == pytest.approx((0.3, 0.6, 0.72))
    assert found.heights(0.05, 0.07) == pytest.approx([0.3, 0.32, 0.68, 0.72], abs=1e-9)
    assert found.heights(0.5, 0.0) == []
    turned = triangles(Mesh(str(tmp_path / "bench.obj"), 0.001, "y", math.pi / 2))
    assert turned.box.high == pytest.approx((0.6, 0.3, 0.72))


def test_stl_of_text_and_of_bytes_is_the_same_solid(tmp_path: Path):
    write_stl(tmp_path / "bytes.stl", BOLT)
    text = ["solid bolt"]
    for face in BOLT.faces:
        text += ["facet normal 0 0 0", "outer loop"]
        text += ["vertex " + " ".join(map(str, BOLT.points[index])) for index in face] + ["endloop", "endfacet"]
    (tmp_path / "text.stl").write_text("\n".join(text))
    of_bytes, of_text = (parsed_mesh(tmp_path / f"{kind}.stl") for kind in ("bytes", "text"))
    assert of_bytes.is_closed
    assert of_bytes.volume == pytest.approx(of_text.volume, rel=1e-5)
    assert len(of_text.points) == len(BOLT.points)


def test_the_links_of_a_urdf_stand_where_its_joints_at_zero_put_them(tmp_path: Path):
    (tmp_path / "rack.urdf").write_text(URDF)
    write_stl(tmp_path / "bolt.stl", BOLT)
    found = parsed_mesh(tmp_path / "rack.urdf")
    assert found.box.low == pytest.approx((-0.2, -0.3, 0.0), abs=1e-6)
    assert found.box.high == pytest.approx((0.2, 0.55, 2.09), abs=1e-3)  # the arm is turned to y; the bolt is doubled


OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.step", "", "expected a file that ends in .obj, .stl, .urdf"),
        ("a.obj", "", "has no triangles"),
        ("a.obj", "v 1 2\nf 1 1 1\n", "is damaged"),
        ("a.obj", "v 1 2 x\n", "is damaged: could not convert"),
        ("a.obj", f"{OBJ}f 1 2 9\n", "a corner that is not there"),
        ("a.obj", f"{OBJ.replace('1 0 0', 'nan 0 0')}f 1 2 3\n", "no finite number"),
        ("a.stl", "solid\nvertex 0 0 0\n", "its last triangle is not complete"),
        ("a.stl", "nothing", "has no triangles"),
        ("a.urdf", "<robot", "no XML"),
        ("a.urdf", "<robot>" * 101, "more than 100 elements stand in each other, the innermost is 'robot'"),
        ("a.urdf", "<!DOCTYPE robot [<!ENTITY a 'b'>]><robot/>", "document type"),
        ("a.urdf", "<model/>", "expected 'robot'"),
        ("a.urdf", "<robot/>", "has no link"),
        ("a.urdf", URDF.replace('<parent link="arm"/>', '<parent link="leg"/>'), "the parent of joint 'b' is no link"),
        ("a.urdf", URDF.replace('<parent link="foot"/>', '<parent link="tip"/>'), "hangs on itself"),
        ("a.urdf", URDF.replace("bolt.stl", "../bolt.stl"), "is not in the folder of the file"),
        ("a.urdf", URDF.replace("bolt.stl", "a.urdf"), "is no mesh"),
        ("a.urdf", URDF.replace('<box size="0.4 0.6 0.2"/>', '<cone size="1"/>'), "no geometry among box, cylinder"),
        ("a.urdf", URDF.replace("0.4 0.6 0.2", "0.4 0.6"), "expected three numbers"),
        ("a.urdf", URDF.replace('radius="0.05" ', ""), "a cylinder has no radius above 0"),
    ],
)
def test_what_is_no_solid_is_told(tmp_path: Path, name: str, text: str, why: str):
    (tmp_path / name).write_text(text)
    write_stl(tmp_path / "bolt.stl", BOLT)
    with pytest.raises(MeshError, match=why):
        parsed_mesh(tmp_path / name)


def test_a_file_that_is_missing_is_told(tmp_path: Path):
    with pytest.raises(MeshError, match=r"'gone.obj' cannot be read: No such file"):
        parsed_mesh(tmp_path / "gone.obj")


def test_too_many_triangles_are_told(tmp_path: Path):
    (tmp_path / "fine.obj").write_text(OBJ + "f 1 2 3\n" * 50_000)
    with pytest.raises(MeshError, match="50000 triangles; expected at most 40000"):
        parsed_mesh(tmp_path / "fine.obj")
