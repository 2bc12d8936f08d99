"""Another planner on one generated kitchen, in a process that can be ended: ``python -m benchmarks.planning.stock``.

Arguments: engine (``lama-first``, ``lmcut`` or ``kairos``), size, seed. Prints the seconds that building the problem
took, those of the call alone by the clock and by the processor, and cost and length of the plan; the libraries are
imported before. All are given the problem without what its goal does not ask for, as ``graftwork domain export`` writes
it. The first two are given the same integer costs as ours. A* with LM-cut takes no disjunctive goal: its alternatives
are planned one after the other. Kairos is given the first alternative only, as text.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Mapping
from itertools import permutations
from typing import Any

from benchmarks.planning.kitchens import SCALE, Kitchen, kitchen_domain, make
from benchmarks.planning.unified import unified
from domains.problem import Problem
from planning.relevance.needed import without_unneeded
from semantics.body.protocols import NoPlan
from semantics.logic.state import Action

__all__ = ["main"]


def _model(kitchen: Kitchen, numbers: list[int]) -> Any:  # noqa: ANN401  # the library has no type information
    from unified_planning.environment import get_environment

    environment = get_environment()
    environment.credits_stream = None
    sys.modules[unified.__module__].__dict__["_environment"] = (
        get_environment  # engines take problems of the library's own environment only
    )
    model, names = unified(_asked(kitchen, numbers).with_goal(frozenset()))
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


def _asked(kitchen: Kitchen, numbers: list[int]) -> Problem:
    """Return the problem of some alternatives, without what they do not ask for and at the costs of the domain."""
    goals = tuple(kitchen.goals[number] for number in numbers)
    return without_unneeded(Problem(kitchen_domain(), kitchen.things, kitchen.state, goals))


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


def _unified(engine: str, kitchen: Kitchen) -> tuple[list[float], list[list[Action]]]:
    from unified_planning.shortcuts import OneshotPlanner

    building = time.perf_counter()
    everything = list(range(len(kitchen.goals)))
    models = [
        _model(kitchen, numbers) for numbers in ([[one] for one in everything] if engine == "lmcut" else [everything])
    ]
    name = {"lama-first": "fast-downward", "lmcut": "fast-downward-opt"}[engine]
    plans = []
    began, spent = time.perf_counter(), _spent()
    built = began - building
    for model in models:
        with OneshotPlanner(name=name) as planner:
            plan = planner.solve(model).plan
        plans += [] if plan is None else [_read(plan, kitchen)]
    return [built, time.perf_counter() - began, _spent() - spent], plans


def _spent() -> float:
    """Return the processor time of this process and of those that it has waited for, seconds."""
    return sum(os.times()[:4])


def _read(plan: Any, kitchen: Kitchen) -> list[Action]:  # noqa: ANN401
    """Return a plan in our names."""
    ours = {name.lower(): name for name in (*kitchen.things, *kitchen_domain().capabilities)}
    return [
        Action(ours[one.action.name.rstrip("-")], tuple(ours[str(arg)] for arg in one.actual_parameters))
        for one in plan.actions
    ]


def _kairos(kitchen: Kitchen) -> tuple[list[float], list[list[Action]]]:
    """Let Kairos find its first plan for the first alternative, from PDDL text, its fastest way in.

    A first plan is found whatever it costs, so the text has the domain's own costs; the plan is priced like ours.
    """
    from domains.pddl.writer import write_problem
    from planning.portfolio.kairos import Kairos

    began = time.perf_counter()
    written = write_problem(_asked(kitchen, [0]))
    built, planner = time.perf_counter() - began, Kairos()
    began, spent = time.perf_counter(), _spent()
    answer = planner.schedule(written.domain, written.problem, seconds=60.0)
    times = [built, time.perf_counter() - began, _spent() - spent]
    return times, [] if isinstance(answer, NoPlan) else [[written.read(one.action) for one in answer]]


def main(arguments: list[str]) -> int:
    """Solve one kitchen; what the plans cost is counted by our own model, which runs each of them."""
    warnings.simplefilter("ignore")
    engine, size, seed = arguments[0], int(arguments[1]), int(arguments[2])
    kitchen = make(size, seed)
    times, plans = _kairos(kitchen) if engine == "kairos" else _unified(engine, kitchen)
    valid = [plan for plan in plans if kitchen.reached(plan)]
    best = min(valid, key=kitchen.cost, default=None)
    cost = float("inf") if best is None else kitchen.cost(best)
    sys.stdout.write(" ".join(map(str, (*times, cost, len(best or ())))) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
