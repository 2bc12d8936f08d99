"""`wipe`: move a wet thing over the free top of a surface, lane by lane, and measure how much of it was touched.

The top is divided into cells. Free are those that nothing stands on. Rows of places of the tool are tested in the
mirror, each with one posture of the arm, which the base carries along; what the tool covers from the free ones is in
reach. Of their lanes, those that cover most are wiped, until nothing is left. A cell counts as touched when it is
between points in which the tool was in contact with the top at once. Metres, radians and seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from math import atan2, cos, pi, sin
from typing import Final, NamedTuple

import numpy as np
import pybullet
from numpy.typing import NDArray

from robots.pybullet.description import BASE, LIFT, YAW, Configuration
from robots.pybullet.kinematics import posture, reach_of
from robots.pybullet.manipulation.grasps import Matrix
from robots.pybullet.manipulation.level import hand_pace
from robots.pybullet.manipulation.place import lower
from robots.pybullet.manipulation.reach import Aim, Station, raised, stances, station, way, withdraw
from robots.pybullet.manipulation.spots import standing, targets
from robots.pybullet.manipulation.work import check_fact
from robots.pybullet.mirror import AIR, FINGERS
from robots.pybullet.motion import ArmPath, Failed, Steps, halt
from robots.pybullet.rig import Rig
from robots.pybullet.scenery.world import PopulatedRoom
from robots.pybullet.turns import spend
from semantics.geometry.solids import Point, Solid
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code

CELL: Final = 0.02
CELL_COST: Final = 0.1  # what it costs to look whether a cell is free, in tests of a posture in the mirror
GAP: Final = 0.001  # the height of the tool over the surface in the tested postures
ABOVE: Final = 0.008  # the height over the surface from which the tool is lowered until it touches
CONTACT, BESIDE = 0.001, 0.005
"""The largest distance of a point of contact, and how far beyond those points the tool touches."""
DIRECTIONS: Final = np.array([(cos(angle), sin(angle)) for angle in np.arange(32) * pi / 16]).T
"""Directions on the map, as columns, in which the extent of the points of contact is measured."""
PRESSED, PRESSING_SPEED = 0.005, 0.03
"""How far the tool is pressed down at most after an edge of it touches, and how fast, in metres (a second)."""
CLEAR: Final = 0.015
"""How far down the arm has room in a posture in which it wipes, in metres: to level the tool turns its hand."""
HOPS: Final = (0.05, 0.15, 0.3)  # how far the hand is raised on its way from one lane to the next
STANCES: Final = 6
LEAST: Final = 4  # the fewest cells for which a lane is wiped
ROUNDS: Final = 2
AROUND: Final = 0.2  # the distance from the surface up to which the arm keeps away from things
REACHED, FREE = 0.9, 0.5  # the least shares of what is in reach and of the free top for a surface to be clean

Mask = NDArray[np.bool_]


class _Lane(NamedTuple):
    """A lane: the postures at its ends, and the cells that the tool covers."""

    ends: tuple[Configuration, Configuration]
    cells: Mask


def wipe(rig: Rig, name: str, target: str, at: str, *, share: float = 100 * FREE) -> Steps:
    """Wipe the free top of a surface with the held thing.

    Args:
        rig: The robot.
        name: What is held.
        target: The surface.
        at: The place of work.
        share: The least share of the free top, in percent.

    Raises:
        Failed: It is not held (`dropped`) or not wet (`precondition`); nothing of the top is free (`no-room`), or too
            little of it in reach (`out-of-reach`); or too little of it was touched (`effect-missing`).
    """
    check_fact(rig, Atom("wet", (name,)))
    rig.holding(name)
    home = station(rig, at)
    yield from withdraw(rig, None)
    top, least = (yield from rig.find(partial(_Top, rig, name, target))), max(share, 100 * FREE)
    lanes = yield from rig.find(partial(_find_lanes, rig, top, home))
    reachable = np.logical_or.reduce([lane.cells for lane in lanes], initial=False) & top.free
    if (part := reachable.sum() / top.free.sum()) < FREE:
        how = f"Take what stands on {target} away, or grasp {name} by another side."
        why = f"{name} reaches {part:.0%} of its free top, and {FREE:.0%} are the least."
        raise Failed(Code.OUT_OF_REACH, target, why, (target,), how)
    for _ in range(ROUNDS):
        for lane in _chosen(lanes, reachable & ~top.touched):
            yield from _stroke(rig, top, lane)
    yield from rig.move(raised(rig.description, rig.now(), HOPS[0]), pace=0.7)
    yield from withdraw(rig, home.stand)
    of_free, of_reached = top.touched.sum() / top.free.sum(), (top.touched & reachable).sum() / reachable.sum()
    rig.measure(Atom("wiped", (target,)), round(100.0 * float(of_free), 1))
    if of_reached < REACHED or 100.0 * of_free < least:
        why = f"{of_free:.0%} of its free top were wiped, and {of_reached:.0%} of what {name} reaches;"
        why = f"{why} {least:.0f}% and {REACHED:.0%} are the least."
        how = f"Take what stands on {target} away first."
        raise Failed(Code.EFFECT_MISSING, target, why, (target,), how)
    rig.become(Atom("clean", (target,)))


class _Top:
    """The top of a surface, in cells.

    Attributes:
        name: The tool.
        target: The surface.
        region: Its top.
        points: The middles of the cells on the map, one a row.
        free: Which cells nothing stands on, as seen from above.
        touched: Which cells the tool has touched.
    """

    def __init__(self, rig: Rig, name: str, target: str) -> None:
        regions = targets(rig.world, target, "on")
        if not regions:
            raise Failed(Code.REFUSED_BY_BODY, target, "it has no top.", (target,), "Wipe a piece of furniture.")
        self._rig, self.name, self.target, self.region = rig, name, target, regions[0]
        ahead, aside = (np.arange(CELL / 2 - half, half, CELL) for half in (self.region.ahead, self.region.aside))
        self.rows = [np.array([self._on_map(u, v) for v in aside]) for u in ahead]
        self.points = np.concatenate(self.rows)
        boxes, surface = {each: rig.world.box(each) for each in rig.world.shapes if each != name}, rig.world.box(target)
        above = {each: box for each, box in boxes.items() if box.low[2] > self.region.top - CELL}
        solids = [standing(rig.world, each) for each, box in above.items() if box.distance(surface) < AROUND]
        self.free = np.array([_is_free(point, solids) for point in self.points])
        self.touched = np.zeros_like(self.free)
        if not self.free.any():
            raise Failed(Code.NO_ROOM, target, "nothing of its top is free.", (target,), f"Clear {target} first.")

    def _on_map(self, u: float, v: float) -> tuple[float, float]:
        c, s = cos(self.region.yaw), sin(self.region.yaw)
        return self.region.x + c * u - s * v, self.region.y + s * u + c * v

    def under(self, world: PopulatedRoom) -> Mask:
        """Return the cells under the tool."""
        position, axes = world.pose(self.name)[0], world.axes(self.name)
        half = np.array(world.shapes[self.name].size) / 2
        down = int(np.argmax(np.abs(axes[2])))
        across = [axis for axis in range(3) if axis != down]
        local = (self.points - position[:2]) @ axes[:2, across]
        found: Mask = np.all(np.abs(local) < half[across], axis=1)
        return found

    def normal(self, world: PopulatedRoom) -> Matrix:
        """Return the direction that is up for the tool as it lies."""
        axes = world.axes(self.name)
        up: Matrix = axes[:, int(np.argmax(np.abs(axes[2])))]
        return up if up[2] > 0.0 else -up

    def touch(self) -> Mask:
        """Note which cells the tool touches now, those between its points of contact, and return them."""
        world = self._rig.world
        bodies = world.body(self.name), world.body(self.target)
        contacts = pybullet.getContactPoints(*bodies, physicsClientId=world.client)
        points = np.array([point[6][:2] for point in contacts if point[8] < CONTACT])
        if not len(points):
            return np.zeros_like(self.touched)
        now: Mask = np.all(self.points @ DIRECTIONS < (points @ DIRECTIONS).max(axis=0) + BESIDE, axis=1)
        self.touched |= now
        return now


def _is_free(point: Point, solids: Sequence[Solid]) -> bool:
    """Return whether nothing covers a point on the map."""
    spend(CELL_COST)
    return not any(solid.covers(point) for solid in solids)


def _find_lanes(rig: Rig, top: _Top, where: Station) -> list[_Lane]:
    """Return the lanes that are free of everything that stands on the top."""
    reach, lanes = rig.reach(), list[_Lane]()
    facing = where.stand.yaw if where.stand else float(rig.now()[2])
    assert rig.grip is not None  # `wipe` has looked
    ahead, aside, below = rig.mirror.held_at(rig.now(), rig.grip, facing)
    for row in top.rows:
        x, y = (float(value) for value in row[len(row) // 2])
        aim = Aim((x - ahead, y - aside, top.region.top + GAP + below), facing, reach.phi, reach.roll)
        free = (stance for stance in stances(rig.description, aim, where) if _has_air(rig, stance))
        found = [_lanes_in(rig, top, row, stance) for stance in islice(free, STANCES)]
        lanes += max(found, key=lambda each: sum(int(lane.cells.sum()) for lane in each), default=[])
    return lanes


def _has_air(rig: Rig, stance: Configuration) -> bool:
    """Return whether the arm stays clear of furniture while the tool, and the fingers with it, is pressed down."""
    with rig.mirror.without(rig.world.shapes):
        rig.mirror.gaps(raised(rig.description, stance, -CLEAR))
        return rig.mirror.clashing_links() <= FINGERS


def _lanes_in(rig: Rig, top: _Top, row: Matrix, stance: Configuration) -> list[_Lane]:
    """Return the lanes of a row of places of the tool, with the base moved along and the arm as in a stance."""
    lanes: list[_Lane] = []
    is_going_on = False
    for aside in row - row[len(row) // 2]:
        place = stance.copy()
        place[:2] += aside
        gaps = rig.mirror.gaps(place, rig.grip, AIR)
        if any(gap < (0.0 if other == top.target else AIR) for other, gap in gaps.items()):
            is_going_on = False
            continue
        cells = top.under(rig.mirror.world)
        if is_going_on:
            start, before = lanes.pop()
            lanes.append(_Lane((start[0], place), before | cells))
        else:
            lanes.append(_Lane((place, place), cells))
        is_going_on = True
    return lanes


def _chosen(lanes: list[_Lane], wanted: Mask) -> Iterator[_Lane]:
    """Yield lanes that cover the wanted cells, row by row, every other one backwards."""
    chosen: list[int] = []
    left = wanted.copy()
    while left.any():
        gains = [int((lane.cells & left).sum()) for lane in lanes]
        best = int(np.argmax(gains))
        if gains[best] < LEAST:
            break
        chosen.append(best)
        left &= ~lanes[best].cells
    for number, index in enumerate(sorted(chosen)):
        lane = lanes[index]
        yield lane if number % 2 == 0 else lane._replace(ends=lane.ends[::-1])


def _stroke(rig: Rig, top: _Top, lane: _Lane) -> Steps:
    """Bring the tool to the nearer end of a lane, press it down, and draw it to the other end."""
    path = yield from rig.find(partial(_hop, rig, lane.ends[0]))
    if path is None:
        return
    yield from rig.travel(path, pace=0.8)
    ends = [_levelled(rig, top, end) for end in lane.ends]
    yield from rig.move(raised(rig.description, ends[0], ABOVE), pace=0.6)
    yield from lower(rig, top.name)
    yield from _press(rig, top)
    for end in ends:
        end[LIFT] = max(rig.now()[LIFT], rig.description.column[0])
    for fraction in rig.move(*ends, pace=0.4):
        top.touch()
        yield fraction


def _press(rig: Rig, top: _Top) -> Steps:
    """Press the tool down until it lies flat: an edge of it touches first."""
    flat = top.under(rig.world)
    way = raised(rig.description, rig.now(), -PRESSED)
    for _ in rig.move(way, pace=hand_pace(rig, [way], PRESSING_SPEED)):
        if not (flat & ~top.touch()).any():
            break
        yield 0.7
    yield from halt(rig.chassis)


def _levelled(rig: Rig, top: _Top, posture_at: Configuration) -> Configuration:
    """Return a posture with the hand pitched such that the underside of the tool is level: strokes turn it a little."""
    reach, ahead = reach_of(rig.description, posture_at), float(posture_at[YAW])
    up = top.normal(rig.world)
    lean = atan2(up[0] * cos(ahead) + up[1] * sin(ahead), up[2])
    arm = posture(rig.description, reach._replace(phi=reach.phi - lean), float(posture_at[LIFT]))
    if arm is None:
        return posture_at.copy()
    arm[-1] = posture_at[-1]
    return np.concatenate([posture_at[:BASE], arm])


def _hop(rig: Rig, goal: Configuration) -> ArmPath | None:
    """Return the path to the start of a lane, over what stands between; None if there is none."""
    now = rig.now()
    for height in HOPS:
        ways = [raised(rig.description, now, height), raised(rig.description, goal, height)]
        if not rig.mirror.path_clashes([now, *ways, goal], rig.grip, air=AIR):
            return ArmPath(tuple(ways))
    path = way(rig, raised(rig.description, goal, HOPS[0]))
    return None if isinstance(path, frozenset) else path
