"""Errors of PDDL in and out.

UsageError                          (semantics) a caller's mistake
├── DomainFileError                 (domains) a PDDL file that cannot be used; lists every problem in it
└── ProfileError                    a domain or goal that a profile cannot say; lists every refusal
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from semantics.errors import UsageError

__all__ = ["ProfileError", "Refusal"]


@dataclass(frozen=True, slots=True, order=True)
class Refusal:
    """One thing that a profile cannot say.

    Attributes:
        where: The capability, predicate or goal it stands in.
        feature: What is used, such as ``conditional effects``.
        instead: What would do.
    """

    where: str
    feature: str
    instead: str

    def __str__(self) -> str:
        return f"{self.where}: {self.feature}; {self.instead}"


class ProfileError(UsageError):
    """A domain or goal that a profile cannot say.

    Attributes:
        profile: Its name.
        refusals: Everything that it cannot say.
    """

    def __init__(self, profile: str, refusals: Iterable[Refusal]) -> None:
        self.profile = profile
        self.refusals = tuple(dict.fromkeys(refusals))
        lines = [f"the profile {profile} cannot say this:", *map(str, self.refusals)]
        super().__init__("\n".join(lines))
