"""A whole program for a goal: its plan's tree with the lower rungs around it, and planning anew above them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from py_trees.behaviour import Behaviour

from bt.compiling import EFFECT_PATIENCE, compile_plan
from bt.reactive.reach import Reach
from bt.record import Journal
from bt.repairing.again import TWICE, Again
from bt.repairing.budget import Budget
from bt.repairing.ladder import Ladder, Noting, Tally
from bt.repairing.obstacles import Obstacles
from bt.repairing.obstacles.believing import DomainReplanner
from bt.repairing.rules import Mender, Rule
from bt.replanning import Replan
from semantics.atoms import Conjunct
from semantics.protocols import Robot, Skill
from semantics.state import Plan

__all__ = ["Rungs", "pursue_mending"]


@dataclass(frozen=True)
class Rungs:
    """Which rungs there are, and what each may spend; a budget of None leaves a rung out.

    Attributes:
        mender: The rules; None leaves that rung out.
        replanner: Gives a plan in the domain with what was learned; None leaves that rung out.
        again: Of the rung that begins a step once more.
        rule: Of the rung of rules.
        replans: How many failures are answered by a new plan.
        delay: How long planning takes on a simulated clock, in its seconds.
    """

    mender: Mender | None = None
    replanner: DomainReplanner | None = None
    again: Budget | None = TWICE
    rule: Budget | None = field(default_factory=Budget)
    replans: int = 6
    delay: float | None = 0.1


def pursue_mending(
    plan: Plan,
    rungs: Rungs,
    *,
    obstacles: Obstacles,
    robot: Robot,
    goals: Sequence[Conjunct] = (),
    skills: Mapping[str, Skill] | None = None,
    journal: Journal | None = None,
    effect_patience: float = EFFECT_PATIENCE,
) -> Reach:
    """Make the tree that carries out `plan`, and mends it by the cheapest means.

    Args:
        plan: The first plan; it need not be right.
        rungs: What mends it.
        obstacles: What is held true; pass the same to `Runner`.
        robot: The body.
        goals: The conjuncts, any of which will do; by default the plan's.
        skills: By capability name, what gives the motion instead of the capability's primitive.
        journal: Where the tree writes what it decides.
        effect_patience: How long to wait for a step's effect to be sensed, in seconds of the body's clock.
    """
    tally = Tally(journal)
    clock = robot.clock

    def once(plan: Plan) -> Behaviour:
        made = compile_plan(
            plan, beliefs=obstacles, robot=robot, skills=skills, journal=tally, effect_patience=effect_patience
        )
        noted = Noting(made, clock=clock, journal=tally, obstacles=obstacles)
        if rungs.again is None:
            return noted
        return Again(noted, beliefs=obstacles, clock=clock, budget=rungs.again, journal=tally)

    def ruled(plan: Plan) -> Behaviour:
        if rungs.mender is None or rungs.rule is None:
            return once(plan)
        return Rule(once(plan), rungs.mender, once, beliefs=obstacles, clock=clock, budget=rungs.rule, journal=tally)

    root = ruled(plan)
    if rungs.replanner is not None:
        planner = obstacles.planner(rungs.replanner)
        root = Replan(
            root, planner, ruled, beliefs=obstacles, clock=clock, tries=rungs.replans, delay=rungs.delay, journal=tally
        )
    return Reach(tuple(goals) or (plan.goal,), Ladder(root, tally), obstacles)
