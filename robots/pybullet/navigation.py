"""Paths around furniture: A* on a grid of clearances, then shortcuts to few straight legs.

The base is round and moves in every direction, so a cell is free if all obstacles are farther away than the radius of
the base. The arm travels above tables and counters, so only tall obstacles need more room. A cell near an obstacle is
expensive rather than forbidden, so that the base can leave the front of a counter.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from math import cos, hypot, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robots.leaves import DOOR_THICKNESS
from robots.pybullet.scenery.carpentry import HAND_REACH, HAND_SIZE
from robots.pybullet.scenery.world import PopulatedRoom
from robots.pybullet.turns import spend
from semantics.geometry.geometry import PlanarPose, to_world

CELL = 0.05
MARGIN = 0.03  # clearance of the base from all obstacles, in metres
COMFORT = 0.12  # clearance from which on a cell costs nothing extra, in metres
CARRIED = 0.26  # room that the travelling arm needs beyond the base, near obstacles of its height, in metres
TALL = 0.95  # height from which an obstacle reaches the travelling arm, in metres
AJAR = 0.02  # how far a drawer is out from where on it is an obstacle, in metres
CELL_COST, CLEARANCE_COST, POINT_COST = 0.05, 0.4, 0.002
"""What a cell costs to expand, and clearances to compute, in all and for each point, in tests of a posture."""
LOW = 0.35  # movable objects lower than this are obstacles for the base, in metres

Grid = NDArray[np.float64]
Cell = tuple[int, int]


class FloorObstacle(NamedTuple):
    """A rectangle on the floor: its pose, half its extents ahead and aside, and the extra room that the arm needs.

    `name` is what it belongs to, and `door` whether it is the door of that, or an open drawer.
    """

    x: float
    y: float
    yaw: float
    ahead: float
    aside: float
    room: float = 0.0
    name: str = ""
    door: bool = False

    def distance(self, x: Grid | float, y: Grid | float) -> Grid:
        """Return the distances of points to the rectangle, 0 inside, in metres."""
        c, s = cos(self.yaw), sin(self.yaw)
        u = np.abs(c * (x - self.x) + s * (y - self.y)) - self.ahead
        v = np.abs(-s * (x - self.x) + c * (y - self.y)) - self.aside
        return np.hypot(np.maximum(u, 0.0), np.maximum(v, 0.0))


def obstacles(world: PopulatedRoom, held: str | None = None) -> list[FloorObstacle]:
    """Return all obstacles on the floor: furniture, doors, persons with their hands, and low objects."""
    rectangles: list[FloorObstacle] = []
    for name, item in world.furniture.items():
        if name not in world.bodies:
            continue
        if item.part_of:
            rectangles.extend(_drawer(world, name))
            continue
        room = CARRIED if item.size[2] > TALL else 0.0
        pose = item.pose
        rectangles.append(FloorObstacle(pose.x, pose.y, pose.yaw, item.size[1] / 2, item.size[0] / 2, room, name))
        rectangles.extend(_leaf(world, name, link) for link in range(len(world.leaves[name])))
    for name, person in world.persons.items():
        pose = person.pose
        reach = HAND_REACH + HAND_SIZE[0] / 2
        rectangles.append(FloorObstacle(pose.x, pose.y, pose.yaw, 0.13, 0.23, CARRIED, name))
        middle = (pose.x + reach / 2 * cos(pose.yaw), pose.y + reach / 2 * sin(pose.yaw))
        rectangles.append(FloorObstacle(*middle, pose.yaw, reach / 2, HAND_SIZE[1] / 2, name=name))
    rectangles.extend(_litter(world, held))
    return rectangles


def _leaf(world: PopulatedRoom, name: str, link: int) -> FloorObstacle:
    item, leaf = world.furniture[name], world.leaves[name][link]
    half, angle = leaf.width / 2, world.door_angle(name, link)
    x, y = to_world(item.pose, item.size[1] / 2, leaf.y)
    along = item.pose.yaw + leaf.side * angle
    return FloorObstacle(
        x + leaf.side * half * sin(along),
        y - leaf.side * half * cos(along),
        along,
        DOOR_THICKNESS / 2 + 0.03,
        half,
        CARRIED / 2,
        name,
        door=True,
    )


def _drawer(world: PopulatedRoom, name: str) -> Iterator[FloorObstacle]:
    """Yield what sticks out of its cabinet of an open drawer."""
    item, out = world.furniture[name], world.door_angle(name)
    if out > AJAR:
        x, y = to_world(item.pose, (item.size[1] + out) / 2, 0.0)
        yield FloorObstacle(x, y, item.pose.yaw, out / 2, item.size[0] / 2, name=name, door=True)


def _litter(world: PopulatedRoom, held: str | None) -> Iterator[FloorObstacle]:
    """Yield the movable objects on the floor."""
    for name in (name for name in world.shapes if name != held):
        box = world.box(name)
        x, y, _ = box.centre
        inside = any(offered.box.above((x, y, 0.0)) for offered in world.offered.values())
        if box.low[2] < LOW and not inside:
            yield FloorObstacle(x, y, 0.0, box.size[0] / 2, box.size[1] / 2, name=name)


def clearance(obstacles: list[FloorObstacle], radius: float, x: Grid | float, y: Grid | float) -> Grid:
    """Return the clearance of a round base at points, in metres; negative where it would collide."""
    if not obstacles:
        return np.full(np.shape(x), 9.0)
    spend(CLEARANCE_COST + POINT_COST * np.size(x))
    keep, away = radius + MARGIN, [obstacle.distance(x, y) for obstacle in obstacles]
    touch = np.minimum.reduce(away) - keep
    room = np.minimum.reduce([each - one.room for each, one in zip(away, obstacles, strict=True)]) - keep
    # Only a collision of the base itself is negative; a lack of room for the arm alone is small but positive.
    free: Grid = np.where(touch < 0.0, touch, np.maximum(room, 0.001))
    return free


def route(
    obstacles: list[FloorObstacle], radius: float, start: PlanarPose, goal: PlanarPose
) -> list[tuple[float, float]] | None:
    """Return the corners of a path of a round base from `start` to `goal`, both included, or None if there is none."""
    xs = [start.x, goal.x, *(obstacle.x for obstacle in obstacles)]
    ys = [start.y, goal.y, *(obstacle.y for obstacle in obstacles)]
    left, bottom = min(xs) - 1.0, min(ys) - 1.0
    shape = (int((max(xs) + 1.0 - left) / CELL) + 1, int((max(ys) + 1.0 - bottom) / CELL) + 1)
    x, y = np.meshgrid(left + CELL * np.arange(shape[0]), bottom + CELL * np.arange(shape[1]), indexing="ij")
    room = clearance(obstacles, radius, x, y)

    def cell(pose: PlanarPose) -> Cell:
        return round((pose.x - left) / CELL), round((pose.y - bottom) / CELL)

    cells = _search(room, cell(start), cell(goal))
    if cells is None:
        return None
    points = [(left + CELL * i, bottom + CELL * j) for i, j in cells[1:-1]]
    return _straightened(obstacles, radius, [(start.x, start.y), *points, (goal.x, goal.y)])


STEPS = [(i, j, hypot(i, j)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]


def _search(room: Grid, start: Cell, goal: Cell) -> list[Cell] | None:
    """Return the cheapest path over a grid of clearances, found with A*, or None.

    A cell in collision costs so much that a path uses it only to leave the start.
    """
    price = 1.0 + 6.0 * np.clip((COMFORT - room) / COMFORT, 0.0, 1.0) + np.where(room < 0.0, 60.0, 0.0)
    blocked = room < -0.12
    queue: list[tuple[float, Cell]] = [(0.0, start)]
    spent: dict[Cell, float] = {start: 0.0}
    origin: dict[Cell, Cell] = {}
    while queue:
        spend(CELL_COST)
        _, cell = heapq.heappop(queue)
        if cell == goal:
            return _backwards(origin, goal)
        for i, j, length in STEPS:
            neighbour = (cell[0] + i, cell[1] + j)
            if not (0 <= neighbour[0] < room.shape[0] and 0 <= neighbour[1] < room.shape[1]):
                continue
            # A path may leave a blocked area in which it starts, but never enter one.
            if blocked[neighbour] and neighbour != goal and not blocked[cell]:
                continue
            cost = spent[cell] + length * float(price[neighbour])
            if cost < spent.get(neighbour, np.inf):
                spent[neighbour], origin[neighbour] = cost, cell
                heapq.heappush(queue, (cost + hypot(goal[0] - neighbour[0], goal[1] - neighbour[1]), neighbour))
    return None


def _backwards(origin: dict[Cell, Cell], goal: Cell) -> list[Cell]:
    cells = [goal]
    while cells[-1] in origin:
        cells.append(origin[cells[-1]])
    return cells[::-1]


def _straightened(
    obstacles: list[FloorObstacle], radius: float, points: list[tuple[float, float]]
) -> list[tuple[float, float]]:
    """Leave out the corners that a straight leg with the same clearance can skip."""
    corners, i = [points[0]], 0
    while i < len(points) - 1:
        j = len(points) - 1
        while j > i + 1 and not _as_roomy(obstacles, radius, points[i : j + 1]):
            j -= max(1, (j - i) // 8)
        j = max(j, i + 1)
        corners.append(points[j])
        i = j
    return corners


def _as_roomy(obstacles: list[FloorObstacle], radius: float, points: list[tuple[float, float]]) -> bool:
    (ax, ay), (bx, by) = points[0], points[-1]
    t = np.linspace(0.0, 1.0, max(2, int(hypot(bx - ax, by - ay) / CELL)))
    straight = clearance(obstacles, radius, ax + t * (bx - ax), ay + t * (by - ay)).min()
    corners = np.array(points)
    needed = min(COMFORT, float(clearance(obstacles, radius, corners[:, 0], corners[:, 1]).min()))
    return bool(straight >= needed - 0.01)
