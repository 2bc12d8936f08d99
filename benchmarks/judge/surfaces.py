"""The tops of furniture: their boards, their free cells at the start, and which of them a tool touched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pybullet as p

from benchmarks.judge.bodies import MOST_HITS, UNBOUNDED, Array, Bodies, HeightMap, cast_rays

__all__ = ["Top", "find_boards", "read_top", "touched_cells"]

CELL, COARSE = 0.02, 0.04
"""Width of a cell of a top, and of the columns in which boards are looked for, metres."""
LEVEL = 0.01
"""Heights that differ by less belong to one board, metres."""
HEADROOM = 0.05
"""What is free above a board, at least, metres."""
LEAST_BOARD = 0.02
"""Area of the smallest board, square metres."""
OVERLAP = 0.005
"""How far the footprint of a tool reaches beyond its contact points, metres."""
ABOVE = 0.6
"""From how high above a top it is looked at, metres."""

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Top:
    """The highest flat side of a piece of furniture.

    Attributes:
        height: Metres.
        cells: The middles of its cells in the world, shape (n, 2).
        free: Which of them nothing covered at the start, shape (n,).
    """

    height: float
    cells: Array
    free: Mask

    def within(self, region: Iterable[Sequence[float]]) -> Mask:
        """Return which cells are in one of the boxes x0, y0, x1, y1 (metres, in the world)."""
        boxes = np.array(list(region), float).reshape(-1, 4)
        low, high = np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])
        cells = self.cells[:, None]
        return np.asarray(((cells >= low) & (cells <= high)).all(axis=2).any(axis=1))


def _grid(low: Array, high: Array, cell: float) -> Array:
    count = np.maximum(np.floor((high - low)[:2] / cell + 1e-6).astype(int), 1)
    first = (low[:2] + high[:2]) / 2 - (count - 1) * cell / 2
    return np.asarray(np.indices((int(count[0]), int(count[1]))).reshape(2, -1).T * cell + first)


def _read_columns(bodies: Bodies, body: int) -> list[list[float]]:
    """Return the heights at which vertical lines enter the solids of a body, the highest first."""
    low, high = (np.array(corner) for corner in p.getAABB(body, physicsClientId=bodies.client))
    if (high - low).max() > UNBOUNDED:
        return []
    grid = _grid(low, high, COARSE)
    starts, ends = (np.column_stack([grid, np.full(len(grid), z)]) for z in (high[2] + 0.002, low[2] - 0.002))
    columns: list[list[float]] = [[] for _ in grid]
    for number in range(MOST_HITS):
        ids, places = cast_rays(bodies.client, starts, ends, number)
        for ray in np.flatnonzero((ids == (body, -1)).all(axis=1)):
            columns[ray].append(float(places[ray, 2]))
        if (ids[:, 0] < 0).all():
            break
    return [sorted(column, reverse=True) for column in columns]


def find_boards(bodies: Bodies, name: str) -> tuple[float, ...]:
    """Return the heights of the boards of a piece of furniture, the lowest first, metres."""
    areas: dict[float, float] = {}
    for column in (column for body in bodies.ids[name] for column in _read_columns(bodies, body)):
        for higher, level in zip([np.inf, *column], column, strict=False):
            # A side that the next solid lies on is no board.
            if higher - level >= HEADROOM:
                known = next((k for k in areas if abs(k - level) < LEVEL), level)
                areas[known] = areas.get(known, 0.0) + COARSE**2
    return tuple(sorted(level for level, area in areas.items() if area >= LEAST_BOARD))


def read_top(bodies: Bodies, name: str, heights: HeightMap) -> Top | None:
    """Return the top of a piece of furniture and which of its cells are free now, or None where it is not flat."""
    body = bodies.ids[name][0]
    frame = bodies.frame(body)
    solid = np.isfinite(heights.top)
    # The level that most of the columns have; edges that stand up around it are not the top.
    levels, counts = np.unique(np.round(heights.top[solid] / LEVEL).astype(int), return_counts=True)
    height = float(levels[counts.argmax()]) * LEVEL
    flat = solid & (np.abs(heights.top - height) <= LEVEL)
    own = heights.points(flat, heights.top)
    grid = _grid(own.min(axis=0) - heights.cell / 2, own.max(axis=0) + heights.cell / 2, CELL)
    grid = grid[heights.look_up(flat, grid)]
    top = float(heights.top[flat].mean())
    world = frame.to_world(np.column_stack([grid, np.full(len(grid), top)]))
    up = np.array([0.0, 0.0, 1.0])
    ids, places = cast_rays(bodies.client, world + ABOVE * up, world - 0.005 * up, -1)
    free = (ids[:, 0] == body) & (np.abs(places[:, 2] - world[:, 2]) < LEVEL)
    return Top(float(world[:, 2].mean()), world[:, :2], free)


def _hull(points: Array) -> Array:
    """Return the convex hull of points in the plane, counter-clockwise (Andrew's monotone chain)."""
    unique = sorted({(round(float(x), 5), round(float(y), 5)) for x, y in points})
    if len(unique) < 3:
        return np.array(unique)
    halves = []
    for ordered in (unique, unique[::-1]):
        chain: list[tuple[float, float]] = []
        for x, y in ordered:
            while len(chain) > 1 and _turns_right(chain[-2], chain[-1], (x, y)):
                chain.pop()
            chain.append((x, y))
        halves += chain[:-1]
    return np.array(halves)


def _turns_right(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 1e-12


def _is_covered(cells: Array, hull: Array) -> Mask:
    """Return which cells have their middle in a hull or at most `OVERLAP` beside it."""
    if len(hull) < 3:
        start, along = hull[0], hull[-1] - hull[0]
        share = np.clip((cells - start) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
        return np.asarray(np.linalg.norm(cells - start - share[:, None] * along, axis=1) <= OVERLAP)
    sides = np.roll(hull, -1, axis=0) - hull
    outward = np.column_stack([sides[:, 1], -sides[:, 0]]) / np.linalg.norm(sides, axis=1)[:, None]
    distances = ((cells[:, None] - hull) * outward).sum(axis=2)
    return np.asarray((distances <= OVERLAP).all(axis=1))


def touched_cells(top: Top, footprints: Iterable[Array]) -> Mask:
    """Return which cells of a top the footprints of a tool touched.

    Args:
        top: The top.
        footprints: The contact points of one look each, shape (n, 3), metres in the world.
    """
    touched = np.zeros(len(top.cells), bool)
    seen = set()
    for points in footprints:
        flat = points[np.abs(points[:, 2] - top.height) <= LEVEL]
        key = np.round(flat[:, :2], 3).tobytes()
        if len(flat) and key not in seen:
            seen.add(key)
            low, high = flat[:, :2].min(axis=0) - 2 * OVERLAP, flat[:, :2].max(axis=0) + 2 * OVERLAP
            near = ((top.cells >= low) & (top.cells <= high)).all(axis=1) & ~touched
            touched[near] = _is_covered(top.cells[near], _hull(flat[:, :2]))
    return touched
