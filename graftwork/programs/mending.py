"""A program's tree under the repair ladder: each step by itself, and whatever is to be achieved as any goal."""

from __future__ import annotations

from collections.abc import Callable

from bt import Tree
from bt.compiling import EFFECT_PATIENCE
from bt.programs import CheckedProgram, Routine, compile_program
from bt.programs.nodes.statement import Asking
from bt.record import Journal
from bt.repairing import Again, Mender, Rule, Rungs, Tally, climb
from bt.repairing.pursuing import Kit
from graftwork.acting.course import DELAY
from graftwork.deciding.decider import Ready
from graftwork.mending.budgets import Budgets
from graftwork.mending.parking import parking_of
from graftwork.running.means import Means
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal
from semantics.state import Plan, State

__all__ = ["build_program"]


def build_program(checked: CheckedProgram, means: Means, journal: Journal) -> Routine:
    """Make the tree that carries a program out and mends itself.

    A call of a capability that fails is begun once more, or mended by a rule of the domain; `achieve` has every rung
    that the goal of a sentence has.

    Args:
        checked: The program.
        means: What the run is conducted with.
        journal: Where the tree writes what it decides.
    """

    def pursued(goal: CheckedGoal, plan: Plan, state: State) -> Tree | Feedback:
        return means.tree(Ready(goal, plan, state), journal)

    return compile_program(
        checked,
        beliefs=means.beliefs,
        robot=means.stage.robot,
        planner=means.plans.found,
        skills=means.skills,
        journal=journal,
        delay=DELAY,
        around=_around(means, journal),
        pursuer=pursued,
        asking=Asking(means.desk, means.limits.answer_seconds),
    )


def _around(means: Means, journal: Journal) -> Callable[[Tree], Tree]:
    """Return what puts the rungs of a single step around it: once more, and the rules."""
    stage, domain, rules = means.stage, means.stage.domain, means.repairs
    budgets = Budgets.joined(domain.ladder, means.limits.ladder)
    again, rule = budgets["again"], budgets["rule"]
    beliefs, clock = means.beliefs, stage.robot.clock

    def around(step: Tree) -> Tree:
        mender = Mender(rules, domain, means.plans.things, parking_of(stage))
        rungs: list[Callable[[Tree, Journal], Tree]] = []
        if again is not None:
            rungs.append(lambda child, log: Again(child, beliefs=beliefs, clock=clock, budget=again, journal=log))
        if rule is not None and rules:
            kit = Kit(Rungs(again=again), beliefs, stage.robot, means.skills, Tally(journal), EFFECT_PATIENCE)
            build, spent = kit.once, rule
            rungs.append(
                lambda child, log: Rule(child, mender, build, beliefs=beliefs, clock=clock, budget=spent, journal=log)
            )
        return climb(step, rungs, clock=clock, journal=journal, obstacles=beliefs)

    return around
