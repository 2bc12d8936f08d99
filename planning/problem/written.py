"""A planning problem as PDDL text, with a map of names back to ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from semantics.state import Action

__all__ = ["GroundText"]


@dataclass(frozen=True, slots=True)
class GroundText:
    """A problem as PDDL text.

    Attributes:
        domain: The domain file's text.
        problem: The problem file's text.
        names: Our name of each capability and thing, by its lower-case PDDL name.
    """

    domain: str
    problem: str
    names: Mapping[str, str] = field(default_factory=dict)

    def read(self, action: Action) -> Action:
        """Translate an action of the PDDL text back into our names."""
        name, *args = (self.names[word.lower()] for word in (action.name, *action.args))
        return Action(name, tuple(args))
