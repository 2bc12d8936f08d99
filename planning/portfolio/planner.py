"""`Portfolio`: a planner that picks planners by what the problem is, and runs two of them on two cores.

One proves and the other is quick. The answer is the proof when it comes in time, else the quick one's plan.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from importlib.util import find_spec

from planning.errors import PlannerUnavailableError, UnplannableError
from planning.planners.fast_downward import FastDownward
from planning.portfolio.choice import FAST_DOWNWARD, KAIROS, Choice, choose
from planning.portfolio.features import Features, features
from planning.portfolio.kairos import Kairos
from planning.portfolio.race import cancel, race
from semantics.feedback import Code, Feedback
from semantics.protocols import Found, NoPlan, Planner

__all__ = ["Portfolio", "present"]

Makers = Mapping[str, Callable[[str], Planner]]
MAKERS: Makers = {
    FAST_DOWNWARD: lambda search: FastDownward(optimal=search, greedy=None),  # a greedy search's claim is not taken
    KAIROS: lambda _: Kairos(),
}
"""Makes a planner that searches as told."""


def present() -> frozenset[str]:
    """Return the planners of the table that are installed; nothing is imported."""
    return frozenset((FAST_DOWNWARD, *((KAIROS,) if find_spec("kairos") else ())))


class Portfolio:
    """Chooses by features. Planners are made at their first problem and kept.

    Attributes:
        choice: Who was chosen for the last problem, and why the others were not; None before the first.
    """

    name = "portfolio"

    def __init__(
        self, *, proof: bool = True, available: Collection[str] | None = None, makers: Makers = MAKERS
    ) -> None:
        """Want a cheapest plan (`proof`), or the first one; of the planners `available`, by default all installed."""
        self.choice: Choice | None = None
        self._proof = proof
        self._available = present() if available is None else frozenset(available)
        self._makers = makers
        self._made: dict[tuple[str, str], Planner] = {}

    def solve(self, domain: str, problem: str, *, seconds: float) -> Found | NoPlan:
        """Ask the chosen planners at once.

        Raises:
            PlannerUnavailableError: None of them can be started.
        """
        return self.hear(domain, problem, seconds=seconds)

    def hear(
        self, domain: str, problem: str, *, seconds: float, heard: Callable[[Found | NoPlan], None] = lambda _: None
    ) -> Found | NoPlan:
        """Do what `solve` does, and tell each planner's answer as it comes.

        Raises:
            PlannerUnavailableError: None of them can be started.
        """
        started, traits = time.monotonic(), features(domain, problem)
        try:
            chosen = self._choices(traits)
        except UnplannableError as error:
            return NoPlan(Feedback(Code.INVALID_PLAN, "planning", str(error), recoverable=False))
        self.choice = chosen[0]
        left = max(seconds - (time.monotonic() - started), 0.01)
        planners = [self._planner(one) for one in chosen]
        return race(planners, domain, problem, seconds=left, ends=self._ends, heard=heard).answer

    def search(self, task: str, *, seconds: float, prove: bool = True, share: float = 0.4) -> Found | NoPlan:
        """Solve a task that is ground already, with the search that takes its features.

        Raises:
            PlannerUnavailableError: It cannot be started.
        """
        key = FAST_DOWNWARD, ""
        searching = self._made.setdefault(key, FastDownward())
        assert isinstance(searching, FastDownward)
        return searching.search(task, seconds=seconds, prove=prove, share=share)

    def cancel(self) -> None:
        """Let a `solve` that is under way in another thread end, within 50 ms; it may be asked again."""
        for planner in tuple(self._made.values()):
            cancel(planner)

    def close(self) -> None:
        """End every planner."""
        for planner in tuple(self._made.values()):
            planner.close()

    def _choices(self, traits: Features) -> list[Choice]:
        first = choose(traits, proof=self._proof, present=self._available)
        if not self._proof:  # two quick ones: whoever is first
            rest = self._available - {first.planner}
            others = [choose(traits, proof=False, present=rest)] if rest and first.planner == KAIROS else []
            return [first, *(other for other in others if not other.proves)]
        quick = choose(traits, proof=False, present=self._available)
        return [first] if (quick.planner, quick.search) == (first.planner, first.search) else [first, quick]

    def _ends(self, answer: Found | NoPlan) -> bool:
        if isinstance(answer, NoPlan):
            return answer.proven or answer.feedback.code is Code.CANCELLED
        return answer.optimal or not self._proof

    def _planner(self, choice: Choice) -> Planner:
        key = choice.planner, choice.search
        if key not in self._made:
            if choice.planner not in self._makers:
                raise PlannerUnavailableError(choice.planner, "nobody makes it")
            made = self._makers[choice.planner](choice.search)
            self._made[key] = made if choice.proves else _Unproven(made)
        return self._made[key]


class _Unproven:
    """A planner whose plans are not called optimal, whatever it says."""

    def __init__(self, planner: Planner) -> None:
        self.name = planner.name
        self._planner = planner

    def solve(self, domain: str, problem: str, *, seconds: float) -> Found | NoPlan:
        answer = self._planner.solve(domain, problem, seconds=seconds)
        return replace(answer, optimal=False) if isinstance(answer, Found) else answer

    def cancel(self) -> None:
        cancel(self._planner)

    def close(self) -> None:
        self._planner.close()
