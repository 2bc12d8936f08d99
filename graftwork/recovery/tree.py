"""From a decision to a tree that recovers by the cheapest strategy, and changes to a cheaper plan during execution.

`Pursuit` holds the goal of a run and answers the tree's requests for plans. `Plans.admitted` validates every plan
before its execution; a repair rule validates its own plans in the same model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from bt import Tree
from bt.background import Cancellation
from bt.compiler import pursue
from bt.execution.improvement import Basis
from bt.record import Journal
from bt.recovery import Answer, Obstacles, RepairSearch, Replan, Retry, Rule, Strategy, domain_with, known_with
from domains.model import RepairRule
from domains.planned_values import distances_of, valued
from graftwork.decision import PlanDecision
from graftwork.decision.exploration import Exploring
from graftwork.recovery.ask import HEARD_SECONDS, AskPerson
from graftwork.recovery.consult import CONSULTED_SECONDS, Consult
from graftwork.recovery.context import Pursuit, RecoveryContext
from graftwork.recovery.explore import Explore
from graftwork.recovery.part import PursuePart
from graftwork.recovery.substitute import Substitute
from graftwork.setup.limits import Budgets, Consent
from graftwork.setup.stage import Stage
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal
from semantics.protocols import Skill
from semantics.state import State

PLANNED_SECONDS = 0.1
"""Seconds that planning takes on a simulated clock."""


def build_tree(
    ready: PlanDecision,
    stage: Stage,
    context: RecoveryContext,
    beliefs: Obstacles,
    budgets: Budgets,
    rules: Sequence[RepairRule],
    skills: Mapping[str, Skill] = MappingProxyType({}),
    journal: Journal | None = None,
    cancellation: Cancellation | None = None,
) -> Tree | Feedback:
    """Build the tree that executes the plan of a decision: `Goal > Recover > Execute > steps`.

    Args:
        ready: The decision.
        stage: The world with a body in it.
        context: The services of the strategies.
        beliefs: The beliefs, with the obstacles that the body has met.
        budgets: The budget of each strategy; None leaves a strategy out.
        rules: The repair rules.
        skills: Skills by capability name, which replace the domain's motion primitives.
        journal: Gets the tree's events.
        cancellation: Tells whether the run is cancelled.

    Returns: The tree; or feedback that names the first step whose precondition is false, and the facts that do not hold
        there. If the decision only says what to look for, the tree begins without a plan and a strategy makes one.
    """
    plans = context.decider.plans
    model, state = domain_with(stage.domain, ready.obstacles), known_with(ready.obstacles, ready.state)
    plan = None if ready.looks_for else plans.within(model).admitted(ready.plan, state)
    if isinstance(plan, Feedback):
        return plan
    pursuit = Pursuit(ready.goal, plans, beliefs, context, ready.state)
    said = dict(ready.goal.goal.values)

    def judge(goal: CheckedGoal) -> None:
        values = tuple({**said, **dict(goal.goal.values)}.items())
        stage.watcher.require_distances(distances_of(stage.domain, replace(goal.goal, values=values)))

    def take(strategy: Strategy, answer: Answer) -> None:
        pursuit.take(strategy, answer)
        judge(pursuit.goal)

    judge(ready.goal)
    strategies = tuple(_strategies(pursuit, stage, rules, budgets, ready.state))
    return pursue(
        plan,
        strategies,
        {strategy.name: budgets[strategy.name] for strategy in strategies},
        beliefs=beliefs,
        robot=stage.robot,
        goals=ready.goal.conjuncts,
        skills=skills,
        journal=journal,
        improver=pursuit.improve if plans.improves else None,
        delay=PLANNED_SECONDS,
        together=plans.together,
        basis=Basis(state, model),
        desk=context.desk,
        answer_seconds=context.answer_seconds,
        listener=take,
        cancellation=cancellation,
        valued=lambda made: valued(stage.domain, valued(stage.domain, made, pursuit.goal.goal), ready.goal.goal),
        decided=context.decider.vocabulary.decided,
    )


def _strategies(
    pursuit: Pursuit, stage: Stage, rules: Sequence[RepairRule], budgets: Budgets, start: State
) -> Iterator[Strategy]:
    """Yield the strategies of a session, the cheapest first; those without a budget are dropped later."""
    plans, context = pursuit.plans, pursuit.context
    yield Retry()
    if rules:
        yield Rule(RepairSearch(rules, stage.domain, plans.things, stage.parking))
    yield Replan(pursuit.replan, plans.domain, PLANNED_SECONDS)
    if budgets["replan"] is not None:  # which plans for the goal again after each search
        yield Explore(pursuit, context, Exploring(stage, plans, stage.watcher.scene.time), PLANNED_SECONDS)
    decider = context.decider
    if decider.consent is not Consent.NEVER:
        yield Substitute(pursuit, context, PLANNED_SECONDS)
    if decider.part is not Consent.NEVER:
        yield PursuePart(pursuit, context, start, PLANNED_SECONDS)
    if decider.model is not None:
        yield Consult(pursuit, context, decider.model)
    yield AskPerson(pursuit, context, HEARD_SECONDS if decider.model is None else CONSULTED_SECONDS)
