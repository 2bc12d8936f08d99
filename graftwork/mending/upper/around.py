"""Planning around what the body has met in its way, and without that where there is no way around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from bt.repairing import Obstacles, known_to
from bt.repairing.turns import must_be_wanted
from graftwork.acting.plans import Plans
from semantics.feedback import Code, Feedback
from semantics.goal import CheckedGoal
from semantics.protocols import NoPlan
from semantics.state import Plan, State

__all__ = ["around", "is_called_off", "plan_around"]

Answer = TypeVar("Answer")


def around(
    plans: Plans, obstacles: Obstacles | None, state: State, ask: Callable[[Plans, State], Answer | NoPlan]
) -> Answer | NoPlan:
    """Ask for an answer of planning; where what was met leaves none, it is tried once more rather than nothing.

    Args:
        plans: Who plans.
        obstacles: What the body has met; None for nothing.
        state: What is believed; obstacles that are forgotten by now are left out of it.
        ask: Asks for the answer.
    """
    must_be_wanted()
    domain = plans.domain if obstacles is None else obstacles.domain()
    if domain is not plans.domain:
        found = ask(plans.within(domain), known_to(domain, state))
        if not isinstance(found, NoPlan) or is_called_off(found):
            return found
    return ask(plans, known_to(plans.domain, state))


def plan_around(plans: Plans, obstacles: Obstacles | None, goal: CheckedGoal, state: State) -> Plan | NoPlan:
    """Plan for a goal, and let the plan through the door."""

    def plan(plans: Plans, state: State) -> Plan | NoPlan:
        found = plans.found(goal, state)
        admitted = found if isinstance(found, NoPlan) else plans.admitted(found, state)
        return NoPlan(admitted) if isinstance(admitted, Feedback) else admitted

    return around(plans, obstacles, state, plan)


def is_called_off(found: object) -> bool:
    """Return whether planning was called off: nobody waits for an answer any more."""
    return isinstance(found, NoPlan) and found.feedback.code is Code.CANCELLED
