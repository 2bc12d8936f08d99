"""`Portfolio`: a planner that chooses planners by the features of the problem, and runs two of them on two cores.

One planner proves and the other is quick. The answer is the proof if it comes in time, otherwise the quick planner's
plan. A ground task (`planning.planners`) goes to the warm planner, whose search fits the features of the task.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec

from planning.anytime import AGAIN, cancel
from planning.errors import PlannerUnavailableError, UnplannableError, out_of_time
from planning.planners import Search
from planning.planners.fast_downward import FastDownward
from planning.planners.stock import StockPlanner
from planning.portfolio.choice import FAST_DOWNWARD, KAIROS, TABLE, PlannerChoice, PortfolioEntry, choose
from planning.portfolio.feature import Feature, Features, features, features_of_task
from planning.portfolio.kairos import Kairos
from semantics.body.protocols import FoundPlan, NoPlan, Planner
from semantics.logic.feedback import Code, Feedback

Answer = FoundPlan | NoPlan
GRACE = 5.0  # how much longer than allowed the race waits for a planner, seconds
REST = 0.5  # the time after which a planner that was cancelled is abandoned, seconds
Makers = Mapping[str, Callable[[str], Planner]]
STOCK = "up:"
MAKERS: Makers = {
    FAST_DOWNWARD: lambda search: FastDownward(
        optimal=search, greedy=None
    ),  # without a fallback: a greedy plan is not optimal
    KAIROS: lambda _: Kairos(),
}
"""Functions that make a planner with a given search."""


def present() -> frozenset[str]:
    """Return the planners of the table that are installed, without importing them."""
    return frozenset((FAST_DOWNWARD, *((KAIROS,) if find_spec("kairos") else ())))


class Portfolio:
    """Chooses planners by features. It makes each planner at its first problem, and keeps it.

    To add an engine of unified-planning, add a row to the table whose planner is called ``up:ENGINE``.

    Attributes:
        choice: The choice for the last problem, with the reasons against the others; None before the first.
    """

    name = "portfolio"

    def __init__(
        self,
        *,
        proof: bool = True,
        available: Collection[str] | None = None,
        makers: Makers = MAKERS,
        table: Sequence[PortfolioEntry] = TABLE,
    ) -> None:
        """Use the planners `available` (default: all installed) for a cheapest plan, or for any without `proof`."""
        own = {entry.planner for entry in table if entry.planner.startswith(STOCK)}
        self.choice: PlannerChoice | None = None
        self._proof = proof
        self._table = tuple(table)
        self._available = present() | own if available is None else frozenset(available)
        self._makers = makers
        self._made: dict[tuple[str, str], Planner] = {}

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        """Ask the chosen planners at the same time.

        Raises:
            PlannerUnavailableError: None of the planners can be started.
        """
        started, traits = time.monotonic(), features(domain, problem)
        try:
            chosen = self._choices(traits)
        except UnplannableError as error:
            return _refused(traits, error)
        self.choice = chosen[0]
        left = max(seconds - (time.monotonic() - started), 0.01)
        planners = [self._planner(choice) for choice in chosen]
        return race(planners, domain, problem, seconds=left, ends=self._ends)

    def search(self, task: str, *, seconds: float, prove: bool = True, share: float = 0.4) -> FoundPlan | NoPlan:
        """Solve a ground task with the search that supports its features.

        Raises:
            PlannerUnavailableError: The planner cannot be started.
        """
        able = self._available & {FAST_DOWNWARD, KAIROS}
        traits = features_of_task(task)
        try:
            self.choice = choose(traits, proof=self._proof, present=able, table=self._table)
        except UnplannableError as error:
            return _refused(traits, error)
        if (FAST_DOWNWARD, "") not in self._made:  # it chooses a search by the features itself
            self._made[FAST_DOWNWARD, ""] = FastDownward()
        searching = self._made[FAST_DOWNWARD, ""]
        assert isinstance(searching, Search)
        return searching.search(task, seconds=seconds, prove=prove, share=share)

    def cancel(self) -> None:
        """End a `solve` in another thread within 50 ms. The planner can be used again."""
        for planner in tuple(self._made.values()):
            cancel(planner)

    def close(self) -> None:
        """Close every planner."""
        for planner in tuple(self._made.values()):
            planner.close()

    def _choices(self, traits: Features) -> list[PlannerChoice]:
        first = self._choose(traits, self._available, proof=self._proof)
        if not self._proof:  # ask two quick planners, and use the first answer
            rest = self._available - {first.planner}
            alternatives = [self._choose(traits, rest, proof=False)] if rest and first.planner == KAIROS else []
            return [first, *(choice for choice in alternatives if not choice.proves)]
        quick = self._choose(traits, self._available, proof=False)
        return [first] if (quick.planner, quick.search) == (first.planner, first.search) else [first, quick]

    def _choose(self, traits: Features, able: Collection[str], *, proof: bool) -> PlannerChoice:
        return choose(traits, proof=proof, present=able, table=self._table)

    def _ends(self, answer: FoundPlan | NoPlan) -> bool:
        if isinstance(answer, NoPlan):
            return answer.proven or answer.feedback.code is Code.CANCELLED
        return answer.optimal or not self._proof

    def _planner(self, choice: PlannerChoice) -> Planner:
        key = choice.planner, choice.search
        if key not in self._made:
            made = self._new(choice)
            self._made[key] = made if choice.proves else _Unproven(made)
        return self._made[key]

    def _new(self, choice: PlannerChoice) -> Planner:
        if choice.planner in self._makers:
            return self._makers[choice.planner](choice.search)
        if choice.planner.startswith(STOCK):
            return StockPlanner(choice.planner.removeprefix(STOCK))
        raise PlannerUnavailableError(choice.planner, "nobody makes it")


def _refused(traits: Features, error: UnplannableError) -> NoPlan:
    """Return that no planner supports a problem, and which features are the cause."""
    culprits = tuple(sorted(traits.present))
    if Feature.UNREADABLE in traits.present:
        return NoPlan(Feedback(Code.INVALID_PLAN, "planning", error.reason, "", culprits, recoverable=False))
    how = "Install a planner that takes it, such as Kairos (extra: kairos)."
    return NoPlan(Feedback(Code.UNSUPPORTED, "the problem", error.reason, how, culprits, recoverable=False))


class _Unproven:
    """A planner whose plans are never called optimal."""

    def __init__(self, planner: Planner) -> None:
        self.name = planner.name
        self._planner = planner

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        answer = self._planner.solve(domain, problem, seconds=seconds)
        return replace(answer, optimal=False) if isinstance(answer, FoundPlan) else answer

    def cancel(self) -> None:
        cancel(self._planner)

    def close(self) -> None:
        self._planner.close()


def race(
    planners: Sequence[Planner], domain: str, problem: str, *, seconds: float, ends: Callable[[Answer], bool]
) -> Answer:
    """Ask every planner at once. On return of the best answer, no planner that can be cancelled is still working.

    Args:
        planners: The planners, each of which runs on its own thread.
        domain: The domain's text.
        problem: The problem's text.
        seconds: The time limit of each planner.
        ends: Called with every answer as it arrives, on the calling thread; returns whether it ends the race. Other
            answers are kept in case there is no better one.

    Raises:
        PlannerUnavailableError: None of the planners could be asked.
    """
    heard: queue.SimpleQueue[Answer | PlannerUnavailableError] = queue.SimpleQueue()
    threads = [
        threading.Thread(
            target=lambda one=planner: heard.put(_asked(one, domain, problem, seconds)),
            name=f"planning.race.{planner.name}",
            daemon=True,
        )
        for planner in planners
    ]
    for thread in threads:
        thread.start()
    deadline, answers, errors = time.monotonic() + seconds + GRACE, list[Answer](), list[PlannerUnavailableError]()
    try:
        while len(answers) + len(errors) < len(planners):
            answer = heard.get(timeout=max(deadline - time.monotonic(), 0.0))
            if isinstance(answer, PlannerUnavailableError):
                errors.append(answer)
                continue
            answers.append(answer)
            if ends(answer):
                return answer
    except queue.Empty:
        pass
    finally:
        for planner, thread in zip(planners, threads, strict=True):
            _end(planner, thread)
    if answers or not errors:
        return max(answers, key=_worth, default=NoPlan(out_of_time(seconds), False, seconds))
    raise errors[0]


def _asked(planner: Planner, domain: str, problem: str, seconds: float) -> Answer | PlannerUnavailableError:
    try:
        return planner.solve(domain, problem, seconds=seconds)
    except PlannerUnavailableError as error:
        return error
    except Exception as error:  # one faulty planner must not end the race
        return PlannerUnavailableError(planner.name, f"{type(error).__name__}: {error}")


def _end(planner: Planner, thread: threading.Thread) -> None:
    """Cancel a planner, again and again in case it had not begun yet."""
    end = time.monotonic() + REST
    while thread.is_alive() and time.monotonic() < end:
        cancel(planner)
        thread.join(AGAIN)


def _worth(answer: Answer) -> tuple[bool, bool, bool]:
    """Prefer a plan to none, and a proof to an open answer."""
    if isinstance(answer, FoundPlan):
        return True, answer.optimal, True
    return False, answer.proven, answer.feedback.code is not Code.CANCELLED
