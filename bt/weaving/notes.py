"""What a weave writes down."""

from __future__ import annotations

from collections.abc import Sequence

from py_trees.behaviour import Behaviour

from bt.reactive.walking import path_of
from bt.record import Journal
from semantics.feedback import Feedback
from semantics.protocols import Clock

__all__ = ["Notes"]


class Notes:
    """Writes failures and moves of the resume point into a journal, if there is one."""

    def __init__(self, journal: Journal | None, clock: Clock) -> None:
        self._journal, self._clock = journal, clock

    def failed(self, feedback: Feedback, source: Behaviour) -> None:
        """Write down why `source` failed."""
        self._write("feedback", {"node": path_of(source), "feedback": feedback.as_dict()})

    def moved(self, source: int | None, target: int | None, why: str, together: Sequence[int]) -> None:
        """Write down that the resume point has moved, and which steps run now."""
        self._write("resume", {"from": source, "to": target, "why": why, "together": list(together)})

    def _write(self, event: str, fields: dict[str, object]) -> None:
        if self._journal is not None:
            self._journal.write(event, {"t": round(self._clock.now(), 3), **fields})
