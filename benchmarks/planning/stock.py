"""Another planner on one generated kitchen, in a process that can be ended: ``python -m benchmarks.planning.stock``.

Arguments: engine (``lama-first``, ``lmcut`` or ``kairos``), size, seed. Prints the seconds of the call alone, and cost
and length of the plan; the libraries are imported and the model is built before. Every engine is given the same integer
costs as ours. A* with LM-cut takes no disjunctive goal: its alternatives are planned one after the other. Kairos is
given the first alternative only.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Mapping
from itertools import permutations
from typing import Any

from benchmarks.planning.kitchens import SCALE, Kitchen, kitchen_domain, make
from planning.problem.text import unified
from semantics.protocols import NoPlan
from semantics.state import Action

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
    _price(model, names, theirs, kitchen)
    return model


def _price(model: Any, names: Mapping[str, str], theirs: Mapping[str, str], kitchen: Kitchen) -> None:  # noqa: ANN401
    """Give the actions of `model` the integer costs that ours has.

    A drive's depends on its ends: it is a number of both, told for each pair. Every other action of an agent costs the
    same whatever its arguments are.
    """
    from unified_planning.model import Fluent
    from unified_planning.model.metrics import MinimizeActionCosts
    from unified_planning.shortcuts import Int, IntType

    fluent = Fluent("metres", IntType(), start=model.user_type("object"), end=model.user_type("object"))
    model.add_fluent(fluent, default_initial_value=Int(0))
    places = [name for name, thing in kitchen.things.items() if "location" in thing.affordances]
    for start, end in permutations(places, 2):
        ends = [model.object(theirs[name]) for name in (start, end)]
        model.set_initial_value(fluent(*ends), Int(kitchen.price(Action("move", ("robot0", start, end)))))
    costs = {}
    for action in model.actions:
        name = names[action.name]
        if name == "move":
            costs[action] = fluent(action.parameter("start"), action.parameter("end"))
        else:
            agent = next(one.cost for one in kitchen_domain().agents.values() if name in one.capabilities)
            costs[action] = Int(agent * kitchen_domain().capabilities[name].cost * SCALE)
    model.clear_quality_metrics()
    model.add_quality_metric(MinimizeActionCosts(costs))


def _unified(engine: str, kitchen: Kitchen) -> tuple[float, list[list[Action]]]:
    from unified_planning.shortcuts import OneshotPlanner

    everything = list(range(len(kitchen.goals)))
    models = [
        _model(kitchen, numbers) for numbers in ([[one] for one in everything] if engine == "lmcut" else [everything])
    ]
    name = {"lama-first": "fast-downward", "lmcut": "fast-downward-opt"}[engine]
    plans = []
    began = time.perf_counter()
    for model in models:
        with OneshotPlanner(name=name) as planner:
            plan = planner.solve(model).plan
        plans += [] if plan is None else [_read(plan, kitchen)]
    return time.perf_counter() - began, plans


def _read(plan: Any, kitchen: Kitchen) -> list[Action]:  # noqa: ANN401
    """Return a plan in our names."""
    ours = {name.lower(): name for name in (*kitchen.things, *kitchen_domain().capabilities)}
    return [
        Action(ours[one.action.name.rstrip("-")], tuple(ours[str(arg)] for arg in one.actual_parameters))
        for one in plan.actions
    ]


def _kairos(kitchen: Kitchen) -> tuple[float, list[list[Action]]]:
    """Let Kairos find its first plan for the first alternative; its plan is not run through a model of the text."""
    from unified_planning.io.pddl_writer import PDDLWriter

    from planning.portfolio.kairos import Kairos

    model = _model(kitchen, [0])
    writer = PDDLWriter(model)
    domain, problem = writer.get_domain(), writer.get_problem()
    ours = {writer.get_pddl_name(one).lower(): one.name for one in (*model.actions, *model.all_objects)}
    names = {name.lower(): name for name in (*kitchen.things, *kitchen_domain().capabilities)}
    planner = Kairos()
    began = time.perf_counter()
    answer = planner.schedule(domain, problem, seconds=60.0)
    taken = time.perf_counter() - began
    if isinstance(answer, NoPlan):
        return taken, []
    read = [names[ours[word.lower()].rstrip("-")] for one in answer for word in (one.action.name, *one.action.args)]
    words = iter(read)
    return taken, [[Action(next(words), tuple(next(words) for _ in one.action.args)) for one in answer]]


def main(arguments: list[str]) -> int:
    """Solve one kitchen; what the plans cost is counted by our own model, which runs each of them."""
    warnings.simplefilter("ignore")
    engine, size, seed = arguments[0], int(arguments[1]), int(arguments[2])
    kitchen = make(size, seed)
    seconds, plans = _kairos(kitchen) if engine == "kairos" else _unified(engine, kitchen)
    valid = [plan for plan in plans if kitchen.reached(plan)]
    best = min(valid, key=kitchen.cost, default=None)
    cost = float("inf") if best is None else kitchen.cost(best)
    sys.stdout.write(f"{seconds} {cost} {len(best or ())}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
