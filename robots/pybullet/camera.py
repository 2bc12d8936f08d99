"""A head camera: which objects are in view, and which regions are completely in view.

It renders segmentation and depth in software. The cost depends on the triangles in the scene more than on the pixels: a
furnished kitchen takes 3 to 4 ms, and the meshes of one Panda arm take another 18 ms. So use a copy of the room without
the arm for sensing (the robot knows its own pose and the held object), and the live room for photos.

At 128x96 a lemon at the back of a fridge's lower compartment, seen from 1.5 m above the place to stand, still has two
pixels or more; at 96x72 more than half of such spots have fewer, so that an object there would count as missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import radians, tan
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pybullet
from numpy.typing import NDArray

from robots.errors import BodyUnavailableError
from semantics.body.detector import CameraView, Shot
from semantics.geometry.geometry import Box, Vector

if TYPE_CHECKING:
    from PIL.Image import Image

ANGLE: Final = 70.0  # vertical field of view, in degrees
NEAR: Final = 0.05
FAR: Final = 10.0  # nearest and farthest depth that is rendered, in metres
FEWEST_PIXELS: Final = 2  # an object with fewer pixels in the picture is not in view
ENOUGH_PIXELS: Final = 6.0
"""The expected number of pixels from which on an object is surely in view: its picture falls on the grid of pixels by
chance, and its edges count only in part, so that fewer may come to less than `FEWEST_PIXELS`."""
DEPTH_SLACK: Final = 0.05
"""How far the surface at a point's pixel may be in front of the point while the point is in view, in metres."""
SHARE: Final = 0.7  # the smallest share of visible points with which a region counts as completely in view
SMALL_SLACK: Final = 0.015
"""The same for the places of small objects, behind which another small object may hide, in metres."""
SPREAD: Final = (0.08, 0.36, 0.64, 0.92)
HEIGHTS: Final = (0.04, 0.10)
"""Sample points of a region: fractions of its width and depth, and metres above its bottom, since the objects in a
region stand on its bottom and are seldom smaller."""

Points = NDArray[np.float64]
Frame = tuple[float, float, float, float]
"""Left, top, right and bottom of something in a picture, each from 0 to 1."""


class Look(NamedTuple):
    """One picture, evaluated."""

    visible: frozenset[str]  # the names of the objects in view
    pixels: Mapping[str, int]  # the number of pixels of each object in the picture, even if too few
    depth: Points  # distance along the line of sight, in metres; shape (height, width)
    bodies: NDArray[np.int64]  # the id of the body of each pixel; shape (height, width)
    colours: NDArray[np.uint8]  # red, green and blue of each pixel, from 0 to 255; shape (height, width, 3)
    view: Points  # world to camera, shape (4, 4): x right, y up, z backwards

    def frame(self, body: int) -> Frame | None:
        """Return the bounds of a body in the picture; None if it is not in it."""
        rows, columns = np.nonzero(self.bodies == body)
        if not rows.size:
            return None
        high, wide = self.bodies.shape
        left, right, top, bottom = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
        return float(left / wide), float(top / high), float(right / wide), float(bottom / high)


