"""From a plan to a tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from bt.background import Cancellation
from bt.execution.execute import Execute
from bt.execution.goal import GoalNode
from bt.execution.improvement import Basis, Improvement, Improver
from bt.execution.order import Order, claim_of, occupancy, partial_order
from bt.execution.remaining import Remaining, Work
from bt.execution.step import Step
from bt.execution.trouble import LossCounter
from bt.record import Journal
from bt.recovery.budget import Budget
from bt.recovery.incident import Unplanned
from bt.recovery.inquiry import UserPrompt
from bt.recovery.recover import Recover
from bt.recovery.request import Answer, Strategy
from semantics.body.interlock import interlocked
from semantics.body.protocols import Beliefs, ConcurrentMotion, Robot, Skill
from semantics.logic.atoms import Conjunct
from semantics.logic.state import Plan

EFFECT_PATIENCE = 3.0

Together = bool | Order | None
"""Which steps of a plan may be done at once.

None for those of several agents, if the body can do that; True for those of several hands, too; False for none; an
`Order` for those that it leaves unordered (see `bt.execution.order`)."""


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
) -> GoalNode:
    """Return the tree that carries out `plan` from any state of the world.

    It is an ordinary py_trees behaviour, and can be a part of any tree. Call `beliefs.refresh()` before each tick;
    `Runner` does this.

    Args:
        plan: The plan; it may be empty.
        beliefs: The beliefs about the world.
        robot: The body.
        skills: By capability name, the skills that replace the motion primitive of the capability.
        journal: The journal for changes of the resume point and failures.
        effect_patience: How long to wait for a step's effect, or in the end the goal, to be sensed, in seconds of the
            body's clock.
        improver: Starts a search for a cheaper plan from a state; by default there is no search.
        delay: The duration of such a search in seconds of a simulated clock; None on a real clock.
        together: Which steps may be done at once, as far as they do not depend on each other: None for those of
            several agents, True for those of several hands too, False for none, or a given order. Of a plan that is
            not known to be cheapest none are with an `improver`, since a plan is changed between two steps.

    Raises:
        TreeError: A step has neither a motion primitive nor a skill.
    """
    execution = Execution(
        beliefs, interlocked(robot), skills or {}, journal, effect_patience, improver, delay, together
    )
    return GoalNode((plan.goal,), execution.of(plan), beliefs)


def pursue(
    plan: Plan | None,
    strategies: Sequence[Strategy] = (),
    budgets: Mapping[str, Budget | None] | None = None,
    *,
    beliefs: Beliefs,
    robot: Robot,
    goals: Sequence[Conjunct] = (),
    skills: Mapping[str, Skill] | None = None,
    journal: Journal | None = None,
    effect_patience: float = EFFECT_PATIENCE,
    improver: Improver | None = None,
    delay: float | None = 0.1,
    together: bool | None = None,
    basis: Basis | None = None,
    desk: UserPrompt | None = None,
    answer_seconds: float = 60.0,
    listener: Callable[[Strategy, Answer], None] | None = None,
    cancellation: Cancellation | None = None,
    valued: Callable[[Plan], Plan] = lambda plan: plan,
    decided: Callable[[Conjunct], Conjunct] = lambda goal: goal,
) -> GoalNode:
    """Return the tree that carries out `plan` and recovers from failures: `GoalNode > Recover > Execute > steps`.

    Args:
        plan: The first plan; it need not be valid. None: a strategy makes it at the first tick.
        strategies: The recovery strategies, the cheapest first.
        budgets: Maps names of strategies to budgets, which replace the default ones. None removes a strategy.
        beliefs: The beliefs; pass the same to `Runner`. `Obstacles` also remember obstacles of the body.
        robot: The body.
        goals: Alternative goals, one of which is enough; by default the goal of the plan.
        skills: As in `compile_plan`.
        journal: The journal for the decisions of the tree.
        effect_patience: As in `compile_plan`.
        improver: Starts a search for a cheaper plan from a state; by default there is no search.
        delay: The duration of such a search in seconds of a simulated clock; None on a real clock.
        together: True, False or None, as in `compile_plan`. It applies to every plan of the run, so an order is not
            allowed.
        basis: The start state and the model with which the first plan was made, if known.
        desk: The mailbox for questions to a person; None when no person can be asked.
        answer_seconds: How long to wait for a person, in seconds of the body's clock.
        listener: Called with every answer that changes the course of the run.
        cancellation: Says whether the run was cancelled; pass the same to `Runner`.
        valued: Puts values, such as a speed, to the steps of each plan of the run, those of strategies included.
        decided: As in `GoalNode`.

    Raises:
        TreeError: There is neither a plan nor a goal, or an argument does not suit `Recover` or `compile_plan`.
    """
    execution = Execution(
        beliefs,
        interlocked(robot),
        skills or {},
        journal,
        effect_patience,
        improver,
        delay,
        together,
        cancellation,
        valued,
        LossCounter(),
    )
    recover = Recover(
        Unplanned() if plan is None else execution.of(plan, basis),
        strategies,
        budgets,
        beliefs=beliefs,
        clock=robot.clock,
        journal=journal,
        carry_out=execution.of,
        desk=desk,
        answer_seconds=answer_seconds,
        listener=listener,
        cancellation=cancellation,
        valued=valued,
    )
    return GoalNode(tuple(goals) or (() if plan is None else (plan.goal,)), recover, beliefs, decided)


@dataclass(frozen=True, slots=True)
class Execution:
    """The means to carry out plans; the attributes are the arguments of `compile_plan` and `pursue`."""

    beliefs: Beliefs
    robot: Robot
    skills: Mapping[str, Skill]
    journal: Journal | None = None
    patience: float = EFFECT_PATIENCE
    improver: Improver | None = None
    delay: float | None = 0.1
    together: Together = None
    cancellation: Cancellation | None = None
    valued: Callable[[Plan], Plan] = lambda plan: plan
    losses: LossCounter | None = None

    def of(self, plan: Plan, basis: Basis | None = None, improves: bool = True) -> Execute:
        """Return the composite that carries out a plan.

        Args:
            plan: The plan.
            basis: What it was made from, if known.
            improves: Whether a cheaper plan may replace it during execution, if there is an improver.

        Raises:
            TreeError: A step has neither a motion primitive nor a skill.
        """
        improvement = None
        if self.improver is not None and improves:
            improvement = Improvement(
                self.improver,
                beliefs=self.beliefs,
                clock=self.robot.clock,
                delay=self.delay,
                cancellation=self.cancellation,
            )
        is_changed_between_steps = improvement is not None and not plan.optimal
        return Execute(
            self._work(plan, False if is_changed_between_steps else self.together),
            beliefs=self.beliefs,
            clock=self.robot.clock,
            journal=self.journal,
            patience=self.patience,
            improvement=improvement,
            build=self._work,
            basis=basis,
            losses=self.losses,
        )

    def _work(self, plan: Plan, together: Together = False) -> Work:
        plan = self.valued(plan)
        step = partial(Step, beliefs=self.beliefs, robot=self.robot, skills=self.skills, patience=self.patience)
        steps = [step(operator) for operator in plan.steps]
        occupied = occupancy(self.robot)
        claims = [claim_of(operator, occupied) for operator in plan.steps]
        agents = [operator.command.agent if operator.command else None for operator in plan.steps]
        order = together if isinstance(together, Order) else Order.sequence(len(steps))
        is_several = together is True or (together is None and len({agent or "" for agent in agents}) > 1)
        if is_several and isinstance(self.robot, ConcurrentMotion):
            loose = partial_order(plan.steps, claims)
            if together or any(agents[a] is None or agents[a] != agents[b] for a, b in loose.unordered):
                order = loose
        return Work(plan, steps, claims, Remaining(plan.steps, plan.goal, order))
