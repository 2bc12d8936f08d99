"""Plans whose steps have durations and overlap, from a temporal planner (extra ``kairos``).

`solve` minimises the cost of actions and orders them one after the other. `schedule` asks how early each action can be
done, with several hands or agents at once. Its plan is not optimal, but it is validated with the model like every other
plan. `bt.execution.ordered` derives an order from its times and checks every linearisation of it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from domains.pddl.writer import PddlWriter
from domains.pddl.writer.profiles import ProfileError
from domains.problem import Problem
from planning.portfolio.kairos import Kairos, Timed
from planning.validation import Valid, validate_actions
from semantics.body.protocols import NoPlan
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Plan


@dataclass(frozen=True, slots=True)
class TimedPlan:
    """A plan with the times of its steps.

    Attributes:
        plan: The steps in the order in which they begin, or in which they end if only that order is valid.
        times: For each step, when it begins and how long it lasts, in seconds.
    """

    plan: Plan
    times: tuple[tuple[float, float], ...]

    @property
    def makespan(self) -> float:
        """When the last step has ended, in seconds."""
        return max((start + duration for start, duration in self.times), default=0.0)


def schedule(problem: Problem, *, planner: Kairos | None = None, seconds: float = 20.0) -> TimedPlan | NoPlan:
    """Plan with the durations of the capabilities; of several alternatives, return the one that is reached first.

    Args:
        problem: The problem to solve; its capabilities have a `duration`, and one without is assumed to last a second.
        planner: The temporal planner; by default a new one.
        seconds: The total time limit; each alternative gets a share.

    Raises:
        PlannerUnavailableError: The planner is not installed.
    """
    temporal, end = planner or Kairos(), time.monotonic() + seconds
    answers: list[TimedPlan | NoPlan] = []
    try:
        writer = PddlWriter(problem.domain, problem.objects, "durative")
        problem = replace(problem, objects=writer.things)  # including the constants of the domain
        for number, conjunct in enumerate(problem.goal):
            share = (end - time.monotonic()) / (len(problem.goal) - number)
            answers.append(_scheduled(problem.with_goal(conjunct), writer, temporal, share))
    except ProfileError as error:
        why = f"the temporal planner cannot be told: {error}"
        return NoPlan(Feedback(Code.UNSUPPORTED, "planning", why, recoverable=False), False)
    plans = [answer for answer in answers if isinstance(answer, TimedPlan)]
    if plans:
        return min(plans, key=lambda plan: plan.makespan)
    return next(answer for answer in answers if isinstance(answer, NoPlan))


def _scheduled(problem: Problem, writer: PddlWriter, planner: Kairos, seconds: float) -> TimedPlan | NoPlan:
    began = time.monotonic()
    written = writer.write(problem.state, problem.conjunct)
    answer = planner.schedule(written.domain, written.problem, seconds=max(seconds, 0.0))
    if isinstance(answer, NoPlan):
        return answer
    steps = [step._replace(action=written.read(step.action)) for step in answer]
    by_start = sorted(steps, key=lambda step: (step.start, step.start + step.duration))
    by_end = sorted(steps, key=lambda step: (step.start + step.duration, step.start))
    for order in (by_start, by_end):
        actions = tuple(step.action for step in order)
        if isinstance(validate_actions(actions, problem), Valid):
            return _timed(order, problem, time.monotonic() - began)
    why = "the temporal planner's plan is not valid in the order in which its steps begin, nor in which they end"
    return NoPlan(Feedback(Code.INVALID_PLAN, "planning", why), False, time.monotonic() - began)


def _timed(order: list[Timed], problem: Problem, spent: float) -> TimedPlan:
    plan = Plan(tuple(problem.ground(step.action) for step in order), problem.conjunct, False, Kairos.name, spent)
    return TimedPlan(plan, tuple((step.start, step.duration) for step in order))
