"""A head camera: which things are in view, and which regions were in view as a whole.

It renders segmentation and depth in software. What it costs is the triangles of the scene more than its pixels: a
furnished kitchen takes 3 to 4 ms, and the meshes of one Panda arm 18 ms on top. So sense in a `Darkroom`, a copy of the
room without the arm (which knows where it is, and what it holds), and photograph in the room that has it.

At 128x96 a lemon at the back of a fridge's lower compartment, seen from 1.5 m above the place to stand, still has two
pixels or more; at 96x72 more than half of such spots have fewer, and a thing that is there would be called missing.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from math import radians, tan
from typing import Any, Final, NamedTuple

import numpy as np
import pybullet
from numpy.typing import NDArray

from robots.errors import BodyUnavailableError
from robots.pybullet.scenery.world import PopulatedRoom
from semantics.geometry import Box, Vector
from semantics.layout import Layout

__all__ = ["Camera", "Darkroom", "Look"]

NEAR: Final = 0.05
FAR: Final = 10.0
"""Nearest and farthest depth that is rendered, in metres."""
FEWEST_PIXELS: Final = 2
"""A thing with fewer pixels in the picture is not in view."""
DEPTH_SLACK: Final = 0.05
"""How far in front of a point its pixel's surface may lie for the point still to be in view, in metres."""
SHARE: Final = 0.7
"""Share of a region's points that has to be in view for the region to be in view as a whole."""
SPREAD: Final = (0.08, 0.36, 0.64, 0.92)
HEIGHTS: Final = (0.04, 0.10)
"""Where the points lie that stand for a region: fractions of its width and depth, and metres above its bottom, for what
is in a region stands on its bottom and is seldom smaller."""

Points = NDArray[np.float64]


class Look(NamedTuple):
    """One picture, evaluated.

    Attributes:
        visible: Names of what is in view.
        pixels: How many pixels each thing in the picture has, however few.
        depth: Distance along the line of sight, in metres; shape (height, width).
        view: World to camera, shape (4, 4): x right, y up, z backwards.
    """

    visible: frozenset[str]
    pixels: Mapping[str, int]
    depth: Points
    view: Points


class Darkroom:
    """A copy of a room without its robot, to look around in.

    Args:
        layout: What stands where; poses are taken from the live room by `copy`.

    Attributes:
        world: The copy; its client is for a `Camera`, its `names` for `Camera.look`.
    """

    def __init__(self, layout: Layout) -> None:
        self.world = PopulatedRoom(layout, still=True)

    def copy(self, live: PopulatedRoom) -> None:
        """Bring every movable thing and every door to where it is in the live room."""
        for name in live.movable():
            self.world.place(name, *live.pose(name))
        for name in live.offered:
            if live.has_door(name):
                self.world.set_door(name, live.door_angle(name))

    def close(self) -> None:
        """Give the physics client back; safe to call twice."""
        self.world.close()


