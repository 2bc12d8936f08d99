"""The strategies that need nothing but the plan: the same once more, and a new plan from what is believed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from bt.execution.improvement import Basis
from bt.execution.regression import Regression
from bt.recovery.obstacles.compilation import known_to
from bt.recovery.request import Answer, NewPlan, Nothing, Repeat, Request, Scope, Strategy
from domains.model import Domain
from planning.replanning.replan import Replanned
from semantics.feedback import Code, Feedback
from semantics.protocols import NoPlan
from semantics.state import Plan

__all__ = ["MENDED_BY_CHANCE", "Replan", "Replanner", "Retry"]

MENDED_BY_CHANCE = frozenset({Code.NOT_GRASPED, Code.DROPPED, Code.STUCK, Code.NO_ROOM, Code.EFFECT_MISSING})
"""Failures of one try that say little of the next: fingers that slipped, a way that was blocked for a moment.

What is obstructed or out of reach stays so; it is for the next strategies.
"""


@dataclass(eq=False)
class Retry(Strategy):
    """Begins the child again, once the world has come to rest and was sensed.

    A plan goes on at the step that failed (or wherever the world is by then), a leaf starts its motion anew, and the
    body chooses among its candidates anew. Of a plan it is also for any failure by which the world has come to be
    sensed as one that the plan can deal with itself.

    Attributes:
        codes: The failures that a second try may mend.
    """

    name = "again"

    codes: frozenset[Code] = MENDED_BY_CHANCE

    def propose(self, request: Request) -> Answer:
        """Begin again if chance may mend it, or if the plan knows by now what to do about it."""
        feedback = request.feedback
        is_refused = feedback.code is Code.REFUSED_BY_BODY and not feedback.culprits
        if is_refused or feedback.code in self.codes or _leads_elsewhere(request):
            return Repeat()
        return Nothing(Feedback(feedback.code, "once more", "nothing has changed that would let it work"))


def _leads_elsewhere(request: Request) -> bool:
    """Return whether the plan goes on at another step than the failed one: the door is seen to be shut."""
    if request.plan is None:
        return False
    point = Regression(request.plan.steps, request.plan.goal).latest(request.state)
    return point is not None and point != request.number


Replanner = Callable[[Request], Plan | NoPlan | Replanned]
"""Gives a plan to the goal from the state of a request, in the model that the request has as `learned`; with where the
plan comes from if that is known, or why there is none. It is called off the tick and may take its time."""


@dataclass(eq=False)
class Replan(Strategy):
    """Makes a new plan from what is believed now; planning costs no money.

    Physical failures that were learned as facts stand in the way of plans, so that the planner clears the way. Where
    the way cannot be cleared, what failed is tried once more rather than nothing: the world may have changed without
    anybody having seen it.

    Attributes:
        replanner: Gives a plan, or why there is none.
        domain: The world's model as it is without what was learned; None where the replanner knows its own.
        seconds: How long planning takes on a simulated clock, in its seconds.
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
    """Return the fields that say how a new plan was made, and how good it is known to be."""
    bound = replanned.bound if math.isfinite(replanned.bound) else None
    return ("how", str(replanned.how)), ("bound", bound), ("reason", replanned.why)
