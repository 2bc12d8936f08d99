"""The bodies of a simulation as the judge reads them: names, frames, joints, and a map of heights of each solid.

Everything comes from PyBullet. A solid is read by vertical rays in its own frame, so it may be made of boxes, of convex
pieces or of a mesh, and it may stand anywhere: rays that meet another body go on to the next hit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pybullet as p

__all__ = ["MOST_HITS", "UNBOUNDED", "Bodies", "Frame", "HeightMap", "JudgeError", "cast_rays", "measure_heights"]

Array = npt.NDArray[np.float64]
NARROWEST, WIDEST, CELLS = 0.0015, 0.01, 44
"""Bounds of the width of a cell of a height map, metres, and cells along the longer side."""
UNBOUNDED = 50.0
"""A solid that is larger than this, in metres, is a ground plane; it has no height map."""
MOST_HITS = 14
"""Solids that one ray may pass."""
BATCH = 16_000
"""Rays in one call; PyBullet takes 16,384."""
DOOR_RANGE = math.pi / 2
DRAWER_SHARE = 0.75
"""What counts as the whole range of a joint without limits: a quarter turn; of a drawer a share of its own depth."""


class JudgeError(Exception):
    """The judge was used wrongly, or the simulation lacks what it has to look at."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A pose: `position` in metres, shape (3,), and `rotation`, shape (3, 3), whose columns are the axes."""

    position: Array
    rotation: Array

    @staticmethod
    def of(position: Sequence[float], quaternion: Sequence[float]) -> Frame:
        """Return the frame of a pose as PyBullet gives it."""
        return Frame(np.array(position, float), np.array(p.getMatrixFromQuaternion(quaternion)).reshape(3, 3))

    def to_world(self, points: Array) -> Array:
        """Return local points, shape (n, 3), in the world."""
        return np.asarray(points @ self.rotation.T + self.position)

    def to_local(self, points: Array) -> Array:
        """Return points of the world, shape (n, 3), in this frame."""
        return np.asarray((points - self.position) @ self.rotation)

    @property
    def tilt(self) -> float:
        """The angle between its own z axis and up, radians."""
        return math.acos(max(-1.0, min(1.0, float(self.rotation[2, 2]))))


@dataclass(frozen=True)
class HeightMap:
    """The columns of a solid in its own frame.

    Attributes:
        corner: x and y of the middle of cell (0, 0), metres.
        cell: Width of a cell, metres.
        top: Height of the upper side in each cell, shape (n, m); -inf where there is no solid.
        bottom: Height of the lower side; inf where there is no solid.
    """

    corner: tuple[float, float]
    cell: float
    top: Array
    bottom: Array

    def points(self, cells: npt.NDArray[np.bool_], heights: Array) -> Array:
        """Return the middles of `cells` at their `heights`, shape (n, 3)."""
        index = np.argwhere(cells)
        return np.column_stack([index * self.cell + np.array(self.corner), heights[cells]])

    @cached_property
    def cloud(self) -> Array:
        """Points all over its upper and lower side, shape (n, 3)."""
        # At an edge a ray may meet the solid from one side only.
        return np.vstack([self.points(np.isfinite(side), side) for side in (self.top, self.bottom)])

    def cells_of(self, points: Array) -> npt.NDArray[np.int_]:
        """Return the cell of each point, shape (n, 2); it may be outside of the map."""
        return np.asarray(np.rint((points[:, :2] - np.array(self.corner)) / self.cell), dtype=int)

    def look_up(self, cells: npt.NDArray[np.bool_], points: Array) -> npt.NDArray[np.bool_]:
        """Return for each point whether its column belongs to `cells`."""
        index = self.cells_of(points)
        inside = ((index >= 0) & (index < np.array(cells.shape))).all(axis=1)
        answer = np.zeros(len(points), bool)
        answer[inside] = cells[index[inside, 0], index[inside, 1]]
        return answer


def cast_rays(client: int, starts: Array, ends: Array, hit_number: int) -> tuple[npt.NDArray[np.int_], Array]:
    """Return what each ray meets at the given hit, counted from 0.

    PyBullet numbers the hits of a compound solid in no order along the ray, so a caller looks at all of them.

    Returns:
        Body and link, shape (n, 2), with body -1 where there is no such hit; and the places, shape (n, 3).
    """
    ids, places = [], []
    for first in range(0, len(starts), BATCH):
        rays = slice(first, first + BATCH)
        hits = p.rayTestBatch(
            starts[rays].tolist(), ends[rays].tolist(), reportHitNumber=hit_number, physicsClientId=client
        )
        ids += [hit[:2] for hit in hits]
        places += [hit[3] for hit in hits]
    return np.array(ids, int).reshape(-1, 2), np.array(places, float).reshape(-1, 3)


def _heights(client: int, part: tuple[int, int], frame: Frame, starts: Array, ends: Array) -> Array:
    """Return the height at which each vertical ray first meets a solid, nan where it does not."""
    nearer = np.fmax if starts[0, 2] > ends[0, 2] else np.fmin
    heights = np.full(len(starts), np.nan)
    waiting = np.arange(len(starts))
    world_starts, world_ends = frame.to_world(starts), frame.to_world(ends)
    for number in range(MOST_HITS):
        ids, places = cast_rays(client, world_starts[waiting], world_ends[waiting], number)
        own = (ids == part).all(axis=1)
        heights[waiting[own]] = nearer(heights[waiting[own]], frame.to_local(places[own])[:, 2])
        waiting = waiting[ids[:, 0] >= 0]
        if not len(waiting):
            break
    return heights


