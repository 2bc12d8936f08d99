"""From a decision to a tree that plans again when its plan no longer does, and takes a cheaper one under way.

`Course` answers the questions of such a tree. Every plan goes through `Plans.admitted` before it is compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bt import Improving, Resume, Tree, pursue
from bt.record import Journal
from graftwork.deciding import Ready
from graftwork.opening import Stage
from graftwork.plans import Plans
from planning import Replanned
from planning.service import Improvement
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal
from semantics.protocols import NoPlan, Skill
from semantics.state import Plan, State

__all__ = ["build_tree"]

DELAY = 0.1
"""How long an answer of planning takes on a simulated clock, in its seconds."""


def build_tree(
    ready: Ready, plans: Plans, stage: Stage, skills: Mapping[str, Skill], journal: Journal | None
) -> Tree | Feedback:
    """Compile the plan of a decision, under a rung that plans again from what is believed.

    Returns:
        The tree; or where the plan breaks first, and what does not hold there.
    """
    plan = plans.admitted(ready.plan, ready.state)
    if isinstance(plan, Feedback):
        return plan
    course = Course(ready.goal, plans, [Leg(plan, ready.state)])
    course.root = pursue(
        plan,
        course.replan,
        beliefs=stage.watcher,
        robot=stage.robot,
        goals=ready.goal.conjuncts,
        skills=skills,
        journal=journal,
        delay=DELAY,
        improver=course.improve if plans.patience < plans.seconds else None,
    )
    return course.root


@dataclass(frozen=True, slots=True)
class Leg:
    """A plan, or a search for one, and the state it starts from."""

    found: Plan | Improving
    start: State

    def rest(self, steps: int) -> tuple[Plan, State] | None:
        """Return the last `steps` steps and the state they start from; None when there is no such plan."""
        plan = self.found if isinstance(self.found, Plan) else self.found.best()
        if not isinstance(plan, Plan) or len(plan.steps) < steps:
            return None
        state = self.start
        first = len(plan.steps) - steps
        for step in plan.steps[:first]:
            state = step.apply(state)
        return Plan(plan.steps[first:], plan.goal, plan.optimal, plan.planner), state


@dataclass(slots=True)
class Course:
    """What is pursued, and the plans that were made for it.

    Attributes:
        goal: What to reach.
        plans: Asks for plans.
        legs: Where each plan started, oldest first.
        root: The tree.
    """

    goal: CheckedGoal
    plans: Plans
    legs: list[Leg]
    root: Tree | None = field(default=None)

    def replan(self, state: State, _: Feedback) -> Replanned:
        """Plan again from `state`, with as much of the plan under way as is still good."""
        old, expected = self._left(state)
        found = self.plans.readmitted(self.plans.again(old, expected, self.goal, state), state)
        if isinstance(found.answer, Plan):
            self.legs.append(Leg(found.answer, state))
        return found

    def improve(self, state: State) -> Improving:
        """Look for a cheaper plan from where the step that runs will leave the world."""
        search = Admitting(self.plans.improving(self.goal, state), self.plans, state)
        self.legs.append(Leg(search, state))
        return search

    def _left(self, state: State) -> tuple[Plan, State]:
        """Return what is left of the plan under way from where the world should be, by the state that is nearest."""
        plan = self._under_way()
        for leg in reversed(self.legs):
            rest = leg.rest(len(plan.steps))
            if rest is not None and [one.action for one in rest[0].steps] == [one.action for one in plan.steps]:
                return _nearest(rest[0], rest[1], state)
        return Plan(plan.steps, plan.goal), state  # nobody knows where it was to start, so nothing is claimed for it

    def _under_way(self) -> Plan:
        assert self.root is not None
        return next(node.plan for node in self.root.iterate() if isinstance(node, Resume))


def _nearest(plan: Plan, start: State, state: State) -> tuple[Plan, State]:
    """Return the rest of a plan from the latest of the states on its way that differ least from `state`."""
    states = [start]
    for step in plan.steps:
        states.append(step.apply(states[-1]))
    point = min(range(len(states)), key=lambda index: (len(states[index].atoms ^ state.atoms), -index))
    return Plan(plan.steps[point:], plan.goal, plan.optimal, plan.planner), states[point]


class Admitting:
    """A search for better plans that shows only those that may be compiled."""

    def __init__(self, search: Improvement, plans: Plans, state: State) -> None:
        self._search = search
        self._plans = plans
        self._state = state

    @property
    def done(self) -> bool:
        """Whether no better plan will come."""
        return self._search.done

    def best(self) -> Plan | NoPlan | None:
        """Return the best answer so far, or nothing yet; never waits."""
        return self._let_through(self._search.best())

    def wait(self) -> Plan | NoPlan | None:
        """Wait until it is done."""
        return self._let_through(self._search.wait())

    def cancel(self) -> None:
        """End it; returns at once."""
        self._search.cancel()

    def _let_through(self, found: Plan | NoPlan | None) -> Plan | NoPlan | None:
        if not isinstance(found, Plan):
            return found
        admitted = self._plans.admitted(found, self._state)
        return NoPlan(admitted) if isinstance(admitted, Feedback) else admitted
