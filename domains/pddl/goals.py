"""Goals that are any condition, such as those of PDDL problems.

A goal with few alternatives is written as them. Otherwise the domain gets a derived predicate without arguments, which
holds where the condition does. The goal is then that predicate, so no goal is too large.
"""

from __future__ import annotations

from dataclasses import replace

from domains.model import DerivedPredicate, Domain, PredicateModel
from domains.problem import Problem
from domains.reader.pddl import ProblemFile
from semantics.atoms import And, Atom, Formula, Literal, Or, dnf, numbers_in, rebuilt
from semantics.conditions import expanded
from semantics.errors import FormulaError, UsageError
from semantics.state import State
from semantics.vocabulary import Predicate

__all__ = ["problem_of", "reaching"]

MOST = 64
"""The largest number of alternatives of a goal without a derived predicate."""
NAME = "goal"


def problem_of(domain: Domain, parsed: ProblemFile) -> Problem:
    """Return the problem of a PDDL file.

    Raises:
        UsageError: The goal compares numbers.
    """
    scene = parsed.scene
    return reaching(Problem(domain, scene.things, State(scene.facts, scene.numbers)), parsed.goal)


def reaching(problem: Problem, condition: Formula) -> Problem:
    """Return `problem` with the goal of making `condition` true, which may quantify over its objects.

    Facts that no action changes count as they are in the state.

    Raises:
        UsageError: The condition compares numbers.
    """
    ground = expanded(_without_constants(expanded(condition, problem.objects), problem), {})
    if numbers := sorted(set(numbers_in(ground))):
        names = ", ".join(map(str, numbers))
        raise UsageError(f"the goal compares numbers ({names}), and plans are made for facts only; ask for facts")
    try:
        alternatives = dnf(ground)
    except FormulaError:
        alternatives = ()
    if 0 < len(alternatives) <= MOST:
        return problem.with_goal(*alternatives)
    domain, goal = _with_goal_predicate(problem.domain, condition)
    return replace(problem, domain=domain, goal=(frozenset({Literal(goal)}),))


def _without_constants(formula: Formula, problem: Problem) -> Formula:
    """Replace facts that no action changes by their values."""
    domain = problem.domain
    changed = {
        literal.predicate
        for capability in domain.capabilities.values()
        for effect in capability.effects
        for literal in effect.literals
    }

    def replaced(part: Formula) -> Formula:
        if isinstance(part, Atom) and part.predicate not in changed and part.predicate not in domain.derived:
            return And(()) if part in problem.state.atoms else Or(())
        return rebuilt(part, replaced)

    return replaced(formula)


def _with_goal_predicate(domain: Domain, condition: Formula) -> tuple[Domain, Atom]:
    name = NAME
    while name in domain.predicates:
        name += "-"
    model = PredicateModel(Predicate(name, (), "the goal of the problem is reached"))
    derived = {**domain.derived, name: DerivedPredicate(name, (), (condition,))}
    return replace(domain, predicates={**domain.predicates, name: model}, derived=derived), Atom(name)
