"""The opening of a vessel, found by filling it with water in thought.

Each column of a height map is filled up to the lowest level at which water would still find a way out (priority
flood, Barnes et al. 2014). Columns that hold more than `SHALLOWEST` of water are the inside; the level is the
height of the rim. Simulators often model a cup as a solid cylinder: what stands upright, has a flat top and no
inside has its whole top as opening, and nothing can be in it.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.judge.bodies import Array, HeightMap

__all__ = ["Opening", "find_openings"]

SHALLOWEST = 0.006
"""Depth of water, in metres, from which on a column is inside."""
SMALLEST = 0.0004
"""The least area of an opening, square metres."""
FLAT = 0.002
"""How far below the highest point a top still counts as the same surface, metres."""
FLAT_SHARE = 0.5
"""The share of the columns that a flat top takes; a ball has less."""

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Opening:
    """An opening that looks along the z axis of its frame.

    Attributes:
        heights: The height map that it was found in.
        inside: Which columns are inside, shape of the map.
        rim: Height of the rim, metres, in the frame of the map.
        floor: The lowest height inside.
        hollow: Whether there is room inside; False for a solid that stands for a vessel.
    """

    heights: HeightMap
    inside: Mask
    rim: float
    floor: float
    hollow: bool

    @property
    def depth(self) -> float:
        """From the rim to the floor, metres."""
        return self.rim - self.floor

    @property
    def edge(self) -> Array:
        """Points along the rim, shape (n, 3), in the frame of the map: where liquid leaves."""
        grown = np.pad(self.inside, 1)
        inner = grown[:-2, 1:-1] & grown[2:, 1:-1] & grown[1:-1, :-2] & grown[1:-1, 2:]
        return self.heights.points(self.inside & ~inner, np.full(self.inside.shape, self.rim))

    @property
    def middle(self) -> Array:
        """The middle of the opening at the height of the rim, shape (3,)."""
        return np.asarray(self.heights.points(self.inside, np.full(self.inside.shape, self.rim)).mean(axis=0))

    def covers(self, points: Array) -> Mask:
        """Return for each local point, shape (n, 3), whether it is within the outline seen from above."""
        return self.heights.look_up(self.inside, points)

    def half_full_angle(self, direction: Array) -> float:
        """Return the tilt, in radians, at which a vessel that is half full begins to pour.

        At this angle the surface of the liquid is the diagonal of the cross-section, whatever its form.

        Args:
            direction: Horizontal direction of the tilt in the vessel's frame, shape (2,).
        """
        length = float(np.linalg.norm(direction))
        along = self.edge[:, :2] @ (direction / length if length > 1e-9 else np.array([1.0, 0.0]))
        return math.atan2(self.depth, float(np.ptp(along)) + self.heights.cell)


def _fill(top: Array) -> Array:
    """Return the level to which each column can be filled; the outside of the map is empty."""
    level = np.full(top.shape, np.inf)
    queue: list[tuple[float, int, int]] = []
    rows, columns = top.shape
    for i in range(rows):
        for j in range(columns):
            if i in (0, rows - 1) or j in (0, columns - 1):
                level[i, j] = top[i, j]
                heapq.heappush(queue, (top[i, j], i, j))
    while queue:
        height, i, j = heapq.heappop(queue)
        for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= a < rows and 0 <= b < columns and level[a, b] == np.inf:
                level[a, b] = max(height, top[a, b])
                heapq.heappush(queue, (level[a, b], a, b))
    return level


def _pieces(mask: Mask) -> list[Mask]:
    """Return the connected pieces of a mask, neighbours by a side."""
    rest, pieces = mask.copy(), []
    while rest.any():
        piece = np.zeros_like(mask)
        waiting = [tuple(np.argwhere(rest)[0])]
        rest[waiting[0]] = False
        while waiting:
            i, j = waiting.pop()
            piece[i, j] = True
            for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
                if 0 <= a < mask.shape[0] and 0 <= b < mask.shape[1] and rest[a, b]:
                    rest[a, b] = False
                    waiting.append((a, b))
        pieces.append(piece)
    return pieces


def _close_cracks(top: Array) -> Array:
    """Return heights without clefts of one or two columns, such as those between the convex pieces of a round wall."""
    for pick in (np.max, np.min):
        padded = np.pad(top, 1, mode="edge")
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
        top = pick(windows, axis=(2, 3))
    return top


def find_openings(heights: HeightMap) -> list[Opening]:
    """Return the openings of a solid, the largest first; of one without room inside, its flat top."""
    top = _close_cracks(heights.top)
    level = _fill(top)
    with np.errstate(invalid="ignore"):
        wet = np.nan_to_num(level - top, nan=0.0) > SHALLOWEST
    openings = []
    for piece in _pieces(wet):
        if piece.sum() * heights.cell**2 >= SMALLEST:
            bed = heights.top[piece]
            # A hole through the whole solid counts by the lowest surface beside it.
            floor = float(bed[np.isfinite(bed)].min()) if np.isfinite(bed).any() else float(level[piece].min())
            openings.append(Opening(heights, piece, float(level[piece].min()), floor, hollow=True))
    if openings:
        return sorted(openings, key=lambda opening: -int(opening.inside.sum()))
    solid = np.isfinite(heights.top)
    highest = float(heights.top[solid].max())
    flat = solid & (heights.top > highest - FLAT)
    if flat.sum() < FLAT_SHARE * solid.sum():
        return []
    return [Opening(heights, flat, highest, float(heights.bottom[solid].min()), hollow=False)]
