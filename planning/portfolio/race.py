"""Several planners on the same problem at once: the first sound answer wins, the others are called off."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from planning.errors import PlannerUnavailableError
from semantics.feedback import Code, Feedback
from semantics.protocols import Cancellable, FoundPlan, NoPlan, Planner

__all__ = ["RaceResult", "cancel", "race"]

Answer = FoundPlan | NoPlan
GRACE = 5.0
"""How much longer than allowed a runner may take before it is no longer waited for, seconds."""
PAUSE, REST = 0.02, 0.5
"""How often one is called off, and after how long one that cannot be called off is left to itself, seconds."""


@dataclass(frozen=True, slots=True)
class RaceResult:
    """What a race came to: the answer, and the index of the planner that gave it (None when nobody did)."""

    answer: Answer
    winner: int | None = None


def cancel(planner: Planner) -> None:
    """Call off what `planner` is at, in whatever thread; it can be asked again afterwards."""
    if isinstance(planner, Cancellable):
        planner.cancel()
    else:
        planner.close()


def race(
    planners: Sequence[Planner],
    domain: str,
    problem: str,
    *,
    seconds: float,
    ends: Callable[[Answer], bool],
    heard: Callable[[Answer], None] = lambda _: None,
) -> RaceResult:
    """Ask every planner at once; when this returns, none of those that can be called off is at work any more.

    Args:
        planners: Who is asked, each on a thread of its own.
        domain: The domain's text.
        problem: The problem's text.
        seconds: What each may take.
        ends: Whether an answer ends the race; one that does not is kept in case there is no better one.
        heard: Told every answer as it comes, on the calling thread.

    Raises:
        PlannerUnavailableError: None of them could be asked.
    """
    runners = [_Runner(planner, domain, problem, seconds) for planner in planners]
    answers: queue.SimpleQueue[int] = queue.SimpleQueue()
    for index, runner in enumerate(runners):
        runner.start(index, answers)
    deadline, got = time.monotonic() + seconds + GRACE, dict[int, Answer | PlannerUnavailableError]()
    try:
        while len(got) < len(planners):
            index = answers.get(timeout=max(deadline - time.monotonic(), 0.0))
            answer = got[index] = runners[index].answer
            if not isinstance(answer, PlannerUnavailableError) and _told(answer, heard, ends):
                return RaceResult(answer, index)
    except queue.Empty:
        pass
    finally:
        for index, runner in enumerate(runners):
            if index not in got:
                runner.end()
    return _best(got, seconds)


def _told(answer: Answer, heard: Callable[[Answer], None], ends: Callable[[Answer], bool]) -> bool:
    heard(answer)
    return ends(answer)


class _Runner:
    """One planner in a race."""

    def __init__(self, planner: Planner, domain: str, problem: str, seconds: float) -> None:
        self.answer: Answer | PlannerUnavailableError = PlannerUnavailableError(planner.name, "it did not answer")
        self._planner = planner
        self._question = domain, problem, seconds
        self._thread = threading.Thread(name=f"planning.race.{planner.name}", daemon=True)

    def start(self, index: int, answers: queue.SimpleQueue[int]) -> None:
        def run() -> None:
            domain, problem, seconds = self._question
            try:
                self.answer = self._planner.solve(domain, problem, seconds=seconds)
            except PlannerUnavailableError as error:
                self.answer = error
            except Exception as error:  # a fault of one planner is not the end of the others
                self.answer = PlannerUnavailableError(self._planner.name, f"{type(error).__name__}: {error}")
            answers.put(index)

        self._thread = threading.Thread(target=run, name=self._thread.name, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Call it off, again if it had not begun when it was called off."""
        end = time.monotonic() + REST
        while self._thread.is_alive() and time.monotonic() < end:
            cancel(self._planner)
            self._thread.join(PAUSE)


def _best(got: dict[int, Answer | PlannerUnavailableError], seconds: float) -> RaceResult:
    """Take a plan before none, a proof before a doubt."""
    answers = [(index, answer) for index, answer in got.items() if not isinstance(answer, PlannerUnavailableError)]
    if answers:
        index, answer = max(answers, key=lambda pair: _worth(pair[1]))
        return RaceResult(answer, index)
    error = next((answer for answer in got.values() if isinstance(answer, PlannerUnavailableError)), None)
    if error is not None:
        raise error
    why = f"no plan within {seconds:.1f} s"
    return RaceResult(NoPlan(Feedback(Code.PLANNER_TIMEOUT, "planning", why, "Give it more time."), False, seconds))


def _worth(answer: Answer) -> tuple[bool, bool, bool]:
    if isinstance(answer, FoundPlan):
        return True, answer.optimal, True
    return False, answer.proven, answer.feedback.code is not Code.CANCELLED
