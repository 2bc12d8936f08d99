"""`Kairos`: a planner in this process, for numbers, durations and a first plan at once (extra ``kairos``).

Kairos searches in its own threads and solves small problems in milliseconds, but it proves nothing. So its plans are
never called optimal here, and its verdict that there is no plan does not count as proven. The caller validates every
plan with the model, as those of every planner. This is the only file that imports the library, at the first problem.
"""

from __future__ import annotations

import threading
import time
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from planning.errors import PlannerUnavailableError
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action

if TYPE_CHECKING:
    from kairos import Search, SolveResult

MEMORY_MB = 400
THREADS = 1  # the other core is for the planner that proves


class Timed(NamedTuple):
    """An action with its start time and its duration, seconds."""

    start: float
    action: Action
    duration: float


class Kairos:
    """Kairos, used for its first plan. It accepts several problems at a time; each is one search in a thread."""

    name = "kairos"

    def __init__(self) -> None:
        """Check that the library is installed.

        Raises:
            PlannerUnavailableError: The library is not installed.
        """
        _library()
        self._running: set[Search] = set()
        self._lock = threading.Lock()
        self._cancelled = 0

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        """Find any plan. Durative actions are returned in the order in which they start."""
        started = time.monotonic()
        answer = self.schedule(domain, problem, seconds=seconds)
        if isinstance(answer, NoPlan):
            return answer
        return FoundPlan(tuple(step.action for step in answer), False, time.monotonic() - started)

    def schedule(self, domain: str, problem: str, *, seconds: float) -> tuple[Timed, ...] | NoPlan:
        """Find any plan, with its times."""
        kairos, started, before = _library(), time.monotonic(), self._cancelled
        try:
            task = kairos.parse_problem(problem, kairos.parse_domain(domain))
        except kairos.PddlError as error:
            why = " ".join(str(error).split())
            return NoPlan(Feedback(Code.INVALID_PLAN, "planning", f"the problem cannot be read: {why}"), False)
        search = kairos.Planner().start(
            task, timeout=seconds, threads=THREADS, memory_limit_mb=MEMORY_MB, anytime=False
        )
        with self._lock:
            self._running.add(search)
            if before != self._cancelled:
                search.stop()
        try:
            plan = search.wait_first(seconds)
        finally:
            search.stop()
            with self._lock:
                self._running.discard(search)
        if plan is not None:
            return tuple(Timed(step.time, Action(step.name, tuple(step.args)), step.duration) for step in plan.steps)
        return _reason(search.wait(), before != self._cancelled, time.monotonic() - started)

    def cancel(self) -> None:
        """End every `solve` in other threads at once, without a plan."""
        with self._lock:
            self._cancelled += 1
            for search in self._running:
                search.stop()

    def close(self) -> None:
        """End every search."""
        self.cancel()


def _reason(result: SolveResult, cancelled: bool, seconds: float) -> NoPlan:
    status = str(result.status.name).lower()
    if cancelled:
        return NoPlan(Feedback(Code.CANCELLED, "planning", "it was called off"), False, seconds)
    if status in ("unsolvable", "no_plan_found"):
        return NoPlan(Feedback(Code.NO_PLAN, "the goal", "Kairos finds no plan, without a proof"), False, seconds)
    if status in ("timeout", "cancelled", "out_of_memory", "grounding_too_large"):  # stopped by `schedule`: out of time
        why = f"no plan within {seconds:.1f} s ({status.replace('_', ' ')})"
        return NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", why, "Give it more time."), False, seconds)
    message = " ".join(str(diagnostic) for diagnostic in result.diagnostics) or status.replace("_", " ")
    return NoPlan(Feedback(Code.INVALID_PLAN, "planning", message, recoverable=False), False, seconds)


def _library() -> ModuleType:
    try:
        return import_module("kairos")
    except ImportError as error:
        raise PlannerUnavailableError(
            "kairos", "the package kairos-planner is not installed (extra: kairos)"
        ) from error
