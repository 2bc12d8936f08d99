"""A body that meets a bottle in front of what it is to take, which nobody has told it of."""

from __future__ import annotations

from robots.fake import InjectedFault
from robots.symbolic import SymbolicRobot
from semantics.body.observation import Observation
from semantics.body.protocols import Clock, Motion
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Code
from semantics.logic.state import Command

__all__ = ["Cluttered"]


class Cluttered:
    """The body that lives in the model, with one thing in front of another; see `semantics.body.protocols.Robot`.

    Args:
        robot: The body.
        wanted: What cannot be taken.
        front: What stands in front of it, for as long as it stands there.
        place: Where both stand.

    Attributes:
        name: Symbol of the robot.
        motion_interlock: The body's.
        refused: How often it has answered that it is obstructed.
    """

    def __init__(self, robot: SymbolicRobot, wanted: str, front: str, place: str) -> None:
        self.name, self.refused = robot.name, 0
        self.motion_interlock = robot.motion_interlock
        self._robot, self._wanted, self._front, self._place = robot, wanted, front, place

    @property
    def clock(self) -> Clock:
        """Time as it lives it."""
        return self._robot.clock

    @property
    def is_clear(self) -> bool:
        """Whether nothing stands in front any more."""
        return Atom("on", (self._front, self._place)) not in self._robot.state.atoms

    def observation(self) -> Observation:
        """Return the latest sensing."""
        return self._robot.observation()

    def start(self, command: Command) -> Motion:
        """Begin a motion; what stands behind something else cannot be taken."""
        if command.primitive == "get" and command.roles.get("o") == self._wanted and not self.is_clear:
            self.refused += 1
            self._robot.add_fault(InjectedFault(Code.OBSTRUCTED, "get", {"o": self._wanted}, culprits=(self._front,)))
        return self._robot.start(command)

    def stop(self) -> None:
        """Bring everything to rest."""
        self._robot.stop()

    def close(self) -> None:
        """Take no further command."""
        self._robot.close()
