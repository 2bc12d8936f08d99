"""How often each action was tried in a run, how often it worked, and how long that took."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

from semantics.errors import UsageError
from semantics.state import Action

__all__ = ["Tried"]


class Tried(NamedTuple):
    """Tries of one action.

    Attributes:
        action: What was tried.
        worked: How often its effects were sensed afterwards.
        failed: How often the body gave it up, or they were not.
        seconds: How long those that worked took together, in seconds of the body's clock.
    """

    action: Action
    worked: int = 0
    failed: int = 0
    seconds: float = 0.0

    def as_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        counts = {"worked": self.worked, "failed": self.failed, "seconds": round(self.seconds, 3)}
        return {"action": str(self.action), **counts}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `as_dict` wrote.

        Raises:
            KeyError, UsageError: It is none.
        """
        words = str(document["action"]).strip("()").split()
        if not words:
            raise UsageError("a try of no action")
        action = Action(words[0], tuple(words[1:]))
        return cls(action, int(document["worked"]), int(document["failed"]), float(document["seconds"]))
