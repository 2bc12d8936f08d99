"""From a plan to a tree."""

from __future__ import annotations

from collections.abc import Mapping

from bt.reactive.reach import Reach
from bt.reactive.resume import Resume
from bt.reactive.step import Step
from bt.record import Journal
from semantics.protocols import Beliefs, Robot, Skill
from semantics.state import Plan

__all__ = ["compile_plan"]

EFFECT_PATIENCE = 3.0


def compile_plan(
    plan: Plan,
    *,
    beliefs: Beliefs,
    robot: Robot,
    skills: Mapping[str, Skill] | None = None,
    journal: Journal | None = None,
    effect_patience: float = EFFECT_PATIENCE,
) -> Reach:
    """Make the tree that carries out `plan` from wherever the world is.

    It is a py_trees behaviour like any other, and can stand anywhere in a tree; `beliefs.refresh()` has to be called
    before each tick, which `Runner` does.

    Args:
        plan: What to do; a plan without steps is fine.
        beliefs: What is held true.
        robot: The body.
        skills: By capability name, what gives the motion instead of the capability's primitive.
        journal: Where changes of the resume point and failures are written.
        effect_patience: How long to wait for a step's effect to be sensed, in seconds of the body's clock.

    Raises:
        TreeError: A step has neither a motion primitive nor a skill.
    """
    steps = [
        Step(operator, beliefs=beliefs, robot=robot, skills=skills or {}, patience=effect_patience)
        for operator in plan.steps
    ]
    resume = Resume(plan, steps, beliefs=beliefs, clock=robot.clock, journal=journal)
    return Reach((plan.goal,), resume, beliefs)
