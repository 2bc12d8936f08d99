"""The bodies by their names on the command line; a new one needs one line in `ROBOTS`.

`graftwork.language` lists the language models and `planning` the planners; worlds are folders of `domains`. A planner
given by name plans in separate processes; a planner object plans in this process.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from graftwork.errors import RobotUnavailableError
from semantics.body.foreign import guarded
from semantics.errors import UnknownNameError, UsageError, known_name

if TYPE_CHECKING:
    from domains.model import Domain, SceneFile
    from planning.service import PlanningService
    from semantics.body.primitive import Primitive
    from semantics.body.protocols import Planner, Robot

AUTO = "auto"  # means `pybullet` if the scene has poses, else `symbolic`


SERVED = "served:"  # prefix of the socket of a body that runs in a separate process, see ``graftwork serve``


def _missing_simulator(error: ImportError) -> RobotUnavailableError:
    return RobotUnavailableError("pybullet", f"{error}; install the extra: pip install 'graftwork[sim]'")


def _pybullet(domain: Domain, scene: SceneFile) -> Robot:
    from graftwork.setup.model_body import numeric_model

    layout = scene.arrangement
    try:
        from robots.pybullet import PyBulletRobot
    except ImportError as error:
        raise _missing_simulator(error) from error
    return PyBulletRobot(layout, numeric_model(domain, scene))


def _fake(domain: Domain, scene: SceneFile) -> Robot:
    from graftwork.setup.model_body import numeric_model
    from robots.fake import FakeRobot

    return FakeRobot(scene.arrangement, numeric=numeric_model(domain, scene))


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


FORMS = (*ROBOTS, f"{SERVED}SOCKET", "MODULE:CLASS")  # the valid names of bodies


def body_named(robot: str, scene: SceneFile) -> str:
    """Return the name of the body that `robot` means in `scene`."""
    if robot != AUTO:
        return robot
    return "symbolic" if scene.layout is None else "pybullet"


def kind_of(name: str) -> str:
    """Return the kind of a body by its name: without the socket of a served one, or the module of one's own."""
    return name.rpartition(":")[2] if is_class(name) else name.partition(":")[0]


def primitives_of(robot: str) -> Mapping[str, Primitive] | None:
    """Return the motion primitives of a body by its name; None if it takes those of any world.

    Only a body of the user's, ``module:Class``, is created for this, and closed.

    Raises:
        UsageError: It is served: only its server knows them.
        UnknownNameError: There is no such body.
        RobotUnavailableError: Its simulator is not installed.
    """
    if robot.startswith(SERVED):
        raise UsageError(f"robot {robot}: only its server knows its primitives; name the body that it serves")
    if robot not in ROBOTS and is_class(robot):
        return _told_by(_of_user(robot))
    if robot not in ROBOTS:
        raise UnknownNameError("robot", robot, ROBOTS)
    if robot == "fake":
        from robots.primitives import PRIMITIVES

        return PRIMITIVES
    if robot == "pybullet":
        try:
            from robots.pybullet.robot import primitives
        except ImportError as error:
            raise _missing_simulator(error) from error
        return primitives()
    return None


def _of_user(name: str) -> Robot:
    """Create the body that a class of the user's is."""
    from semantics.body.protocols import Robot  # the command line names the bodies, and starts without it

    with guarded(lambda why: UsageError(f"robot {name}: it cannot be made without arguments ({why})")):
        made = made_by(name)()
        if not isinstance(made, Robot):
            raise UsageError(
                f"robot {name}: it lacks methods of semantics.body.protocols.Robot; try graftwork check {name}"
            )
        return made


def _told_by(body: Robot) -> Mapping[str, Primitive] | None:
    """Return the motion primitives that a body tells, and close it."""
    from semantics.body.primitive import Primitive
    from semantics.body.protocols import LimitedMotion

    try:
        told = body.primitives if isinstance(body, LimitedMotion) else None
        return told if told is None or isinstance(told, Mapping) else {name: Primitive("") for name in told}
    finally:
        body.close()


def robot_for(robot: str | Robot, domain: Domain, scene: SceneFile) -> Robot:
    """Create the body with a name in a scene; return a body object unchanged.

    Raises:
        UsageError: It is neither a name nor a body, or it needs a layout that the scene does not have.
        UnknownNameError: There is no such body.
        RobotUnavailableError: Its simulator or driver is not available.
    """
    from semantics.body.protocols import Robot

    if not isinstance(robot, str):
        if not isinstance(robot, Robot):
            raise UsageError(f"{robot!r} is no body: it lacks methods of semantics.body.protocols.Robot")
        return robot
    name = body_named(robot, scene)
    if name.startswith(SERVED):
        return _served(name.removeprefix(SERVED))
    if name not in ROBOTS and is_class(name):
        return _of_user(name)
    if name not in ROBOTS:
        raise UnknownNameError("robot", name, FORMS)
    return ROBOTS[name](domain, scene)


def service_of(planner: str | Planner | PlanningService, memory: int | None = None) -> PlanningService:
    """Return the planning service of a planner; return a service unchanged.

    A planner given by its name may use `memory` MiB for one plan; by default as much as the setting says.

    Raises:
        UsageError: It is neither a name, nor a planner, nor a service.
        UnknownNameError: There is no such planner.
    """
    from planning.service import OwnProcess, PlanningService

    if isinstance(planner, str):
        return OwnProcess(planner) if memory is None else OwnProcess(planner, memory=memory << 20)
    if isinstance(planner, PlanningService):
        return planner
    if hasattr(planner, "replan"):
        raise UsageError(f"{planner!r} is no planning service: it does not extend planning.service.PlanningService")
    from planning.planners.fast_downward import FastDownward
    from planning.planners.own import OwnPlanner
    from planning.service import InProcess
    from semantics.body.protocols import Planner

    if not isinstance(planner, Planner):
        raise UsageError(f"{planner!r} is no planner: it lacks methods of semantics.body.protocols.Planner")
    return InProcess(planner if isinstance(planner, FastDownward) else OwnPlanner(planner))


NAMED = re.compile(r"(?P<module>[\w./\\-]+):(?P<name>[A-Za-z_]\w*)")


def is_class(name: str) -> bool:
    """Return whether a name means a class of the user's: ``module:Class``, and no file of that name is there.

    Such a class is imported because the person names it: no world can, a record only if the person agrees.
    """
    return NAMED.fullmatch(name) is not None and not Path(name).exists()


def made_by(name: str) -> Callable[[], Any]:
    """Return what makes an object: a class or a function of a module, or what returns the object of that name.

    Args:
        name: ``module:Class``; the module by its importable name, or as a path that ends in ``.py``.

    Raises:
        UsageError: The module cannot be imported, or has no such name.
    """
    match = NAMED.fullmatch(name)
    if match is None:
        raise UsageError(f"'{name}' names no class; say module:Class, such as my_body.py:House")
    module = user_module(match["module"], f"'{name}'")
    known_name(f"name in {match['module']}", match["name"], [key for key in vars(module) if not key.startswith("_")])
    found = getattr(module, match["name"])
    return found if inspect.isclass(found) or inspect.isfunction(found) else lambda: found


def user_module(name: str, what: str) -> ModuleType:
    """Import a module of the user's, by its importable name or as a path that ends in ``.py``.

    Raises:
        UsageError: It cannot be imported; the message begins with `what`.
    """
    with guarded(lambda why: UsageError(f"{what}: it cannot be imported ({why})")):
        if not name.endswith(".py"):
            return importlib.import_module(name)
        path = Path(name)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(path.stem, module)  # a dataclass looks its module up
        spec.loader.exec_module(module)
        return module
