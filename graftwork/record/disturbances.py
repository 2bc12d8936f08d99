"""`Disturbances`: tells which changes of the world no step explains, such as a door that somebody shuts.

That a fact ceases to hold is explained if a step that runs, or has just ended, deletes a fact of the same predicate
about the same object, and does not add this one; if it moves a thing of a relation; or if it moves the hand by itself,
because no world models what the hand then takes or pushes. Where the agent of a step is, and what it holds or carries,
is its own doing: its base may come nearer to another place, and what it drops nobody else has taken. A sensing may err
for a moment, so a change has to last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from affordances.watcher import Watcher
from bt import Runner
from bt.execution.execute import plan_under_way
from bt.execution.step import Step
from bt.record import Journal
from bt.runner import Listener
from robots.hand import BY_HAND
from semantics.logic.atoms import And, Atom
from semantics.logic.sentences import in_words
from semantics.logic.state import Action, Operator

LASTS_SECONDS = 0.75  # seconds of the body's clock for which a change has to last
AFTER_SECONDS = 1.0  # seconds of the body's clock for which a step that has ended still explains changes
Key = tuple[str, str]
"""A predicate and the object that its fact is about."""


@dataclass(eq=False, slots=True)
class _Loss:
    """When a fact ceased to hold, what was sensed to hold before, and what from each moment on."""

    time: float
    before: frozenset[Atom]
    since: list[tuple[float, frozenset[Atom]]]

    def after(self, name: str, end: float) -> list[Atom]:
        """Return the new facts about an object that held for the longest time; the robot may be at work again."""
        lasted: dict[frozenset[Atom], float] = {frozenset(): 0.0}
        for (begin, sensed), (until, _) in pairwise([*self.since, (end, self.before)]):
            new = frozenset(atom for atom in sensed - self.before if _about(atom)[1] == name)
            lasted[new] = lasted.get(new, 0.0) + until - begin
        return sorted(max(lasted.items(), key=lambda each: each[1])[0])


@dataclass(eq=False)
class Disturbances(Listener):
    """Writes a ``disturbed`` event for each change that no step explains."""

    watcher: Watcher  # holds the beliefs
    journal: Journal  # gets the events
    seen: Callable[[], object] = lambda: None  # called at the tick at which a change is noticed, before it has lasted
    _revision: int = field(init=False, default=-1)
    _sensed: frozenset[Atom] = field(init=False, default=frozenset())
    _steps: dict[Action, tuple[Operator, float]] = field(init=False, default_factory=dict)
    _lost: dict[Atom, _Loss] = field(init=False, default_factory=dict)

    def ticked(self, runner: Runner) -> None:
        """Look at what has changed since the last tick."""
        now = runner.robot.clock.now()
        steps = [node for node in runner.visited if isinstance(node, Step)]
        if self.watcher.revision != self._revision:
            self._revision = self.watcher.revision
            under_way = plan_under_way(runner.root)
            steps += [] if under_way is None else under_way.running_steps()
            self._note(steps, now)
            self._compare(now)
        else:
            self._note(steps, now)
        self._tell(now)

    def _note(self, steps: list[Step], now: float) -> None:
        self._steps = {action: known for action, known in self._steps.items() if known[1] >= now}
        self._steps |= {step.operator.action: (step.operator, now + AFTER_SECONDS) for step in steps}

    def _compare(self, now: float) -> None:
        before = self._sensed
        beliefs = [*self.watcher.scene.beliefs.items(), *self.watcher.scene.faded.items()]
        self._sensed = frozenset(atom for atom, belief in beliefs if belief.seen is not None and self._counts(atom))
        known = [operator for operator, _ in self._steps.values()]
        own = self._carried_by({operator.command.agent for operator in known if operator.command}, before)
        lost = [
            atom
            for atom in before - self._sensed
            if not own.intersection(atom.args[:1]) and not any(self._explains(operator, atom) for operator in known)
        ]
        if lost:
            self.seen()
        pending = {_about(atom)[1] for atom in self._lost}  # what comes meanwhile is part of the same change
        self._lost |= {atom: _Loss(now, before, []) for atom in lost if _about(atom)[1] not in pending}
        for loss in self._lost.values():
            loss.since.append((now, self._sensed))

    def _carried_by(self, agents: set[str], before: frozenset[Atom]) -> set[str]:
        """Return the agents at work, and what was in their hands with all that rested on or in it."""
        placing = self.watcher.world.domain.conventions.placing
        carried, below = set(agents), agents
        while below:
            upon = {atom.args[0] for atom in before if atom.predicate in placing and below.intersection(atom.args[1:2])}
            below = upon - carried
            carried |= below
        return carried

    def _explains(self, operator: Operator, atom: Atom) -> bool:
        """Return whether an action may be why a fact does not hold any more."""
        if operator.command is not None and operator.command.primitive in BY_HAND:
            return True
        added, deleted = set(operator.added), set(operator.deleted)
        for when in operator.conditional:
            added |= when.added
            deleted |= when.deleted
        if atom in added:
            return False
        model, resting = (
            self.watcher.world.domain.predicates.get(atom.predicate),
            self.watcher.world.domain.conventions.resting,
        )
        if model is not None and model.predicate.on_demand:  # who moves one of its things ends a relation
            return any(gone.predicate in resting and gone.args[0] in atom.args for gone in deleted)
        return _about(atom) in set(map(_about, deleted))

    def _counts(self, atom: Atom) -> bool:
        model = self.watcher.world.domain.predicates.get(atom.predicate)
        if model is None or model.predicate.momentary:
            return False
        return not model.bookkeeping and atom.predicate not in self.watcher.world.domain.derived

    def _tell(self, now: float) -> None:
        """Tell what has lasted, one event for each object."""
        due = {atom: loss for atom, loss in self._lost.items() if now >= loss.time + LASTS_SECONDS}
        for atom in due:
            del self._lost[atom]
        gone = {atom: loss for atom, loss in due.items() if atom not in self._sensed}
        for name in dict.fromkeys(next(iter(atom.args), "") for atom in sorted(gone)):
            lost = {atom: loss for atom, loss in gone.items() if _about(atom)[1] == name}
            first = min(lost.values(), key=lambda loss: loss.time)
            self._write(first.time, sorted(lost), first.after(name, now))

    def _write(self, time: float, before: list[Atom], after: list[Atom]) -> None:
        predicates = {name: model.predicate for name, model in self.watcher.world.domain.predicates.items()}
        was = in_words(And(tuple(before)), predicates)
        now = in_words(And(tuple(after)), predicates)
        text = f"{now} (before: {was})" if after else f"no longer so: {was}"
        fields = {"+": list(map(str, after)), "-": list(map(str, before))}
        told = {"t": round(time, 3), "facts": fields, "text": f"{text}, and no step does that"}
        self.journal.write("disturbed", told)


def _about(atom: Atom) -> Key:
    return atom.predicate, next(iter(atom.args), "")
