"""The bodies that a name on the command line can stand for; a new one is one line here.

Language models are listed in `graftwork.language`, planners in `planning`, worlds are found as folders of `domains`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graftwork.errors import RobotUnavailableError
from semantics.errors import UnknownNameError, UsageError
from semantics.protocols import Robot

if TYPE_CHECKING:
    from semantics.layout import Layout

__all__ = ["ROBOTS", "robot_for"]


def _pybullet(layout: Layout) -> Robot:
    try:
        from robots.pybullet import PyBulletRobot
    except ImportError as error:
        raise RobotUnavailableError("pybullet", f"{error}; install the extra: pip install 'graftwork[sim]'") from error
    return PyBulletRobot(layout)


def _fake(layout: Layout) -> Robot:
    from robots.fake import FakeRobot

    return FakeRobot(layout)


ROBOTS: dict[str, Callable[[Layout], Robot]] = {"pybullet": _pybullet, "fake": _fake}


def robot_for(robot: str | Robot, layout: Layout) -> Robot:
    """Build the body that a name stands for in `layout`; a body of one's own is taken as it is.

    Raises:
        UsageError: It is neither a name nor a body.
        UnknownNameError: No such body.
        RobotUnavailableError: Its simulator or driver is not there.
    """
    if not isinstance(robot, str):
        if not isinstance(robot, Robot):
            raise UsageError(f"{robot!r} is no body: it lacks methods of semantics.protocols.Robot")
        return robot
    if robot not in ROBOTS:
        raise UnknownNameError("robot", robot, ROBOTS)
    return ROBOTS[robot](layout)
