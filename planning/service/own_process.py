"""`OwnProcess`: planning in separate processes, see `planning.service.protocol`.

A question goes to a warm process. What that process already knows is not sent again. A process that has died, or does
not listen, is replaced, and the question is asked once more in the remaining time. A process that is late is killed. In
all these cases, the answer is a value.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from domains.model import Domain
from domains.problem import Problem
from planning.anytime import Best, PlannerWay, decided
from planning.errors import PlannerUnavailableError, PlanningFailedError
from planning.late import out_of_memory, out_of_time
from planning.mutexes import remembered
from planning.portfolio.race import CALLED_OFF, HEAD_START, LAMA, LEAST_OBJECTS
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
from semantics.process.seat import CalledOffError, DiedError, LateError
from semantics.process.work import WorkerSpec

if TYPE_CHECKING:
    from planning.replanning.replan import Replanned

__all__ = ["OwnProcess"]

MEMORY = 1344 << 20
"""How much memory all processes that work on one problem may use, bytes."""
NICENESS = 5
"""How much lower the priority of planning is while something ticks on a real clock, which has to keep its time."""
ATTEMPTS = 2
EXCLUDING = 3.0
"""The time limit for finding mutexes, seconds."""
PROVING = ("fast-downward", "portfolio")
"""Planners whose first plan comes late, because it is a cheapest one."""
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
        ways = [self._way(PlanningRequest("solve", problem), seconds), *self._floor(problem, seconds)]
        if len(ways) > 1 and len(problem.objects) >= LEAST_OBJECTS:
            ways.append(self._way(PlanningRequest("few", problem), seconds, after=HEAD_START))
        return decided(problem, ways, patience)

    def replan(
        self, problem: Problem, old: Plan, expected: State, *, seconds: float = 20.0, within: float = 0.0
    ) -> Replanned:
        """See `planning.replan`; with a planner that proves, a satisficing search runs beside it."""
        from planning.replanning.replan import PlanSource, Replanned

        replanned: list[Replanned] = []

        def replan() -> Plan | NoPlan:
            question = PlanningRequest("replan", problem, expected, {"old": old, "within": within})
            answer = self.answer(question, ticket, pool)
            if isinstance(answer, NoPlan):
                return answer
            replanned.append(answer)
            return answer.answer  # type: ignore[no-any-return]  # a pickle has no types

        ticket, pool = Ticket(seconds, "solve"), self._pool
        way = PlannerWay("replan", replan, lambda: pool.cancel(ticket), thorough=True)
        answer = decided(problem, [way, *self._floor(problem, seconds)], seconds)
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
        ways = [self._way(PlanningRequest(verb, problem), seconds) for verb in verbs]
        return Best([*ways, *self._floor(problem, seconds)])

    def _way(self, question: PlanningRequest, seconds: float, *, after: float = 0.0) -> PlannerWay:
        ticket, pool = Ticket(seconds, question.verb), self._pool
        return PlannerWay(
            question.verb,
            lambda: self.answer(question, ticket, pool),
            lambda: pool.cancel(ticket),
            after,
            thorough=question.verb == "solve",
            partial=question.verb == "few",
        )

    def _floor(self, problem: Problem, seconds: float) -> list[PlannerWay]:
        """Return the satisficing search on the whole problem.

        There is none if the planner's own first plan comes early, or if only one process may work.
        """
        if self.name not in PROVING or self._seats == 1:
            return []
        ticket, pool = Ticket(seconds, "floor"), self._pool

        def ask(**given: int) -> Plan | NoPlan:
            question = PlanningRequest("floor", problem, given=given)
            return self.answer(question, ticket, pool)  # type: ignore[no-any-return]  # a pickle has no types

        def better(below: int, attempt: int) -> Plan | NoPlan:
            return ask(below=below, attempt=attempt)

        return [PlannerWay("floor", ask, lambda: pool.cancel(ticket), HEAD_START, better)]

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
                    answer = pool.ask(seat, question.within(deadline), deadline)
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
