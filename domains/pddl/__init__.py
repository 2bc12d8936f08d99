"""Reading and writing PDDL, the language of planners.

The readers are imported when they are first used: a planning process writes PDDL at once and reads none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from domains.pddl.writer import PROFILES, PddlWriter, WrittenProblem, write_problem
from domains.pddl.writer.profiles import ProfileError, Refusal

if TYPE_CHECKING:
    from domains.pddl.reader import ParsedDomain, ProblemFile, read_pddl_domain, read_pddl_problem, read_pddl_reading

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


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the attribute protocol of a module
    """Import what reads."""
    if name not in __all__:
        raise AttributeError(f"module 'domains.pddl' has no attribute '{name}'")
    from domains.pddl import reader as pddl

    return getattr(pddl, name)
