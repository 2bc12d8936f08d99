from collections.abc import Iterator

import pytest

pybullet = pytest.importorskip("pybullet")

from robots.pybullet.camera import Camera  # noqa: E402 - pybullet is an extra
from semantics.geometry import Box  # noqa: E402

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
    assert "fridge0" in camera.whole(camera.look(EYE, AHEAD, names), {"fridge0": INSIDE})
    block(client, (0.95, -0.5, 0.2), (1.0, 0.5, 1.4))
    look = camera.look(EYE, AHEAD, names)
    assert look.visible == frozenset()
    assert camera.share(look, INSIDE) == 0.0


def test_a_panel_half_before_a_region_leaves_it_in_view_in_part(client):
    block(client, (0.95, 0.0, 0.2), (1.0, 0.5, 1.4))
    camera = Camera(client)
    look = camera.look(EYE, AHEAD, {})
    assert 0.3 < camera.share(look, INSIDE) < 0.7
    assert not camera.whole(look, {"fridge0": INSIDE})


def test_a_region_beside_the_picture_is_not_in_view(client):
    camera = Camera(client)
    look = camera.look(EYE, AHEAD, {})
    assert camera.share(look, Box((1.0, 4.0, 0.7), (1.4, 4.4, 1.0))) == 0.0
    assert camera.share(look, Box((-1.4, -0.2, 0.7), (-1.0, 0.2, 1.0))) == 0.0


def test_a_thing_of_too_few_pixels_is_counted_and_not_in_view(client):
    names = {block(client, (1.2, -0.04, 0.7), (1.28, 0.04, 0.9)): "milk0"}
    look = Camera(client, fewest_pixels=10_000).look(EYE, AHEAD, names)
    assert look.visible == frozenset()
    assert look.pixels["milk0"] > 0


def test_a_photograph_is_a_png_of_the_size_asked_for(client):
    image = pytest.importorskip("PIL.Image")
    import io

    picture = image.open(io.BytesIO(Camera(client).photograph(EYE, AHEAD, 64, 48)))
    assert picture.format == "PNG"
    assert picture.size == (64, 48)


def test_straight_down_is_a_direction_like_any_other(client):
    names = {block(client, (-0.05, -0.05, 0.0), (0.05, 0.05, 0.1)): "cup0"}
    assert Camera(client).look((0.0, 0.0, 1.5), (0.0, 0.0, 0.0), names).visible == {"cup0"}
