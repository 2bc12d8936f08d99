"""CoPAL's eight configurations and ours, on the same texts: ten cocktails, ten seeds each.

BL carries out the text once; M repairs at the mid level; H0, H1 and H2 ask the model for a new text and show it what
failed, why as well, and how to mend it too; MH0 to MH2 do both (Joublin et al. 2024, table II). Ours is the whole
ladder.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.copal.recipes import Recipe, recipes
from benchmarks.copal.suite import copal_scene, goals_of
from benchmarks.copal_ladder.habits import LEVELS, Habits
from benchmarks.copal_ladder.running.cluttered import Cluttered
from benchmarks.copal_ladder.running.ours import Ours
from benchmarks.copal_ladder.running.outcome import Outcome, drink
from benchmarks.copal_ladder.running.sequencing import Sequencer
from benchmarks.copal_ladder.standin.line import Mistake
from benchmarks.copal_ladder.standin.model import StandIn, believed, drawn, shares
from benchmarks.copal_ladder.standin.writing import GLASS, Wish, wish, written
from domains.model import Domain, SceneFile
from domains.problem import Problem
from domains.reader import load_domain
from graftwork.setup.model_body import symbolic_robot
from planning import FastDownward, solve
from semantics.body.protocols import NoPlan, Robot
from semantics.logic.atoms import And
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import Plan, State

__all__ = ["CONFIGURATIONS", "OURS", "PLAN_SECONDS", "Bar", "Case"]

OURS = "ours"
CONFIGURATIONS = ("BL", "M", "H0", "H1", "H2", "MH0", "MH1", "MH2", OURS)
PLAN_SECONDS = 8.0
"""For a new plan, on the clock of the wall; most of it may go into proving it cheapest. Where it is over, the model is
asked: on a busy machine too little of it makes the ladder look worse than it is."""


@dataclass(frozen=True, slots=True)
class Case:
    """A text that all configurations get: whose it is, what the model means, and what it errs in."""

    recipe: Recipe
    seed: int
    aim: Wish
    mistakes: tuple[Mistake, ...]


class Bar:
    """CoPAL's bar, its ten requests, and a model that errs.

    Args:
        data: Folder with ``copal_scenes`` and ``copal_ground_truth``.
        habits: How the model errs.
        planner: Plans for the ladder.
        seconds: For a new plan.
    """

    def __init__(self, data: Path, habits: Habits, planner: FastDownward, seconds: float = PLAN_SECONDS) -> None:
        self.domain: Domain = load_domain("barman")
        self.scene: SceneFile = copal_scene(data, self.domain)
        self.state = State(self.scene.facts, self.scene.numbers)
        self.substances = [name for name, thing in self.scene.things.items() if "substance" in thing.affordances]
        self.recipes = tuple(recipes(data, "barman", self.substances))
        self._habits, self._planner, self._seconds = habits, planner, seconds
        self._again = [habits["again"][level] for level in LEVELS]

    def cases(self, seeds: int) -> Iterator[Case]:
        """Yield the texts, each drawn from its own seed."""
        aims = {(one.name, seed): self._aim(one, seed) for one in self.recipes for seed in range(seeds)}
        share = shares([(aim, written(aim, self.state)) for aim in aims.values()], self._habits)
        for recipe in self.recipes:
            for seed in range(seeds):
                yield self._case(recipe, seed, aims[recipe.name, seed], share)

    def _aim(self, recipe: Recipe, seed: int) -> Wish:
        random = Random(f"aim {recipe.name} {seed}")
        return wish(believed(recipe, self.substances, random), random)

    def _case(self, recipe: Recipe, seed: int, aim: Wish, share: Mapping[str, float]) -> Case:
        random = Random(f"mistakes {recipe.name} {seed}")
        return Case(recipe, seed, aim, drawn(aim, written(aim, self.state), self._habits, share, random))

    def run(self, case: Case, configuration: str) -> Outcome:
        """Run a text in a configuration."""
        robot = symbolic_robot(self.domain, self.scene)
        model = self._model(case, configuration)
        text, began = model.text(self.state), time.perf_counter()
        if configuration == OURS:
            ran = self._ours(robot, model, case.recipe).run(text, self.goal(case.recipe).conjuncts[0])
        else:
            rules = configuration.startswith("M")
            fields = int(configuration[-1]) + 1 if "H" in configuration else 0
            ran = Sequencer(self.domain, self.scene, robot, model, rules, fields).run(text)
        taken, planted = time.perf_counter() - began, len({line.mistake for line in text} - {None})
        return Outcome(
            case.recipe.name,
            case.seed,
            planted,
            ran.answered,
            ran.executable,
            drink(robot.state, case.recipe),
            taken,
            configuration == OURS,
            ran.reason,
        )

    def obstructed(self, recipe: Recipe) -> Outcome:
        """Carry out a right text with the whole ladder, where a bottle stands in front of the first one on the shelf.

        Done as it should be, it is counted as executable; a bottle that is still in front is not.
        """
        aim = wish(recipe.must, Random(f"obstructed {recipe.name}"))
        model = StandIn(aim, (), self._again, Random(0))
        text = model.text(self.state)
        wanted = next(line.words[1] for line in text if line.starts("get") and "shelf" in line.words)
        spare = sorted(set(self.substances) - recipe.must - recipe.may)
        on_shelf = {atom.args[0] for atom in self.state.atoms if atom.predicate == "on" and atom.args[1] == "shelf"}
        front = next(f"{one}_bottle" for one in spare if f"{one}_bottle" in on_shelf)
        robot = symbolic_robot(self.domain, self.scene)
        body, began = Cluttered(robot, wanted, front, "shelf"), time.perf_counter()
        ran = self._ours(body, model, recipe).run(text, self.goal(recipe).conjuncts[0])
        done = ran.executable and body.is_clear and body.refused > 0
        taken = time.perf_counter() - began
        return Outcome(recipe.name, 0, 1, ran.answered, done, drink(robot.state, recipe), taken, True, ran.reason)

    def _model(self, case: Case, configuration: str) -> StandIn:
        random = Random(f"answers {case.recipe.name} {case.seed} {configuration}")
        return StandIn(case.aim, case.mistakes, self._again, random)

    def _ours(self, robot: Robot, model: StandIn, recipe: Recipe) -> Ours:
        goal = self.goal(recipe)
        return Ours(self.domain, self.scene, robot, lambda *asked: self._plan(goal, *asked), model.text)

    def goal(self, recipe: Recipe) -> CheckedGoal:
        """Return what is to be reached, with the glass that the texts speak of."""
        vessels = [name for name, thing in self.scene.things.items() if thing.class_name == "glass"]
        return CheckedGoal(Goal(And(())), (goals_of(recipe, self.scene)[vessels.index(GLASS)],))

    def _plan(self, goal: CheckedGoal, state: State, domain: Domain) -> Plan | NoPlan:
        return solve(
            Problem(domain, self.scene.things, state, goal.conjuncts), planner=self._planner, seconds=self._seconds
        )
