"""Runs several planners on the same problem at once: the first sufficient answer wins, the others are cancelled."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Collection, Sequence
from functools import partial

from planning.errors import PlannerUnavailableError
from planning.late import out_of_time
from semantics.body.protocols import Cancellable, FoundPlan, NoPlan, Planner
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan

__all__ = ["AGAIN", "CALLED_OFF", "HEAD_START", "LAMA", "LEAST_OBJECTS", "cancel", "is_final", "race"]

Answer = FoundPlan | NoPlan
GRACE = 5.0
"""How much longer than allowed the race waits for a planner, seconds."""
AGAIN, REST = 0.02, 0.5
"""The interval at which a planner is cancelled again, and the time after which it is abandoned, seconds."""
HEAD_START = 0.15
"""How long the search that proves is alone, seconds: most proofs take less, and need the machine for themselves."""
LAMA = "lama"
"""The name of the planner in the plans of the satisficing search on the whole problem."""
LEAST_OBJECTS = 60
"""With fewer objects than this, the whole problem is grounded soon enough, and none are left out."""
CALLED_OFF = NoPlan(Feedback(Code.CANCELLED, "planning", "it was called off"))


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
    answers: queue.SimpleQueue[int] = queue.SimpleQueue()
    runners = [
        _Runner(planner, (domain, problem, seconds), partial(answers.put, index))
        for index, planner in enumerate(planners)
    ]
    deadline, got = time.monotonic() + seconds + GRACE, dict[int, Answer | PlannerUnavailableError]()
    try:
        while len(got) < len(planners):
            index = answers.get(timeout=max(deadline - time.monotonic(), 0.0))
            answer = got[index] = runners[index].answer
            if isinstance(answer, PlannerUnavailableError):
                continue
            if ends(answer):
                return answer
    except queue.Empty:
        pass
    finally:
        for index, runner in enumerate(runners):
            if index not in got:
                runner.end()
    return _best(got.values(), seconds)


class _Runner:
    """One planner in a race, on a thread that starts at once and reports when it has ended."""

    def __init__(self, planner: Planner, question: tuple[str, str, float], done: Callable[[], None]) -> None:
        self.answer: Answer | PlannerUnavailableError = PlannerUnavailableError(planner.name, "it did not answer")
        self._planner = planner
        name = f"planning.race.{planner.name}"
        self._thread = threading.Thread(target=self._run, args=(*question, done), name=name, daemon=True)
        self._thread.start()

    def _run(self, domain: str, problem: str, seconds: float, done: Callable[[], None]) -> None:
        try:
            self.answer = self._planner.solve(domain, problem, seconds=seconds)
        except PlannerUnavailableError as error:
            self.answer = error
        except Exception as error:  # one faulty planner must not end the race
            self.answer = PlannerUnavailableError(self._planner.name, f"{type(error).__name__}: {error}")
        done()

    def end(self) -> None:
        """Cancel the planner, again and again in case it had not begun yet."""
        end = time.monotonic() + REST
        while self._thread.is_alive() and time.monotonic() < end:
            cancel(self._planner)
            self._thread.join(AGAIN)


def _best(got: Collection[Answer | PlannerUnavailableError], seconds: float) -> Answer:
    """Prefer a plan to none, and a proof to an open answer."""
    answers = [answer for answer in got if not isinstance(answer, PlannerUnavailableError)]
    if answers:
        return max(answers, key=_worth)
    errors = [answer for answer in got if isinstance(answer, PlannerUnavailableError)]
    if errors:
        raise errors[0]
    return NoPlan(out_of_time(seconds), False, seconds)


def _worth(answer: Answer) -> tuple[bool, bool, bool]:
    if isinstance(answer, FoundPlan):
        return True, answer.optimal, True
    return False, answer.proven, answer.feedback.code is not Code.CANCELLED
