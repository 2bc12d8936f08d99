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
    """The tree of a program: its values, its functions, and what it may use up.

    When it was stopped while it ran, the next tick goes on with the statement at which it stood; when it has ended, the
    next tick begins it anew, with no values.
    """

    functions: tuple[Function, ...] = ()
    program: Program

    def tick(self) -> Iterator[Behaviour]:
        """Tick it, with a new allowance for this tick."""
        self.setting.spent.in_tick = self.setting.spent.work = 0
        yield from super().tick()

    def begin(self) -> None:
        """Forget all values and what was used up."""
        self.frame.clear()
        self.setting.achieved.clear()
        self.setting.spent.steps = 0

    @property
    def achieved(self) -> tuple[CheckedGoal, ...]:
        """What was to be achieved and was sensed to hold when it was, in order."""
        return tuple(self.setting.achieved)

    @property
    def under_way(self) -> Flow | None:
        """The innermost statement that is under way; None when none is."""
        running: Flow | None = None
        node: Behaviour | None = self
        while isinstance(node, Flow) and node.status == Status.RUNNING:
            running = running if node.kind in ("block", "program") else node
            node = next((child for child in node.children if child.status == Status.RUNNING), None)
        return running

    @property
    def failed_at(self) -> TextPosition | None:
        """Where the statement stands whose failure ended the program; None when it has not failed."""
        place, node = None, self.children[0]
        while node.status == Status.FAILURE and isinstance(node, Flow):
            place = node.place if node.kind != "block" else place
            failed = [child for child in node.children if child.status == Status.FAILURE]
            if not failed:
                break
            node = failed[-1]
        return place

    def restart(self) -> None:
        """Begin anew with the next tick, also when it was stopped half-way."""
        if self.status == Status.RUNNING:
            self.stop(Status.INVALID)
        for node in walk(self):
            if isinstance(node, Flow):
                node.forget()

    def hold(self) -> None:
        """Go on with the next tick as if it had been stopped half-way; for nodes that were put there."""
        self._held = True

    def upcoming(self) -> Behaviour | Status:
        """Return what is done."""
        return self.children[0]

    def took(self, child: Behaviour) -> Status | None:
        """End as that ended."""
        return super().took(child) or Status.SUCCESS

    def details(self) -> dict[str, Any]:
        """Return the functions as written."""
        return {"functions": [write_function(function) for function in self.functions]}
