"""The bodies that a name on the command line can stand for; a new one is one line here.

Language models are listed in `graftwork.language`, planners in `planning`, worlds are found as folders of `domains`. A
planner that is named plans in processes of its own; a program's own object plans where it is.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from graftwork.errors import RobotUnavailableError
from semantics.errors import UnknownNameError, UsageError
from semantics.protocols import Planner, Robot

if TYPE_CHECKING:
    from domains.model import Domain, SceneFile
    from planning.service import PlanningService

__all__ = ["AUTO", "FORMS", "ROBOTS", "SERVED", "body_named", "robot_for", "service_of"]

AUTO = "auto"
"""Stands for `pybullet` where the scene places its things, and for `symbolic` where it does not."""


SERVED = "served:"
"""What stands before the socket of a body that is held by a process of its own, see ``graftwork serve``."""


def _pybullet(_: Domain, scene: SceneFile) -> Robot:
    layout = scene.arrangement
    try:
        from robots.pybullet import PyBulletRobot
    except ImportError as error:
        raise RobotUnavailableError("pybullet", f"{error}; install the extra: pip install 'graftwork[sim]'") from error
    return PyBulletRobot(layout)


def _fake(_: Domain, scene: SceneFile) -> Robot:
    from robots.fake import FakeRobot

    return FakeRobot(scene.arrangement)


def _symbolic(domain: Domain, scene: SceneFile) -> Robot:
    from graftwork.setup.model_body import symbolic_robot

    return symbolic_robot(domain, scene)


def _served(socket: str) -> Robot:
    from robots.served import ServedRobot

    if not socket:
        raise UsageError("robot 'served:': say at which socket, such as served:/tmp/body")
    return ServedRobot(Path(socket))


ROBOTS: dict[str, Callable[[Domain, SceneFile], Robot]] = {
    "pybullet": _pybullet,
    "fake": _fake,
    "symbolic": _symbolic,
}


FORMS = (*ROBOTS, f"{SERVED}SOCKET")
"""What a body can be named by."""


def body_named(robot: str, scene: SceneFile) -> str:
    """Return the name of the body that `robot` stands for in `scene`."""
    if robot != AUTO:
        return robot
    return "symbolic" if scene.layout is None else "pybullet"


def robot_for(robot: str | Robot, domain: Domain, scene: SceneFile) -> Robot:
    """Build the body that a name stands for in a scene; a body of one's own is taken as it is.

    Raises:
        UsageError: It is neither a name nor a body, or needs a layout that the scene has not.
        UnknownNameError: No such body.
        RobotUnavailableError: Its simulator or driver is not there.
    """
    if not isinstance(robot, str):
        if not isinstance(robot, Robot):
            raise UsageError(f"{robot!r} is no body: it lacks methods of semantics.protocols.Robot")
        return robot
    name = body_named(robot, scene)
    if name.startswith(SERVED):
        return _served(name.removeprefix(SERVED))
    if name not in ROBOTS:
        raise UnknownNameError("robot", name, FORMS)
    return ROBOTS[name](domain, scene)


def service_of(planner: str | Planner | PlanningService) -> PlanningService:
    """Return the planning service that a planner stands for; a service is taken as it is.

    Raises:
        UsageError: It is neither a name, nor a planner, nor a service.
        UnknownNameError: No such planner.
    """
    from planning.service import InProcess, OwnProcess, PlanningService

    if isinstance(planner, str):
        return OwnProcess(planner)
    if isinstance(planner, PlanningService):
        return planner
    if not isinstance(planner, Planner):
        raise UsageError(f"{planner!r} is no planner: it lacks methods of semantics.protocols.Planner")
    return InProcess(planner)
