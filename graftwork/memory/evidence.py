"""Evidence from execution about the affordances of classes, stored beside the memory.

A step whose effects were sensed supports every affordance that its capability needs of its arguments. A step that the
body gave up counts against the affordances of the blamed object. Some failures do not count: an object that is out of
reach, in the way, hidden, full, or lost from the hand was in a bad situation, which says nothing about its affordances.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from affordances.mapping import Evidence, EvidenceFileError, EvidenceStore
from affordances.watcher import Watcher
from bt import Runner
from bt.execution.step import Step
from bt.runner import Ended, Listener
from domains.world import World
from graftwork.record.episode import Tried
from graftwork.record.log import LOGGER
from semantics.logic.feedback import Code
from semantics.logic.state import Action, Operator

BLAMING = frozenset({Code.NOT_GRASPED, Code.DROPPED, Code.STUCK, Code.REFUSED_BY_BODY})
"""Failures of a body that count against the affordances of the blamed object."""
ENDING = ".affordances.sqlite"  # ending of the file beside a memory: ``memory.affordances.sqlite``


def store_beside(memory: Path) -> EvidenceStore:
    """Return the evidence store beside a memory; do not open it yet."""
    return EvidenceStore(memory.with_suffix(ENDING))


class EvidenceRecorder:
    """Listens to a run and stores its evidence at the end; a write error is only logged.

    Args:
        store: Stores the evidence.
        watcher: Holds the world.
        body: Name of the body.
    """

    def __init__(self, store: EvidenceStore, watcher: Watcher, body: str) -> None:
        self._store = store
        self._watcher = watcher
        self._body = body
        self._evidence: list[Evidence] = []

    def ticked(self, runner: Runner) -> None:
        """Collect evidence from the steps that ended in this tick; an ended step is not visited again."""
        for node in runner.visited:
            if isinstance(node, Step):
                self._evidence += self._shown_by(node)

    def _shown_by(self, step: Step) -> Iterator[Evidence]:
        action, at = step.operator.action, datetime.now(UTC)
        feedback = step.act.feedback
        if step.status.name == "SUCCESS":
            for class_name, affordance in asked_of(action, self._watcher.world):
                yield Evidence.worked(class_name, affordance, body=self._body, at=at)
        elif step.act.status.name == "FAILURE" and feedback is not None and feedback.code in BLAMING:
            for class_name, affordance in asked_of(action, self._watcher.world, only=feedback.culprits):
                yield Evidence.failed(class_name, affordance, body=self._body, at=at)

    def ended(self, runner: Runner, end: Ended) -> None:
        """Store the evidence, now that nothing moves."""
        evidence, self._evidence = self._evidence, []
        try:
            self._store.add(evidence)
        except EvidenceFileError as error:
            LOGGER.warning("what this run showed of affordances was not kept: %s", error)


@dataclass(eq=False, slots=True)
class Trials(Listener):
    """Listens to a run and counts the results of its steps; a step that never acted does not count."""

    # the tries so far by action, in the order in which the actions first ended
    counts: dict[Action, Tried] = field(default_factory=dict)
    # the steps that worked, and when in seconds of the body's clock, oldest first
    worked: list[tuple[Operator, float]] = field(default_factory=list)

    def ticked(self, runner: Runner) -> None:
        """Count the steps that ended in this tick; an ended step is not visited again before it is restarted."""
        for node in runner.visited:
            if isinstance(node, Step) and node.act.status.name in ("SUCCESS", "FAILURE"):
                self._note(node)

    def _note(self, step: Step) -> None:
        before = self.counts.get(step.operator.action, Tried(step.operator.action))
        if step.status.name == "SUCCESS":
            self.worked.append((step.expected, step.act.ended))
            took = step.act.ended - step.act.began
            took = round(before.seconds + took, 3)
            self.counts[before.action] = before._replace(worked=before.worked + 1, seconds=took)
        elif step.status.name == "FAILURE":
            self.counts[before.action] = before._replace(failed=before.failed + 1)


def asked_of(action: Action, world: World, only: Collection[str] | None = None) -> tuple[tuple[str, str], ...]:
    """Return each pair of class and affordance that an action needs of its arguments, once.

    Args:
        action: A capability with its arguments.
        world: The world.
        only: Restrict the result to these arguments.
    """
    domain, things = world.domain, world.objects
    if action.name not in domain.capabilities:
        return ()
    parameters = domain.capabilities[action.name].parameters
    pairs = (
        (things[name].class_name, affordance)
        for parameter, name in zip(parameters, action.args, strict=False)
        if name in things and (only is None or name in only)
        for affordance in parameter.affordances
        if affordance not in domain.conventions.structural
        # An affordance that implies another one which is asked for only says in which way.
        and not set(domain.implied.get(affordance, ())).intersection(parameter.affordances)
    )
    return tuple(dict.fromkeys(pairs))
