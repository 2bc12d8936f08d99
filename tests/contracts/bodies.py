"""Every body that the conformance suites run over, each made by naming itself here."""

import importlib
import importlib.util
import tempfile
from collections.abc import Callable
from dataclasses import replace
from math import pi
from pathlib import Path

import pytest

from benchmarks.mishaps import Faulty, RoomHands
from robots.fake import FakeRobot
from robots.furniture import fittings
from robots.lease import Lease
from robots.served import BodyServer, ServedRobot
from semantics.body.layout import Furniture, Layout, MovableObject, Person, RobotStart, Shape
from semantics.body.protocols import Robot
from semantics.geometry.geometry import PlanarPose
from semantics.logic.state import Command

LAYOUT = Layout(
    RobotStart("robot0", PlanarPose(0.0, 0.0, 0.0)),
    (
        Furniture("table0", "table", PlanarPose(1.9, 0.2, pi), (1.2, 0.6, 0.72)),
        Furniture("fridge0", "fridge", PlanarPose(1.2, -1.9, pi / 2), (0.6, 0.55, 1.2)),
    ),
    (
        MovableObject("juice0", Shape("box", (0.062, 0.062, 0.165), 0.4), "on", "table0", (0.0, 0.1)),
        MovableObject("cup0", Shape("cylinder", (0.066, 0.066, 0.085), 0.18), "on", "table0", (0.4, 0.1)),
        MovableObject("milk0", Shape("box", (0.065, 0.065, 0.18), 0.5), "in", "fridge0", (-0.1, 0.06), level=1),
    ),
    (Person("human0", PlanarPose(-1.8, -1.2, pi / 4)),),
)


def _pybullet(layout: Layout) -> Robot:
    pytest.importorskip("pybullet")
    module = importlib.import_module("robots.pybullet")
    if not hasattr(module, "PyBulletRobot"):
        pytest.skip("robots.pybullet has no PyBulletRobot")
    return module.PyBulletRobot(layout)


class _Served(ServedRobot):
    """The fake in the hands of a server; the server goes with the body."""

    def __init__(self, layout: Layout) -> None:
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name, "body")
        self._server = BodyServer(FakeRobot(layout), path).__enter__()
        super().__init__(path)

    def close(self) -> None:
        super().close()
        self._server.close()
        self._folder.cleanup()


def _faulty(layout: Layout) -> Robot:
    fake = FakeRobot(layout)
    return Faulty(fake, RoomHands(fake), 0, {})


def _leased(layout: Layout) -> Robot:
    lease = Lease(FakeRobot(layout), "a test", lambda reason: None)
    lease.take()
    return lease


def _fixed(layout: Layout) -> Robot:
    """Return an arm on a fixed base, where the robot of the layout would stand at the table."""
    pose = fittings(layout.furniture[0]).stand
    return _pybullet(replace(layout, robot=RobotStart(layout.robot.name, pose, "panda-fixed")))


BODIES: dict[str, Callable[[Layout], Robot]] = {
    "fake": FakeRobot,
    "faulty": _faulty,
    "leased": _leased,
    "pybullet": _pybullet,
    "pybullet fixed": _fixed,
    "served": _Served,
}
MOBILE = tuple(name for name in BODIES if name != "pybullet fixed")
"""The bodies that drive."""
FIRST: dict[str, Command] = {
    **dict.fromkeys(MOBILE, Command("drive", "robot0", {"to": "table0"})),
    "pybullet fixed": Command("pick", "robot0", {"object": "juice0", "source": "table0", "at": "table0"}),
}
"""A motion that each body can do at the start."""
