"""`PlanningService`: the functions of planning, in any process.

A tree that is ticked twenty times a second shares its interpreter with all other Python code in its process: grounding
a thousand objects on a thread delays ticks. So a session asks a service. Work in separate processes can be cancelled
within 50 ms at any time, and it cannot harm the robot's process: a planner that hangs, dies or uses up its memory leads
to the answer `Code.PLANNER_TIMEOUT`, and to nothing else.

Every method blocks its caller and may be called from any thread; `cancel` and `close` may be called from any other
thread. The methods mean the same as the functions of the same names in `planning`, and raise the same errors. Waiting
for a busy process counts as time; starting the first process does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from domains.model import Domain
from domains.problem import Problem
from planning.part import PartialPlan
from planning.replanning.replan import Replanned
from semantics.atoms import Conjunct, Literal
from semantics.exclusions import Exclusion
from semantics.protocols import NoPlan
from semantics.state import Plan, State
from semantics.vocabulary import Thing

__all__ = ["ImprovingSearch", "PlanningService"]


@runtime_checkable
class ImprovingSearch(Protocol):
    """A search for better and better plans that runs in the background, such as `planning.Anytime`."""

    @property
    def done(self) -> bool:
        """Whether no better plan will come."""
        ...

    def best(self) -> Plan | NoPlan | None:
        """Return the best answer so far, or None if there is none yet; never waits."""
        ...

    def wait(self, seconds: float | None = None, *, first: bool = False) -> Plan | NoPlan | None:
        """Wait until the search is over, or for the `first` plan, but at most `seconds`; return the best answer."""
        ...

    def cancel(self) -> None:
        """Cancel the search and return at once; plans found so far are kept."""
        ...


@runtime_checkable
class PlanningService(Protocol):
    """Provides the functions of planning."""

    name: str
    """The planner's name, see `planning.make_planner`."""

    def warm_up(self) -> None:
        """Start what planning needs, without waiting until it is ready."""
        ...

    def solve(self, problem: Problem, *, seconds: float = 20.0) -> Plan | NoPlan:
        """See `planning.solve`."""
        ...

    def improve(self, problem: Problem, *, seconds: float = 20.0) -> ImprovingSearch:
        """Start a search that finds a first plan quickly, and better ones later; return at once."""
        ...

    def replan(
        self, problem: Problem, old: Plan, expected: State, *, seconds: float = 20.0, within: float = 0.0
    ) -> Replanned:
        """See `planning.replan`."""
        ...

    def best_part(
        self,
        problem: Problem,
        *,
        weights: Mapping[Literal, float] = MappingProxyType({}),
        hard: Conjunct = frozenset(),
        seconds: float = 20.0,
    ) -> PartialPlan | NoPlan:
        """See `planning.best_part`."""
        ...

    def exclusions(self, domain: Domain, things: Mapping[str, Thing]) -> tuple[Exclusion, ...]:
        """See `planning.mutexes.exclusions`."""
        ...

    def cancel(self) -> None:
        """Cancel all work, including improving searches. Waiting callers get `Code.CANCELLED`.

        This takes less than 50 ms if planning has separate processes; in this process, it takes until the function
        notices.
        """
        ...

    def close(self) -> None:
        """Cancel all work and end every process. Safe to call twice. A later question starts new processes."""
        ...
