"""From a plan to the composite that works on it: one step at a time, or several."""

from __future__ import annotations

from collections.abc import Mapping

from bt.reactive.resume import Resume
from bt.reactive.step import Step
from bt.record import Journal
from bt.weaving.claims import claim_of, occupancy
from bt.weaving.order import Order, woven
from bt.weaving.weave import Weave
from semantics.protocols import Beliefs, Robot, Skill
from semantics.state import Operator, Plan

__all__ = ["Together", "one_by_one", "resuming"]

Together = bool | Order | None
"""Which steps of a plan may be done at once.

None for those of several agents, if the body can do that; True for those of several hands, too; False for none; an
`Order` for those that it leaves unordered (see `bt.weaving.given`).
"""


def resuming(
    plan: Plan,
    together: Together = None,
    *,
    beliefs: Beliefs,
    robot: Robot,
    skills: Mapping[str, Skill] | None = None,
    journal: Journal | None = None,
    patience: float,
) -> Resume | Weave:
    """Make the composite that works on `plan` from wherever the world is: a `Resume` where nothing is done at once.

    Args:
        plan: What to do.
        together: Which steps may be done at once.
        beliefs: What is held true.
        robot: The body.
        skills: By capability name, what gives the motion instead of the capability's primitive.
        journal: Where it writes what it decides.
        patience: How long to wait for an effect to be sensed, in seconds of the body's clock.

    Raises:
        TreeError: A step has neither a motion primitive nor a skill.
    """
    steps = [Step(one, beliefs=beliefs, robot=robot, skills=skills or {}, patience=patience) for one in plan.steps]
    claims = [claim_of(one, occupancy(robot)) for one in plan.steps] if together is not False else []
    order = together if isinstance(together, Order) else woven(plan.steps, claims) if claims else None
    if order is None or not _pays(order, plan.steps, every_hand=together is not None):
        return Resume(plan, steps, beliefs=beliefs, clock=robot.clock, journal=journal, patience=patience)
    return Weave(plan, steps, order, claims, beliefs=beliefs, clock=robot.clock, journal=journal, patience=patience)


def one_by_one(
    plan: Plan,
    *,
    beliefs: Beliefs,
    robot: Robot,
    skills: Mapping[str, Skill] | None = None,
    journal: Journal | None = None,
    patience: float,
) -> Resume:
    """Make the composite that does one step at a time; otherwise as `resuming`."""
    steps = [Step(one, beliefs=beliefs, robot=robot, skills=skills or {}, patience=patience) for one in plan.steps]
    return Resume(plan, steps, beliefs=beliefs, clock=robot.clock, journal=journal, patience=patience)


def _pays(order: Order, steps: tuple[Operator, ...], *, every_hand: bool) -> bool:
    """Return whether there are two steps that may be done at once, of two agents unless any two hands will do."""
    agents = [step.command.agent if step.command else "" for step in steps]
    return any(every_hand or agents[one] != agents[other] for one, other in order.unordered)
