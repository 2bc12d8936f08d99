from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

pybullet = pytest.importorskip("pybullet")

from robots.leaves import DOOR_LIMIT  # noqa: E402 - pybullet is an extra
from robots.pybullet import PyBulletRobot  # noqa: E402
from robots.pybullet.camera import SHARE, Camera, corners, framed  # noqa: E402
from robots.pybullet.pictures import Photographer  # noqa: E402
from robots.pybullet.scenery.world import PopulatedRoom  # noqa: E402
from semantics.geometry.geometry import Box, PlanarPose  # noqa: E402
from tests.contracts.bodies import LAYOUT  # noqa: E402
from tests.robots.pybullet.table import LAYOUT as TABLE  # noqa: E402

EYE = (0.0, 0.0, 1.3)
AHEAD = (1.2, 0.0, 0.8)
INSIDE = Box((1.05, -0.2, 0.7), (1.4, 0.2, 1.0))


@pytest.fixture
def client() -> Iterator[int]:
    number = pybullet.connect(pybullet.DIRECT)
    yield number
    pybullet.disconnect(number)


def block(client: int, low: tuple[float, ...], high: tuple[float, ...]) -> int:
    half = [(b - a) / 2 for a, b in zip(low, high, strict=True)]
    middle = [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    solid = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=half, physicsClientId=client)
    seen = pybullet.createVisualShape(pybullet.GEOM_BOX, halfExtents=half, physicsClientId=client)
    return pybullet.createMultiBody(0.0, solid, seen, middle, physicsClientId=client)


def test_a_thing_in_front_is_in_view_and_one_behind_the_camera_is_not(client):
    names = {block(client, (1.2, -0.04, 0.7), (1.28, 0.04, 0.9)): "milk0"}
    names[block(client, (-1.3, -0.04, 0.7), (-1.2, 0.04, 0.9))] = "apple0"
    look = Camera(client).look(EYE, AHEAD, names)
    assert look.visible == {"milk0"}
    assert look.pixels["milk0"] > 20


def test_a_panel_hides_a_thing_and_the_region_behind_it(client):
    names = {block(client, (1.2, -0.04, 0.7), (1.28, 0.04, 0.9)): "milk0"}
    camera = Camera(client)
    assert camera.share(camera.look(EYE, AHEAD, names), INSIDE) >= SHARE
    block(client, (0.95, -0.5, 0.2), (1.0, 0.5, 1.4))
    look = camera.look(EYE, AHEAD, names)
    assert look.visible == frozenset()
    assert camera.share(look, INSIDE) == 0.0


def test_a_panel_half_before_a_region_leaves_it_in_view_in_part(client):
    block(client, (0.95, 0.0, 0.2), (1.0, 0.5, 1.4))
    camera = Camera(client)
    look = camera.look(EYE, AHEAD, {})
    assert 0.3 < camera.share(look, INSIDE) < 0.7
    assert camera.share(look, INSIDE) < SHARE


def test_a_region_beside_the_picture_is_not_in_view(client):
    camera = Camera(client)
    look = camera.look(EYE, AHEAD, {})
    assert camera.share(look, Box((1.0, 4.0, 0.7), (1.4, 4.4, 1.0))) == 0.0
    assert camera.share(look, Box((-1.4, -0.2, 0.7), (-1.0, 0.2, 1.0))) == 0.0


def test_a_thing_of_too_few_pixels_is_counted_and_not_in_view(client, monkeypatch):
    monkeypatch.setattr("robots.pybullet.camera.FEWEST_PIXELS", 10_000)
    names = {block(client, (1.2, -0.04, 0.7), (1.28, 0.04, 0.9)): "milk0"}
    look = Camera(client).look(EYE, AHEAD, names)
    assert look.visible == frozenset()
    assert look.pixels["milk0"] > 0


def test_a_photograph_has_the_size_asked_for(client):
    assert Camera(client).photograph(EYE, AHEAD, 64, 48).size == (64, 48)


def test_straight_down_is_a_direction_like_any_other(client):
    names = {block(client, (-0.05, -0.05, 0.0), (0.05, 0.05, 0.1)): "cup0"}
    assert Camera(client).look((0.0, 0.0, 1.5), (0.0, 0.0, 0.0), names).visible == {"cup0"}


