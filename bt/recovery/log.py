"""What was tried against the failures of a run, and whether it has helped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from py_trees.behaviour import Behaviour

from bt.execution.goal import holds, in_the_making
from bt.record import Journal
from bt.recovery.incident import UNPLANNED, Incident
from semantics.atoms import Conjunct
from semantics.feedback import Code, Feedback
from semantics.protocols import Beliefs, Clock

__all__ = ["RecoveryLog", "Uses"]

CONCLUSIONS = frozenset(
    {Code.NO_PLAN, Code.WHEREABOUTS_UNKNOWN, Code.NOT_VISIBLE, Code.PLANNER_TIMEOUT, Code.INVALID_PLAN}
)
"""What is known of the goal in the end, and not only that nothing more is tried."""


@dataclass(eq=False)
class RecoveryLog:
    """A journal that passes everything on and counts what was tried.

    Attributes:
        journal: Where it is passed on to; None when nobody wants it.
        uses: Every use of a strategy that has come out, as the record tells it, oldest first.
    """

    journal: Journal | None = None
    uses: list[dict[str, Any]] = field(default_factory=list, init=False)

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Count an event, and pass it on."""
        if event == "rung":
            self.uses.append(dict(fields))
        if self.journal is not None:
            self.journal.write(event, fields)

    def conclusion(self, last: Feedback, first: int = 0) -> Feedback:
        """Return one reason that lists what was tried, when no strategy has an answer to the `last` failure.

        Args:
            last: That failure.
            first: The number of the first use that counts; those before were of an earlier start.
        """
        tried = Counter((use["rung"], use["code"], use["solved"]) for use in self.uses[first:])
        if not tried:
            return last
        uses = ", ".join(
            f"{name} for {code} ({f'{times} times, ' if times > 1 else ''}{'which helped' if solved else 'in vain'})"
            for (name, code, solved), times in tried.items()
        )
        code = last.code if not last.recoverable or last.code in CONCLUSIONS else Code.BUDGET_SPENT
        why = f"{last.why.rstrip('.')}; tried before: {uses}"
        return Feedback(code, last.what, why, last.how, last.culprits, recoverable=False)


class AnswerUse(NamedTuple):
    """An answer that was taken, until it is known whether it has helped.

    Attributes:
        cause: The failure it answers.
        seconds: From that failure to the answer, on the body's clock.
        failed_at: When that failure was, on that clock.
        sought: What failed to be brought about; None when nothing less than success shows that the answer has helped.
        goal: What the new plan is for; None when the answer was no plan for the goal.
    """

    cause: Feedback
    seconds: float
    failed_at: float
    sought: Conjunct | None
    goal: Conjunct | None


@dataclass(eq=False)
class Uses:
    """Answers of strategies that were taken, until it is known whether they have helped: that is written down then.

    Attributes:
        names: Of the strategies.
        beliefs: What is held true.
        clock: The body's clock.
        journal: Where a ``rung`` is written.
    """

    names: Sequence[str]
    beliefs: Beliefs
    clock: Clock
    journal: Journal
    _open: dict[int, AnswerUse] = field(default_factory=dict, init=False)

    def take(self, incident: Incident, goal: Conjunct | None) -> None:
        """Keep that an answer to a failure is taken, with the goal of a new plan; a first plan mends nothing."""
        if incident.feedback is UNPLANNED:
            return
        now, sought = self.clock.now(), incident.sought
        assert incident.reached_at is not None
        if sought is not None and holds(sought, self.beliefs):
            sought = None  # it has come about by itself, and so says nothing of the answer
        use = AnswerUse(incident.feedback, now - incident.reached_at, incident.reached_at, sought, goal)
        self._open[incident.index] = use

    def settle(self, index: int, solved: bool) -> None:
        """Write down whether the last answer of a strategy has helped: the run got further with it, or ended well."""
        use = self._open.pop(index, None)
        if use is None:
            return
        told = {"rung": self.names[index], "code": str(use.cause.code), "solved": solved}
        times = {"t": round(self.clock.now(), 3), "failed": round(use.failed_at, 3)}
        self.journal.write("rung", {**times, **told, "seconds": round(use.seconds, 3)})

    def settle_brought_about(self, root: Behaviour, beyond: int) -> None:
        """Take in what was brought about below `root`, for answers of strategies beyond one."""
        for index in sorted(index for index in self._open if index > beyond):
            sought = self._open[index].sought
            if sought is not None and holds(sought, self.beliefs) and not in_the_making(sought, root):
                self.settle(index, solved=True)

    def end(self, *, succeeded: bool) -> None:
        """Settle all of them at the end; a new plan has helped, too, when its goal holds by then."""
        for index in sorted(self._open):
            goal = self._open[index].goal
            self.settle(index, succeeded or (goal is not None and holds(goal, self.beliefs)))
