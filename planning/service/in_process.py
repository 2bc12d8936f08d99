"""`InProcess`: planning in the caller's thread, for planners that are objects of this program.

Their Python code delays all threads of the interpreter, and cannot be cancelled. `cancel` cancels the planner and its
later questions; the answer comes when the function notices this.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Mapping
from typing import Any

from domains.model import Domain
from domains.problem import Problem
from planning.anytime import AGAIN, CALLED_OFF, Best, cancel, decided, hearing
from planning.mutexes import exclusions
from planning.planners.fast_downward import FastDownward
from planning.service.protocol import PlanningService
from planning.service.shared_values import PlanningRequest
from planning.service.verbs import VERBS
from planning.solver import Anytime, race_with_floor
from semantics.body.protocols import NoPlan, Planner
from semantics.errors import OutsideError
from semantics.logic.exclusions import Exclusion
from semantics.logic.state import Plan
from semantics.logic.vocabulary import Thing


class InProcess(PlanningService):
    """Plans with a planner in this process. Closing the service closes the planner."""

    def __init__(self, planner: Planner) -> None:
        self.name = planner.name
        self._planner = planner
        self._quick: Planner | None = None
        self._asked: set[threading.Event] = set()
        self._searches: list[Best] = []
        self._lock = threading.Lock()

    def warm_up(self) -> None:
        """Start the planner's process, if it has one. An error at the start is reported by the first question."""
        if isinstance(self._planner, FastDownward):
            with contextlib.suppress(OutsideError):
                self._planner.warm_up()

    def solve(self, problem: Problem, *, seconds: float = 20.0, patience: float | None = math.inf) -> Plan | NoPlan:
        """See `PlanningService.solve`."""
        if patience is None or patience < seconds:
            search = self.improve(problem, seconds=seconds)
            try:
                return search.decide(patience)
            finally:
                search.cancel()
        if not isinstance(self._planner, FastDownward):
            return super().solve(problem, seconds=seconds)
        search = self._begun(race_with_floor(problem, self._planner, seconds))
        try:
            return decided(problem, search, patience)
        finally:
            search.end()

    def improve(self, problem: Problem, *, seconds: float = 20.0) -> Best:
        """Search with the planner. For Fast Downward with proof, also run its greedy search alone."""
        planners = [self._planner]
        if isinstance(self._planner, FastDownward):
            self._quick = self._quick or FastDownward(proves=False)
            planners.insert(0, self._quick)
        return self._begun(Anytime(problem, planners=planners, seconds=seconds))

    def _begun(self, search: Best) -> Best:
        """Keep a search, which `cancel` ends."""
        with self._lock:
            self._searches = [*(running for running in self._searches if not running.done), search]
        return search

    def exclusions(self, domain: Domain, things: Mapping[str, Thing]) -> tuple[Exclusion, ...]:
        """See `planning.mutexes.exclusions`."""
        return exclusions(domain, things, self._planner)

    def cancel(self) -> None:
        """Cancel the planner until no question uses it any more."""
        with self._lock:
            asked, searches = set(self._asked), list(self._searches)
            for off in asked:
                off.set()
        for search in searches:
            search.cancel()
        if asked:
            cancel(self._planner)  # now, and again on a thread: the planner may just be between two questions
            threading.Thread(target=self._call_off, args=(asked,), name="planning.service.off", daemon=True).start()

    def _call_off(self, asked: set[threading.Event]) -> None:
        while asked & self._asked:
            cancel(self._planner)
            time.sleep(AGAIN)

    def close(self) -> None:
        """Cancel all questions, and close the planner."""
        self.cancel()
        for planner in (self._planner, self._quick):
            if planner is not None:
                planner.close()

    def answer(self, question: PlanningRequest) -> Any:  # noqa: ANN401  # by the verb
        """Ask on this thread, and wait for the answer."""
        off = threading.Event()
        with self._lock:
            self._asked.add(off)
        try:
            answer = VERBS[question.verb](hearing(self._planner, off), question)
            return CALLED_OFF if off.is_set() else answer
        finally:
            with self._lock:
                self._asked.discard(off)
