"""`InProcess`: planning in the caller's thread, for planners that are objects of this program.

Their Python code delays all threads of the interpreter, and cannot be cancelled. `cancel` cancels the planner and its
later questions; the answer comes when the function notices this.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeVar

from domains.model import Domain
from domains.problem import Problem
from planning.anytime import AGAIN, CALLED_OFF, Anytime, hearing
from planning.mutexes import exclusions
from planning.part import PartialPlan, best_part
from planning.planners.fast_downward import FastDownward
from planning.portfolio.race import cancel
from planning.replanning.replan import PlanSource, Replanned, replan
from planning.service.protocol import ImprovingSearch
from planning.solver import solve
from semantics.atoms import Conjunct, Literal
from semantics.errors import OutsideError
from semantics.exclusions import Exclusion
from semantics.protocols import NoPlan, Planner
from semantics.state import Plan, State
from semantics.vocabulary import Thing

__all__ = ["InProcess"]

Answer = TypeVar("Answer")


class InProcess:
    """Plans with a planner in this process. Closing the service closes the planner."""

    def __init__(self, planner: Planner) -> None:
        self.name = planner.name
        self._planner = planner
        self._quick: Planner | None = None
        self._asked: set[threading.Event] = set()
        self._improving: list[Anytime] = []
        self._lock = threading.Lock()

    def warm_up(self) -> None:
        """Start the planner's process, if it has one. An error at the start is reported by the first question."""
        if isinstance(self._planner, FastDownward):
            with contextlib.suppress(OutsideError):
                self._planner.warm_up()

    def solve(self, problem: Problem, *, seconds: float = 20.0) -> Plan | NoPlan:
        """See `planning.solve`."""
        return self._answer(
            lambda planner: solve(problem, planner=planner, seconds=seconds),
            lambda: CALLED_OFF,
        )

    def improve(self, problem: Problem, *, seconds: float = 20.0) -> ImprovingSearch:
        """Search with the planner. For Fast Downward with proof, also run its greedy search alone."""
        planners = [self._planner]
        if isinstance(self._planner, FastDownward):
            self._quick = self._quick or FastDownward(proves=False)
            planners.insert(0, self._quick)
        search = Anytime(problem, planners=planners, seconds=seconds)
        with self._lock:
            self._improving = [*(running for running in self._improving if not running.done), search]
        return search

    def replan(
        self, problem: Problem, old: Plan, expected: State, *, seconds: float = 20.0, within: float = 0.0
    ) -> Replanned:
        """See `planning.replan`."""
        return self._answer(
            lambda planner: replan(problem, old, expected, planner=planner, seconds=seconds, within=within),
            lambda: Replanned(CALLED_OFF, PlanSource.FRESH, 0.0, str(CALLED_OFF.feedback)),
        )

    def best_part(
        self,
        problem: Problem,
        *,
        weights: Mapping[Literal, float] = MappingProxyType({}),
        hard: Conjunct = frozenset(),
        seconds: float = 20.0,
    ) -> PartialPlan | NoPlan:
        """See `planning.best_part`."""
        return self._answer(
            lambda planner: best_part(problem, planner=planner, weights=weights, hard=hard, seconds=seconds),
            lambda: CALLED_OFF,
        )

    def exclusions(self, domain: Domain, things: Mapping[str, Thing]) -> tuple[Exclusion, ...]:
        """See `planning.mutexes.exclusions`."""
        return exclusions(domain, things, self._planner)

    def cancel(self) -> None:
        """Cancel the planner until no question uses it any more."""
        with self._lock:
            asked, improving = set(self._asked), list(self._improving)
            for off in asked:
                off.set()
        for search in improving:
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

    def _answer(self, verb: Callable[[Planner], Answer], called_off: Callable[[], Answer]) -> Answer:
        with self._asking() as off:
            answer = verb(hearing(self._planner, off))
            return called_off() if off.is_set() else answer

    @contextlib.contextmanager
    def _asking(self) -> Iterator[threading.Event]:
        off = threading.Event()
        with self._lock:
            self._asked.add(off)
        try:
            yield off
        finally:
            with self._lock:
                self._asked.discard(off)
