"""The root of a program's tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.node import walk
from bt.programs.nodes.statement import Flow
from bt.programs.writer import write_function
from semantics.goal import CheckedGoal
from semantics.program import Function, Program, TextPosition

__all__ = ["Routine"]


class Routine(Flow):
    """The tree of a program, with its values, its functions and its limits.

    After a stop during the run, the next tick goes on with the current statement. After the end, the next tick begins
    again without values.
    """

    functions: tuple[Function, ...] = ()
    program: Program

    def tick(self) -> Iterator[Behaviour]:
        """Tick it, with a new allowance for this tick."""
        self.setting.spent.in_tick = self.setting.spent.work = 0
        yield from super().tick()

    def begin(self) -> None:
        """Reset all values and counters."""
        self.frame.clear()
        self.setting.achieved.clear()
        self.setting.spent.steps = 0

    @property
    def achieved(self) -> tuple[CheckedGoal, ...]:
        """The goals that were achieved and sensed, in order."""
        return tuple(self.setting.achieved)

    @property
    def under_way(self) -> Flow | None:
        """The innermost running statement; None when there is none."""
        running: Flow | None = None
        node: Behaviour | None = self
        while isinstance(node, Flow) and node.status == Status.RUNNING:
            running = running if node.kind in ("block", "program") else node
            node = next((child for child in node.children if child.status == Status.RUNNING), None)
        return running

    @property
    def failed_at(self) -> TextPosition | None:
        """The position of the statement that failed and ended the program; None without a failure."""
        place, node = None, self.children[0]
        while node.status == Status.FAILURE and isinstance(node, Flow):
            place = node.place if node.kind != "block" else place
            failed = [child for child in node.children if child.status == Status.FAILURE]
            if not failed:
                break
            node = failed[-1]
        return place

    def restart(self) -> None:
        """Begin again with the next tick, also after a stop during the run."""
        if self.status == Status.RUNNING:
            self.stop(Status.INVALID)
        for node in walk(self):
            if isinstance(node, Flow):
                node.forget()

    def hold(self) -> None:
        """Go on with the next tick as after a stop during the run; for nodes that were set to a position."""
        self._held = True

    def upcoming(self) -> Behaviour | Status:
        """Return the block."""
        return self.children[0]

    def took(self, child: Behaviour) -> Status | None:
        """End with the status of the block."""
        return super().took(child) or Status.SUCCESS

    def details(self) -> dict[str, Any]:
        """Return the functions as written."""
        return {"functions": [write_function(function) for function in self.functions]}
