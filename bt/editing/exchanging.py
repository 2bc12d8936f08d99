"""A corrected plan for a running tree: what runs goes on, unless it was edited away.

Between two ticks the plan of a tree is exchanged for another with the same goal. A step that runs goes on untouched
when the new plan has it too, at the latest place from which the rest still works once it has ended; else it is stopped,
over as many ticks as its body needs, before anything of the new plan begins. What the new plan would do and the world
already shows is not done, as ever; nor is a step put in that the goal does not need. Steps that are done at once are
woven anew, see `bt.editing.reweaving`.

For a program in mid-course see `bt.editing.midway`.
"""

from __future__ import annotations

from dataclasses import dataclass

from py_trees.behaviour import Behaviour

from bt.editing.reweaving import rewoven
from bt.editing.standing import above, answering, over, running_in, worked_on
from bt.errors import TreeError
from bt.improving import Improve
from bt.reactive.reach import Reach
from bt.reactive.regression import Regression
from bt.reactive.resume import Resume
from bt.reactive.step import Step, afterwards, placed
from bt.weaving import Weave
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
    running = running_in(work)
    refusal = answering(work) or over(step for step in running if step.operator not in plan.steps)
    if refusal is not None:
        return refusal
    if not (rewoven(work, plan, beliefs, WHY) if isinstance(work, Weave) else _resumed(work, plan, beliefs)):
        why = "from here no step of it leads to the goal"
        return Rejection((Feedback(Code.INVALID_PLAN, "the corrected plan", why, "Leave in what is still needed."),))
    for node in above(work):
        if isinstance(node, Improve):
            node.keep_to(plan)
    going_on = tuple(step.operator for step in running if step in work.children)
    return Exchanged(going_on, tuple(step.operator for step in running if step not in work.children))


def _same_goal(work: Resume | Weave, plan: Plan) -> None:
    goals = next((node.goals for node in above(work) if isinstance(node, Reach)), (work.plan.goal,))
    if plan.goal not in goals:
        told = " ".join(map(str, sorted(work.plan.goal)))
        raise TreeError(f"the corrected plan is for another goal than {work.name}, which is for {told}")


def _resumed(resume: Resume, plan: Plan, beliefs: Beliefs) -> bool:
    """Let another plan be done step by step; return whether it leads to its goal from here."""
    running = resume.running
    index = None if running is None else _place(running, plan, beliefs)
    if index is None and not _leads(plan, running, beliefs.state):
        return False
    template = resume.children[0]
    assert isinstance(template, Step)
    steps = [template.another(step) for step in plan.steps]
    if index is not None and running is not None:
        steps[index] = running
    resume.take_over(plan, steps, index, WHY)
    return True


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