def measure_heights(client: int, body: int, link: int, frame: Frame, *, underside: bool = True) -> HeightMap | None:
    """Return the height map of a link (-1 for the base), or None for a ground plane or a link without a solid.

    Args:
        client: The physics client.
        body: The body.
        link: The link.
        frame: Where it is.
        underside: Whether its underside is measured; of furniture its lowest height is taken for all of it.
    """
    if not p.getCollisionShapeData(body, link, physicsClientId=client):
        return None
    low, high = (np.array(corner) for corner in p.getAABB(body, link, physicsClientId=client))
    if (high - low).max() > UNBOUNDED:
        return None
    corners = np.where(np.indices((2, 2, 2)).reshape(3, -1).T == 1, high, low)
    local = frame.to_local(corners)
    low, high = local.min(axis=0) - 0.003, local.max(axis=0) + 0.003
    cell = float(np.clip((high - low)[:2].max() / CELLS, NARROWEST, WIDEST))
    # One empty row of cells on every side: the outside, into which what is not enclosed would flow.
    count = np.ceil((high - low)[:2] / cell).astype(int) + 2
    corner = (low[:2] + high[:2]) / 2 - (count - 1) * cell / 2
    grid = np.indices((int(count[0]), int(count[1]))).reshape(2, -1).T * cell + corner
    above, below = (np.column_stack([grid, np.full(len(grid), z)]) for z in (high[2], low[2]))
    top = _heights(client, (body, link), frame, above, below).reshape(count)
    if not np.isfinite(top).any():
        return None
    bottom = np.where(np.isfinite(top), low[2] + 0.003, np.nan)
    if underside:
        bottom = _heights(client, (body, link), frame, below, above).reshape(count)
    return HeightMap(
        (float(corner[0]), float(corner[1])), cell, np.nan_to_num(top, nan=-np.inf), np.nan_to_num(bottom, nan=np.inf)
    )


class Bodies:
    """The named bodies of a client.

    Args:
        client: The physics client.
        names: The body of each name, or several.
        robot: The robot's name.
        ranges: The whole range of a door or drawer, in radians or metres, for joints that have no limits.
    """

    def __init__(
        self,
        client: int,
        names: Mapping[str, int | tuple[int, ...]],
        robot: str,
        ranges: Mapping[str, float] | None = None,
    ) -> None:
        if robot not in names:
            raise JudgeError(f"the robot {robot!r} is not among the names")
        self.client, self.robot = client, robot
        self.ids = {name: ids if isinstance(ids, tuple) else (ids,) for name, ids in names.items()}
        self.names = {body: name for name, ids in self.ids.items() for body in ids}
        masses = {n: p.getDynamicsInfo(ids[0], -1, physicsClientId=client)[0] for n, ids in self.ids.items()}
        self.movable = tuple(name for name, mass in masses.items() if mass > 0 and name != robot)
        self.fixed = tuple(name for name, mass in masses.items() if mass == 0 and name != robot)
        self._ranges = dict(ranges or {})

    def add(self, name: str, body: int) -> None:
        """Take in a movable thing that was not there before."""
        if name in self.ids:
            raise JudgeError(f"there is a {name!r} already")
        self.ids[name], self.names[body] = (body,), name
        self.movable = (*self.movable, name)

    def name_of(self, body: int) -> str:
        """Return the name of a body, or its number where it has none."""
        return self.names.get(body, f"body {body}")

    def links(self, name: str) -> list[tuple[int, int]]:
        """Return the bodies and links of a name; -1 is a base."""
        return [(b, k) for b in self.ids[name] for k in range(-1, p.getNumJoints(b, physicsClientId=self.client))]

    def frame(self, body: int, link: int = -1) -> Frame:
        """Return where the inertial frame of a link is, to which PyBullet's shapes are relative."""
        if link < 0:
            return Frame.of(*p.getBasePositionAndOrientation(body, physicsClientId=self.client))
        return Frame.of(*p.getLinkState(body, link, physicsClientId=self.client)[:2])

    def joint_shares(self, name: str) -> dict[str, float]:
        """Return how far each door and drawer of a piece of furniture is open, as a share of its whole range."""
        shares = {}
        for body in self.ids[name]:
            for link in range(p.getNumJoints(body, physicsClientId=self.client)):
                info = p.getJointInfo(body, link, physicsClientId=self.client)
                if info[2] in (p.JOINT_REVOLUTE, p.JOINT_PRISMATIC):
                    position = p.getJointState(body, link, physicsClientId=self.client)[0]
                    shares[info[1].decode()] = abs(position) / self._whole_range(name, body, info)
        return shares

    def _whole_range(self, name: str, body: int, info: Sequence[object]) -> float:
        link, kind, lower, upper = int(info[0]), info[2], float(info[8]), float(info[9])  # type: ignore[call-overload, arg-type]
        if name in self._ranges:
            return self._ranges[name]
        if lower < upper:
            return max(abs(lower), abs(upper))
        if kind == p.JOINT_REVOLUTE:
            return DOOR_RANGE
        low, high = (np.array(corner) for corner in p.getAABB(body, link, physicsClientId=self.client))
        axis = self.frame(body, link).rotation @ np.array(info[13], float)
        return DRAWER_SHARE * float(np.abs(axis) @ (high - low))
