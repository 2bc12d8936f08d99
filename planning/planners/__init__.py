"""The planners behind one small protocol: Fast Downward in its worker process, and any engine of unified-planning."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from semantics.body.protocols import FoundPlan, NoPlan, Planner

__all__ = ["Search"]


@runtime_checkable
class Search(Planner, Protocol):
    """A planner that also solves ground tasks."""

    def search(self, task: str, *, seconds: float, prove: bool = True, share: float = 0.4) -> FoundPlan | NoPlan:
        """Solve a task written by `planning.task.sas`: with a proof, or else in any way after a `share` of the time."""
