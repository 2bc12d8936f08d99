"""Pictures for people come close enough to judge a grasp, whatever stands around."""

import io

import numpy as np
import pytest

pybullet = pytest.importorskip("pybullet")
images = pytest.importorskip("PIL.Image")

from robots.pybullet import PyBulletRobot  # noqa: E402 - pybullet is an extra
from robots.pybullet.pictures import CLOSE_ANGLE, CLOSE_SHARE, Photographer  # noqa: E402
from tests.robots.pybullet.kitchen import succeeds  # noqa: E402

WIDTH, HEIGHT = 320, 240
"""The size of the pictures of a record."""
ENOUGH = 80
STEPS = (
    ("drive", {"to": "fridge0"}),
    ("open", {"object": "fridge0", "at": "fridge0"}),
    ("pick", {"object": "milk0", "source": "fridge0", "at": "fridge0"}),
    ("drive", {"to": "counter0"}),
    ("put", {"object": "milk0", "target": "counter0", "at": "counter0"}),
    ("pick", {"object": "apple0", "source": "counter0", "at": "counter0"}),
    ("drive", {"to": "human0"}),
    ("give", {"object": "apple0", "to": "human0"}),
)


def rows(robot: PyBulletRobot, handled: str) -> dict[str, int]:
    """Return how many rows of the close view show the hand, the object, and either."""
    eye, target = Photographer(robot.rig).close_view(handled)
    chassis, client = robot.rig.chassis, robot.rig.world.client
    wide, high = round(CLOSE_SHARE * WIDTH), round(CLOSE_SHARE * HEIGHT)
    mask = pybullet.getCameraImage(
        wide,
        high,
        pybullet.computeViewMatrix(eye, target, (0.0, 0.0, 1.0)),
        pybullet.computeProjectionMatrixFOV(CLOSE_ANGLE, wide / high, 0.02, 10.0),
        flags=pybullet.ER_SEGMENTATION_MASK_OBJECT_AND_LINKINDEX,
        renderer=pybullet.ER_TINY_RENDERER,
        physicsClientId=client,
    )[4]
    cells = np.array(mask).reshape(high, wide)
    bodies, links = np.where(cells >= 0, cells & ((1 << 24) - 1), -1), (cells >> 24) - 1
    hand = (bodies == chassis.body) & np.isin(links, (chassis.hand, *chassis.fingers))
    world = robot.rig.world
    thing = bodies == (world.bodies[handled] if handled in world.shapes else -2)  # of furniture the hand alone counts
    return {
        name: int(np.sum(part.any(axis=1))) for name, part in (("hand", hand), ("thing", thing), ("both", hand | thing))
    }


@pytest.mark.slow
def test_at_each_steps_end_hand_and_object_are_large_in_the_picture(robot: PyBulletRobot) -> None:
    handled = ""
    for primitive, roles in STEPS:
        succeeds(robot, primitive, **roles)
        handled = str(roles.get("object", handled))
        seen = rows(robot, handled)
        assert seen["both"] >= ENOUGH, (primitive, roles, seen)


def test_the_close_view_is_a_corner_of_the_picture_once_the_hand_has_worked(robot: PyBulletRobot) -> None:
    before = np.array(images.open(io.BytesIO(robot.picture(WIDTH, HEIGHT))))
    succeeds(robot, "drive", to="counter0")
    after = np.array(images.open(io.BytesIO(robot.picture(WIDTH, HEIGHT))))
    assert before.shape == after.shape == (HEIGHT, WIDTH, 3)
    corner = np.s_[HEIGHT // 2 :, : WIDTH // 2]
    assert np.mean(np.any(before[corner] != after[corner], axis=2)) > 0.5
