"""The ladder: every failure noted where it happens, and handed from rung to rung, cheapest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from bt.reactive.accountable import Guard
from bt.reactive.walking import failure_of, path_of
from bt.record import Journal
from bt.repairing.failing import failing
from bt.repairing.obstacles import Obstacles
from semantics.feedback import Code, Feedback
from semantics.protocols import Clock

__all__ = ["Ladder", "Noting", "Tally", "climb"]

ANSWERS = frozenset({Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN, Code.NOT_VISIBLE, Code.PLANNER_TIMEOUT, Code.INVALID_PLAN})
"""What is known of the goal in the end, and not only that nothing more is tried."""

RungOf = Callable[[Behaviour, Journal], Behaviour]
"""Makes a rung around a child; what it decides goes into the journal."""


class Tally:
    """A journal that passes everything on and counts what was tried.

    Attributes:
        failures: Every failure, oldest first.
        uses: Every use of a rung that has come out, as the record tells it, oldest first.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self.failures: list[dict[str, Any]] = []
        self.uses: list[dict[str, Any]] = []
        self._journal = journal

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Count an event, and pass it on."""
        if event == "failure":
            self.failures.append(dict(fields))
        if event == "rung":
            self.uses.append(dict(fields))
        if self._journal is not None:
            self._journal.write(event, fields)


class Noting(Guard):
    """Writes every failure of its child down, and what it shows of the world.

    Stands between a plan's tree and the first rung.

    Args:
        child: What may fail.
        clock: The body's clock.
        journal: Where a ``failure`` is written.
        obstacles: Where physical failures become facts.
    """

    kind = "noting"

    def __init__(
        self, child: Behaviour, *, clock: Clock, journal: Journal | None = None, obstacles: Obstacles | None = None
    ) -> None:
        super().__init__(name="noting", child=child)
        self._clock = clock
        self._journal = journal
        self._obstacles = obstacles

    def settled(self) -> None:
        """Let the child be ticked."""

    def update(self) -> Status:
        """Take the child's status, and note a failure."""
        if self.decorated.status != Status.FAILURE:
            return Status(self.decorated.status)
        failed = failing(self.decorated)
        if self._obstacles is not None and failed.step is not None:
            self._obstacles.note(failed.feedback, failed.step)
        if self._journal is not None:
            step, plan = failed.culprit, failed.plan
            told = {
                "node": path_of(self.decorated),
                "feedback": failed.feedback.as_dict(),
                "step": str(step) if step else None,
                "plan": [str(one) for one in plan.steps] if plan else [],
            }
            self._journal.write("failure", {"t": round(self._clock.now(), 3), **told})
        return self.fail(failed.feedback)


class Ladder(Guard):
    """The end of the ladder: when no rung helps any more, one reason that lists what was tried.

    Args:
        child: The rungs, around what they mend.
        tally: What they write to.
    """

    kind = "ladder"

    def __init__(self, child: Behaviour, tally: Tally) -> None:
        super().__init__(name="ladder", child=child)
        self.tally = tally

    def settled(self) -> None:
        """Let the child be ticked."""

    def update(self) -> Status:
        """Take the child's status; a failure is told with all that was tried against it."""
        if self.decorated.status != Status.FAILURE:
            return Status(self.decorated.status)
        last = failure_of(self.decorated)
        return self.fail(self._told(last) if self.tally.uses else last)

    def _told(self, last: Feedback) -> Feedback:
        tried = Counter((use["rung"], use["code"], use["solved"]) for use in self.tally.uses)
        told = ", ".join(
            f"{rung} for {code} ({f'{times} times, ' if times > 1 else ''}{'which helped' if solved else 'in vain'})"
            for (rung, code, solved), times in tried.items()
        )
        why = f"{last.why.rstrip('.')}; tried before: {told}"
        code = last.code if not last.recoverable or last.code in ANSWERS else Code.BUDGET_SPENT
        return Feedback(code, last.what, why, last.how, last.culprits, recoverable=False)


def climb(
    child: Behaviour,
    rungs: Sequence[RungOf],
    *,
    clock: Clock,
    journal: Journal | None = None,
    obstacles: Obstacles | None = None,
) -> Ladder:
    """Put rungs around what may fail, the cheapest first.

    Args:
        child: What may fail.
        rungs: From the cheapest to the dearest; a failure goes up until one answers it.
        clock: The body's clock.
        journal: Where failures and uses of rungs are written.
        obstacles: Where physical failures become facts.
    """
    tally = Tally(journal)
    root: Behaviour = Noting(child, clock=clock, journal=tally, obstacles=obstacles)
    for rung in rungs:
        root = rung(root, tally)
    return Ladder(root, tally)
