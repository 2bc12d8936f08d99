"""Where a program is, told whenever it has got to another line."""

from __future__ import annotations

from bt import Ended, Journal, Runner
from bt.programs import Routine
from bt.programs.nodes.statement import Flow

__all__ = ["Whereabouts"]


class Whereabouts:
    """Writes a ``line`` whenever another statement is under way.

    Args:
        routine: The program's tree.
        journal: Who is told.
    """

    def __init__(self, routine: Routine, journal: Journal) -> None:
        self._routine = routine
        self._journal = journal
        self._told: Flow | None = None

    def ticked(self, runner: Runner) -> None:
        """Look once a tick."""
        statement = self._routine.under_way
        if statement is None or statement is self._told:
            return
        self._told = statement
        fields = {"line": statement.place.line, "text": statement.what}
        self._journal.write("line", {"t": round(runner.robot.clock.now(), 3), **fields})

    def ended(self, runner: Runner, end: Ended) -> None:
        """Nothing is left to tell."""
