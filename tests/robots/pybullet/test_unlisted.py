"""Things that no file lists, in the simulator: seen as detections, added and removed while it runs, and moved."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from domains.reader import load_domain, load_scene
from graftwork import Session
from graftwork.record.episode import Outcome
from robots.pybullet import PyBulletRobot
from semantics.body.detector import CameraSource
from semantics.body.layout import MovableObject
from semantics.body.observation import Detection, Sighting
from semantics.errors import UnknownNameError, UsageError
from semantics.geometry.geometry import Box

KITCHEN = load_domain("kitchen")
SMALL = load_scene(KITCHEN, "small")


def unlisted(name: str, label: str, offset=(0.3, 0.0), class_name: str = "") -> MovableObject:
    return MovableObject(name, KITCHEN.classes[class_name or label].shape, "on", "counter0", offset, label=label)


@pytest.fixture(scope="module")
def robot() -> Iterator[PyBulletRobot]:
    robot = PyBulletRobot(
        replace(SMALL.layout, pieces=(*SMALL.layout.pieces, unlisted("thing1", "tagine", class_name="bowl")))
    )
    yield robot
    robot.close()


def detected(robot: PyBulletRobot) -> dict[str, Detection]:
    robot.clock.sleep(3.0)
    return {found.sighting.name: found for found in robot.observation().detections}


def test_a_piece_with_a_label_is_detected_as_it_stands_and_not_sighted(robot):
    found = detected(robot)["thing1"]
    assert found.label == "tagine"
    assert found.sighting.box == robot.rig.world.box("thing1")
    assert found.sighting.interior is not None
    assert found.sighting.solid is not None
    left, top, right, bottom = found.picture
    assert 0.0 <= left < right <= 1.0
    assert 0.0 <= top < bottom <= 1.0
    assert "thing1" not in robot.observation().sightings
    assert frozenset({"thing1", "counter0"}) in robot.observation().contacts


def test_a_picture_tells_where_its_pixels_are(robot):
    assert isinstance(robot, CameraSource)
    shot = robot.shots()[0]
    assert shot.picture.shape == (*shot.depth.shape, 3)
    box = robot.rig.world.box("thing1")
    points = [
        shot.camera.point(column + 0.5, row + 0.5, float(shot.depth[row, column]))
        for shot in robot.shots()
        for row, column in np.ndindex(shot.depth.shape)
    ]
    assert any(box.contains(point, 0.005) for point in points)


def test_a_piece_that_appears_is_detected_and_one_that_is_removed_is_not(robot):
    robot.add_piece(unlisted("thing2", "orange", (0.0, 0.0)))
    assert detected(robot).keys() == {"thing1", "thing2"}
    with pytest.raises(UsageError, match="there is a thing2 already"):
        robot.add_piece(unlisted("thing2", "orange"))
    robot.remove_piece("thing2")
    assert detected(robot).keys() == {"thing1"}
    with pytest.raises(UnknownNameError, match="thing2"):
        robot.remove_piece("thing2")
    robot.add_piece(unlisted("thing2", "lemon", (0.0, 0.0), "orange"))
    assert detected(robot)["thing2"].label == "lemon"
    robot.remove_piece("thing2")
    robot.clock.sleep(0.1)


def test_a_thing_that_a_detector_of_ones_own_finds_is_moved(robot):
    shown = []

    def find(picture, depth, camera):
        shown.append(picture.shape)
        box = robot.rig.world.box("later") if "later" in robot.rig.world.bodies else None
        return [] if box is None else [Detection("orange", Sighting("", Box(box.low, box.high), confidence=0.9))]

    with Session(scene="small", robot=robot, memory=None, detector=find) as session:
        run = session.start("put the apple on the counter")
        run.wait()
        for _ in range(40):
            assert run.tick()
        robot.add_piece(unlisted("later", "something", (-0.4, 0.0), "orange"))
        assert run.finish().outcome is Outcome.ACHIEVED
        assert set(session.environment.world.origins) == {"orange0"}
        episode = session.handle("put the orange on the table")
        assert episode.outcome is Outcome.ACHIEVED, episode.message
        assert "table0" in set(robot.rig.world.touching("later"))
    assert shown
