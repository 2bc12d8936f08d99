"""The tree of a program with recovery: for each single step, and for each goal that the program states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bt import Runner, Tree
from bt.background import Cancellation
from bt.compiler import Execution
from bt.correction import Rehearsal
from bt.programs import CheckedProgram, Routine, compile_program
from bt.programs.nodes.statement import Asking, Flow
from bt.record import Journal
from bt.recovery import Recover, RepairSearch, Retry, Rule
from bt.runner import Listener
from graftwork.decision import PlanDecision
from graftwork.decision.context import DecisionContext
from graftwork.decision.goal_plan import finish_plan
from graftwork.recovery.tree import PLANNED_SECONDS
from graftwork.run.context import RunState, Services, tree_of
from graftwork.setup.limits import Consent
from semantics.body.protocols import NoPlan, reaches_of
from semantics.logic.goal import CheckedGoal
from semantics.logic.state import Action, Plan, State


def rehearsal_in(services: Services) -> Rehearsal:
    """Return what carries out programs on the model, with things where they are believed to be now."""
    beliefs = services.beliefs
    return Rehearsal(
        services.plans.found,
        sightings=beliefs.sightings,
        heading=beliefs.heading,
        views=beliefs.views,
        reaches=reaches_of(services.robot),
    )


def build_program(checked: CheckedProgram, services: Services, run: RunState) -> Routine:
    """Build the tree that executes a program and recovers from failures.

    A failed call of a capability is retried, or repaired by a rule of the domain. `achieve` has the same tree as the
    goal of an instruction.

    Args:
        checked: The program.
        services: The services of the run.
        run: The state of the run; its journal gets the tree's events.
    """
    journal = run.journal

    def pursued(goal: CheckedGoal, plan: Plan, state: State) -> Tree:
        return tree_of(services, PlanDecision(goal, plan, state), run)

    def planned(goal: CheckedGoal, state: State) -> Plan | NoPlan:
        context = replace(services.decide_in(services.world), consent=Consent.NEVER)
        plan = context.plans.found(goal, state)
        return plan if isinstance(plan, NoPlan) else finished(goal, plan, state, context)

    def recalled(goal: CheckedGoal, actions: Sequence[Action], state: State) -> Plan | None:
        context = replace(services.decide_in(services.world), consent=Consent.NEVER)
        rests = (tuple(actions[done:]) for done in range(len(actions) + 1))
        plans = (context.plans.remembered(rest, goal, state, optimal=False) for rest in rests)
        plan = next(filter(None, plans), None)
        made = None if plan is None else finished(goal, plan, state, context)
        return made if isinstance(made, Plan) else None

    def finished(goal: CheckedGoal, plan: Plan, state: State, context: DecisionContext) -> Plan | NoPlan:
        decision = finish_plan(PlanDecision(goal, plan, state), context, state)
        return decision.plan if isinstance(decision, PlanDecision) else NoPlan(decision.feedback[0])

    return compile_program(
        checked,
        beliefs=services.beliefs,
        robot=services.robot,
        planner=planned,
        skills=services.skills,
        journal=journal,
        delay=PLANNED_SECONDS,
        around=_around(services, journal, run.cancellation),
        pursuer=pursued,
        recall=recalled,
        asking=Asking(run.desk, services.limits.answer_seconds),
        cancellation=run.cancellation,
    )


def _around(services: Services, journal: Journal, cancellation: Cancellation) -> Callable[[Tree], Tree]:
    """Return the function that decorates a single step with recovery: retry, and the repair rules."""
    robot, rules = services.robot, services.repairs
    beliefs, skills = services.beliefs, services.skills

    execution = Execution(beliefs, robot, skills, journal)

    def around(step: Tree) -> Tree:
        mender = RepairSearch(rules, services.parking)
        strategies = (Retry(), *((Rule(mender),) if rules else ()))
        return Recover(
            step,
            strategies,
            {strategy.name: services.budgets[strategy.name] for strategy in strategies},
            beliefs=beliefs,
            clock=robot.clock,
            journal=journal,
            carry_out=execution.of,
            cancellation=cancellation,
        )

    return around


class Whereabouts(Listener):
    """Writes a ``line`` event whenever another statement runs.

    Args:
        routine: The program's tree.
        journal: Gets the events.
    """

    def __init__(self, routine: Routine, journal: Journal) -> None:
        self._routine = routine
        self._journal = journal
        self._reported: Flow | None = None

    def ticked(self, runner: Runner) -> None:
        """Check the current statement after a tick."""
        statement = self._routine.under_way
        if statement is None or statement is self._reported:
            return
        self._reported = statement
        fields = {"line": statement.place.line, "text": statement.what}
        self._journal.write("line", {"t": round(runner.robot.clock.now(), 3), **fields})
