"""`Disturbances`: tells which changes of the world no step explains, such as a door that somebody shuts.

A change is explained if a step that runs, or has just ended, changes facts of the same predicate about the same object.
A sensing may err for a moment, so a change is told when it has lasted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from py_trees.common import Status

from affordances.watcher import Watcher
from bt import Runner
from bt.execution.step import Step
from bt.node import walk
from bt.record import Journal
from bt.runner import Listener
from domains.model import Domain
from semantics.atoms import And, Atom
from semantics.sentences import in_words

__all__ = ["Disturbances"]

LASTS_SECONDS = 0.5
"""Seconds of the body's clock for which a change has to last."""
AFTER_SECONDS = 1.0
"""Seconds of the body's clock for which a step that has ended still explains changes."""
Key = tuple[str, str]
"""A predicate and the object that its fact is about."""


class _Loss(NamedTuple):
    """When a fact ceased to hold, and what was sensed to hold before."""

    time: float
    before: frozenset[Atom]


@dataclass(eq=False)
class Disturbances(Listener):
    """Writes a ``disturbed`` event for each change that no step explains.

    Attributes:
        domain: The world.
        watcher: Holds the beliefs.
        journal: Gets the events.
        seen: Called at the tick at which a change is noticed, before it has lasted.
    """

    domain: Domain
    watcher: Watcher
    journal: Journal
    seen: Callable[[], object] = lambda: None
    _revision: int = field(init=False, default=-1)
    _sensed: frozenset[Atom] = field(init=False, default=frozenset())
    _explained: dict[Key, float] = field(init=False, default_factory=dict)
    _lost: dict[Atom, _Loss] = field(init=False, default_factory=dict)

    def ticked(self, runner: Runner) -> None:
        """Look at what has changed since the last tick."""
        now = runner.robot.clock.now()
        steps = [node for node in runner.visited if isinstance(node, Step)]
        if self.watcher.revision != self._revision:
            self._revision = self.watcher.revision
            steps += [node for node in walk(runner.root) if isinstance(node, Step) and node.status == Status.RUNNING]
            self._explain(steps, now)
            self._compare(now)
        else:
            self._explain(steps, now)
        self._tell(now)

    def _explain(self, steps: list[Step], now: float) -> None:
        for step in steps:
            operator = step.operator
            effects = [(operator.added, operator.deleted), *((when.added, when.deleted) for when in operator.conditional)]
            for atom in (atom for changed in effects for part in changed for atom in part):
                self._explained[_about(atom)] = now + AFTER_SECONDS

    def _compare(self, now: float) -> None:
        before = self._sensed
        beliefs = self.watcher.scene.beliefs.items()
        self._sensed = frozenset(atom for atom, belief in beliefs if belief.seen is not None and self._counts(atom))
        lost = [atom for atom in before - self._sensed if self._explained.get(_about(atom), 0.0) < now]
        if lost:
            self.seen()
        self._lost |= {atom: self._lost.get(atom, _Loss(now, before)) for atom in lost}

    def _counts(self, atom: Atom) -> bool:
        model = self.domain.predicates.get(atom.predicate)
        return model is not None and not model.bookkeeping and atom.predicate not in self.domain.derived

    def _tell(self, now: float) -> None:
        """Tell what has lasted, one event for each object."""
        due = {atom: loss for atom, loss in self._lost.items() if now >= loss.time + LASTS_SECONDS}
        for atom in due:
            del self._lost[atom]
        gone = {atom: loss for atom, loss in due.items() if atom not in self._sensed}
        for name in dict.fromkeys(next(iter(atom.args), "") for atom in sorted(gone)):
            lost = {atom: loss for atom, loss in gone.items() if _about(atom)[1] == name}
            first = min(lost.values(), key=lambda loss: loss.time)
            new = [atom for atom in self._sensed - first.before if _about(atom)[1] == name]
            self._write(first.time, sorted(lost), sorted(new))

    def _write(self, time: float, before: list[Atom], after: list[Atom]) -> None:
        predicates = {name: model.predicate for name, model in self.domain.predicates.items()}
        was = in_words(And(tuple(before)), predicates)
        now = in_words(And(tuple(after)), predicates)
        text = f"{now}; before, {was}" if after else f"no longer so: {was}"
        fields = {"+": list(map(str, after)), "-": list(map(str, before))}
        self.journal.write("disturbed", {"t": round(time, 3), "facts": fields, "text": f"{text}; no step does that"})


def _about(atom: Atom) -> Key:
    return atom.predicate, next(iter(atom.args), "")