class Camera:
    """A pinhole camera in a physics client.

    Args:
        client: Physics client whose scene it sees.
        width: Width of the picture in pixels.
        height: Height of the picture in pixels.
    """

    def __init__(self, client: int, width: int = 128, height: int = 96) -> None:
        self._client = client
        self._width = width
        self._height = height

    def look(self, eye: Vector, target: Vector, names: Mapping[int, str]) -> Look:
        """Take a picture from `eye` towards `target`; bodies that are not in `names` only occlude others.

        Raises:
            BodyUnavailableError: There is no picture, or it is empty; an empty picture does not mean an empty room.
        """
        view = _view(eye, target)
        colours, buffer, mask = self._picture(view)
        shape = (self._height, self._width)
        seen = np.asarray(mask).reshape(shape)
        bodies, counts = np.unique(seen, return_counts=True)
        pixels: dict[str, int] = {}
        for body, count in zip(bodies.tolist(), counts.tolist(), strict=True):
            if body in names:
                pixels[names[body]] = pixels.get(names[body], 0) + count
        depth = FAR * NEAR / (FAR - (FAR - NEAR) * np.asarray(buffer, dtype=np.float64))
        visible = frozenset(name for name, count in pixels.items() if count >= FEWEST_PIXELS)
        picture = np.asarray(colours, dtype=np.uint8).reshape(*shape, 4)[:, :, :3]
        return Look(visible, pixels, depth.reshape(shape), seen, picture, _matrix(view))

    def _picture(self, view: tuple[float, ...]) -> tuple[Any, Any, Any]:
        """Return the colours, the depth and the body of each pixel of a picture."""
        try:
            picture = self._render(view, self._width, self._height)
        except pybullet.error as error:
            raise BodyUnavailableError(f"the camera gives no picture ({error})") from error
        colours, depths, bodies = picture[2:5] if picture else ((), (), ())
        if not np.size(depths) == np.size(bodies) == self._width * self._height:
            raise BodyUnavailableError("the camera gives an empty picture")
        return colours, depths, bodies

    def shot(self, look: Look) -> Shot:
        """Return a picture for a detector."""
        matrix = tuple(tuple(line) for line in look.view.tolist())
        return Shot(look.colours, look.depth, CameraView(self._width, self._height, self._scale, matrix))

    def share(self, look: Look, region: Box) -> float:
        """Return the share of a region in view, from 0 to 1: inside the picture and not occluded."""
        return float(np.mean(self._in_view(look, _points(region) @ look.view.T, DEPTH_SLACK)))

    def expected_pixels(self, look: Look, centres: Points, sizes: Points) -> Points:
        """Return the pixels that objects would have in the picture: 0 where the centre is occluded or out of view.

        Args:
            look: The picture.
            centres: The centres of the objects in metres, shape (..., 3).
            sizes: The extents of the objects along x, y and z in metres, shape (..., 3).
        """
        rays = centres @ look.view[:3, :3].T + look.view[:3, 3]
        distance = np.linalg.norm(rays, axis=-1)
        # The area that a box shows is the sum over its three pairs of faces, each foreshortened by the line of sight.
        sight = np.abs(rays @ look.view[:3, :3]) / np.maximum(distance, NEAR)[..., None]
        faces = np.stack(
            [sizes[..., 1] * sizes[..., 2], sizes[..., 0] * sizes[..., 2], sizes[..., 0] * sizes[..., 1]], -1
        )
        pixels = np.sum(sight * faces, axis=-1) * (self._scale / np.maximum(distance, NEAR)) ** 2
        return np.asarray(np.where(self._in_view(look, rays, SMALL_SLACK), pixels, 0.0))

    @property
    def _scale(self) -> float:
        """The focal length, in pixels."""
        return self._height / (2.0 * tan(radians(ANGLE) / 2.0))

    def _in_view(self, look: Look, points: Points, slack: float) -> NDArray[np.bool_]:
        """Return which points, in the frame of the camera, are inside the picture and not occluded."""
        away = -points[..., 2]
        safe = np.maximum(away, NEAR)
        columns = np.floor(self._width / 2.0 + self._scale * points[..., 0] / safe).astype(int)
        rows = np.floor(self._height / 2.0 - self._scale * points[..., 1] / safe).astype(int)
        inside = (away > NEAR) & (columns >= 0) & (columns < self._width) & (rows >= 0) & (rows < self._height)
        nearest = look.depth[np.where(inside, rows, 0), np.where(inside, columns, 0)]
        return np.asarray(inside & (nearest >= away - slack))

    def photograph(
        self, eye: Vector, target: Vector, width: int = 320, height: int = 240, far: float = FAR, angle: float = ANGLE
    ) -> Image:
        """Return a picture for people; it is too slow for sensing.

        Args:
            eye: Position of the camera, in metres.
            target: A point in the middle of the picture.
            width: Width of the picture in pixels.
            height: Height of the picture in pixels.
            far: Farthest depth that is rendered, in metres.
            angle: Vertical field of view, in degrees.
        """
        from PIL import Image

        _, _, colours, _, _ = self._render(_view(eye, target), width, height, shadow=1, far=far, angle=angle)
        pixels = np.asarray(colours, dtype=np.uint8).reshape(height, width, 4)[:, :, :3]
        return Image.fromarray(np.ascontiguousarray(pixels))

    def _render(
        self, view: tuple[float, ...], width: int, height: int, shadow: int = 0, far: float = FAR, angle: float = ANGLE
    ) -> Any:  # noqa: ANN401 - foreign
        return pybullet.getCameraImage(
            width,
            height,
            view,
            pybullet.computeProjectionMatrixFOV(angle, width / height, NEAR, far),
            shadow=shadow,
            renderer=pybullet.ER_TINY_RENDERER,
            physicsClientId=self._client,
        )


def framed(points: Points, along: Vector, aspect: float, margin: float = 0.04) -> tuple[Vector, Vector]:
    """Return where a camera has to be so that points fill its picture, and the point that it looks at.

    Each pair of opposite sides of the picture gives two planes through the camera, which all points have to be between.
    The camera is the farthest forward that both pairs allow, and in the middle of the room that the other pair leaves.

    Args:
        points: Points in metres, shape (n, 3).
        along: The line of sight, not straight down.
        aspect: Width of the picture divided by its height.
        margin: The share of the picture that stays free at each side.
    """
    forward = np.array(along) / np.linalg.norm(along)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    up = np.cross(right, forward)
    depth = points @ forward
    slope = tan(radians(ANGLE) / 2.0) * (1.0 - 2.0 * margin)
    sides = []
    for axis, steep in ((right, slope * aspect), (up, slope)):
        across = points @ axis
        sides.append((float(np.max(across - steep * depth)), float(np.max(-across - steep * depth)), steep))
    back = min(-(high + low) / (2.0 * steep) for high, low, steep in sides)
    middle = [(high - low) / 2.0 for high, low, _ in sides]
    eye = middle[0] * right + middle[1] * up + back * forward
    target = eye + (float(np.mean(depth)) - back) * forward
    return (float(eye[0]), float(eye[1]), float(eye[2])), (float(target[0]), float(target[1]), float(target[2]))


def corners(boxes: Iterable[Box]) -> Points:
    """Return the corners of boxes, shape (8 n, 3)."""
    return np.array([point for box in boxes for point in product(*zip(box.low, box.high, strict=True))])


def _view(eye: Vector, target: Vector) -> tuple[float, ...]:
    """Return OpenGL's view matrix in column-major order; for a view straight down, x points up in the picture."""
    steep = abs(target[0] - eye[0]) + abs(target[1] - eye[1]) < 1e-6
    up = (1.0, 0.0, 0.0) if steep else (0.0, 0.0, 1.0)
    matrix: tuple[float, ...] = pybullet.computeViewMatrix(eye, target, up)
    return matrix


def _matrix(view: tuple[float, ...]) -> Points:
    return np.array(view, dtype=np.float64).reshape(4, 4).T


def _points(region: Box) -> Points:
    """Return the sample points of a region in homogeneous coordinates; shape (32, 4)."""
    (x, y, z), (wide, deep, high) = region.low, region.size
    heights = [z + min(height, high) for height in HEIGHTS]
    return np.array([(x + a * wide, y + b * deep, c, 1.0) for a in SPREAD for b in SPREAD for c in heights])
