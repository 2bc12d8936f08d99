"""Replaces the plan of a running tree by a corrected one; running steps go on unless the correction removes them.

The exchange happens between two ticks, and both plans have the same goal. A running step goes on if the new plan has
it too, at the latest position from which the rest works after the step has ended. Otherwise it is stopped, which takes
as many ticks as its body needs; no step of the new plan begins before that. As always, a step is not carried out if the
goal does not need it in the current state, even if the correction has added it. A partial order is computed again.

For a program in mid-course see `bt.correction.hot_swap`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from py_trees.behaviour import Behaviour

from bt.correction.cursor import answering, over, worked_on
from bt.errors import TreeError
from bt.execution.execute import Execute
from bt.execution.goal import GoalNode
from bt.execution.order import Order, claim_of, occupancy, partial_order
from bt.execution.remaining import Remaining, Work, outlook
from bt.execution.step import Step, placed
from bt.node import above
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.protocols import Beliefs
from semantics.state import Operator, Plan, State

__all__ = ["Exchanged", "exchange"]

WHY = "the plan was corrected"


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The result of an exchange.

    Attributes:
        going_on: The running steps that go on.
        stopped: The running steps that are stopped.
    """

    going_on: tuple[Operator, ...] = ()
    stopped: tuple[Operator, ...] = ()


def exchange(tree: Behaviour, plan: Plan, beliefs: Beliefs) -> Exchanged | Rejection:
    """Exchange the plan of a tree; call this between two ticks, on the ticking thread.

    Args:
        tree: A tree from `compile_plan` or `pursue`, or a tree that contains one.
        plan: The new plan, such as `correct_plan` returns; the whole plan, or what is left of it.
        beliefs: The beliefs of the tree.

    Returns:
        The running steps that go on or are stopped; or why nothing was exchanged: the new plan does not reach its goal
        from here, a failure is being recovered from, or a removed step has just ended.

    Raises:
        TreeError: The tree has no plan, several plans, or another goal, or a step has neither command nor skill.
    """
    work = worked_on(tree)
    _same_goal(work, plan)
    running = work.running_steps()
    refusal = answering(work) or over(step for step in running if step.operator not in plan.steps)
    if refusal is not None:
        return refusal
    if not _rescheduled(work, plan, beliefs):
        why = "from here no step of it leads to the goal"
        return Rejection((Feedback(Code.INVALID_PLAN, "the corrected plan", why, "Leave in what is still needed."),))
    going_on = tuple(step.operator for step in running if step in work.children)
    return Exchanged(going_on, tuple(step.operator for step in running if step not in work.children))


def _same_goal(work: Execute, plan: Plan) -> None:
    goals = next((node.goals for node in above(work) if isinstance(node, GoalNode)), (work.plan.goal,))
    if plan.goal not in goals:
        goal_text = " ".join(map(str, sorted(work.plan.goal)))
        raise TreeError(f"the corrected plan is for another goal than {work.name}, which is for {goal_text}")


def _rescheduled(work: Execute, plan: Plan, beliefs: Beliefs) -> bool:
    """Take over another plan, as a sequence or a partial order like the old one; return whether it reaches its goal.

    Each running step that the new plan also has goes on there, at the positions after which the fewest steps are left.
    The steps that are left contain no running step and no step before one, so nothing begins that could disturb a
    running step. The other running steps are stopped; no step of any hand begins before their motions are at rest.
    """
    template = work.children[0]
    assert isinstance(template, Step)
    claims = [claim_of(step, occupancy(template.robot)) for step in plan.steps]
    order = Order.sequence(len(plan.steps)) if work.order.total else partial_order(plan.steps, claims)
    remaining = Remaining(plan.steps, plan.goal, order)
    place = _placed(work.running_steps(), plan, remaining, beliefs.state)
    if place is None:
        return False
    places, left = place
    steps = tuple(places.get(index) or template.another(step) for index, step in enumerate(plan.steps))
    work.take_over(Work(plan, steps, claims, remaining), left, WHY, keep=True)
    return True


def _placed(
    running: Sequence[Step], plan: Plan, remaining: Remaining, state: State
) -> tuple[Mapping[int, Step], int] | None:
    """Return the new positions of running steps and the steps left, as bits; None if the goal is not reached."""
    continuing = [step for step in running if step.operator in plan.steps]
    choices = []
    for after in _states(running, continuing, state):
        for places in _places(continuing, plan):
            left = remaining.smallest(after, without=sum(1 << index for index in places))
            if left is not None:
                choices.append((dict(zip(places, continuing, strict=True)), left))
        if choices:
            return min(choices, key=lambda choice: choice[1].bit_count())
    return None


def _states(running: Sequence[Step], continuing: Sequence[Step], state: State) -> Iterator[State]:
    """Yield the possible states after the steps that go on; the agent of a stopped step may have left its place."""
    yield outlook(continuing, state)
    for step in running:
        if step not in continuing:
            state = placed(step.expected, state)
    yield outlook(continuing, state)


def _places(continuing: Sequence[Step], plan: Plan) -> Iterator[tuple[int, ...]]:
    """Yield the possible positions in the plan of the steps that go on, one for each."""
    candidates = [
        [index for index, step in enumerate(plan.steps) if step == running.operator] for running in continuing
    ]
    yield from (places for places in product(*candidates) if len(set(places)) == len(places))
