"""`OwnProcess`: planning in separate processes, see `planning.service.protocol`.

A question goes to a warm process. What that process already knows is not sent again. A process that has died, or does
not listen, is replaced, and the question is asked once more in the remaining time. A process that is late is killed. In
all these cases, the answer is a value.
"""

from __future__ import annotations

import math
import time
import weakref
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from domains.model import Domain
from domains.problem import Problem
from planning.anytime import CALLED_OFF, HEAD_START, LAMA, LEAST_OBJECTS, Best, PlannerWay, decided
from planning.errors import PlannerUnavailableError, PlanningFailedError, out_of_memory, out_of_time
from planning.mutexes import remembered
from planning.registry import PLANNERS, STOCK
from planning.service.protocol import PlanningService
from planning.service.shared_values import PlanningLedger, PlanningRequest
from semantics.body.protocols import NoPlan
from semantics.errors import OutsideError, ProcessFailedError, UnknownNameError
from semantics.logic.exclusions import Exclusion
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan, State
from semantics.logic.vocabulary import Thing
from semantics.process.child import SPENT
from semantics.process.pool import Pool, Ticket
from semantics.process.seat import CalledOffError, DiedError, LateError, WorkerSpec

if TYPE_CHECKING:
    from planning.replanning.replan import Replanned

MEMORY = 1344 << 20  # how much memory all processes that work on one problem may use, bytes
NICENESS = 5
"""How much lower the priority of planning is while something ticks on a real clock, which has to keep its time."""
ATTEMPTS = 2
LEAST = 0.01  # the shortest time limit of a question, seconds
EXCLUDING = 3.0  # the time limit for finding mutexes, seconds
PROVING = ("fast-downward", "portfolio")  # planners whose first plan comes late, because it is a cheapest one
DIED = NoPlan(
    Feedback(
        Code.PLANNER_TIMEOUT,
        "planning",
        f"its process ended {ATTEMPTS} times before there was a plan",
        "Try once more, or give it more memory.",
    )
)
TOO_LARGE = NoPlan(out_of_memory("it needs more memory than it may have"))


