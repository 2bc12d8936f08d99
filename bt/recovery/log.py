"""The log of a recovery: which strategies were used against the failures of a run, and whether they helped."""

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
"""Codes that say something about the goal, and not only that no further strategy is left."""


@dataclass(eq=False)
class RecoveryLog:
    """A journal that passes all events on and keeps the uses of strategies.

    Attributes:
        journal: The journal that gets the events; None for no journal.
        uses: Every use of a strategy whose outcome is known, with the fields of the record, oldest first.
    """

    journal: Journal | None = None
    uses: list[dict[str, Any]] = field(default_factory=list, init=False)

    def write(self, event: str, fields: Mapping[str, object]) -> None:
        """Keep an event if it is the use of a strategy, and pass it on."""
        if event == "rung":
            self.uses.append(dict(fields))
        if self.journal is not None:
            self.journal.write(event, fields)

    def conclusion(self, last: Feedback, first: int = 0) -> Feedback:
        """Return the final reason, with a list of the uses, when no strategy can answer the last failure.

        Args:
            last: The last failure.
            first: The number of the first use that counts; earlier uses belong to an earlier start.
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
    """An answer that was carried out, until it is known whether it has helped.

    Attributes:
        cause: The failure that it answers.
        seconds: The time from the failure to the answer, on the body's clock.
        failed_at: The time of the failure, on the body's clock.
        sought: The effects that were not achieved; None when only success shows that the answer has helped.
        goal: The goal of the new plan; None when the answer was no plan for the goal.
    """

    cause: Feedback
    seconds: float
    failed_at: float
    sought: Conjunct | None
    goal: Conjunct | None


@dataclass(eq=False)
class Uses:
    """The answers whose outcome is not known yet; the outcome is written to the journal when it is known.

    Attributes:
        names: The names of the strategies.
        beliefs: The beliefs about the world.
        clock: The body's clock.
        journal: The journal for the ``rung`` events.
    """

    names: Sequence[str]
    beliefs: Beliefs
    clock: Clock
    journal: Journal
    _open: dict[int, AnswerUse] = field(default_factory=dict, init=False)

    def take(self, incident: Incident, goal: Conjunct | None) -> None:
        """Note an answer to a failure, with the goal of a new plan; a first plan repairs nothing and is not noted."""
        if incident.feedback is UNPLANNED:
            return
        now, sought = self.clock.now(), incident.sought
        assert incident.reached_at is not None
        if sought is not None and holds(sought, self.beliefs):
            sought = None  # it became true by itself, so it says nothing about the answer
        use = AnswerUse(incident.feedback, now - incident.reached_at, incident.reached_at, sought, goal)
        self._open[incident.index] = use

    def settle(self, index: int, solved: bool) -> None:
        """Record whether the last answer of a strategy has helped: the run made progress with it, or succeeded."""
        use = self._open.pop(index, None)
        if use is None:
            return
        outcome = {"rung": self.names[index], "code": str(use.cause.code), "solved": solved}
        times = {"t": round(self.clock.now(), 3), "failed": round(use.failed_at, 3)}
        self.journal.write("rung", {**times, **outcome, "seconds": round(use.seconds, 3)})

    def settle_brought_about(self, root: Behaviour, beyond: int) -> None:
        """Settle the answers of strategies after index `beyond` whose sought effects hold and need no running step."""
        for index in sorted(index for index in self._open if index > beyond):
            sought = self._open[index].sought
            if sought is not None and holds(sought, self.beliefs) and not in_the_making(sought, root):
                self.settle(index, solved=True)

    def end(self, *, succeeded: bool) -> None:
        """Settle all answers at the end; a new plan has also helped when its goal holds."""
        for index in sorted(self._open):
            goal = self._open[index].goal
            self.settle(index, succeeded or (goal is not None and holds(goal, self.beliefs)))
