"""``graftwork scene --picture``: the room as its file arranges it, or why there is no picture."""

import json
import struct
from pathlib import Path

import pytest

from tests.graftwork.test_commands import graftwork
from tests.lockers import lockers


def test_a_scene_with_poses_is_drawn(tmp_path: Path):
    ended = graftwork("scene", "--domain", "kitchen", "--scene", "small", "--picture", "room.png", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (0, "small is drawn in room.png\n")
    data = (tmp_path / "room.png").read_bytes()
    assert struct.unpack(">II", data[16:24]) == (960, 720)


def test_the_answer_is_told_as_json(tmp_path: Path):
    ended = graftwork("scene", "--scene", "small", "--picture", "room.png", "--json", cwd=tmp_path)
    told = json.loads(ended.stdout)
    assert (told["domain"], told["scene"], told["picture"]) == ("kitchen", "small", "room.png")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--domain", "barman", "--picture", "room.png"), "has no arrangement"),
        (("--scene", "small", "--picture", "room.jpg"), "expected a name such as room.png"),
        (("--scene", "small", "--picture", "there/room.png"), "it cannot be written: No such file"),
        (("--scene", "small", "--robot", "fake", "--picture", "room.png"), "takes no pictures; try --robot pybullet"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_reason(tmp_path: Path, words: tuple[str, ...], why: str):
    ended = graftwork("scene", *words, cwd=tmp_path)
    assert ended.returncode == 2
    assert why in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "room.png").exists()


def test_the_door_of_a_file_is_drawn_open_or_shut_as_the_scene_says(tmp_path: Path):
    world = lockers(tmp_path)
    scene = world / "scenes" / "room.yaml"
    pictures = []
    for said in ("class: locker,", "class: locker, opened: true,"):
        scene.write_text(scene.read_text().replace("class: locker,", said))
        graftwork("scene", "--domain", str(world), "--scene", "room", "--picture", "room.png", cwd=tmp_path)
        pictures.append((tmp_path / "room.png").read_bytes())
    assert pictures[0] != pictures[1]
