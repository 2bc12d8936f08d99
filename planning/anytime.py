"""A first plan at once, and better plans while the robot already moves.

Several planners work on the same goal, each on its own thread: quick ones, and one that proves. Every plan is validated
before it counts. No method waits, except `wait`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from domains.problem import Problem
from planning.errors import is_out_of_memory, is_out_of_time, with_memory
from planning.planners import Search
from semantics.body.protocols import Cancellable, FoundPlan, NoPlan, Planner, ProfiledPlanner
from semantics.errors import OutsideError, UsageError
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan

GRACE = 0.2  # how much longer than the search for the first plan the wait for its proof may be, seconds
AGAIN = 0.02  # the interval at which a planner is cancelled again, seconds
HEAD_START = 0.15
"""How long the search that proves is alone, seconds: most proofs take less, and need the machine for themselves."""
LAMA = "lama"  # the name of the planner in the plans of the satisficing search on the whole problem
LEAST_OBJECTS = 60  # with fewer objects than this, the whole problem is grounded soon enough, and none are left out
CALLED_OFF = NoPlan(Feedback(Code.CANCELLED, "planning", "it was called off"))
MOST_FAILED = 3  # how many searches for a cheaper plan there are at least, each more thorough


def is_final(answer: FoundPlan | Plan | NoPlan) -> bool:
    """Return whether no other planner is worth asking: there is a proof, it was cancelled, or knowledge is missing."""
    if isinstance(answer, NoPlan):
        return answer.proven or answer.feedback.code in (Code.CANCELLED, Code.WHEREABOUTS_UNKNOWN)
    return answer.optimal


def cancel(planner: Planner) -> None:
    """Cancel what `planner` is doing in any thread. It can be used again."""
    if isinstance(planner, Cancellable):
        planner.cancel()
    else:
        planner.close()


class PlannerWay(NamedTuple):
    """One way to a plan."""

    name: str  # its name
    ask: Callable[[], Plan | NoPlan]  # returns the answer; blocks
    call_off: Callable[[], None]  # cancels `ask`, and `better`
    after: float = 0.0  # the head start of the other ways, seconds; it ends when one of them has ended without a proof
    better: Callable[[int, int], Plan | NoPlan] | None = None
    """Returns a plan that costs less than a given cost, or why there is none; blocks. Its second argument counts the
    calls. None if there is only one answer."""
    thorough: bool = False  # whether no better plan is waited for once this way has ended and there is a plan
    partial: bool = False  # whether only a part of the plans is searched, so that an answer without a plan says nothing


class Best:
    """A search for better and better plans in several ways at once, which starts when the object is created.

    The ways are cancelled by `cancel`, and when one way has proved that a plan is cheapest or that there is none.

    Attributes:
        first: The first plan that was found; None before, and if there was none.
        failures: The answers without a plan so far.

    Raises:
        UsageError: There is no way.
    """

    def __init__(self, ways: Sequence[PlannerWay]) -> None:
        if not ways:
            raise UsageError("a search for better plans needs a planner")
        self.first: Plan | None = None
        self._best: Plan | None = None
        self._bound = 0
        self.failures: list[NoPlan] = []
        self._errors: dict[str, BaseException] = {}
        self._changed = threading.Condition()
        self._off = threading.Event()
        self._waiting, self._started = len(ways), time.monotonic()
        self._is_over = self._is_thorough = False
        self._ways = tuple(ways)
        self._threads = [
            threading.Thread(target=self._run, args=(way,), name=f"planning.anytime.{way.name}", daemon=True)
            for way in ways
        ]
        for thread in self._threads:
            thread.start()

    def _run(self, way: PlannerWay) -> None:
        answer: Plan | NoPlan | None = None
        try:
            if not way.after or self._is_late(way.after):
                answer = way.ask()
                if way.better is not None and isinstance(answer, Plan):
                    self._take(answer)
                    answer = self._improved(way.better, answer)
        except BaseException as error:  # `wait` raises it on the caller's thread
            self._errors[way.name] = error
        self._take(answer, way)

    def _is_late(self, seconds: float) -> bool:
        """Wait for the head start of the others; return whether none of them has a proof."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._is_over or self._off.is_set() or self._waiting < len(self._ways), seconds
            )
            return not (self._is_over or self._off.is_set())

    def _improved(self, better: Callable[[int, int], Plan | NoPlan], answer: Plan) -> Plan | NoPlan:
        """Ask for cheaper plans until there are none, or another way has a proof."""
        for attempt in count():
            best = self._best or answer
            if best.optimal or self._is_over or self._off.is_set():
                break
            cheaper = better(best.cost, attempt)
            if isinstance(cheaper, Plan):
                self._take(cheaper)
            elif attempt >= MOST_FAILED or cheaper.feedback.code is not Code.NO_PLAN:
                break
        return answer

    @property
    def done(self) -> bool:
        """Whether no better plan will come."""
        return self._waiting == 0

    def best(self) -> Plan | NoPlan | None:
        """Return the cheapest plan so far, without waiting.

        Return the failure if the search is over without a plan, and None if it is not over.
        """
        with self._changed:
            best = self._best
            if best is None:
                return self._failure() if self.done else None
            if best.optimal or not self._bound:
                return best
            return replace(best, optimal=best.cost <= self._bound, bound=self._bound)

    def _failure(self) -> NoPlan:
        """Return the failure that says most: a proof, or else the answer of a planner that was not cancelled.

        If the time of one planner is over and the memory of another is spent, both are told.
        """
        answers = self.failures or [CALLED_OFF]
        best = max(answers, key=lambda failure: (is_final(failure), failure.feedback.code is not Code.CANCELLED))
        spent = next((failure.feedback for failure in answers if is_out_of_memory(failure.feedback)), None)
        if spent is not None and is_out_of_time(best.feedback):
            return replace(best, feedback=with_memory(best.feedback, spent))
        return best

    def decide(self, patience: float | None) -> Plan | NoPlan:
        """Wait for a proof; return the best plan so far, or else the first that is found.

        Args:
            patience: How long to wait, seconds; None for `GRACE` and, once more, the time that the first
                plan took to be found.

        Raises:
            OutsideError, UsageError: As `wait`.
        """
        with self._changed:
            if patience is None:
                self._changed.wait_for(lambda: self._best is not None or self._is_over)
                patience = GRACE + (self.first.seconds if self.first is not None else 0.0)
            self._changed.wait_for(lambda: self._is_over, min(patience, threading.TIMEOUT_MAX))
            self._changed.wait_for(lambda: self._best is not None or self._is_over)
        if self._errors:
            self._raise()
        answer = self.best() or self._failure()
        return answer if is_final(answer) else replace(answer, seconds=time.monotonic() - self._started)

    def _raise(self) -> None:
        """Raise what kept the ways from answering, if it kept all of them, or the thorough one."""
        if self._best is None and not any(map(is_final, self.failures)):
            thorough = [way.name for way in self._ways if way.thorough]
            if len(self._errors) == len(self._ways) or self._errors.keys() & thorough:
                raise next(iter(self._errors.values()))

    def wait(self, seconds: float | None = None, *, first: bool = False) -> Plan | NoPlan | None:
        """Wait until the search is over, or for the `first` plan, but at most `seconds`; return the best answer.

        Raises:
            OutsideError: No planner could be started.
            UsageError: The goal or the state names something that does not exist.
        """
        with self._changed:
            self._changed.wait_for(lambda: self.done or (first and self._best is not None), seconds)
        if self.done and self._errors:
            self._raise()
        return self.best()

    def cancel(self) -> None:
        """Cancel the search and return at once; plans found so far are kept. Safe to call at any time."""
        if not self._off.is_set():
            self._off.set()
            with self._changed:
                self._changed.notify_all()
            threading.Thread(target=self._cancel_all, name="planning.anytime.off", daemon=True).start()

    def end(self) -> None:
        """Cancel the search, and wait until no way is at work any more."""
        self.cancel()
        for thread in self._threads:
            thread.join()

    def _cancel_all(self) -> None:
        """Cancel each way until its thread has ended, because it may just have been between two questions."""
        while running := [index for index, thread in enumerate(self._threads) if thread.is_alive()]:
            for index in running:
                self._ways[index].call_off()
            time.sleep(AGAIN)

    def _take(self, answer: Plan | NoPlan | None, ended: PlannerWay | None = None) -> None:
        """Take an answer, with the way that has ended with it, if it has."""
        if ended is not None and ended.partial and isinstance(answer, NoPlan):
            answer = None
        with self._changed:
            if ended is not None:
                self._waiting -= 1
                self._is_thorough = self._is_thorough or ended.thorough
            if isinstance(answer, NoPlan):
                # The first of several equal failures is told, and that of the thorough way is about the whole search.
                self.failures.insert(0 if ended is not None and ended.thorough else len(self.failures), answer)
            elif answer is not None and (self._best is None or _rank(answer) < _rank(self._best)):
                self.first = self.first or answer
                self._best = answer
            final = answer is not None and is_final(answer)
            if answer is not None and not final:
                self._bound = max(self._bound, answer.bound or 0)
            enough = self._best is not None and (self._is_thorough or self._best.cost <= self._bound)
            self._is_over = self._is_over or final or enough or not self._waiting
            is_over = self._is_over
            self._changed.notify_all()
        if is_over and self._waiting:
            self.cancel()


