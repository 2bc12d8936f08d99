"""Somebody who meddles with a run: what a row says is done when its moment has come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import pi
from typing import Any

import pybullet

from benchmarks import stagehand
from benchmarks.judge import Watch
from benchmarks.whole_runs.rows import Row
from robots.arrangement import hollow
from robots.pybullet import PyBulletRobot
from robots.pybullet.stagehand import push_door
from semantics.geometry.geometry import PlanarPose, to_world

__all__ = ["Meddler"]

OPENED = 0.75
"""From which share of its range on a door counts as open."""
ABOVE = 0.004
"""How far above a surface a thing is put down, in metres."""


class Meddler:
    """Does what a row says, once each or each time that its moment comes.

    Args:
        robot: The robot at work.
        row: The row.
        watch: What judges the run; it is told what is put elsewhere.

    Attributes:
        deeds: How many deeds were done.
    """

    def __init__(self, robot: PyBulletRobot, row: Row, watch: Watch) -> None:
        self.deeds = 0
        self._robot = robot
        self._watch = watch
        self._began = robot.clock.now()
        rows = [row.data] if "when" in row.data else [change for change in row.list_of("change") if "do" in change]
        for data in rows:
            robot.rig.errands.append(self._wait(data))

    def _wait(self, data: Mapping[str, Any]) -> Iterator[None]:
        """Do the deeds of a row whenever its moment has come: called at each control tick."""
        when = data.get("when") or {"seconds": 0}
        while True:
            while not self._is_time(when):
                yield
            until = self._robot.clock.now() + float(when.get("after", 0.0))
            while self._robot.clock.now() < until:
                yield
            for deed in data["do"]:
                yield from self._do(deed)
            if not data.get("repeat"):
                return
            while self._is_time(when) and "seconds" not in when:
                yield
            yield

    def _is_time(self, when: Mapping[str, Any]) -> bool:
        rig = self._robot.rig
        if "seconds" in when:
            return self._robot.clock.now() - self._began >= float(when["seconds"])
        if "holding" in when:
            return rig.held == str(when["holding"])
        return bool(rig.world.opening(when["open"]) >= OPENED)

    def _do(self, deed: Mapping[str, Any]) -> Iterator[None]:
        robot, world = self._robot, self._robot.rig.world
        name = next((str(deed[key]) for key in ("move", "tip_over", "push", "block") if key in deed), "")
        if "take_from_hand" in deed:
            name = robot.rig.held or ""
            if not name:
                return
        elif name and robot.rig.held == name:
            return  # it no longer stands where it would be taken from
        self.deeds += 1
        if name:
            self._watch.lift(name)
        if "shut" in deed:
            push_door(robot, deed["shut"], 0.0)
        elif "tip_over" in deed:
            yield from self._tip(name)
        elif "push" in deed:
            (x, y, z), (right, front) = world.pose(name)[0], deed["by"]
            x, y = to_world(PlanarPose(x, y, self._yaw_below(x, y)), front, right)
            stagehand.move_piece(robot, name, (x, y, z + ABOVE))
        else:
            self._put(name, deed["onto"], deed.get("offset", (0.0, 0.0)), int(deed.get("level", 0)))
        yield

    def _yaw_below(self, x: float, y: float) -> float:
        """Return the heading of the furniture under a point."""
        world = self._robot.rig.world
        pieces = (piece for piece in world.layout.furniture if piece.name in world.offered)
        return next((piece.pose.yaw for piece in pieces if world.offered[piece.name].box.above((x, y, 0.0))), 0.0)

    def _put(self, name: str, place: str, offset: Sequence[float], level: int) -> None:
        """Put a thing down, standing, at an offset from the middle of a surface, an interior or another thing."""
        world = self._robot.rig.world
        right, front = offset
        if place in world.offered:
            region = world.offered[place].region("on", level) or world.offered[place].region("in", level)
            assert region is not None, place
            (x, y, _), bottom = region.centre, region.high[2]
            if world.offered[place].region("on", level) is None:
                bottom = region.low[2]
            yaw = self._yaw_below(x, y)
        else:
            box = world.box(place)
            (x, y, _), bottom, yaw = box.centre, box.high[2], 0.0
            inner = hollow(world.shapes[place], box) if place in world.shapes else None
            bottom = bottom if inner is None else inner.low[2]
        x, y = to_world(PlanarPose(x, y, yaw), front, right)
        stagehand.move_piece(self._robot, name, (x, y, bottom + world.shapes[name].size[2] / 2 + ABOVE))

    def _tip(self, name: str) -> Iterator[None]:
        """Lay a thing on its side where it stands."""
        world = self._robot.rig.world
        (x, y, z), _ = world.pose(name)
        _, deep, high = world.shapes[name].size
        world.wake_near((x, y, z))
        lying = pybullet.getQuaternionFromEuler((pi / 2, 0.0, 0.0))
        world.place(name, (x, y, z - high / 2 + deep / 2 + ABOVE), lying)
        world.wake_near((x, y, z))
        yield
