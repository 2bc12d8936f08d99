"""Plans whose steps last and overlap, from a temporal planner (extra ``kairos``).

`solve` counts what actions cost and puts them one after the other; `schedule` asks how early everything could be done,
with several hands or agents at once. Its plan is any plan and no optimal one, but it is run through the model like
every other. `bt.execution.ordered` makes of its times an order, every linearisation of which it checks.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from domains.pddl.writer import PddlWriter
from domains.pddl.writer.profiles import ProfileError
from domains.problem import Problem
from planning.portfolio.kairos import Kairos, Timed
from planning.validation import Valid, validate_actions
from semantics.feedback import Code, Feedback
from semantics.protocols import NoPlan
from semantics.state import Plan

__all__ = ["TimedPlan", "schedule"]


@dataclass(frozen=True, slots=True)
class TimedPlan:
    """A plan and when its steps are done.

    Attributes:
        plan: The steps in the order in which they begin, or end where only that order is valid.
        times: Of each step, when it begins and how long it lasts, in seconds.
    """

    plan: Plan
    times: tuple[tuple[float, float], ...]

    @property
    def makespan(self) -> float:
        """When the last step has ended, in seconds."""
        return max((start + duration for start, duration in self.times), default=0.0)


def schedule(problem: Problem, *, planner: Kairos | None = None, seconds: float = 20.0) -> TimedPlan | NoPlan:
    """Plan with steps that last as the capabilities say; of several alternatives, the one that is reached first.

    Args:
        problem: What to do; its capabilities have a `duration`, and one without is taken to last a second.
        planner: The temporal planner; by default a new one.
        seconds: Time limit of all of it, of which each alternative gets a share.

    Raises:
        PlannerUnavailableError: The planner is not installed.
    """
    temporal, end = planner or Kairos(), time.monotonic() + seconds
    found: list[TimedPlan | NoPlan] = []
    try:
        writer = PddlWriter(problem.domain, problem.objects, "durative")
        problem = replace(problem, objects=writer.things)  # with the constants of the domain
        for number, conjunct in enumerate(problem.goal):
            share = (end - time.monotonic()) / (len(problem.goal) - number)
            found.append(_scheduled(problem.with_goal(conjunct), writer, temporal, share))
    except ProfileError as error:
        why = f"the temporal planner cannot be told: {error}"
        return NoPlan(Feedback(Code.UNSUPPORTED, "planning", why, recoverable=False), False)
    plans = [one for one in found if isinstance(one, TimedPlan)]
    return min(plans, key=lambda one: one.makespan) if plans else next(one for one in found if isinstance(one, NoPlan))


def _scheduled(problem: Problem, writer: PddlWriter, planner: Kairos, seconds: float) -> TimedPlan | NoPlan:
    began = time.monotonic()
    written = writer.write(problem.state, problem.conjunct)
    answer = planner.schedule(written.domain, written.problem, seconds=max(seconds, 0.0))
    if isinstance(answer, NoPlan):
        return answer
    steps = [one._replace(action=written.read(one.action)) for one in answer]
    by_start = sorted(steps, key=lambda one: (one.start, one.start + one.duration))
    by_end = sorted(steps, key=lambda one: (one.start + one.duration, one.start))
    for order in (by_start, by_end):
        actions = tuple(one.action for one in order)
        if isinstance(validate_actions(actions, problem), Valid):
            return _timed(order, problem, time.monotonic() - began)
    why = "the temporal planner's plan is not valid in the order in which its steps begin, nor in which they end"
    return NoPlan(Feedback(Code.INVALID_PLAN, "planning", why), False, time.monotonic() - began)


def _timed(order: list[Timed], problem: Problem, spent: float) -> TimedPlan:
    plan = Plan(tuple(problem.ground(one.action) for one in order), problem.conjunct, False, Kairos.name, spent)
    return TimedPlan(plan, tuple((one.start, one.duration) for one in order))
