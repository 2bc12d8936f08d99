"""PDDL in and out: the same worlds in the language of planners."""

from domains.pddl.errors import ProfileError, Refusal
from domains.pddl.writing import PROFILES, PddlWriter, Written, write_problem
from domains.reading.pddl import ProblemFile, Reading, read_pddl_domain, read_pddl_problem, read_pddl_reading

__all__ = [
    "PROFILES",
    "PddlWriter",
    "ProblemFile",
    "ProfileError",
    "Reading",
    "Refusal",
    "Written",
    "read_pddl_domain",
    "read_pddl_problem",
    "read_pddl_reading",
    "write_problem",
]
