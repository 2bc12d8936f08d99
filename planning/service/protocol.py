"""`PlanningService`: the verbs of planning, wherever they are carried out.

A tree that is ticked twenty times a second shares its interpreter with whatever else is Python in its process:
grounding a thousand objects on a thread holds up ticks. So a session asks a service. What is done in processes of their
own can be called off within 50 ms, whatever it is doing, and cannot take the robot's process with it: a planner that
hangs, dies or eats its memory is seen as an answer, `Code.PLANNER_TIMEOUT`, and as nothing else.

Every verb blocks its caller and may be called from any thread; `cancel` and `close` may be called from any other. The
verbs mean what the functions of the same names in `planning` mean, and raise what they raise. Waiting for a process
that is at work for others counts as time; starting the first one does not.
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
    """A search for ever better plans that goes on by itself, such as `planning.Anytime`."""

    @property
    def done(self) -> bool:
        """Whether no better plan will come."""
        ...

    def best(self) -> Plan | NoPlan | None:
        """Return the best answer so far, or nothing yet; never waits."""
        ...

    def wait(self, seconds: float | None = None, *, first: bool = False) -> Plan | NoPlan | None:
        """Wait until it is over, or for the `first` plan, but no longer than `seconds`; return the best answer."""
        ...

    def cancel(self) -> None:
        """Call it off; returns at once, and what was found stays."""
        ...


@runtime_checkable
class PlanningService(Protocol):
    """Carries out the verbs of planning."""

    name: str
    """The planner's name, see `planning.make_planner`."""

    def warm_up(self) -> None:
        """Start what planning needs, without waiting until it is ready."""
        ...

    def solve(self, problem: Problem, *, seconds: float = 20.0) -> Plan | NoPlan:
        """See `planning.solve`."""
        ...

    def improve(self, problem: Problem, *, seconds: float = 20.0) -> ImprovingSearch:
        """Start a search whose first plan comes at once, and better ones later; returns at once."""
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
        """See `planning.exclusions`."""
        ...

    def cancel(self) -> None:
        """Call off what is under way, improvements too; whoever waits is answered with `Code.CANCELLED`.

        That takes less than 50 ms where planning has processes of its own; in this process, until the verb notices.
        """
        ...

    def close(self) -> None:
        """Call off what is under way and end every process; safe to call twice. A later question starts anew."""
        ...
