"""From a plan to the composite that works on it: one step at a time, or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bt.reactive.resume import Resume
from bt.reactive.step import Step
from bt.record import Journal
from bt.weaving.claims import Claim, Handy, claim_of, occupancy
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
    order, claims = _open(plan.steps, together, robot)
    if order is None or order.total:
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


def _open(steps: Sequence[Operator], together: Together, robot: Robot) -> tuple[Order | None, list[Claim]]:
    """Return the order of the steps with what they claim; None where they are to be done one at a time."""
    agents = {step.command.agent if step.command else "" for step in steps}
    alone = together is False or (together is None and len(agents) < 2)
    if not isinstance(together, Order) and (alone or not isinstance(robot, Handy)):
        return None, []
    claims = [claim_of(step, occupancy(robot)) for step in steps]
    order = together if isinstance(together, Order) else woven(steps, claims)
    if together is None and not any(_differ(steps[one], steps[other]) for one, other in order.unordered):
        return None, []
    return order, claims


def _differ(one: Operator, other: Operator) -> bool:
    """Return whether two steps are of two agents."""
    return one.command is None or other.command is None or one.command.agent != other.command.agent
