"""A corrected plan for a running tree: what runs goes on, unless it was edited away.

Between two ticks the plan of a tree is exchanged for another with the same goal. A step that runs goes on untouched
when the new plan has it too, at the latest place from which the rest still works once it has ended; else it is stopped,
over as many ticks as its body needs, before anything of the new plan begins. What the new plan would do and the world
already shows is not done, as ever; nor is a step put in that the goal does not need.

For a program in mid-course see `bt.editing.midway`.
"""

from __future__ import annotations

from dataclasses import dataclass

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.errors import TreeError
from bt.improving import Improve
from bt.reactive.reach import Reach
from bt.reactive.regression import Regression
from bt.reactive.resume import Resume
from bt.reactive.step import Step, afterwards, placed
from bt.reactive.walking import path_of, walk
from semantics.feedback import Code, Feedback
from semantics.goal import Rejection
from semantics.protocols import Beliefs
from semantics.state import Operator, Plan, State

__all__ = ["Exchanged", "exchange", "worked_on"]

WHY = "the plan was corrected"


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The plan of a tree is another now.

    Attributes:
        going_on: What ran and goes on; None when nothing did.
        stopped: What ran and is stopped; None when nothing is.
    """

    going_on: Operator | None = None
    stopped: Operator | None = None


def exchange(tree: Behaviour, plan: Plan, beliefs: Beliefs) -> Exchanged | Rejection:
    """Exchange the plan that a tree works on; call it between two ticks, on the thread that ticks.

    Args:
        tree: What `compile_plan` or `pursue` has made, or a tree with one of these in it.
        plan: What to do from now on, such as `correct_plan` gives; the whole plan, or what is left of it.
        beliefs: What the tree holds true.

    Returns:
        What became of the step that ran, or why nothing was exchanged: from here the plan does not reach its goal, or a
        failure is being answered just now by a plan of its own.

    Raises:
        TreeError: The tree works on no plan, or on several, or for another goal, or nothing can carry out a step.
    """
    resume = worked_on(tree)
    _same_goal(resume, plan)
    failed = next((node for node in _above(resume) if getattr(node, "is_answering", False)), None)
    if failed is not None:
        why = "a failure is being answered by a new plan just now"
        return Rejection((Feedback(Code.INVALID_PLAN, path_of(failed), why, "Correct that one when it is there."),))
    running = resume.running
    index = None if running is None else _place(running, plan, beliefs)
    if index is None and not _leads(plan, running, beliefs.state):
        why = "from here no step of it leads to the goal"
        return Rejection((Feedback(Code.INVALID_PLAN, "the corrected plan", why, "Leave in what is still needed."),))
    resume.take_over(plan, _steps(resume, plan, index), index, WHY)
    for node in _above(resume):
        if isinstance(node, Improve):
            node.keep_to(plan)
    ran = None if running is None else running.operator
    return Exchanged(stopped=ran) if index is None else Exchanged(going_on=ran)


def worked_on(tree: Behaviour) -> Resume:
    """Return the node that works on the plan of a tree.

    Raises:
        TreeError: There is none, or there are several.
    """
    found = [node for node in walk(tree) if isinstance(node, Resume)]
    found = [node for node in found if node.status == Status.RUNNING] or found
    if len(found) == 1 and found[0].plan.steps:
        return found[0]
    what = "works on no plan that is done step by step" if not found else "works on several plans"
    raise TreeError(f"{tree.name} {what if len(found) != 1 else 'has a plan without steps'}: nothing to be exchanged")


def _same_goal(resume: Resume, plan: Plan) -> None:
    goals = next((node.goals for node in _above(resume) if isinstance(node, Reach)), (resume.plan.goal,))
    if plan.goal not in goals:
        told = " ".join(map(str, sorted(resume.plan.goal)))
        raise TreeError(f"the corrected plan is for another goal than {resume.name}, which is for {told}")


def _above(node: Behaviour) -> list[Behaviour]:
    nodes = []
    while node.parent is not None:
        node = node.parent
        nodes.append(node)
    return nodes


def _place(running: Step, plan: Plan, beliefs: Beliefs) -> int | None:
    """Return where a running step stands in a plan: the latest place after which the rest works, else the first."""
    places = [index for index, step in enumerate(plan.steps) if step == running.operator]
    point = Regression(plan.steps, plan.goal).latest(afterwards(running.expected, beliefs.state))
    fitting = [index for index in places if point is not None and index < point]
    return fitting[-1] if fitting else next(iter(places), None)


def _leads(plan: Plan, running: Step | None, state: State) -> bool:
    """Return whether a plan reaches its goal from here; what runs now is on its way and may be at no place."""
    regression = Regression(plan.steps, plan.goal)
    begun = state if running is None else placed(running.expected, state)
    return regression.latest(state) is not None or regression.latest(begun) is not None


def _steps(resume: Resume, plan: Plan, index: int | None) -> list[Step]:
    """Return nodes for the steps of a plan; the running one again at `index`."""
    running, template = resume.running, resume.children[0]
    assert isinstance(template, Step)
    steps = [template.another(step) for step in plan.steps]
    if index is not None and running is not None:
        steps[index] = running
    return steps
