"""From a decision to a tree that recovers by the cheapest strategy, and changes to a cheaper plan during execution.

`Pursuit` holds the goal of a run and answers the tree's requests for plans. `Plans.admitted` validates every plan
before its execution; a repair rule validates its own plans in the same model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bt import Tree
from bt.background import Cancellation
from bt.compiler import pursue
from bt.execution.improvement import Basis
from bt.record import Journal
from bt.recovery import Answer, Obstacles, RepairSearch, Replan, Retry, Rule, Strategy, known_with
from bt.recovery.budget import Budgets
from domains.model import RepairRule
from domains.planned_values import distances_of, valued
from graftwork.decision import DecisionContext, PlanDecision
from graftwork.decision.exploration import Exploring
from graftwork.recovery.ask import HEARD_SECONDS, AskPerson
from graftwork.recovery.consult import CONSULTED_SECONDS, Consult
from graftwork.recovery.context import Pursuit, RecoveryContext
from graftwork.recovery.explore import Explore
from graftwork.recovery.part import PursuePart
from graftwork.recovery.substitute import Substitute
from graftwork.setup.environment import Environment
from graftwork.setup.limits import Consent
from semantics.logic.atoms import Conjunct
from semantics.logic.goal import CheckedGoal
from semantics.logic.state import Plan

PLANNED_SECONDS = 0.1  # seconds that planning takes on a simulated clock


def build_tree(
    ready: PlanDecision,
    environment: Environment,
    context: RecoveryContext,
    beliefs: Obstacles,
    budgets: Budgets,
    rules: Sequence[RepairRule],
    journal: Journal | None = None,
    cancellation: Cancellation | None = None,
) -> Tree:
    """Build the tree that executes the plan of a decision: `Goal > Recover > Execute > steps`.

    Args:
        ready: The decision.
        environment: The body, and what is believed.
        context: The services of the strategies.
        beliefs: The beliefs, with the obstacles that the body has met.
        budgets: The budget of each strategy; None leaves a strategy out.
        rules: The repair rules.
        journal: Gets the tree's events.
        cancellation: Tells whether the run is cancelled.

    Returns: The tree. If the decision only says what to look for, it begins without a plan and a strategy makes one.
    """
    decider, watcher = context.decide_in(environment.world), environment.watcher
    plans, state = decider.plans, known_with(ready.obstacles, ready.state) if ready.obstacles else ready.state
    plan = None if ready.looks_for else ready.plan
    pursuit = Pursuit(ready.goal, beliefs, context, ready.state)
    said = dict(ready.goal.goal.values)

    def judge(goal: CheckedGoal) -> None:
        values = tuple({**said, **dict(goal.goal.values)}.items())
        said_so = replace(goal.goal, values=values)
        watcher.require_distances(distances_of(watcher.world.domain, said_so) if values else {})

    def take(strategy: Strategy, answer: Answer) -> None:
        pursuit.take(strategy, answer)
        judge(pursuit.goal)

    def with_values(made: Plan) -> Plan:
        for goal in (pursuit.goal.goal, ready.goal.goal):
            made = valued(watcher.world.domain, made, goal) if goal.values else made
        return made

    def decide_goal(goal: Conjunct) -> Conjunct:
        return watcher.world.vocabulary.decided(goal)

    judge(ready.goal)
    strategies = tuple(_strategies(pursuit, environment, decider, rules, budgets))
    return pursue(
        plan,
        strategies,
        {strategy.name: budgets[strategy.name] for strategy in strategies},
        beliefs=beliefs,
        robot=environment.robot,
        goals=ready.goal.conjuncts,
        skills=environment.skills,
        journal=journal,
        improver=pursuit.improve if plans.options.improves else None,
        delay=PLANNED_SECONDS,
        together=plans.options.together,
        basis=Basis(state, None if ready.obstacles else plans.world.revision),
        desk=context.desk,
        answer_seconds=context.answer_seconds,
        listener=take,
        cancellation=cancellation,
        valued=with_values,
        decided=decide_goal,
    )


def _strategies(
    pursuit: Pursuit, environment: Environment, decider: DecisionContext, rules: Sequence[RepairRule], budgets: Budgets
) -> Iterator[Strategy]:
    """Yield the strategies of a session, the cheapest first; those without a budget are dropped later."""
    context = pursuit.context
    yield Retry()
    if rules:
        yield Rule(RepairSearch(rules, environment.parking))
    yield Replan(pursuit.replan, PLANNED_SECONDS)
    if budgets["replan"] is not None:  # which plans for the goal again after each search
        yield Explore(pursuit, context, Exploring(environment, environment.watcher.scene.time), PLANNED_SECONDS)
    if decider.consent is not Consent.NEVER:
        yield Substitute(pursuit, context, PLANNED_SECONDS)
    if decider.part is not Consent.NEVER:
        yield PursuePart(pursuit, context, pursuit.start, PLANNED_SECONDS)
    if decider.model is not None:
        yield Consult(pursuit, context, decider.model)
    yield AskPerson(pursuit, context, HEARD_SECONDS if decider.model is None else CONSULTED_SECONDS)
