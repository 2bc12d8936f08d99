"""`StockPlanner`: any engine of unified-planning, by its name.

It reads the PDDL text back with unified-planning and calls the engine once. It starts more slowly than
`planning.planners.fast_downward` (the import alone takes a second). It is meant for comparison.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from planning.errors import PlannerUnavailableError
from semantics.errors import known_name
from semantics.feedback import Code, Feedback
from semantics.protocols import FoundPlan, NoPlan
from semantics.state import Action

if TYPE_CHECKING:
    from unified_planning.engines.results import PlanGenerationResult
    from unified_planning.environment import Environment

__all__ = ["StockPlanner"]


class StockPlanner:
    """One engine of unified-planning."""

    def __init__(self, engine: str) -> None:
        """Store the engine's name, such as ``fast-downward-opt``.

        Raises:
            UnknownNameError: unified-planning knows no such engine.
            PlannerUnavailableError: The engine is known but not installed.
        """
        self.name = f"up:{engine}"
        self._engine = engine
        self._environment = _environment()
        factory = self._environment.factory
        known_name("engine of unified-planning", engine, factory.engines)

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        """Call the engine on the problem.

        Raises:
            PlannerUnavailableError: The engine cannot be called, or it failed.
        """
        from unified_planning.exceptions import UPException
        from unified_planning.io import PDDLReader

        started = time.monotonic()
        try:
            read = PDDLReader(self._environment).parse_problem_string(domain, problem)
        except Exception as error:  # its reader raises many kinds of errors, also of its parser
            why = f"unified-planning does not read this problem: {' '.join(str(error).split())}"
            return NoPlan(Feedback(Code.UNSUPPORTED, "planning", why, recoverable=False))
        try:
            with self._environment.factory.OneshotPlanner(name=self._engine) as planner:
                if not planner.supports(read.kind):
                    return self._unsupported(read.kind.features - planner.supported_kind().features)
                result = planner.solve(read, timeout=seconds)
        except (UPException, AssertionError, OSError) as error:
            raise PlannerUnavailableError(self.name, str(error)) from error
        return _answer(result, time.monotonic() - started)

    def _unsupported(self, features: Iterable[str]) -> NoPlan:
        """Return which features the engine does not support, in the library's names in lower case."""
        names = tuple(sorted(name.lower().replace("_", "-") for name in features))
        why = f"it does not take {', '.join(names) or 'problems of this kind'}"
        how = "Choose a planner that does, or write the world without."
        return NoPlan(Feedback(Code.UNSUPPORTED, f"the planner {self.name}", why, how, names, recoverable=False))

    def close(self) -> None:
        """Do nothing: each call ends what it starts."""


def _environment() -> Environment:
    """Return the library's global environment without its banner; several engines work only in this one."""
    from unified_planning.environment import get_environment

    environment = get_environment()
    environment.credits_stream = None
    return environment


def _answer(result: PlanGenerationResult, seconds: float) -> FoundPlan | NoPlan:
    from unified_planning.engines import PlanGenerationResultStatus as Status

    if result.plan is not None:
        actions = (
            Action(step.action.name, tuple(str(arg) for arg in step.actual_parameters)) for step in result.plan.actions
        )
        return FoundPlan(tuple(actions), result.status is Status.SOLVED_OPTIMALLY, seconds)
    if result.status is Status.UNSOLVABLE_PROVEN:
        why = "no sequence of actions reaches it"
        return NoPlan(Feedback(Code.NO_PLAN, "the goal", why, recoverable=False), True, seconds)
    if result.status in (Status.TIMEOUT, Status.MEMOUT):
        why = f"no plan within {seconds:.1f} s"
        return NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", why, "Give it more time."), False, seconds)
    if result.status is Status.UNSUPPORTED_PROBLEM:
        messages = " ".join(message.message for message in result.log_messages or ())
        why = f"the engine does not take this problem: {messages}".rstrip(": ")
        return NoPlan(Feedback(Code.UNSUPPORTED, "planning", why, recoverable=False), False, seconds)
    why = f"the engine ended with {result.status.name.lower().replace('_', ' ')}"
    return NoPlan(Feedback(Code.NO_PLAN, "the goal", why), False, seconds)
