"""Evidence from execution: which classes proved to have which affordances, kept beside the memory.

A step that was sensed to have worked speaks for every affordance that its capability asks of its arguments; one that
the body gave up speaks against those of the thing that the body blames. Not every blame counts: that a thing is out of
reach, in the way, hidden, full, or already gone from the hand says how it was, and not what it is good for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from affordances.mapping import Evidence, EvidenceStore
from affordances.mapping.errors import EvidenceFileError
from bt import Ended, Runner
from bt.execution.step import Step
from domains.model import Domain
from graftwork.record.episode import Tried
from graftwork.record.log import LOGGER
from semantics.feedback import Code
from semantics.state import Action
from semantics.vocabulary import Thing

__all__ = ["BLAMING", "EvidenceRecorder", "Trials", "asked_of", "store_beside"]

BLAMING = frozenset({Code.NOT_GRASPED, Code.DROPPED, Code.STUCK, Code.REFUSED_BY_BODY})
"""Failures of a body that speak against what the blamed thing is good for."""
ENDING = ".affordances.sqlite"
"""Of the file beside a memory: ``memory.affordances.sqlite``."""


def store_beside(memory: Path) -> EvidenceStore:
    """Return the store that belongs to a memory; nothing is read or made yet."""
    return EvidenceStore(memory.with_suffix(ENDING))


class EvidenceRecorder:
    """Watches a run, and keeps at its end what it showed; a file that cannot be written is only logged.

    Args:
        store: Where it is kept.
        domain: The world.
        things: Everything that exists, by name.
        body: Name of the body.
    """

    def __init__(self, store: EvidenceStore, domain: Domain, things: Mapping[str, Thing], body: str) -> None:
        self._store = store
        self._domain = domain
        self._things = things
        self._body = body
        self._evidence: list[Evidence] = []

    def ticked(self, runner: Runner) -> None:
        """Take note of the steps that this tick ended; none is visited again before it is restarted."""
        for node in runner.visited:
            if isinstance(node, Step):
                self._evidence += self._shown_by(node)

    def _shown_by(self, step: Step) -> Iterator[Evidence]:
        action, at = step.operator.action, datetime.now(UTC)
        feedback = step.act.feedback
        if step.status.name == "SUCCESS":
            for class_name, affordance in asked_of(action, self._domain, self._things):
                yield Evidence.worked(class_name, affordance, body=self._body, at=at)
        elif step.act.status.name == "FAILURE" and feedback is not None and feedback.code in BLAMING:
            for class_name, affordance in asked_of(action, self._domain, self._things, only=feedback.culprits):
                yield Evidence.failed(class_name, affordance, body=self._body, at=at)

    def ended(self, runner: Runner, end: Ended) -> None:
        """Keep what was found, now that nothing moves."""
        evidence, self._evidence = self._evidence, []
        try:
            self._store.add(evidence)
        except EvidenceFileError as error:
            LOGGER.warning("what this run showed of affordances was not kept: %s", error)


@dataclass(eq=False, slots=True)
class Trials:
    """Watches a run and counts; a step that never acted (nothing had to be done, or nothing could) does not count.

    Attributes:
        counts: Tries so far by action, in the order of their first end.
    """

    counts: dict[Action, Tried] = field(default_factory=dict)

    def ticked(self, runner: Runner) -> None:
        """Take note of the steps that this tick ended; none is visited again before it is restarted."""
        for node in runner.visited:
            if isinstance(node, Step) and node.act.status.name in ("SUCCESS", "FAILURE"):
                self._note(node)

    def _note(self, step: Step) -> None:
        before = self.counts.get(step.operator.action, Tried(step.operator.action))
        if step.status.name == "SUCCESS":
            took = step.act.ended - step.act.began
            took = round(before.seconds + took, 3)
            self.counts[before.action] = before._replace(worked=before.worked + 1, seconds=took)
        elif step.status.name == "FAILURE":
            self.counts[before.action] = before._replace(failed=before.failed + 1)

    def ended(self, runner: Runner, end: Ended) -> None:
        """Nothing is left to count."""


def asked_of(
    action: Action, domain: Domain, things: Mapping[str, Thing], only: Collection[str] | None = None
) -> tuple[tuple[str, str], ...]:
    """Return each class and affordance that an action asks of its arguments, once.

    Args:
        action: A capability with its arguments.
        domain: The world.
        things: Everything that exists, by name.
        only: Look at these arguments only.
    """
    if action.name not in domain.capabilities:
        return ()
    parameters = domain.capabilities[action.name].parameters
    pairs = (
        (things[name].class_name, affordance)
        for parameter, name in zip(parameters, action.args, strict=False)
        if name in things and (only is None or name in only)
        for affordance in parameter.affordances
        if affordance not in domain.conventions.structural
    )
    return tuple(dict.fromkeys(pairs))
