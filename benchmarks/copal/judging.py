"""Three judges of a plan: our validator on the whole scene, unified-planning's on the exported problem, and the body.

The body that lives in the model does every step, numbers included; what then stands on the tray, or lies on the dough,
is compared with CoPAL's key by CoPAL's own measure: 1 for each thing that is missing, 0.2 for each that is superfluous.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.copal.recipes import Recipe
from domains.model import Domain, SceneFile
from domains.pddl import PddlWriter
from graftwork.setup.model_body import symbolic_robot
from planning.validation import Invalid, validate
from semantics.body.protocols import MotionStatus
from semantics.logic.state import Operator, Plan, State

__all__ = ["Judge", "Verdict", "distance"]

MISSING, SUPERFLUOUS = 1.0, 0.2
LONGEST = 10_000.0
"""Seconds, as the body lives them, after which a step has not ended."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a plan, empty when nothing is, and what unified-planning's validator says of it."""

    wrong: str
    second: str


class Judge:
    """Judges the plans of a world in one scene."""

    def __init__(self, domain: Domain, scene: SceneFile) -> None:
        from unified_planning.engines import SequentialPlanValidator
        from unified_planning.environment import get_environment
        from unified_planning.io import PDDLReader

        get_environment().credits_stream = None
        self._domain, self._scene = domain, scene
        self._writer = PddlWriter(domain, scene.things)
        self._reader, self._validator = PDDLReader(), SequentialPlanValidator()

    def verdict(self, plan: Plan, recipe: Recipe) -> Verdict:
        """Return what the judges say."""
        state = State(self._scene.facts, self._scene.numbers)
        numbers = self._scene.numbers
        steps = tuple(self._domain.ground(one.action, self._scene.things, numbers) for one in plan.steps)
        checked = validate(steps, state, plan.goal)
        if isinstance(checked, Invalid):
            return Verdict(f"our validator: {checked.feedback}", "")
        return Verdict(self._done(steps, recipe), self._second(plan, state))

    def _second(self, plan: Plan, state: State) -> str:
        """Return what unified-planning's validator says."""
        written = self._writer.write(state, plan.goal)
        problem = self._reader.parse_problem_string(written.domain, written.problem)
        known = {one.name for one in (*problem.all_objects, *problem.actions)}  # not types, which may be called alike
        pddl = {ours: name for name, ours in written.names.items() if name in known}
        lines = (
            f"({' '.join(pddl.get(name, name) for name in (one.action.name, *one.action.args))})" for one in plan.steps
        )
        told = self._validator.validate(problem, self._reader.parse_plan_string(problem, "\n".join(lines)))
        return "valid" if told else f"refused: {told.log_messages}"

    def _done(self, steps: Iterable[Operator], recipe: Recipe) -> str:
        """Let the body do the steps, and return what is wrong with what comes of it."""
        robot = symbolic_robot(self._domain, self._scene)
        for step in steps:
            assert step.command is not None
            motion = robot.start(step.command)
            deadline = robot.clock.now() + LONGEST
            while (progress := motion.poll()).stage is MotionStatus.RUNNING and robot.clock.now() < deadline:
                robot.clock.sleep(1.0)
            if progress.stage is not MotionStatus.DONE:
                return f"the body: {step}: {progress.feedback or 'it does not end'}"
        return self.made(robot.state, recipe)

    def made(self, state: State, recipe: Recipe) -> str:
        """Return what is wrong with what stands there in a state; empty when nothing is."""
        return _against(self._result(state), recipe, state)

    def _result(self, state: State) -> str:
        """Return what was made: what stands on the tray alone, or the dough; empty when there is no one such thing."""
        doughs = [name for name, thing in self._scene.things.items() if thing.class_name == "dough"]
        trays = [name for name, thing in self._scene.things.items() if thing.class_name == "tray"]
        on_tray = [atom.args[0] for atom in state.atoms if atom.predicate == "on" and atom.args[1] in trays]
        found = doughs or on_tray
        return found[0] if len(found) == 1 else ""


def _against(result: str, recipe: Recipe, state: State) -> str:
    if not result:
        return "not exactly one thing stands on the tray"
    held = {atom.args[1] for atom in state.atoms if atom.predicate == "contains" and atom.args[0] == result}
    missing, superfluous = recipe.must - held, held - recipe.must - recipe.may
    far = distance(len(missing), len(superfluous))
    return f"distance {far}: lacks {sorted(missing)}, and has {sorted(superfluous)}" if far else ""


def distance(missing: int, superfluous: int) -> float:
    """Return CoPAL's measure of how far a result is from its key."""
    return MISSING * missing + SUPERFLUOUS * superfluous
