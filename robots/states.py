"""The facts and numbers of a body without geometry: what is in a bottle and how much of it, what is chopped."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, Protocol

from semantics.body.observation import Observation
from semantics.logic.atoms import Atom
from semantics.logic.feedback import Feedback
from semantics.logic.quantity import ValueModel
from semantics.logic.state import Command


class NumericChange(NamedTuple):
    """What a command that counts leaves."""

    numbers: Mapping[Atom, float]  # all numbers afterwards
    true: frozenset[Atom]  # the facts without geometry that it makes true
    no_more: frozenset[Atom]  # those that it makes false


class NumericModel(Protocol):
    """What a body knows of the numbers of its world; a body without it keeps none.

    Attributes:
        initial: All numbers at the start, each in the unit of the world.
        values: By motion primitive, the values that stand for a number of the world, such as the amount of a pour.
    """

    @property
    def initial(self) -> Mapping[Atom, float]: ...  # noqa: D102

    @property
    def values(self) -> Mapping[str, tuple[ValueModel, ...]]: ...  # noqa: D102

    def changes(self, fluent: Atom) -> bool:
        """Return whether some action changes a number, so that the body has to measure it."""

    def after(
        self, command: Command, seen: Observation, numbers: Mapping[Atom, float]
    ) -> NumericChange | Feedback | None:
        """Return what a command leaves when its motion has succeeded.

        Args:
            command: The command.
            seen: What the body senses when the command begins.
            numbers: The numbers now.

        Returns:
            The change; why there is too little of something; None if the command changes no number.
        """


class StateFacts:
    """Keeps the true facts and numbers without geometry, for a world that inherits it.

    Args:
        states: The true facts at the start.
        model: How commands change numbers; None to keep no numbers.

    Attributes:
        states: The true facts.
        past: The facts that are or were true, or were made false.
        numbers: The true numbers, such as ``(level bottle0)``, each in the unit of the world.
        gauged: The numbers that motions measured, such as ``(wiped table0)``.
    """

    def __init__(self, states: Iterable[Atom], model: NumericModel | None = None) -> None:
        self.states = set(states)
        self.past = set(self.states)
        self.numbers: dict[Atom, float] = {} if model is None else dict(model.initial)
        self.gauged: dict[Atom, float] = {}
        self._model = model

    def become(self, *true: Atom, no_more: Iterable[Atom] = ()) -> None:
        """Make facts true, and others false."""
        gone = set(no_more)
        self.states -= gone
        self.states |= set(true)
        self.past |= self.states | gone

    def count(self, before: Iterable[Atom], change: NumericChange) -> None:
        """Make the numbers those of a change, and the facts those that it leaves of the facts before.

        A primitive moves a liquid as a whole; where amounts are kept, some of it may stay.
        """
        self.numbers = dict(change.numbers)
        self.states = set(before)
        self.become(*change.true, no_more=change.no_more)

    def change_of(self, command: Command, seen: Observation) -> NumericChange | Feedback | None:
        """Return what a command leaves, why there is too little for it, or None if it changes no number."""
        return None if self._model is None else self._model.after(command, seen, self.numbers)

    def measure(self, fluent: Atom, number: float) -> None:
        """Keep a number that a motion has measured, in the unit of the world."""
        self.gauged[fluent] = number

    def forget(self, name: str) -> None:
        """Forget the facts about a thing that is not there any more."""
        self.states = {atom for atom in self.states if name not in atom.args}
        self.past = {atom for atom in self.past if name not in atom.args}

    def told(self, hidden: Collection[str]) -> dict[Atom, bool]:
        """Return the facts, except about hidden objects; this stands in for a classifier of camera pictures."""
        out_of_sight = frozenset(hidden)
        return {atom: atom in self.states for atom in sorted(self.past) if out_of_sight.isdisjoint(atom.args)}

    def measured(self, hidden: Collection[str]) -> dict[Atom, float]:
        """Return the numbers that actions change, except about hidden objects; this stands in for a scale."""
        model, out_of_sight = self._model, frozenset(hidden)
        changing = {} if model is None else {key: value for key, value in self.numbers.items() if model.changes(key)}
        numbers = sorted({**changing, **self.gauged}.items())
        return {fluent: number for fluent, number in numbers if out_of_sight.isdisjoint(fluent.args)}
