"""`PlanningService`: the functions of planning, in any process.

A tree that is ticked twenty times a second shares its interpreter with all other Python code in its process: grounding
a thousand objects on a thread delays ticks. So a session asks a service. Work in separate processes can be cancelled
at any time, and it cannot harm the robot's process: a planner that hangs, dies or uses up its memory leads to the
answer `Code.PLANNER_TIMEOUT`, and to nothing else.

Every method blocks its caller and may be called from any thread; `cancel` and `close` may be called from any other
thread. The methods mean the same as the functions of the same names in `planning`, and raise the same errors. Waiting
for a busy process counts as time; starting the first process does not.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from domains.model import Domain
from domains.problem import Problem
from planning.anytime import Best
from planning.service.shared_values import PlanningRequest
from semantics.body.protocols import NoPlan
from semantics.logic.atoms import Conjunct, Literal
from semantics.logic.exclusions import Exclusion
from semantics.logic.state import Plan, State
from semantics.logic.vocabulary import Thing

if TYPE_CHECKING:
    from planning.part import PartialPlan
    from planning.replanning.replan import Replanned


class PlanningService(ABC):
    """Provides the functions of planning."""

    name: str
    """The planner's name, see `planning.make_planner`."""

    @abstractmethod
    def warm_up(self) -> None:
        """Start what planning needs, without waiting until it is ready; the first question reports an error."""

    def solve(self, problem: Problem, *, seconds: float = 20.0, patience: float | None = math.inf) -> Plan | NoPlan:
        """Plan.

        Args:
            problem: The problem to solve.
            seconds: The time limit.
            patience: How long to wait for the proof that a plan is cheapest, seconds; then the best plan so far is the
                answer, or else the first that is found. None for as long as the first plan took, see `Best.decide`. A
                service whose planner finds no earlier plans ignores it.

        Returns:
            See `planning.solve`.
        """
        return self.answer(PlanningRequest("solve", problem, given={"seconds": seconds}))  # type: ignore[no-any-return]

    @abstractmethod
    def improve(self, problem: Problem, *, seconds: float = 20.0) -> Best:
        """Start a search that finds a first plan quickly, and better ones later; return at once."""

    def replan(
        self, problem: Problem, old: Plan, expected: State, *, seconds: float = 20.0, within: float = 0.0
    ) -> Replanned:
        """See `planning.replan`."""
        from planning.replanning.replan import PlanSource, Replanned

        given = {"old": old, "within": within, "seconds": seconds}
        answer = self.answer(PlanningRequest("replan", problem, expected, given))
        if isinstance(answer, NoPlan):
            return Replanned(answer, PlanSource.FRESH, 0.0, str(answer.feedback))
        assert isinstance(answer, Replanned)
        return answer

    def best_part(
        self,
        problem: Problem,
        *,
        weights: Mapping[Literal, float] = MappingProxyType({}),
        hard: Conjunct = frozenset(),
        seconds: float = 20.0,
    ) -> PartialPlan | NoPlan:
        """See `planning.best_part`."""
        given = {"weights": weights, "hard": hard, "seconds": seconds}
        return self.answer(PlanningRequest("best_part", problem, given=given))  # type: ignore[no-any-return]

    @abstractmethod
    def exclusions(self, domain: Domain, things: Mapping[str, Thing]) -> tuple[Exclusion, ...]:
        """See `planning.mutexes.exclusions`."""

    @abstractmethod
    def cancel(self) -> None:
        """Cancel all work, including improving searches. Waiting callers get `Code.CANCELLED`.

        This takes milliseconds if planning has separate processes, and half a second at most; in this process, it takes
        until the function notices.
        """

    def give_way(self) -> None:
        """Plan at a lower priority, where planning has processes of its own: a tree ticks on a real clock."""
        return

    def take_turns(self) -> None:
        """Plan at the ordinary priority again."""
        return

    @abstractmethod
    def close(self) -> None:
        """Cancel all work and end every process. Safe to call twice. A later question starts new processes."""

    @abstractmethod
    def answer(self, question: PlanningRequest) -> Any:  # noqa: ANN401  # what the verb returns, or why there is none
        """Ask, and wait for the answer."""
