"""Writing PDDL: a profile of the language, a domain, the things of a scene, any state and goal."""

from __future__ import annotations

from collections.abc import Mapping

from domains.model import Domain
from domains.pddl.writing.profiles import PROFILES
from domains.pddl.writing.writer import PddlWriter, Written
from semantics.atoms import Conjunct, Formula
from semantics.state import State
from semantics.vocabulary import Thing

__all__ = ["PROFILES", "PddlWriter", "Written", "write_problem"]


def write_problem(
    domain: Domain,
    things: Mapping[str, Thing],
    state: State,
    goal: Formula | Conjunct,
    profile: str = "adl-costs",
    *,
    drop_costs: bool = False,
) -> Written:
    """Write the problem of reaching `goal` from `state` with `things`; for many, keep a `PddlWriter`.

    Raises:
        ProfileError: The profile cannot say the domain or the goal; lists every reason.
        UnknownNameError: No such profile, or something names what does not exist.
    """
    return PddlWriter(domain, things, profile, drop_costs=drop_costs).write(state, goal)
