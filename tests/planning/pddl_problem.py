"""A planning problem from PDDL text, as our readers read it."""

from pathlib import Path

from domains.pddl import read_pddl_domain, read_pddl_problem
from domains.pddl.goals import problem_of
from domains.problem import Problem

__all__ = ["pddl_problem"]


def pddl_problem(folder: Path, domain: str, problem: str) -> Problem:
    """Write a domain and a problem to `folder`, and read them."""
    (folder / "domain.pddl").write_text(domain, encoding="utf-8")
    (folder / "problem.pddl").write_text(problem, encoding="utf-8")
    read = read_pddl_domain(folder / "domain.pddl")
    return problem_of(read, read_pddl_problem(read, folder / "problem.pddl"))
