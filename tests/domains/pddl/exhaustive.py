"""The cheapest plan by Dijkstra over a domain's own operators: slow, and independent of every planner."""

import heapq
from itertools import count, product

from domains.model import Domain
from domains.pddl import ProblemFile
from semantics.errors import UsageError
from semantics.logic.conditions import expanded
from semantics.logic.state import Action, Operator, State

__all__ = ["cheapest"]


def cheapest(domain: Domain, problem: ProblemFile) -> int | None:
    """Return the least cost of a plan; None when there is none."""
    scene = problem.scene
    axioms = domain.axioms(scene.things)
    start = State(scene.facts, scene.numbers)
    goal = expanded(problem.goal, scene.things)
    operators = list(_operators(domain, problem))
    order, done = count(), set()
    queue = [(0, next(order), axioms.close(start) if axioms else start)]
    while queue:
        cost, _, now = heapq.heappop(queue)
        key = (now.atoms, tuple(sorted(now.numbers.items())))
        if key in done:
            continue
        done.add(key)
        if now.judge(goal):
            return cost
        for one in operators:
            if one.applicable(now):
                heapq.heappush(queue, (cost + one.cost, next(order), one.apply(now)))
    return None


def _operators(domain: Domain, problem: ProblemFile) -> list[Operator]:
    found = []
    for capability in domain.capabilities.values():
        for args in product(problem.scene.things, repeat=len(capability.parameters)):
            try:
                found.append(domain.ground(Action(capability.name, args), problem.scene.things, problem.scene.numbers))
            except UsageError:  # not for these things
                continue
    return found
