"""Nothing of a body is set in motion while what was begun of it before still moves.

The body carries what was begun of it (`semantics.motion.MotionInterlock`), so that all trees that drive it share that.
A body that declares no interlock is given one:

- It gets the attribute `motion_interlock` when the first step is built over it, and keeps it.
- A body whose class allows no further attribute is wrapped. `Session` and the functions that compile a tree do that
  once, so that the steps of a session, or of a tree, wait for each other. Steps that are built by hand over such a body
  share an interlock only if they are given what `interlocked` returns.
"""

from __future__ import annotations

from typing import cast

from semantics.motion import MotionInterlock
from semantics.observation import Observation
from semantics.protocols import Clock, ConcurrentMotion, ExactSensing, Interlocked, Motion, PictureSource, Robot
from semantics.state import Command, Operator

__all__ = ["Brake", "brake_for", "interlocked"]


def interlocked(robot: Robot) -> Robot:
    """Return the body with an interlock: the same object, unless it allows no attribute and has to be wrapped."""
    if isinstance(robot, Interlocked):
        return robot
    try:
        cast(Interlocked, robot).motion_interlock = MotionInterlock()
    except (AttributeError, TypeError, ValueError):  # slots, a frozen dataclass, a model that checks its fields
        return _WithInterlock(robot)
    return robot


class _WithInterlock:
    """A body that allows no further attributes, with an interlock beside it."""

    def __init__(self, robot: Robot) -> None:
        self.name = robot.name
        self.motion_interlock = MotionInterlock()
        self._robot = robot
        if isinstance(robot, ConcurrentMotion):
            self.occupies = robot.occupies
        if isinstance(robot, PictureSource):
            self.picture = robot.picture
        if isinstance(robot, ExactSensing):
            self.exact_within = robot.exact_within

    @property
    def clock(self) -> Clock:
        return self._robot.clock

    def observation(self) -> Observation:
        return self._robot.observation()

    def start(self, command: Command) -> Motion:
        return self._robot.start(command)

    def stop(self) -> None:
        self._robot.stop()

    def close(self) -> None:
        self._robot.close()


class Brake:
    """What one step of a body has to wait for, and what others have to wait for because of it.

    Args:
        interlock: Of the body.
        busy: The agents and hands that the step keeps busy.
        agent: Whose hands they are.

    Attributes:
        busy: As given.
    """

    def __init__(self, interlock: MotionInterlock, busy: frozenset[str], agent: str) -> None:
        self.busy = busy
        self._interlock, self._agent = interlock, agent

    def begun(self, motion: Motion) -> None:
        """Let others wait for a motion of the step."""
        self._interlock.begin(motion, self.busy, self._agent)

    def cancel(self, motion: Motion) -> None:
        """Cancel a motion of the step."""
        self._interlock.cancel(motion)

    def on(self) -> tuple[bool, bool]:
        """Return whether something still moves of what the step would move, and whether all of that was cancelled."""
        return self._interlock.blocks(self.busy, self._agent)


def brake_for(operator: Operator, robot: Robot) -> Brake:
    """Return the brake of a step; of a body that says nothing of hands, a step keeps its whole agent busy."""
    agent = operator.command.agent if operator.command else robot.name
    busy = frozenset(robot.occupies(operator)) if isinstance(robot, ConcurrentMotion) else frozenset({agent})
    return Brake(cast(Interlocked, interlocked(robot)).motion_interlock, busy, agent)
