"""`interlocked`: a body with an interlock (`semantics.body.motion.MotionInterlock`), which all who drive it share.

`BodyWrapper` is what wraps such a body.

A body that declares no interlock gets one:

- It gets the attribute `motion_interlock` when somebody first asks, and keeps it.
- A body whose class allows no further attribute is wrapped. All steps, trees, sessions and servers get the same wrapper
  while one of them keeps it.
"""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any, cast

from semantics.body.detector import CameraSource
from semantics.body.motion import MotionInterlock
from semantics.body.protocols import (
    ConcurrentMotion,
    ExactSensing,
    Informable,
    Interlocked,
    LimitedMotion,
    PictureSource,
    ReachTelling,
    Robot,
)

ABILITIES = {
    CameraSource: "shots",
    ConcurrentMotion: "occupies",
    ExactSensing: "exact_within",
    Informable: "tell",
    LimitedMotion: "primitives",
    PictureSource: "picture",
    ReachTelling: "reaches",
}
"""The optional abilities of bodies, each with the name of its attribute."""


def interlocked(robot: Robot) -> Robot:
    """Return the body with an interlock: the same object, or a wrapper if its class allows no further attribute."""
    with _adding:  # two threads that begin with one body must not give it two interlocks
        if isinstance(robot, Interlocked):
            return robot
        try:
            cast(Interlocked, robot).motion_interlock = MotionInterlock()
        except (AttributeError, TypeError, ValueError):  # slots, a frozen dataclass, a model that checks its fields
            wrapper = _wrappers.setdefault(id(robot), BodyWrapper(robot, MotionInterlock()))
            return cast(Robot, wrapper)
        return robot


class BodyWrapper:
    """What wraps a body: it has the name, the interlock and the optional abilities of the body, and no others.

    Args:
        robot: The body.
        interlock: The interlock of a body that has none.

    Attributes:
        name: That of the body.
        motion_interlock: That of the body; it knows who drives the body.
    """

    def __init__(self, robot: Robot, interlock: MotionInterlock | None = None) -> None:
        self.name = robot.name
        self.motion_interlock = interlock or cast(Interlocked, robot).motion_interlock
        self._robot: Robot = robot
        for ability, name in ABILITIES.items():
            if isinstance(robot, ability):
                setattr(self, name, getattr(robot, name))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # what else the body has
        """Return what a skill, a sensor or a caller may need of the body beyond the protocol."""
        if name == "_robot":  # not yet initialised, as in a copy
            raise AttributeError(name)
        return getattr(self._robot, name)


_wrappers: weakref.WeakValueDictionary[int, BodyWrapper] = weakref.WeakValueDictionary()
"""By the identity of a body, its wrapper, which keeps the body alive."""
_adding = threading.Lock()
os.register_at_fork(before=_adding.acquire, after_in_parent=_adding.release, after_in_child=_adding.release)
