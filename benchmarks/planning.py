"""How long planning takes: the goals of the kitchen, with and without leaving out what does not matter.

Run from a checkout: ``python -m benchmarks.planning``.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from affordances.bookkeeping import derive
from domains.model import Domain
from domains.reading import load_domain, load_scene
from planning import FastDownward, problem, relevant, solve, warm_up
from semantics.atoms import dnf, parse_formula
from semantics.goal import CheckedGoal, Goal
from semantics.protocols import Found
from semantics.state import Plan, State
from semantics.vocabulary import Thing

GOALS = (
    "(opened fridge0)",
    "(on apple0 counter0)",
    "(inhand milk0 human0)",
    "(and (in juice0 fridge0) (closed fridge0))",
    "(and (in sponge0 sink0) (in cup0 sink0))",
    "(and (on apple0 shelf0) (on banana0 shelf0) (on lemon0 shelf0) (on orange0 shelf0))",
)
LIMIT = 20.0


def main() -> None:
    """Print one line a goal."""
    started = time.perf_counter()
    planner = FastDownward()
    warm = warm_up(planner)
    domain = load_domain("kitchen")
    scene = load_scene(domain, "full")
    follows = [name for name, model in domain.predicates.items() if model.bookkeeping]
    facts = scene.facts | frozenset(scene.beliefs)
    state = State(facts | derive(facts, scene.things, follows))
    warm.join()
    table = Table("goal", "cost", "proved", "kept", "seconds", "all things", title=f"{len(scene.things)} things")
    for text in GOALS:
        formula = parse_formula(text)
        goal = CheckedGoal(Goal(formula), dnf(formula))
        before = time.perf_counter()
        plan = solve(goal, state, scene.things, domain, planner=planner, seconds=LIMIT)
        took = time.perf_counter() - before
        kept = len(relevant(goal.conjuncts[0], state, scene.things, domain).things)
        cost, proved = (str(plan.cost), str(plan.optimal)) if isinstance(plan, Plan) else ("-", "-")
        table.add_row(text, cost, proved, str(kept), f"{took:.2f}", _whole(goal, state, domain, scene.things, planner))
    planner.close()
    console = Console()
    console.print(table)
    console.print(f"{time.perf_counter() - started:.1f} s in all")


def _whole(goal: CheckedGoal, state: State, domain: Domain, things: Mapping[str, Thing], planner: FastDownward) -> str:
    before = time.perf_counter()
    text = problem(domain, things, state, goal.conjuncts[0])
    answer = planner.solve(text.domain, text.problem, seconds=LIMIT)
    took = f"{time.perf_counter() - before:.2f}"
    return took if isinstance(answer, Found) and answer.optimal else f"no proof in {took}"


if __name__ == "__main__":
    main()
