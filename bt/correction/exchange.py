"""A corrected plan for a running tree: what runs goes on, unless it was edited away.

Between two ticks the plan of a tree is exchanged for another with the same goal. A step that runs goes on untouched
when the new plan has it too, at the latest place from which the rest still works once it has ended; else it is stopped,
over as many ticks as its body needs, before anything of the new plan begins. What the new plan would do and the world
already shows is not done, as ever; nor is a step put in that the goal does not need. Steps that are done at once are
ordered anew.

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
    """The plan of a tree is another now.

    Attributes:
        going_on: What ran and goes on.
        stopped: What ran and is stopped.
    """

    going_on: tuple[Operator, ...] = ()
    stopped: tuple[Operator, ...] = ()


def exchange(tree: Behaviour, plan: Plan, beliefs: Beliefs) -> Exchanged | Rejection:
    """Exchange the plan that a tree works on; call it between two ticks, on the thread that ticks.

    Args:
        tree: What `compile_plan` or `pursue` has made, or a tree with one of these in it.
        plan: What to do from now on, such as `correct_plan` gives; the whole plan, or what is left of it.
        beliefs: What the tree holds true.

    Returns:
        What became of the steps that ran, or why nothing was exchanged: from here the plan does not reach its goal, a
        failure is being answered just now by a plan of its own, or what was edited away was done just now.

    Raises:
        TreeError: The tree works on no plan, or on several, or for another goal, or nothing can carry out a step.
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
        told = " ".join(map(str, sorted(work.plan.goal)))
        raise TreeError(f"the corrected plan is for another goal than {work.name}, which is for {told}")


def _rescheduled(work: Execute, plan: Plan, beliefs: Beliefs) -> bool:
    """Let another plan be carried out, with as much of it at once as before; return whether it leads to its goal.

    Each running step that the new plan has, too, goes on there, at the places after which the least is left to be done.
    What is left then holds no running step and nothing that one of them waits for, so that nothing is done beside a
    step that it would get in the way of. The others are stopped; until their motions are at rest nothing begins, of
    whatever hand.
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
    """Return where running steps go on, and what is then left as bits; None when that does not lead to the goal."""
    kept = [step for step in running if step.operator in plan.steps]
    choices = []
    for after in _states(running, kept, state):
        for places in _places(kept, plan):
            left = remaining.smallest(after, without=sum(1 << index for index in places))
            if left is not None:
                choices.append((dict(zip(places, kept, strict=True)), left))
        if choices:
            return min(choices, key=lambda choice: choice[1].bit_count())
    return None


def _states(running: Sequence[Step], kept: Sequence[Step], state: State) -> Iterator[State]:
    """Yield what may be so when the steps that go on have worked; one that is stopped may have left its place."""
    yield outlook(kept, state)
    for step in running:
        if step not in kept:
            state = placed(step.expected, state)
    yield outlook(kept, state)


def _places(kept: Sequence[Step], plan: Plan) -> Iterator[tuple[int, ...]]:
    """Yield numbers of steps of the plan, one for each that goes on."""
    each = [[index for index, step in enumerate(plan.steps) if step == running.operator] for running in kept]
    yield from (places for places in product(*each) if len(set(places)) == len(places))
