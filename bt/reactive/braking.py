"""Nothing of a body is set in motion while what was begun of it before still moves.

A tree may turn to something else anywhere: a selector begins what is more urgent before it stops what it did, a time
limit or the end of a run stops everything, and what comes next may be another tree. So what was begun is kept with the
body until it reports that it has come to rest.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass

from semantics.protocols import Motion, Robot, Stage
from semantics.state import Operator

__all__ = ["Brake", "brake_for"]


@dataclass(slots=True)
class Moving:
    """A motion that was begun, with the agents and hands that it keeps busy, and whose they are."""

    motion: Motion
    busy: frozenset[str]
    agent: str
    is_cancelled: bool = False


_moving: dict[int, list[Moving]] = {}
"""By the identity of the body; goes with it."""
_kept: list[Robot] = []
"""Bodies that nobody can be told the end of: kept, so that no other gets their identity."""


class Brake:
    """What one step of a body has to wait for, and what others have to wait for because of it.

    Args:
        robot: The body.
        busy: The agents and hands that the step keeps busy.
        agent: Whose hands they are.

    Attributes:
        busy: As given.
    """

    def __init__(self, robot: Robot, busy: frozenset[str], agent: str) -> None:
        self._moving = _motions_of(robot)
        self.busy, self._agent = busy, agent

    def begun(self, motion: Motion) -> None:
        """Let others wait for a motion of the step."""
        self._moving.append(Moving(motion, self.busy, self._agent))

    def cancel(self, motion: Motion) -> None:
        """Cancel a motion of the step."""
        for one in self._moving:
            one.is_cancelled = one.is_cancelled or one.motion is motion
        motion.cancel()

    def on(self) -> tuple[bool, bool]:
        """Return whether something still moves of what the step would move, and whether all of that was cancelled."""
        self._moving[:] = [one for one in self._moving if one.motion.poll().stage is Stage.RUNNING]
        met = [one for one in self._moving if self._meets(one)]
        return bool(met), all(one.is_cancelled for one in met)

    def _meets(self, other: Moving) -> bool:
        mine, theirs = self.busy | {self._agent}, other.busy | {other.agent}
        return not (self.busy.isdisjoint(theirs) and other.busy.isdisjoint(mine))


def _motions_of(robot: Robot) -> list[Moving]:
    if id(robot) not in _moving:
        _moving[id(robot)] = []
        try:
            weakref.finalize(robot, _moving.pop, id(robot), None)
        except TypeError:  # its class takes no weak references
            _kept.append(robot)
    return _moving[id(robot)]


def brake_for(operator: Operator, robot: Robot) -> Brake:
    """Return the brake of a step; of a body that says nothing of hands, a step keeps its whole agent busy."""
    agent = operator.command.agent if operator.command else robot.name
    occupies = getattr(robot, "occupies", None)
    return Brake(robot, frozenset({agent}) if occupies is None else frozenset(occupies(operator)), agent)
