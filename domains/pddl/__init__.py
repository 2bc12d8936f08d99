"""Reading and writing PDDL, the language of planners."""

from domains.pddl.writer import PROFILES, PddlWriter, WrittenProblem, write_problem
from domains.pddl.writer.profiles import ProfileError, Refusal
from domains.reader.pddl import ParsedDomain, ProblemFile, read_pddl_domain, read_pddl_problem, read_pddl_reading

__all__ = [
    "PROFILES",
    "ParsedDomain",
    "PddlWriter",
    "ProblemFile",
    "ProfileError",
    "Refusal",
    "WrittenProblem",
    "read_pddl_domain",
    "read_pddl_problem",
    "read_pddl_reading",
    "write_problem",
]