@pytest.fixture
def live() -> Iterator[PopulatedRoom]:
    room = PopulatedRoom(LAYOUT)
    yield room
    room.close()


@pytest.fixture
def darkroom() -> Iterator[PopulatedRoom]:
    room = PopulatedRoom(LAYOUT, still=True)
    yield room
    room.close()


def test_in_a_darkroom_the_milk_is_seen_once_the_fridge_is_open_in_the_live_room(live, darkroom):
    fridge = live.offered["fridge0"]
    eye, target = (fridge.stand.x, fridge.stand.y, 1.5), fridge.interior.centre
    camera, names = Camera(darkroom.client), darkroom.names
    darkroom.copy(live)
    shut = camera.look(eye, target, names)
    assert "milk0" not in shut.visible
    assert camera.share(shut, fridge.compartments[1]) < 0.5
    live.set_door("fridge0", DOOR_LIMIT)
    darkroom.copy(live)
    opened = camera.look(eye, target, names)
    assert "milk0" in opened.visible
    assert len(fridge.compartments) == 2
    assert all(camera.share(opened, compartment) >= SHARE for compartment in fridge.compartments)


def test_in_a_darkroom_a_thing_is_where_it_was_moved_in_the_live_room(live, darkroom):
    position, orientation = live.pose("juice0")
    live.place("juice0", (position[0], position[1], position[2] + 0.3), orientation)
    darkroom.copy(live)
    assert darkroom.pose("juice0")[0] == pytest.approx(live.pose("juice0")[0])


def picture_of(points, eye, target, aspect):
    """Return where points are in a picture: from -1 to 1 across and up."""
    forward = np.subtract(target, eye) / np.linalg.norm(np.subtract(target, eye))
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    rays = points - np.array(eye)
    depth = rays @ forward
    assert np.all(depth > 0)
    half = np.tan(np.radians(35.0))
    return rays @ right / depth / half / aspect, rays @ np.cross(right, forward) / depth / half


place = st.floats(-4.0, 4.0)
size = st.floats(0.05, 6.0)
boxes = st.lists(st.tuples(place, place, size, size, size), min_size=1, max_size=8)


@given(boxes, st.sampled_from([(-3.2, -1.4, -2.9), (1.0, 0.0, -0.3), (0.1, 0.2, -3.0)]), st.floats(0.5, 3.0))
def test_a_framed_room_fills_the_picture(rooms, along, aspect):
    points = corners([Box((x, y, 0.0), (x + wide, y + deep, high)) for x, y, wide, deep, high in rooms])
    eye, target = framed(points, along, aspect)
    across, upwards = picture_of(points, eye, target, aspect)
    assert max(np.max(np.abs(across)), np.max(np.abs(upwards))) == pytest.approx(0.92, abs=1e-6)
    fills = [side for side in (across, upwards) if np.max(np.abs(side)) > 0.919]
    assert any(-np.min(side) == pytest.approx(np.max(side), abs=1e-6) for side in fills)


@pytest.mark.parametrize("yaw", [0.0, 2.0])
def test_the_pictures_of_a_fixed_arm_show_all_of_its_links(yaw):
    start = replace(TABLE.robot, pose=PlanarPose(0.0, 0.0, yaw))
    body = PyBulletRobot(replace(TABLE, robot=start))
    eye, target = Photographer(body.rig).room_view(4 / 3, body.observation())
    chassis = body.rig.chassis
    links = [pybullet.getAABB(chassis.body, link, physicsClientId=chassis.client) for link in chassis.links.values()]
    across, upwards = picture_of(corners(Box(low, high) for low, high in links), eye, target, 4 / 3)
    body.close()
    assert np.max(np.abs(across)) <= 1.0
    assert np.max(np.abs(upwards)) <= 1.0


def test_the_pictures_of_a_body_show_all_that_is_there(robot):
    eye, target = Photographer(robot.rig).room_view(4 / 3, robot.observation())
    world = robot.rig.world
    there = corners(world.box(name) for name in world.bodies if name != world.layout.ground)
    across, upwards = picture_of(there, eye, target, 4 / 3)
    assert np.max(np.abs(across)) <= 1.0
    assert np.max(np.abs(upwards)) <= 1.0
