"""`Detector`: what finds things in the pictures of a body's camera, and names what it finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from semantics.body.observation import Detection
from semantics.geometry.geometry import Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class CameraView:
    """From where a pinhole camera takes a picture, and through which lens."""

    width: int  # width of the picture, in pixels
    height: int  # height of the picture, in pixels
    focal: float  # the focal length, in pixels
    matrix: tuple[tuple[float, ...], ...]  # world to camera, four rows of four: x right, y up, z backwards

    def point(self, column: float, row: float, depth: float) -> Vector:
        """Return the point of the world, in metres, that a pixel shows at a depth along the line of sight."""
        right = (column - self.width / 2) * depth / self.focal
        up = (self.height / 2 - row) * depth / self.focal
        ray = [end - line[3] for end, line in zip((right, up, -depth), self.matrix[:3], strict=True)]
        x, y, z = (sum(line[axis] * part for line, part in zip(self.matrix[:3], ray, strict=True)) for axis in range(3))
        return (x, y, z)


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """One picture of a body's camera."""

    picture: NDArray[np.uint8]  # red, green and blue of each pixel, from 0 to 255; shape (height, width, 3)
    depth: NDArray[np.float64]  # distance along the line of sight, in metres; shape (height, width)
    camera: CameraView  # from where it was taken


@runtime_checkable
class CameraSource(Protocol):
    """A body that gives the pictures of its latest sensing."""

    def shots(self) -> Sequence[Shot]:
        """Return the pictures of the latest sensing, in the order in which they were taken."""
        ...


class Detector(Protocol):
    """Finds things in pictures. In a session it takes the place of what the body detects itself."""

    def __call__(
        self, picture: NDArray[np.uint8], depth: NDArray[np.float64], camera: CameraView
    ) -> Iterable[Detection]:
        """Return what a picture shows; see `Shot` for the arguments, and `CameraView.point` for where a pixel is."""
        ...
