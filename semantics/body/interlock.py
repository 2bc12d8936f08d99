"""`interlocked`: a body with an interlock (`semantics.body.motion.MotionInterlock`), which all who drive it share.

A body that declares no interlock gets one:

- It gets the attribute `motion_interlock` when somebody first asks, and keeps it.
- A body whose class allows no further attribute is wrapped. All steps, trees, sessions and servers get the same wrapper
  while one of them keeps it.
"""

from __future__ import annotations

import os
import threading
import weakref
from typing import cast

from semantics.body.motion import MotionInterlock
from semantics.body.protocols import Clock, Interlocked, Robot, pass_on_abilities


def interlocked(robot: Robot) -> Robot:
    """Return the body with an interlock: the same object, or a wrapper if its class allows no further attribute."""
    with _adding:  # two threads that begin with one body must not give it two interlocks
        if isinstance(robot, Interlocked):
            return robot
        try:
            cast(Interlocked, robot).motion_interlock = MotionInterlock()
        except (AttributeError, TypeError, ValueError):  # slots, a frozen dataclass, a model that checks its fields
            wrapper = _wrappers.get(id(robot)) or _WithInterlock(robot)
            _wrappers[id(robot)] = wrapper
            return wrapper
        return robot


class _WithInterlock:
    """A wrapper with an interlock, for a body whose class allows no further attributes."""

    def __init__(self, robot: Robot) -> None:
        self.name = robot.name
        self.motion_interlock = MotionInterlock()
        self._robot = robot
        self.observation, self.start, self.stop, self.close = robot.observation, robot.start, robot.stop, robot.close
        pass_on_abilities(self, robot)

    @property
    def clock(self) -> Clock:
        return self._robot.clock


_wrappers: weakref.WeakValueDictionary[int, _WithInterlock] = weakref.WeakValueDictionary()
"""By the identity of a body, its wrapper, which keeps the body alive."""
_adding = threading.Lock()
os.register_at_fork(before=_adding.acquire, after_in_parent=_adding.release, after_in_child=_adding.release)
