"""Another planner on one generated kitchen, in a process that can be ended: ``python -m benchmarks.planning.stock``.

Arguments: engine (``lama-first``, ``lmcut`` or ``kairos``), size, seed. Prints seconds and cost of the call alone; the
libraries are imported and the model is built before. A* with LM-cut takes no disjunctive goal: its alternatives are
planned one after the other.
"""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

from benchmarks.planning.kitchens import Kitchen, kitchen_domain, make
from planning.problem.text import problem, unified

__all__ = ["main"]


def _model(kitchen: Kitchen, numbers: list[int]) -> Any:  # noqa: ANN401  # the library has no type information
    from unified_planning.environment import get_environment

    environment = get_environment()
    environment.credits_stream = None
    sys.modules[unified.__module__].__dict__["_environment"] = (
        get_environment  # engines take problems of the library's own environment only
    )
    model, names = unified(kitchen_domain(), kitchen.things, kitchen.state, frozenset())
    theirs = {ours: name for name, ours in names.items() if not name.endswith("-class")}
    expressions = environment.expression_manager

    def literal(one: Any) -> Any:  # noqa: ANN401
        args = [expressions.ObjectExp(model.object(theirs[arg])) for arg in one.atom.args]
        fact = model.fluent(one.atom.predicate)(*args)
        return fact if one.positive else expressions.Not(fact)

    goals = [expressions.And(*map(literal, sorted(kitchen.goals[number]))) for number in numbers]
    model.add_goal(expressions.Or(*goals) if len(goals) > 1 else goals[0])
    return model


def _unified(engine: str, kitchen: Kitchen) -> tuple[float, float]:
    from unified_planning.shortcuts import OneshotPlanner

    everything = list(range(len(kitchen.goals)))
    models = [
        _model(kitchen, numbers) for numbers in ([[one] for one in everything] if engine == "lmcut" else [everything])
    ]
    name = {"lama-first": "fast-downward", "lmcut": "fast-downward-opt"}[engine]
    costs = []
    began = time.perf_counter()
    for model in models:
        with OneshotPlanner(name=name) as planner:
            plan = planner.solve(model).plan
        costs.append(len(plan.actions) if plan is not None else float("inf"))
    return time.perf_counter() - began, min(costs)


def _kairos(kitchen: Kitchen) -> tuple[float, float]:
    from planning.portfolio.kairos import Kairos

    texts = [problem(kitchen_domain(), kitchen.things, kitchen.state, goal) for goal in kitchen.goals[:1]]
    planner = Kairos()
    began = time.perf_counter()
    costs = [len(getattr(planner.solve(one.domain, one.problem, seconds=60.0), "actions", ())) for one in texts]
    taken = time.perf_counter() - began
    return taken, min(costs) or float("inf")


def main(arguments: list[str]) -> int:
    """Solve one kitchen; in this domain each action costs one."""
    warnings.simplefilter("ignore")
    engine, size, seed = arguments[0], int(arguments[1]), int(arguments[2])
    kitchen = make(size, seed)
    seconds, cost = _kairos(kitchen) if engine == "kairos" else _unified(engine, kitchen)
    sys.stdout.write(f"{seconds} {cost}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