def _rank(plan: Plan) -> tuple[int, bool]:
    return plan.cost, not plan.optimal


def decided(problem: Problem, race: Best, patience: float | None) -> Plan | NoPlan:
    """Return what `Best.decide` returns, and cancel the search. Faults are kept with the problem.

    Raises:
        OutsideError, UsageError: As `Best.wait`.
    """
    try:
        return race.decide(patience)
    finally:
        race.cancel()
        if any(failure.feedback.code is Code.INVALID_PLAN for failure in race.failures):
            from planning.faults import keep_faults  # it writes PDDL, which is needed in this case only

            keep_faults(problem, race.failures)


def hearing(planner: Planner, off: threading.Event, *, by_text: bool = False) -> Planner:
    """Return a planner that passes questions to `planner` until `off` is set; `by_text` without ground tasks."""
    return _Hearing(planner, off, by_text)


class _Hearing:
    """A planner that receives no more questions once it is cancelled."""

    def __init__(self, planner: Planner, off: threading.Event, by_text: bool) -> None:
        self.name = planner.name
        if isinstance(planner, ProfiledPlanner):
            self.profile = planner.profile
        if isinstance(planner, Search) and not by_text:
            searching = planner
            self.search = lambda task, **given: self._asked(lambda: searching.search(task, **given))
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
