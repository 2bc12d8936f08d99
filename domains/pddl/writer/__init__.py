"""Writing PDDL in one of several profiles; use a `PddlWriter` for many problems of one world."""

from __future__ import annotations

from domains.pddl.writer.profiles import PROFILES
from domains.pddl.writer.writer import PddlWriter, WrittenProblem
from domains.problem import Problem
from semantics.logic.atoms import Or, conjunction

__all__ = ["PROFILES", "PddlWriter", "WrittenProblem", "write_problem"]


def write_problem(
    problem: Problem, profile: str = "adl-costs", *, drop_costs: bool = False, typed: bool = False
) -> WrittenProblem:
    """Write a problem; for many with the same objects, keep a `PddlWriter`.

    Actions have the costs of the domain; the costs of the problem are ignored.

    Raises:
        ProfileError: The profile cannot express the domain or the goal; lists every reason.
        UnknownNameError: There is no such profile, or a name does not exist.
    """
    writer = PddlWriter(problem.domain, problem.objects, profile, drop_costs=drop_costs, typed=typed)
    alternatives = problem.goal
    goal = alternatives[0] if len(alternatives) == 1 else Or(tuple(map(conjunction, alternatives)))
    return writer.write(problem.state, goal)
