"""From a plan to a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from py_trees.behaviour import Behaviour

from bt.improving import Improve, Improver
from bt.reactive.reach import Reach
from bt.record import Journal
from bt.replanning import Replan, Replanner
from bt.weaving import Together, Weave, one_by_one, resuming
from semantics.atoms import Conjunct
from semantics.protocols import Beliefs, Robot, Skill
from semantics.state import Plan

__all__ = ["compile_plan", "pursue"]

EFFECT_PATIENCE = 3.0


def compile_plan(
    plan: Plan,
    *,
    beliefs: Beliefs,
    robot: Robot,
    skills: Mapping[str, Skill] | None = None,
    journal: Journal | None = None,
    effect_patience: float = EFFECT_PATIENCE,
    improver: Improver | None = None,
    delay: float | None = 0.1,
    together: Together = None,
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
        effect_patience: How long to wait for a step's effect, or in the end the goal, to be sensed, in seconds of the
            body's clock.
        improver: Starts a search for a cheaper plan from a state; by default none is looked for.
        delay: How long such a search takes on a simulated clock, in its seconds.
        together: Which steps may be done at once, as far as they do not depend on each other: None for those of
            several agents, True for those of several hands too, False for none, or a given order. Of a plan that is
            not known to be cheapest none are with an `improver`, since a plan is changed between two steps.

    Raises:
        TreeError: A step has neither a motion primitive nor a skill.
    """
    child = _carried_out(plan, together, improver, delay, skills, beliefs, robot, journal, effect_patience)
    return Reach((plan.goal,), child, beliefs)


def pursue(
    plan: Plan,
    replanner: Replanner,
    *,
    beliefs: Beliefs,
    robot: Robot,
    goals: Sequence[Conjunct] = (),
    skills: Mapping[str, Skill] | None = None,
    journal: Journal | None = None,
    effect_patience: float = EFFECT_PATIENCE,
    tries: int = 6,
    delay: float | None = 0.1,
    improver: Improver | None = None,
    together: bool | None = None,
) -> Reach:
    """Make the tree that carries out `plan`, and plans anew when it no longer does: a whole program for a goal.

    Args:
        plan: The first plan.
        replanner: Gives a plan from a state, or why there is none.
        beliefs: What is held true.
        robot: The body.
        goals: The conjuncts, any of which will do; by default the plan's.
        skills: As in `compile_plan`.
        journal: Where the tree writes what it decides.
        effect_patience: As in `compile_plan`.
        tries: How many failures are answered by a new plan.
        delay: How long planning takes on a simulated clock, in its seconds; None to take a plan once it is there.
        improver: Starts a search for a cheaper plan from a state; by default none is looked for.
        together: As in `compile_plan`, for every plan that is made; so no order can be given.

    Raises:
        TreeError: A step has neither a motion primitive nor a skill.
    """

    def build(plan: Plan) -> Behaviour:
        return _carried_out(plan, together, improver, delay, skills, beliefs, robot, journal, effect_patience)

    repair = partial(Replan, beliefs=beliefs, clock=robot.clock, delay=delay, journal=journal)
    return Reach(tuple(goals) or (plan.goal,), repair(build(plan), replanner, build, tries=tries), beliefs)


def _carried_out(
    plan: Plan,
    together: Together,
    improver: Improver | None,
    delay: float | None,
    skills: Mapping[str, Skill] | None,
    beliefs: Beliefs,
    robot: Robot,
    journal: Journal | None,
    patience: float,
) -> Behaviour:
    means = partial(one_by_one, beliefs=beliefs, robot=robot, skills=skills, journal=journal, patience=patience)
    made = resuming(plan, together, **means.keywords)
    if improver is None or (plan.optimal and isinstance(made, Weave)):  # for the cheapest nothing would be looked for
        return made
    return Improve(plan, improver, means, beliefs=beliefs, clock=robot.clock, delay=delay, journal=journal)
