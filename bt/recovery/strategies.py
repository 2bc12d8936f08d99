"""The basic strategies: begin the child again, and make a new plan from the believed state."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from bt.execution.improvement import Basis
from bt.execution.remaining import resume_point
from bt.recovery.obstacles import known_to
from bt.recovery.request import Answer, NewPlan, Nothing, Repeat, Request, Scope, Strategy
from domains.model import Domain
from planning.replanning.replan import Replanned
from semantics.feedback import Code, Feedback
from semantics.protocols import NoPlan
from semantics.state import Plan

__all__ = ["MENDED_BY_CHANCE", "Replan", "Replanner", "Retry"]

MENDED_BY_CHANCE = frozenset({Code.NOT_GRASPED, Code.DROPPED, Code.STUCK, Code.NO_ROOM, Code.EFFECT_MISSING})
"""Failures that may not occur again in a second try: fingers slipped, a way was blocked for a moment.

An obstructed or unreachable object stays so; such failures are for the next strategies.
"""


@dataclass(eq=False)
class Retry(Strategy):
    """Begins the child again, after the world has come to rest and was sensed.

    A plan goes on at its resume point, which is usually the step that failed. A leaf starts its motion again, and the
    body chooses again among its candidates. For a plan, the strategy also answers any failure after which the resume
    point is at another step: then the plan itself can deal with the new state.

    Attributes:
        codes: The failures that a second try may solve.
    """

    name = "again"

    codes: frozenset[Code] = MENDED_BY_CHANCE

    def propose(self, request: Request) -> Answer:
        """Begin again if a second try may help, or if the plan goes on at another step."""
        feedback = request.feedback
        is_refused = feedback.code is Code.REFUSED_BY_BODY and not feedback.culprits
        if is_refused or feedback.code in self.codes or _leads_elsewhere(request):
            return Repeat()
        return Nothing(Feedback(feedback.code, "once more", "nothing has changed that would let it work"))


def _leads_elsewhere(request: Request) -> bool:
    """Return whether the plan goes on at another step than the failed one, for example since a door is shut."""
    if request.plan is None:
        return False
    point = resume_point(request.plan.steps, request.plan.goal, request.state)
    return point is not None and point != request.number


Replanner = Callable[[Request], Plan | NoPlan | Replanned]
"""Returns a plan to the goal from the state of a request, in the model that the request has as `learned`; or the reason
why there is none. A `Replanned` also says how the plan was made. It is called off the tick, so it may take long."""


@dataclass(eq=False)
class Replan(Strategy):
    """Makes a new plan from the believed state; planning costs no money.

    Obstacles are facts of the learned model, so the planner clears them away. If they cannot be cleared away, the
    strategy plans without them: the world may have changed without being sensed, and a second try is better than none.

    Attributes:
        replanner: Returns a plan, or why there is none.
        domain: The model of the world without learned facts; None when the replanner has its own.
        seconds: The duration of planning on a simulated clock, in its seconds.
    """

    name = "replan"
    scope = Scope.PLAN
    needs_goal = makes_plans = True

    replanner: Replanner
    domain: Domain | None = None
    seconds: float = 0.1

    def propose(self, request: Request) -> Answer:
        """Plan from the state of the request."""
        domain, learned = self.domain, request.learned or self.domain
        answer = self._planned(request if learned is None else _within(request, learned))
        if isinstance(answer, NewPlan) or _is_called_off(answer) or domain is None or learned is domain:
            return answer
        return self._planned(_within(request, domain))

    def _planned(self, request: Request) -> NewPlan | Nothing:
        answer = self.replanner(request)
        plan = answer.answer if isinstance(answer, Replanned) else answer
        if isinstance(plan, NoPlan):
            return Nothing.of(plan)
        fields = _origin(answer) if isinstance(answer, Replanned) else ()
        return NewPlan(plan, Basis(request.state, request.learned), fields=fields)


def _within(request: Request, domain: Domain) -> Request:
    return replace(request, state=known_to(domain, request.state), learned=domain)


def _is_called_off(answer: Nothing) -> bool:
    return answer.reason is not None and answer.reason.code is Code.CANCELLED


def _origin(replanned: Replanned) -> tuple[tuple[str, object], ...]:
    """Return the fields that say how a new plan was made, and the bound of its cost."""
    bound = replanned.bound if math.isfinite(replanned.bound) else None
    return ("how", str(replanned.how)), ("bound", bound), ("reason", replanned.why)
