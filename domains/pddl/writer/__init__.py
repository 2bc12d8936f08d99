"""Writing PDDL: a profile of the language, and a problem; for many problems of one world, a `PddlWriter`."""

from __future__ import annotations

from domains.pddl.writer.profiles import PROFILES
from domains.pddl.writer.writer import PddlWriter, WrittenProblem
from domains.problem import Problem
from semantics.atoms import And, Conjunct, Formula, Not, Or

__all__ = ["PROFILES", "PddlWriter", "WrittenProblem", "write_problem"]


def write_problem(problem: Problem, profile: str = "adl-costs", *, drop_costs: bool = False) -> WrittenProblem:
    """Write a problem; for many with the same objects, keep a `PddlWriter`.

    Actions cost what the domain says, whatever the costs of the problem are.

    Raises:
        ProfileError: The profile cannot say the domain or the goal; lists every reason.
        UnknownNameError: No such profile, or something names what does not exist.
    """
    writer = PddlWriter(problem.domain, problem.objects, profile, drop_costs=drop_costs)
    alternatives = problem.goal
    goal = alternatives[0] if len(alternatives) == 1 else Or(tuple(_formula(conjunct) for conjunct in alternatives))
    return writer.write(problem.state, goal)


def _formula(conjunct: Conjunct) -> Formula:
    return And(tuple(atom if positive else Not(atom) for atom, positive in sorted(conjunct)))
