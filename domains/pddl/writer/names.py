"""`Naming`: a legal and unique PDDL name for each name of a world.

PDDL ignores case, and unified-planning has a single namespace; so no two names differ only in case, regardless of their
sort. Words that some PDDL reader reserves are avoided.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from semantics.errors import UnknownNameError

# fmt: off
RESERVED = frozenset({
    "action", "all", "always", "always-within", "and", "assign", "at-most-once", "condition", "constants",
    "constraints", "decrease", "define", "derived", "domain", "duration", "durative-action", "effect", "either",
    "end", "event", "exists", "forall", "functions", "goal", "hold-after", "hold-during", "imply", "increase",
    "init", "is-violated", "maximize", "metric", "minimize", "none", "not", "number", "object",
    "objective", "objects", "or", "over", "parameters", "precondition", "predicates", "preference", "preferences",
    "problem", "process", "requirements", "scale-down", "scale-up", "sometime", "sometime-after", "sometime-before",
    "start", "strips", "total-cost", "total-time", "types", "typing", "undefined", "when", "within",
})
# fmt: on
UNFIT = re.compile(r"[^a-z0-9_-]")
LEGAL = re.compile(r"[a-z][a-z0-9_-]*", re.ASCII)


class Naming:
    """Assigns PDDL names, and remembers them.

    Attributes:
        ours: Name in the world, by PDDL name.
    """

    def __init__(self) -> None:
        self.ours: dict[str, str] = {}
        self._assigned: dict[tuple[str, str], str] = {}

    def give(self, kind: str, name: str, wish: str = "") -> str:
        """Return the PDDL name of `name`, near to `wish`; the same one each time."""
        if (kind, name) not in self._assigned:
            self._assigned[kind, name] = self._fresh(wish or name)
            self.ours[self._assigned[kind, name]] = name
        return self._assigned[kind, name]

    def of(self, kind: str, name: str) -> str:
        """Return the PDDL name that was assigned.

        Raises:
            UnknownNameError: None was assigned.
        """
        if (kind, name) not in self._assigned:
            raise UnknownNameError(kind, name, [our_name for sort, our_name in self._assigned if sort == kind])
        return self._assigned[kind, name]

    @property
    def renamed(self) -> Mapping[str, str]:
        """Name in the world by PDDL name, for all names that were changed."""
        made_up = ("affordance", "type", "made")
        from_domain = {pddl for (kind, _), pddl in self._assigned.items() if kind not in made_up}
        return {pddl: name for pddl, name in self.ours.items() if pddl in from_domain and pddl != name}

    def _fresh(self, wish: str) -> str:
        stem = UNFIT.sub("-", wish.lower())
        stem = stem if LEGAL.fullmatch(stem) else f"x-{stem}"
        if stem not in self.ours and stem not in RESERVED:
            return stem
        number = 2
        while f"{stem}-{number}" in self.ours:
            number += 1
        return f"{stem}-{number}"
