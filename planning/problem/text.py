"""A problem as PDDL text, at its own costs, for planners that only read text."""

from __future__ import annotations

from domains.pddl import PddlWriter, ProfileError, WrittenProblem, write_problem
from domains.problem import Problem
from planning.errors import UnplannableError
from planning.problem.grounding import ground
from semantics.errors import UnknownNameError

__all__ = ["check_names", "pddl_text"]


def pddl_text(problem: Problem) -> WrittenProblem:
    """Write a problem.

    Atoms of its state over unknown objects are left out.

    Raises:
        UnplannableError: The goal or a capability names something that does not exist, or a rich domain has a cost
            model.
    """
    check_names(problem)
    domain = problem.domain
    try:
        if problem.costs is None:
            return write_problem(problem, "numeric" if domain.planned_numbers else "adl-costs")
        if domain.is_adl:
            raise UnplannableError(domain.name, "costs of a cost model are not written for rich domains")
        prices = {operator.action: operator.cost for operator in ground(problem)}
        return PddlWriter(domain, problem.objects).write(problem.state, problem.conjunct, prices=prices)
    except (UnknownNameError, ProfileError) as error:
        raise UnplannableError(domain.name, str(error)) from error


def check_names(problem: Problem) -> None:
    """Raise an `UnplannableError` if the goal names something that does not exist."""
    for literal in sorted({literal for conjunct in problem.goal for literal in conjunct}):
        for name in literal.atom.args:
            if name not in problem.objects:
                raise UnplannableError(name, "no such thing in the problem")
        if literal.atom.predicate not in problem.domain.predicates:
            raise UnplannableError(literal.atom.predicate, "no such predicate in the domain")
