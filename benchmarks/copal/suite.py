"""CoPAL's ten cocktails and ten pizzas: ``graftwork bench copal --data DIR``.

Each is planned in the whole of CoPAL's own scene, as imported: a glass alone on the tray, or the dough, holds each
mandatory item and nothing that is neither mandatory nor optional. Any of the glasses will do. Exit code 1 when one is
not reached.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.copal.judging import Judge
from benchmarks.copal.lasting import lasting
from benchmarks.copal.recipes import SCENES, Recipe, recipes
from benchmarks.copal.scenes import import_copal
from domains.model import Domain, SceneFile
from domains.problem import Problem
from domains.reader import load_domain, load_scene
from planning import FastDownward, solve
from semantics.body.protocols import NoPlan
from semantics.errors import UsageError
from semantics.logic.atoms import And, Atom, Conjunct, Literal
from semantics.logic.goal import CheckedGoal, Goal
from semantics.logic.state import State

__all__ = ["Outcome", "copal_scene", "goals_of", "main", "outcomes"]

SECONDS = 37.5
"""For each plan; 0.8 of it, 30 s, for the proof."""
TRAY = "tray"
VESSELS = ("glass", "dough")
"""Classes of what is filled and served."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a recipe; `cost` is None when there is no plan, `wrong` is empty when nothing is.

    `in_turn` and `at_once` are seconds as the body lives them, one step after the other and with both hands at once.
    """

    recipe: Recipe
    seconds: float
    cost: int | None = None
    steps: int = 0
    optimal: bool = False
    bound: int | None = None
    second: str = ""
    in_turn: float = 0.0
    at_once: float = 0.0
    wrong: str = ""


def copal_scene(data: Path, domain: Domain) -> SceneFile:
    """Import CoPAL's scene of a world.

    Raises:
        UsageError: It is not there, or cannot be used.
    """
    source = data / "copal_scenes" / f"env_state_{SCENES[domain.name]}.json"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{source.stem}.yaml")
        path.write_text(import_copal(source, domain).text(source.name), encoding="utf-8")
        return load_scene(domain, path)


def goals_of(recipe: Recipe, scene: SceneFile) -> tuple[Conjunct, ...]:
    """Return what is to be reached, for each vessel that it may be reached with."""
    vessels = [name for name, thing in scene.things.items() if thing.class_name in VESSELS]
    return tuple(_goal(recipe, vessel, scene) for vessel in vessels)


def _goal(recipe: Recipe, vessel: str, scene: SceneFile) -> Conjunct:
    substances = {name for name, thing in scene.things.items() if "substance" in thing.affordances}
    must = {Literal(Atom("contains", (vessel, one))) for one in recipe.must}
    never = {Literal(Atom("contains", (vessel, one)), False) for one in substances - recipe.must - recipe.may}
    if recipe.world != "barman":
        return frozenset(must | never)
    carried = {name for name, thing in scene.things.items() if "carry" in thing.affordances}
    return frozenset(must | never | {Literal(Atom("on", (one, TRAY)), one == vessel) for one in carried})


def outcomes(data: Path, world: str, planner: FastDownward, seconds: float = SECONDS) -> Iterator[Outcome]:
    """Plan, run and judge each recipe of a world."""
    domain = load_domain(world)
    scene = copal_scene(data, domain)
    judge = Judge(domain, scene)
    substances = [name for name, thing in scene.things.items() if "substance" in thing.affordances]
    for recipe in recipes(data, world, substances):
        yield _outcome(recipe, domain, scene, judge, planner, seconds)


def _outcome(
    recipe: Recipe,
    domain: Domain,
    scene: SceneFile,
    judge: Judge,
    planner: FastDownward,
    seconds: float,
) -> Outcome:
    goal = CheckedGoal(Goal(And(())), goals_of(recipe, scene))
    began = time.perf_counter()
    plan = solve(
        Problem(domain, scene.things, State(scene.facts, scene.numbers), goal.conjuncts),
        planner=planner,
        seconds=seconds,
    )
    taken = time.perf_counter() - began
    if isinstance(plan, NoPlan):
        return Outcome(recipe, taken, wrong=str(plan.feedback))
    verdict = judge.verdict(plan, recipe)
    bound = plan.cost if plan.optimal else plan.bound
    wrong = verdict.wrong or ("" if verdict.second == "valid" else f"unified-planning: {verdict.second}")
    lasts = lasting(plan, domain, scene)
    times = (0.0, 0.0) if isinstance(lasts, str) else (lasts.in_turn, lasts.at_once)
    ended = [lasts] if isinstance(lasts, str) else [judge.made(one, recipe) for one in lasts.states]
    wrong = wrong or next(filter(None, ended), "")
    return Outcome(recipe, taken, plan.cost, len(plan.steps), plan.optimal, bound, verdict.second, *times, wrong)


def table_of(found: Sequence[Outcome]) -> Table:
    """Return a line a recipe."""
    table = Table(
        "item", "steps", "cost", "proved", "search", "seconds", "in turn", "at once", "second validator", "judged"
    )
    for one in found:
        proved = "optimal" if one.optimal else f"at least {one.bound}" if one.bound else "no bound"
        search = "A* with LM-cut" if one.optimal else "greedy, FF"
        cost = "-" if one.cost is None else str(one.cost)
        judged = one.wrong or "as the key says"
        lasts = (f"{one.in_turn:.0f} s", f"{one.at_once:.0f} s")
        table.add_row(
            one.recipe.name, str(one.steps), cost, proved, search, f"{one.seconds:.2f}", *lasts, one.second, judged
        )
    return table


def main(words: Sequence[str]) -> int:
    """Run the suite; 1 when something is not reached."""
    parser = argparse.ArgumentParser(prog="graftwork bench copal", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with copal_scenes and copal_ground_truth")
    parser.add_argument("--worlds", nargs="+", choices=tuple(SCENES), default=list(SCENES), help="which (default: all)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each plan; 0.8 of it for the proof")
    chosen = parser.parse_args(words)
    if not (chosen.data / "copal_scenes").is_dir():
        raise UsageError(f"there is no folder copal_scenes in {chosen.data}; name the folder that holds it with --data")
    console = Console(width=150)
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, Python {platform.python_version()}")
    planner = FastDownward()
    planner.warm_up()
    try:
        found = [one for world in chosen.worlds for one in outcomes(chosen.data, world, planner, chosen.seconds)]
    finally:
        planner.close()
    console.print(table_of(found))
    for one in found:
        for note in one.recipe.notes:
            console.print(f"{one.recipe.name}: {note}", highlight=False)
    reached = sum(not one.wrong for one in found)
    console.print(f"{reached} of {len(found)} reached, {sum(one.optimal for one in found)} proved cheapest")
    return 0 if reached == len(found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
