"""`assert_plan_valid`: a plan reaches its goal in a scene, or the test fails and shows where the plan breaks."""

from __future__ import annotations

from collections.abc import Sequence

from affordances.scene import Scene
from domains.model import Domain, SceneFile
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import Invalid, Valid, validate_actions
from semantics.errors import UsageError
from semantics.logic.atoms import Atom, Conjunct, Formula, dnf
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.parsing import parse_formula
from semantics.logic.state import Action, Operator, Plan, State

Step = Action | Operator | str


def assert_plan_valid(
    plan: Plan | Sequence[Step],
    domain: Domain | str,
    scene: SceneFile | str,
    goal: str | Formula | Goal | CheckedGoal | Conjunct,
) -> State:
    """Execute a plan in the model and return its final state.

    Args:
        plan: A plan, or its steps: actions, operators, or text such as ``(open robot0 fridge0 fridge0)``.
        domain: The world, or its name or path.
        scene: The scene in which it starts, as written, or its name or path.
        goal: The goal; one of several alternatives is enough.

    Raises:
        AssertionError: The plan breaks; the message names the first step that is not applicable, or the goal, and the
            facts that do not hold there.
        UsageError: The world, the scene, a step or the goal cannot be read.
    """
    world = load_domain(domain) if isinstance(domain, str) else domain
    written = load_scene(world, scene) if isinstance(scene, str) else scene
    actions = [_action(step) for step in (plan.steps if isinstance(plan, Plan) else plan)]
    state = Scene.as_written(written, world).state
    judged = [
        validate_actions(actions, Problem(world, written.things, state, (alternative,)))
        for alternative in _alternatives(goal)
    ]
    for verdict in judged:
        if isinstance(verdict, Valid):
            return verdict.state
    raise AssertionError(_failure_text([verdict for verdict in judged if isinstance(verdict, Invalid)], actions))


def _alternatives(goal: str | Formula | Goal | CheckedGoal | Conjunct) -> tuple[Conjunct, ...]:
    if isinstance(goal, CheckedGoal):
        return goal.conjuncts
    if isinstance(goal, frozenset):
        return (goal,)
    if isinstance(goal, Goal):
        return dnf(goal.formula)
    return dnf(parse_formula(goal) if isinstance(goal, str) else goal)


def _action(step: Step) -> Action:
    if isinstance(step, Operator):
        return step.action
    if isinstance(step, Action):
        return step
    read = parse_formula(step)
    if not isinstance(read, Atom):
        raise UsageError(f"'{step}' is no step; expected one such as (open robot0 fridge0 fridge0)")
    return Action(*read)


def _failure_text(broken: Sequence[Invalid], actions: Sequence[Action]) -> str:
    """Return the message about the alternative of the goal that the plan comes closest to."""
    if not broken:
        return "the goal is a choice between no alternatives, so no plan reaches it"
    last = max(broken, key=lambda verdict: (verdict.step, -len(verdict.missing)))
    where = f"step {last.step + 1} of {len(actions)}, {last.action}," if last.action else "the end of the plan,"
    lacking = " ".join(map(str, last.missing))
    why = f"{lacking} does not hold before it" if last.action else f"{lacking} of the goal does not hold"
    lines = [f"the plan breaks at {where} because {last.reason or why}"]
    lines += [f"{'>' if index == last.step else ' '} {index + 1:3} {action}" for index, action in enumerate(actions)]
    return "\n".join(lines)