class OwnProcess(PlanningService):
    """Plans in separate processes; any thread may ask.

    After a fork, the parent keeps the processes, and a question in the child starts new ones.

    Args:
        name: The name of a planner, see `planning.make_planner`.
        seats: How many questions are processed at once; others wait, and their waiting time counts.
        spares: How many more processes are kept warm, to replace one that is killed.
        at_once: How many processes are started before they are needed; by default, all.
        memory: How much memory all processes that work on one problem may use, bytes.

    Attributes:
        name: The planner's name.

    Raises:
        UnknownNameError: No such planner. An unknown engine is reported by the first question.
    """

    def __init__(
        self,
        name: str = "fast-downward",
        seats: int = 3,
        spares: int = 1,
        *,
        at_once: int | None = None,
        memory: int = MEMORY,
    ) -> None:
        if not name.startswith(STOCK) and name not in PLANNERS:
            raise UnknownNameError("planner", name, PLANNERS)
        self.name = name
        self._seats, self._spares, self._at_once = seats, spares, at_once
        # The satisficing search on the whole problem, unless the planner's own first plan comes early.
        self._floor = ("floor",) if name in PROVING and seats > 1 else ()
        self._work = WorkerSpec(
            "planning.service.worker:worker",
            (name, str(memory)),
            PlanningLedger,
            partial(PlannerUnavailableError, name),
            memory,
            niceness=NICENESS,
            is_tied=not name.startswith(STOCK),
            is_interruptible=not name.startswith(STOCK),  # an engine would go on below its process
        )
        self._open()

    def _open(self) -> None:
        self._pool = Pool(self._work, self._seats, self._spares, self._at_once)
        self._finalizer = weakref.finalize(self, Pool.close, self._pool)  # also runs when the program ends

    def warm_up(self) -> None:
        """Start the processes, one after the other, without waiting for them."""
        self._pool.begin()

    @property
    def is_warm(self) -> bool:
        """Whether all processes are ready and none is at work."""
        return self._pool.is_idle

    def solve(self, problem: Problem, *, seconds: float = 20.0, patience: float | None = math.inf) -> Plan | NoPlan:
        """See `PlanningService.solve`; with a planner that proves, satisficing searches run beside it."""
        few = ("few",) if self._floor and len(problem.objects) >= LEAST_OBJECTS else ()
        questions = [PlanningRequest(verb, problem) for verb in ("solve", *self._floor, *few)]
        return decided(problem, Best([self._way(question, seconds) for question in questions]), patience)

    def replan(
        self, problem: Problem, old: Plan, expected: State, *, seconds: float = 20.0, within: float = 0.0
    ) -> Replanned:
        """See `planning.replan`; with a planner that proves, a satisficing search runs beside it."""
        from planning.replanning.replan import PlanSource, Replanned

        replanned: list[Replanned] = []

        def ask() -> Plan | NoPlan:
            answer: Any = way.ask()
            if isinstance(answer, NoPlan):
                return answer
            replanned.append(answer)
            return answer.answer  # type: ignore[no-any-return]  # a pickle has no types

        way = self._way(PlanningRequest("replan", problem, expected, {"old": old, "within": within}), seconds)
        floor = [self._way(PlanningRequest(verb, problem), seconds) for verb in self._floor]
        answer = decided(problem, Best([way._replace(ask=ask), *floor]), seconds)
        for made in replanned:
            if isinstance(answer, NoPlan) or (isinstance(made.answer, Plan) and made.answer.steps == answer.steps):
                return made
        why = (
            str(answer.feedback) if isinstance(answer, NoPlan) else f"It was planned anew, by {LAMA}, without a proof."
        )
        return Replanned(answer, PlanSource.FRESH, answer.bound or 0, why)

    def improve(self, problem: Problem, *, seconds: float = 20.0) -> Best:
        """Search with the quickest planner and, at the same time, with those of `solve`."""
        verbs = ("quick", "solve") if self.name in PROVING else ("solve",)
        state = State(problem.state.atoms, dict(problem.state.numbers))
        problem = replace(problem, objects=dict(problem.objects), state=state)  # copies, which the caller cannot change
        return Best([self._way(PlanningRequest(verb, problem), seconds) for verb in (*verbs, *self._floor)])

    def _way(self, question: PlanningRequest, seconds: float) -> PlannerWay:
        """Return the way of a question, to the processes of now."""
        verb, pool = question.verb, self._pool
        ticket = Ticket(seconds, "solve" if verb == "replan" else verb)

        def better(below: int, attempt: int) -> Plan | NoPlan:
            cheaper = replace(question, given={"below": below, "attempt": attempt})
            return self.answer(cheaper, ticket, pool)  # type: ignore[no-any-return]  # a pickle has no types

        return PlannerWay(
            verb,
            partial(self.answer, question, ticket, pool),
            lambda: pool.cancel(ticket),
            HEAD_START if verb in ("floor", "few") else 0.0,
            better if verb == "floor" else None,
            thorough=verb in ("solve", "replan"),
            partial=verb == "few",
        )

    def exclusions(self, domain: Domain, things: Mapping[str, Thing]) -> tuple[Exclusion, ...]:
        """See `planning.mutexes.exclusions`; a process is asked once for each world and set of classes."""

        def ask(sample: Mapping[str, Thing]) -> tuple[Exclusion, ...] | None:
            problem = Problem(domain, sample, State())
            try:
                answer = self.answer(PlanningRequest("exclusions", problem, given={"seconds": EXCLUDING}))
            except OutsideError:  # mutexes are optional
                return None
            return None if isinstance(answer, NoPlan) else answer

        return remembered(domain, things, self.name, ask)

    def give_way(self) -> None:
        """Plan at a lower priority from now on, so that what ticks keeps its time."""
        self._pool.give_way()

    def take_turns(self) -> None:
        """Plan at the ordinary priority again."""
        self._pool.take_turns()

    def cancel(self) -> None:
        """End all questions. Waiting callers get `Code.CANCELLED`, and a process that does not listen is killed."""
        self._pool.cancel()

    def close(self) -> None:
        """End every process. Waiting callers get the answer of `cancel`; a later question starts new processes."""
        self._finalizer()
        self._open()

    def answer(self, question: PlanningRequest, ticket: Ticket | None = None, pool: Pool | None = None) -> Any:  # noqa: ANN401  # by the verb
        """Ask, and ask once more if the process died; return the result, or why there is none.

        Args:
            question: The question.
            ticket: Its time limit, and whether it was cancelled.
            pool: The processes to ask; those of a race are the ones that were there when it began, so that nothing
                of it survives `close`.

        Raises:
            GraftworkError: The function raised it.
        """
        pool, ticket = pool or self._pool, ticket or Ticket(question.given["seconds"])
        with pool.asking(ticket):
            for _ in range(ATTEMPTS):
                try:
                    seat = pool.take(ticket)
                    if seat is None:
                        break
                    deadline = ticket.begin()
                    given = {**question.given, "seconds": max(deadline - time.monotonic(), LEAST)}
                    answer = pool.ask(seat, replace(question, given=given), deadline)
                except DiedError:
                    continue
                except (LateError, CalledOffError):
                    break
                except ProcessFailedError as error:
                    raise PlanningFailedError(error.what, error.trace) from None
                return TOO_LARGE if answer.kind == SPENT else answer.value
            else:
                return CALLED_OFF if ticket.off else DIED
        return CALLED_OFF if ticket.off else NoPlan(out_of_time(ticket.seconds), False, ticket.seconds)
