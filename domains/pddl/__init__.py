"""PDDL in and out: the same worlds in the language of planners."""

from domains.pddl.errors import ProfileError, Refusal
from domains.pddl.writing import PROFILES, PddlWriter, Written, write_problem

__all__ = ["PROFILES", "PddlWriter", "ProfileError", "Refusal", "Written", "write_problem"]
