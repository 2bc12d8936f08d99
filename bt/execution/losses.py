"""`LossCounter`: counts how often what steps have achieved is lost again although no step of the run undoes it.

A person may take a thing back each time, or shut a door. One counter serves all plans of a run, so that no new plan
begins the count again. A failure that has nothing to do with what was lost does: where many things go wrong by chance,
nobody undoes the same one each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bt.execution.step import Step, says_where
from semantics.logic.atoms import Literal, objects_in
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import State

__all__ = ["LossCounter"]

MOST_LOSSES = 3
"""How often the same may be lost in the same way; what is lost once or twice is achieved once more."""
ACHIEVED_AND_LOST = (Code.DROPPED, Code.EFFECT_MISSING)
"""Failures of a step whose motion had done its work before."""

Key = tuple[bool, str, tuple[str, ...]]
"""A literal without the agent and its hands, so that changing the hand does not begin a new count."""


@dataclass(eq=False)
class LossCounter:
    """Counts the losses of what steps have achieved, those after a step apart from those that a step fails by."""

    _achieved: dict[Key, Code | None] = field(default_factory=dict, init=False)
    _lost: Counter[tuple[Key, Code | None]] = field(default_factory=Counter, init=False)
    _hopeless: set[Key] = field(default_factory=set, init=False)

    def begin(self, step: Step, state: State) -> Feedback | None:
        """Take that a step begins; return why it must not, if what it achieves was lost too often."""
        effects = dict(_effects(step))
        sought = {key for key, literal in effects.items() if not state.holds(literal)}
        self._lost.update((key, self._achieved[key]) for key in sought & self._achieved.keys())
        self._hopeless.update(key for (key, _), times in self._lost.items() if times >= MOST_LOSSES)
        self._forget({*sought, *_opposites(effects)})
        lost = [effects[key] for key in sorted(sought & self._hopeless, reverse=True)]
        if not lost:
            return None
        facts = " and ".join(str(literal) for literal in lost if literal.positive == lost[0].positive)
        is_missing = any(self._lost[key, Code.EFFECT_MISSING] >= MOST_LOSSES for key in sought)
        again = "missing after the step" if is_missing else "reached and lost again"
        why = f"{facts} was {again} {MOST_LOSSES} times, and no step of this run does that"
        moved = tuple(name for name in objects_in(lost) if name not in step.busy)
        return Feedback(Code.UNDONE, str(step.operator), why, "Somebody may do it; talk to them first.", moved)

    def end(self, step: Step, failure: Feedback | None = None) -> None:
        """Take that a step has ended; a step that failed has achieved nothing, unless that was lost at its end.

        A failure begins anew the count of all that it does not blame.
        """
        effects = dict(_effects(step))
        if failure is not None:
            blamed = set(failure.culprits)
            self._lost = Counter({loss: times for loss, times in self._lost.items() if blamed & set(loss[0][2])})
        self._forget(_opposites(effects))  # conditional effects are decided only now
        if failure is None or failure.code in ACHIEVED_AND_LOST:
            self._achieved.update(dict.fromkeys(effects, failure.code if failure else None))

    def _forget(self, keys: Iterable[Key]) -> None:
        for key in keys:
            self._achieved.pop(key, None)


def _opposites(keys: Iterable[Key]) -> set[Key]:
    return {(not positive, name, args) for positive, name, args in keys}


def _effects(step: Step) -> Iterator[tuple[Key, Literal]]:
    """Yield the effects of a step on things; those on its agent alone, such as a free hand, are left out."""
    for literal in step.expected.effects:
        args = tuple(name for name in literal.atom.args if name not in step.busy)
        if args and not says_where(literal.atom, step.operator):
            yield (literal.positive, literal.atom.predicate, args), literal