class Camera:
    """A pinhole camera in a physics client.

    Args:
        client: Physics client whose scene it sees.
        width: Pixels.
        height: Pixels.
        angle: Vertical field of view in degrees.
        fewest_pixels: What a thing needs to be in view.
    """

    def __init__(
        self,
        client: int,
        width: int = 128,
        height: int = 96,
        *,
        angle: float = 70.0,
        fewest_pixels: int = FEWEST_PIXELS,
    ) -> None:
        self._client = client
        self._width = width
        self._height = height
        self._angle = angle
        self._fewest = fewest_pixels

    def look(self, eye: Vector, target: Vector, names: Mapping[int, str]) -> Look:
        """Look from `eye` towards `target`; bodies that `names` does not hold only hide what is behind them.

        Raises:
            BodyUnavailableError: No picture came, or an empty one; that is not to see that nothing is there.
        """
        view = _view(eye, target)
        buffer, mask = self._picture(view)
        bodies, counts = np.unique(np.asarray(mask), return_counts=True)
        pixels: dict[str, int] = {}
        for body, count in zip(bodies.tolist(), counts.tolist(), strict=True):
            if body in names:
                pixels[names[body]] = pixels.get(names[body], 0) + count
        depth = FAR * NEAR / (FAR - (FAR - NEAR) * np.asarray(buffer, dtype=np.float64))
        visible = frozenset(name for name, count in pixels.items() if count >= self._fewest)
        return Look(visible, pixels, depth.reshape(self._height, self._width), _matrix(view))

    def _picture(self, view: tuple[float, ...]) -> tuple[Any, Any]:
        """Return the depths and the bodies of a picture, pixel by pixel."""
        try:
            picture = self._render(view, self._width, self._height)
        except pybullet.error as error:
            raise BodyUnavailableError(f"the camera gives no picture ({error})") from error
        depths, bodies = picture[3:5] if picture else ((), ())
        if not np.size(depths) == np.size(bodies) == self._width * self._height:
            raise BodyUnavailableError("the camera gives an empty picture")
        return depths, bodies

    def whole(self, look: Look, regions: Mapping[str, Box]) -> frozenset[str]:
        """Return the names of the regions (space, not solids) that were in view as a whole."""
        return frozenset(name for name, region in regions.items() if self.share(look, region) >= SHARE)

    def share(self, look: Look, region: Box) -> float:
        """Return how much of a region was in view, from 0 to 1: within the picture and with nothing before it."""
        points = _points(region) @ look.view.T
        away = -points[:, 2]
        scale = self._height / (2.0 * tan(radians(self._angle) / 2.0))
        safe = np.maximum(away, NEAR)
        columns = np.floor(self._width / 2.0 + scale * points[:, 0] / safe).astype(int)
        rows = np.floor(self._height / 2.0 - scale * points[:, 1] / safe).astype(int)
        inside = (away > NEAR) & (columns >= 0) & (columns < self._width) & (rows >= 0) & (rows < self._height)
        nearest = look.depth[np.where(inside, rows, 0), np.where(inside, columns, 0)]
        return float(np.mean(inside & (nearest >= away - DEPTH_SLACK)))

    def photograph(self, eye: Vector, target: Vector, width: int = 320, height: int = 240) -> bytes:
        """Return a PNG picture for people; slow, so not for sensing."""
        from PIL import Image

        _, _, colours, _, _ = self._render(_view(eye, target), width, height, shadow=1)
        pixels = np.asarray(colours, dtype=np.uint8).reshape(height, width, 4)[:, :, :3]
        file = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(pixels)).save(file, "PNG")
        return file.getvalue()

    def _render(self, view: tuple[float, ...], width: int, height: int, shadow: int = 0) -> Any:  # noqa: ANN401 - foreign
        return pybullet.getCameraImage(
            width,
            height,
            view,
            pybullet.computeProjectionMatrixFOV(self._angle, width / height, NEAR, FAR),
            shadow=shadow,
            renderer=pybullet.ER_TINY_RENDERER,
            physicsClientId=self._client,
        )


def _view(eye: Vector, target: Vector) -> tuple[float, ...]:
    """Return OpenGL's view matrix, column by column; looking straight down, up in the picture is along x."""
    steep = abs(target[0] - eye[0]) + abs(target[1] - eye[1]) < 1e-6
    up = (1.0, 0.0, 0.0) if steep else (0.0, 0.0, 1.0)
    matrix: tuple[float, ...] = pybullet.computeViewMatrix(eye, target, up)
    return matrix


def _matrix(view: tuple[float, ...]) -> Points:
    return np.array(view, dtype=np.float64).reshape(4, 4).T


def _points(region: Box) -> Points:
    """Return the points that stand for a region, in homogeneous coordinates; shape (32, 4)."""
    (x, y, z), (wide, deep, high) = region.low, region.size
    heights = [z + min(height, high) for height in HEIGHTS]
    return np.array([(x + a * wide, y + b * deep, c, 1.0) for a in SPREAD for b in SPREAD for c in heights])
