"""`Replan`: the rung that plans again from what is believed, and goes on with a new tree."""

from __future__ import annotations

import math
from collections.abc import Callable

from py_trees.behaviour import Behaviour

from bt.reactive.judging import holds
from bt.record import Journal
from bt.repair import Rung
from planning.replanning.replan import Replanned
from semantics.feedback import Feedback
from semantics.protocols import Beliefs, Clock, NoPlan
from semantics.state import Plan, State

__all__ = ["Replan", "Replanner", "plan_fields"]

Answer = Plan | NoPlan | Replanned
Replanner = Callable[[State, Feedback], Answer]
"""Gives a plan from a state to the goal, with where it comes from if that is known, or why there is none.

It is called off the tick and may take its time.
"""


class Replan(Rung[Plan | Replanned]):
    """Makes a new plan from what is believed now, and a new tree of it.

    Args:
        child: The tree of the first plan, or any other that may fail.
        replanner: Gives a plan, or why there is none.
        build: Makes a tree of a plan.
        beliefs: What is held true.
        clock: The body's clock.
        tries: How many failures it answers.
        delay: How long planning takes on a simulated clock; None to take the plan as soon as it is there.
        journal: Where plans, failures and uses are written.
    """

    kind = "replan"

    def __init__(
        self,
        child: Behaviour,
        replanner: Replanner,
        build: Callable[[Plan], Behaviour],
        *,
        beliefs: Beliefs,
        clock: Clock,
        tries: int = 6,
        settle: float = 0.5,
        delay: float | None = 0.1,
        journal: Journal | None = None,
    ) -> None:
        super().__init__(
            "replan", child, beliefs=beliefs, clock=clock, tries=tries, settle=settle, delay=delay, journal=journal
        )
        self.plan: Plan | None = None
        self._replanner = replanner
        self._build = build

    def ask(self, state: State, feedback: Feedback) -> Plan | Replanned | NoPlan:
        """Plan from `state`."""
        found = self._replanner(state, feedback)
        return found.answer if isinstance(found, Replanned) and isinstance(found.answer, NoPlan) else found

    def mend(self, answer: Plan | Replanned) -> None:
        """Put the new plan's tree in the place of the old one."""
        plan = answer.answer if isinstance(answer, Replanned) else answer
        assert isinstance(plan, Plan)
        self.plan = plan
        child = self._build(plan)
        self.decorated.parent = None
        child.parent = self
        self.children[0] = self.decorated = child
        self.note("plan", plan_fields(plan, "replan") | (_origin(answer) if isinstance(answer, Replanned) else {}))

    def is_served(self) -> bool:
        """Return whether the new plan's goal was sensed to hold."""
        return self.plan is not None and holds(self.plan.goal, self.beliefs)


def plan_fields(plan: Plan, why: str) -> dict[str, object]:
    """Return the fields of a ``plan`` event of the record."""
    return {
        "steps": [str(step) for step in plan.steps],
        "costs": [step.cost for step in plan.steps],
        "cost": plan.cost,
        "optimal": plan.optimal,
        "planner": plan.planner,
        "seconds": round(plan.seconds, 3),
        "why": why,
    }


def _origin(replanned: Replanned) -> dict[str, object]:
    """Return the fields that say how a new plan was come by, and how good it is known to be."""
    bound = replanned.bound if math.isfinite(replanned.bound) else None
    return {"how": str(replanned.how), "bound": bound, "reason": replanned.why}
