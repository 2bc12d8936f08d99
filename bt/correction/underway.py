"""Corrections of a plan during execution: the rest of the corrected plan is simulated, and then replaces the old plan.

An edit gives a step by its position in the whole plan. The exchange happens between two ticks, and both plans have the
same goal. A running step goes on if the new plan has it too. If the new plan has it at several positions, it goes on at
the latest one from which the remaining steps work. Otherwise it is stopped, which takes as many ticks as its body
needs; no step of the new plan begins before that.
As always, a step is not carried out if the goal does not need it in the current state, even if the correction has added
it. A partial order is computed again. For a program in mid-course see `bt.correction.midway`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product, takewhile

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.correction.correct import difference, program_of_plan, simulated
from bt.correction.edits import Relabelled, label, relabelled
from bt.correction.midway import TooLateError
from bt.correction.rehearsal import Rehearsal
from bt.errors import TreeError
from bt.execution.execute import Execute
from bt.execution.goal import GoalNode
from bt.execution.order import Order, claim_of, occupancy, partial_order
from bt.execution.remaining import Remaining, Work, outlook
from bt.execution.step import Step, afterwards, placed
from bt.node import above, path_of, walk
from bt.programs.writer import head_of
from bt.recovery.recover import Recover
from domains.problem import Problem
from semantics.body.protocols import Beliefs
from semantics.logic.correction import Correction
from semantics.logic.feedback import Code, Feedback
from semantics.logic.goal import Rejection
from semantics.logic.program import Program
from semantics.logic.state import Operator, Plan, State, bits


def worked_on(tree: Behaviour) -> Execute:
    """Return the `Execute` of a tree; the running one if there are several.

    Raises:
        TreeError: There is none, or there are several.
    """
    nodes = [execute for execute in walk(tree) if isinstance(execute, Execute)]
    nodes = [execute for execute in nodes if execute.status == Status.RUNNING] or nodes
    if len(nodes) == 1 and nodes[0].plan.steps:
        return nodes[0]
    what = "works on no plan" if not nodes else "works on several plans"
    raise TreeError(f"{tree.name} {what if len(nodes) != 1 else 'has a plan without steps'}: nothing to be exchanged")


def _over(stopped: Iterable[Step]) -> Rejection | None:
    """Return the rejection if one of these steps cannot be stopped any more, since its motion has ended."""
    ended = next((step for step in stopped if step.act.has_started and step.act.at_rest()), None)
    if ended is None:
        return None
    why, how = "it was done just now", "Correct what is still to come."
    return Rejection((Feedback(Code.INVALID_PLAN, str(ended.operator), why, how),))


def _answering(work: Execute) -> Rejection | None:
    """Return the rejection if a failure of the plan is being recovered from, so that the plan will change."""
    failed: Behaviour | None = next(
        (node for node in above(work) if isinstance(node, Recover) and node.is_answering), None
    )
    if failed is not None:
        why, how = "a failure is being answered by a new plan just now", "Correct that one when it is there."
    elif work.has_failed:
        failed, why, how = (
            work,
            "a step has failed, and what else runs is let come to its end",
            "Correct what comes of it.",
        )
    else:
        return None
    return Rejection((Feedback(Code.INVALID_PLAN, path_of(failed), why, how),))


@dataclass(frozen=True, slots=True)
class Proposed:
    """A correction of a running plan before its simulation.

    It holds no reference to the tree, so another thread can simulate it.
    """

    old: Plan  # the old plan
    rest: Program  # the steps after the running ones, as a program
    problem: Problem
    """The problem from the predicted state after the running steps: those that go on have succeeded, the others were
    stopped."""
    going_on: tuple[Operator, ...]  # the running steps that go on
    difference: tuple[str, ...]  # one sentence for each change

    def tried(self, rehearsal: Rehearsal) -> tuple[Plan, tuple[str, ...]] | Rejection:
        """Simulate the rest; this may be called on any thread, and may take long.

        Returns: The plan, running steps first, and the changes as sentences; or why the rest does not reach the goal.
        """
        named = {name for step in self.old.steps for name in step.action.args}
        tried = simulated(self.rest, self.problem, rehearsal, named)
        if isinstance(tried, Rejection):
            return tried
        return Plan((*self.going_on, *tried[1].steps), self.old.goal, False, "a correction"), self.difference


def propose(tree: Behaviour, correction: Correction, problem: Problem) -> Proposed | Rejection:
    """Apply the edits of a correction to the running plan without the simulation, which `tried` does.

    Args:
        tree: A tree with the plan, between two ticks.
        correction: The edits; their places count in the whole plan.
        problem: The domain and the believed state.

    Raises:
        TreeError: The tree works on no plan, or on several.
    """
    work, state = worked_on(tree), problem.state
    ahead = {*work.running, *bits(work.ahead(state))}
    change = relabelled(program_of_plan(work.plan), correction)
    if isinstance(change, Rejection):
        return change
    done = {
        label(statement): head_of(statement) for number, statement in enumerate(change.old.body) if number not in ahead
    }
    body = [statement for statement in change.new.body if label(statement) not in done]
    going_on: list[Step] = []
    stopped: list[Step] = []
    for running in work.running_steps():
        (call,) = program_of_plan(Plan((running.operator,), work.plan.goal)).body
        stays = call in body
        state = (afterwards if stays else placed)(running.expected, state)
        (going_on if stays else stopped).append(running)
        if stays:
            body.remove(call)
    late = _too_late(change, done) or _over(stopped)
    if late is not None:
        return late
    continuing = tuple(step.operator for step in going_on)
    after = problem.with_state(state).with_goal(work.plan.goal)
    changes = difference(change.old, change.new)
    return Proposed(work.plan, Program((), tuple(body)), after, continuing, changes)


def _too_late(change: Relabelled, done: Mapping[int | None, str]) -> Rejection | None:
    """Return the rejection if a correction changes steps that are done, or adds steps before them."""
    after = [label(statement) for statement in change.new.body]
    unchanged = {own for own in after if own not in change.replaced | change.moved}
    gone = next((what for own, what in done.items() if own not in unchanged), None)
    if gone is None:
        first = list(takewhile(done.__contains__, map(label, change.old.body)))
        gone = next((done[own] for own, new in zip(first, after, strict=False) if own != new), None)
    if gone is None:
        return None
    return TooLateError(gone, "it was done already").rejection


WHY = "the plan was corrected"


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The result of an exchange."""

    going_on: tuple[Operator, ...] = ()  # the running steps that go on
    stopped: tuple[Operator, ...] = ()  # the running steps that are stopped


def exchange(tree: Behaviour, plan: Plan, beliefs: Beliefs) -> Exchanged | Rejection:
    """Exchange the plan of a tree; call this between two ticks, on the ticking thread.

    Args:
        tree: A tree from `compile_plan` or `pursue`, or a tree that contains one.
        plan: The new plan: the whole plan, or what is left of it.
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
    refusal = _answering(work) or _over(step for step in running if step.operator not in plan.steps)
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
