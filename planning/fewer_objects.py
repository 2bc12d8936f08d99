"""A plan that needs few of many objects.

Grounding a household of hundreds of objects takes seconds, also where two of them matter. This path plans with the
objects of the goal and those that the state connects with them, and with more of them when that has no plan. Its plans
are validated in the whole problem. That it finds none says nothing, so a race asks it only beside the others.

Silver et al., "Planning with Learned Object Importance in Large Problem Instances using Graph Neural Networks" (AAAI
2021), plan with more and more objects in this way; there a network orders the objects, here the facts of the state do.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from domains.model import Domain
from domains.pddl import ProfileError, write_problem
from domains.problem import Problem
from planning.anytime import CALLED_OFF, LEAST_OBJECTS
from planning.planners.fast_downward import FastDownward
from planning.satisficing import checked
from semantics.body.protocols import NoPlan
from semantics.errors import GraftworkError, UnknownNameError
from semantics.logic.atoms import Atom
from semantics.logic.state import Plan, State

FEWER = "lama-on-fewer-objects"  # the name of the planner in the plans that are found here

WIDTHS = (1, 3, 10, 40)
"""An object leads to the others of its facts where it has at most so many of the kind: a thing leads to the one table
that it is on, but the table leads not to its many things. Each attempt is wider than the one before."""
FEW = 3
"""Objects of a predicate with at most so many facts, or of a class with so few objects, always belong to a problem."""
MOST = 0.6  # the largest share of the objects with which an attempt is worth its time
PART = 0.4  # the share of the remaining time for one attempt


def solve_with_fewer(problem: Problem, *, planner: FastDownward, seconds: float = 20.0) -> Plan | NoPlan:
    """Find any plan with some of the objects; without one, the answer says only that the search is over.

    Args:
        problem: The problem to solve.
        planner: The planner whose process searches.
        seconds: The time limit.

    Raises:
        OutsideError: The planner cannot be started.
    """
    end, problem = time.monotonic() + seconds, problem.for_goal()
    for smaller in fewer_objects(problem):
        left = end - time.monotonic()
        if left <= 0:
            break
        try:
            written = write_problem(replace(smaller, costs=None), drop_costs=True, typed=True)
        except (UnknownNameError, ProfileError):
            break
        answer = planner.satisfice(written.domain, written.problem, seconds=PART * left)
        if isinstance(answer, NoPlan):
            continue
        try:
            plan = checked(answer, written, problem, FEWER)
        except GraftworkError:  # a cost reads a number of an object that was left out
            continue
        if isinstance(plan, Plan):
            return plan
    return CALLED_OFF


def fewer_objects(problem: Problem) -> Iterator[Problem]:
    """Yield parts of a large problem, each with more of its objects; none if all parts are almost the whole."""
    if len(problem.objects) < LEAST_OBJECTS or problem.domain.planned_numbers:
        return
    facts = _Facts(problem)
    before: frozenset[str] = frozenset()
    for width in WIDTHS:
        kept = facts.connected(width)
        if len(kept) > MOST * len(problem.objects):
            return
        if kept != before:
            yield _within(problem, kept)
        before = kept


def _within(problem: Problem, kept: frozenset[str]) -> Problem:
    state = problem.state
    atoms = frozenset(atom for atom in state.atoms if kept.issuperset(atom.args))
    numbers = {fluent: value for fluent, value in state.numbers.items() if kept.issuperset(fluent.args)}
    objects = {name: thing for name, thing in problem.objects.items() if name in kept}
    return Problem(problem.domain, objects, State(atoms, numbers), problem.goal)


class _Facts:
    """The facts of the state, by their objects."""

    def __init__(self, problem: Problem) -> None:
        self._objects = problem.objects
        self._facts: dict[str, list[tuple[tuple[str, int], Atom]]] = defaultdict(list)
        of_predicate: dict[str, list[Atom]] = defaultdict(list)
        for atom in problem.state.atoms:
            of_predicate[atom.predicate].append(atom)
            for place, arg in enumerate(atom.args):
                self._facts[arg].append(((atom.predicate, place), atom))
        self._always = set(_named(problem.domain, problem))
        for atoms in of_predicate.values():
            if len(atoms) <= FEW:
                self._always.update(arg for atom in atoms for arg in atom.args)
        classes = Counter(thing.class_name for thing in problem.objects.values())
        self._always.update(
            name
            for name, thing in problem.objects.items()
            if classes[thing.class_name] <= FEW or thing.class_name in problem.domain.agents
        )

    def connected(self, width: int) -> frozenset[str]:
        """Return the objects to which those of the goal lead."""
        kept: set[str] = set()
        agenda = [name for name in self._always if name in self._objects]
        while agenda:
            name = agenda.pop()
            if name in kept:
                continue
            kept.add(name)
            facts = self._facts[name]
            counts = Counter(kind for kind, _ in facts)
            agenda += [arg for kind, atom in facts if counts[kind] <= width for arg in atom.args if arg not in kept]
        return frozenset(kept)


def _named(domain: Domain, problem: Problem) -> Iterable[str]:
    """Yield what the goal names, also in the definitions of derived predicates, and the constants of the domain."""
    yield from domain.constants
    agenda = [literal.atom for conjunct in problem.goal for literal in conjunct]
    defined: set[str] = set()
    while agenda:
        atom = agenda.pop()
        yield from atom.args
        derived = domain.derived.get(atom.predicate)
        if derived is not None and atom.predicate not in defined:
            defined.add(atom.predicate)
            agenda += [literal.atom for literal in derived.literals]
