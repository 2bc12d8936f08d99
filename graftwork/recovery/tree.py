"""From a decision to a tree that recovers by the cheapest strategy, and changes to a cheaper plan during execution.

`Pursuit` holds the goal of a run and answers the tree's requests for plans. `Plans.admitted` validates every plan
before its execution; a repair rule validates its own plans in the same model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bt import Tree
from bt.background import Cancellation
from bt.compiler import pursue
from bt.execution import Improving
from bt.execution.improvement import Basis
from bt.record import Journal
from bt.recovery import (
    Answer,
    NewGoal,
    Obstacles,
    RepairSearch,
    Replan,
    Request,
    Retry,
    Rule,
    Strategy,
    known_to,
)
from domains.model import RepairRule
from graftwork.decision import PlanDecision
from graftwork.decision.exploration import Exploring
from graftwork.recovery.ask import HEARD_SECONDS, AskPerson
from graftwork.recovery.consent import changed_goal
from graftwork.recovery.consult import CONSULTED_SECONDS, Consult
from graftwork.recovery.context import RecoveryContext
from graftwork.recovery.explore import Explore
from graftwork.recovery.part import PursuePart
from graftwork.recovery.substitute import Substitute
from graftwork.setup.limits import Budgets, Consent
from graftwork.setup.plans import Plans
from graftwork.setup.stage import Stage
from planning import Replanned
from planning.service import ImprovingSearch
from semantics.feedback import Feedback
from semantics.goal import CheckedGoal
from semantics.protocols import NoPlan, Skill
from semantics.state import Plan, State

__all__ = ["PLANNED_SECONDS", "build_tree"]

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
        context: The services of the strategies; its decider holds the planner.
        beliefs: The beliefs, with the obstacles that the body has met.
        budgets: The budget of each strategy.
        rules: The repair rules.
        skills: Skills by capability name, which replace the domain's motion primitives.
        journal: Gets the tree's events.
        cancellation: Tells whether the run is cancelled.

    Returns: The tree; or the first step at which the plan breaks, with the facts that do not hold there.
    """
    plans = context.decider.plans
    plan = None if ready.looks_for else plans.admitted(ready.plan, ready.state)
    if isinstance(plan, Feedback):
        return plan
    pursuit = Pursuit(ready.goal, plans, beliefs, context)
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
        improver=pursuit.improve if plans.patience < plans.seconds else None,
        delay=PLANNED_SECONDS,
        together=plans.together,
        basis=Basis(ready.state, stage.domain),
        desk=context.desk,
        answer_seconds=context.answer_seconds,
        listener=pursuit.take,
        cancellation=cancellation,
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
        yield Explore(Exploring(stage, plans, stage.watcher.scene.time), pursuit, PLANNED_SECONDS)
    decider = context.decider
    if decider.consent is not Consent.NEVER:
        yield Substitute(pursuit, context, PLANNED_SECONDS)
    if decider.part is not Consent.NEVER:
        yield PursuePart(pursuit, context, start, PLANNED_SECONDS)
    if decider.model is not None:
        yield Consult(pursuit, context, decider.model)
    yield AskPerson(pursuit, context, HEARD_SECONDS if decider.model is None else CONSULTED_SECONDS)


@dataclass(slots=True)
class Pursuit:
    """The goal of a run, and the planning for it.

    Attributes:
        goal: The goal; a strategy may change it.
        plans: Calls the planner.
        obstacles: The beliefs, with the obstacles that the body has met.
        context: The services of the strategies; it is informed of each changed goal.
    """

    goal: CheckedGoal
    plans: Plans
    obstacles: Obstacles
    context: RecoveryContext

    def take(self, _: Strategy, answer: Answer) -> None:
        """Adopt the goal of a strategy's answer; called on the ticking thread, before any planning for that goal."""
        self.goal = changed_goal(answer) or self.goal
        if isinstance(answer, NewGoal) and self.context.changed is not None:
            self.context.changed(answer)

    def replan(self, request: Request) -> Replanned:
        """Plan again from the current state, and keep as much of the current plan as is still valid."""
        domain, state = request.learned or self.plans.domain, request.state
        plans = self.plans if domain is self.plans.domain else self.plans.within(domain)
        old, expected = self._rest(request)
        return plans.readmitted(plans.again(plans.regrounded(old, state), expected, self.goal, state), state)

    def improve(self, state: State) -> Improving:
        """Search for a cheaper plan from the state after the running step."""
        domain = self.obstacles.domain()  # with the current obstacles, even if the plan was made without them
        plans, state = self.plans if domain is self.plans.domain else self.plans.within(domain), known_to(domain, state)
        return Admitting(plans.improving(self.goal, state), plans, state)

    def _rest(self, request: Request) -> tuple[Plan, State]:
        """Return the rest of the current plan, and the state in which it was expected to start."""
        rest, basis = request.rest, request.basis
        # Without a rest of this goal, it has still to be planned for, or the tree did something else.
        if rest is None or rest.goal not in self.goal.conjuncts:
            return Plan((), self.goal.conjuncts[0]), request.state
        if basis is None:  # without its expected start state, the rest cannot be called optimal
            return Plan(rest.steps, rest.goal), request.state
        # A plan that is optimal among obstacles need not be optimal without them. In the other direction a plan stays
        # optimal, because obstacles only remove plans.
        return replace(rest, optimal=rest.optimal and basis.domain is self.plans.domain), basis.state


class Admitting:
    """A search for better plans that returns only validated plans."""

    def __init__(self, search: ImprovingSearch, plans: Plans, state: State) -> None:
        self._search = search
        self._plans = plans
        self._state = state

    @property
    def done(self) -> bool:
        """Whether no better plan will come."""
        return self._search.done

    def best(self) -> Plan | NoPlan | None:
        """Return the best answer so far, or None; never wait."""
        return self._let_through(self._search.best())

    def wait(self) -> Plan | NoPlan | None:
        """Wait until it is done."""
        return self._let_through(self._search.wait())

    def cancel(self) -> None:
        """Cancel the search; return at once."""
        self._search.cancel()

    def _let_through(self, answer: Plan | NoPlan | None) -> Plan | NoPlan | None:
        if not isinstance(answer, Plan):
            return answer
        admitted = self._plans.admitted(answer, self._state)
        return NoPlan(admitted) if isinstance(admitted, Feedback) else admitted
