"""A first plan at once, and better plans while the robot already moves.

Several planners work on the same goal, each on its own thread: quick ones, and one that proves. Every plan is validated
before it counts. No method waits, except `wait`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from domains.problem import Problem
from planning.planners import Search
from planning.portfolio.race import cancel
from planning.solver import solve
from semantics.errors import OutsideError, UsageError
from semantics.feedback import Code, Feedback
from semantics.protocols import FoundPlan, NoPlan, Planner
from semantics.state import Plan

__all__ = ["CALLED_OFF", "Anytime", "Best", "PlannerWay", "hearing"]

AGAIN = 0.02
"""The interval at which a planner is cancelled again until it stops, seconds."""
CALLED_OFF = NoPlan(Feedback(Code.CANCELLED, "planning", "it was called off"))


class PlannerWay(NamedTuple):
    """One way to a plan: its name, a blocking function that returns the answer, and a function that cancels it."""

    name: str
    ask: Callable[[], Plan | NoPlan]
    call_off: Callable[[], None]


class Best:
    """A search for better and better plans in several ways at once, which starts when the object is created.

    The ways are cancelled by `cancel`. They are also cancelled when one way has proved that a plan is cheapest or that
    there is none. In this case the others first get `patience` seconds to end by themselves, because cancelling may
    cost more than it saves. No caller waits for them.

    Attributes:
        first: The first plan that was found; None before, and if there was none.

    Raises:
        UsageError: There is no way.
    """

    def __init__(self, ways: Sequence[PlannerWay], *, patience: float = 0.0) -> None:
        if not ways:
            raise UsageError("a search for better plans needs a planner")
        self.first: Plan | None = None
        self._best: Plan | None = None
        self._failures: list[NoPlan] = []
        self._errors: list[Exception] = []
        self._changed = threading.Condition()
        self._off = threading.Event()
        self._waiting = len(ways)
        self._settled, self._patience = False, patience
        self._ways = tuple(ways)
        self._threads = [
            threading.Thread(target=self._run, args=(way.ask,), name=f"planning.anytime.{way.name}", daemon=True)
            for way in ways
        ]
        for thread in self._threads:
            thread.start()

    def _run(self, ask: Callable[[], Plan | NoPlan]) -> None:
        answer: Plan | NoPlan = CALLED_OFF
        try:
            answer = ask()
        except Exception as error:  # `wait` raises it on the caller's thread
            self._errors.append(error)
        self._take(answer)

    @property
    def done(self) -> bool:
        """Whether no better plan will come."""
        return self._waiting == 0 or (self._settled and self._patience > 0)

    def best(self) -> Plan | NoPlan | None:
        """Return the cheapest plan so far, without waiting.

        Return the failure if the search is over without a plan, and None if it is not over.
        """
        with self._changed:
            if self._best is not None or not self.done:
                return self._best
            return max(
                self._failures, key=lambda failure: (failure.proven, failure.feedback.code is not Code.CANCELLED)
            )

    def wait(self, seconds: float | None = None, *, first: bool = False) -> Plan | NoPlan | None:
        """Wait until the search is over, or for the `first` plan, but at most `seconds`; return the best answer.

        Raises:
            OutsideError: No planner could be started.
            UsageError: The goal or the state names something that does not exist.
        """
        with self._changed:
            self._changed.wait_for(lambda: self.done or (first and self._best is not None), seconds)
        if self.done and self._best is None and len(self._errors) == len(self._ways):
            raise self._errors[0]
        return self.best()

    def cancel(self) -> None:
        """Cancel the search and return at once; plans found so far are kept. Safe to call at any time."""
        if not self._off.is_set():
            self._off.set()
            threading.Thread(target=self._cancel_all, name="planning.anytime.off", daemon=True).start()

    def _cancel_all(self, patience: float = 0.0) -> None:
        """Cancel each way until its thread has ended, because it may just have been between two questions."""
        end = time.monotonic() + patience
        while self._waiting and not self._off.is_set() and time.monotonic() < end:
            time.sleep(AGAIN)
        while running := [index for index, thread in enumerate(self._threads) if thread.is_alive()]:
            for index in running:
                self._ways[index].call_off()
            time.sleep(AGAIN)

    def _take(self, answer: Plan | NoPlan) -> None:
        with self._changed:
            self._waiting -= 1
            if isinstance(answer, NoPlan):
                self._failures.append(answer)
            elif self._best is None or (answer.cost, not answer.optimal) < (self._best.cost, not self._best.optimal):
                self.first = self.first or answer
                self._best = answer
            settled = answer.optimal if isinstance(answer, Plan) else answer.proven
            self._settled = self._settled or settled
            self._changed.notify_all()
        if settled and self._waiting and not self._patience:
            self.cancel()
        elif settled and self._waiting:
            ending = threading.Thread(target=self._cancel_all, args=(self._patience,), name="planning.anytime.off")
            ending.daemon = True
            ending.start()


class Anytime(Best):
    """A search by several planners.

    It uses the planners alone until it is `done`, and does not close them.

    Args:
        problem: The problem to solve.
        planners: The planners, which all search at the same time.
        seconds: The time limit of each planner.

    Raises:
        UsageError: There is no planner.
    """

    def __init__(self, problem: Problem, *, planners: Sequence[Planner], seconds: float = 20.0) -> None:
        def way(planner: Planner) -> PlannerWay:
            off = threading.Event()
            heard = hearing(planner, off)

            def call_off() -> None:
                off.set()
                cancel(planner)

            return PlannerWay(planner.name, lambda: solve(problem, planner=heard, seconds=seconds), call_off)

        super().__init__([way(planner) for planner in planners])


def hearing(planner: Planner, off: threading.Event, *, by_text: bool = False) -> Planner:
    """Return a planner that passes questions to `planner` until `off` is set; `by_text` without ground tasks."""
    return (_HearingSearch if isinstance(planner, Search) and not by_text else _Hearing)(planner, off)


class _Hearing:
    """A planner that receives no more questions once it is cancelled."""

    def __init__(self, planner: Planner, off: threading.Event) -> None:
        self.name = planner.name
        self._planner = planner
        self._off = off

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        return self._asked(lambda: self._planner.solve(domain, problem, seconds=seconds))

    def close(self) -> None:
        self._planner.close()

    def _asked(self, question: Callable[[], FoundPlan | NoPlan]) -> FoundPlan | NoPlan:
        if self._off.is_set():
            return CALLED_OFF
        try:
            return question()
        except OutsideError:
            if self._off.is_set():
                return CALLED_OFF
            raise


class _HearingSearch(_Hearing):
    """The same for a planner that also solves ground tasks."""

    def search(self, task: str, *, seconds: float, prove: bool = True, share: float = 0.4) -> FoundPlan | NoPlan:
        planner = self._planner
        assert isinstance(planner, Search)
        return self._asked(lambda: planner.search(task, seconds=seconds, prove=prove, share=share))
