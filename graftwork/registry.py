"""The bodies that a name on the command line can stand for; a new one is one line here.

Language models are listed in `graftwork.language`, planners in `planning`, worlds are found as folders of `domains`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from graftwork.errors import RobotUnavailableError
from semantics.errors import UnknownNameError

if TYPE_CHECKING:
    from semantics.layout import Layout
    from semantics.protocols import Robot

__all__ = ["ROBOTS", "robot_from_name"]


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


def robot_from_name(name: str, layout: Layout) -> Robot:
    """Build the body that `name` stands for in `layout`.

    Raises:
        UnknownNameError: No such body.
        RobotUnavailableError: Its simulator or driver is not there.
    """
    if name not in ROBOTS:
        raise UnknownNameError("robot", name, ROBOTS)
    return ROBOTS[name](layout)
