"""`Search`: a planner that also takes problems that are ground already."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from semantics.protocols import FoundPlan, NoPlan, Planner

__all__ = ["Search"]


@runtime_checkable
class Search(Planner, Protocol):
    """A planner that also takes tasks that are ground already."""

    def search(self, task: str, *, seconds: float, prove: bool = True, share: float = 0.4) -> FoundPlan | NoPlan:
        """Solve a task written by `planning.task.sas`: with proof, or else in any way after a `share` of the time."""
        ...
