"""A task in which groups of things are one thing each: a relaxation, so that what it costs is a lower bound.

What was true of some member is true of the group, and what was false of some member is false of it; these are kept as
facts of their own, and neither ends the other. So every plan of the whole is, with members replaced by their groups, a
plan of the folded task at no more cost. A fact of a group ends only where at most one member can have it (one thing is
in a hand, see `planning.adl.balance`), and the step asks that it has it. Whether a plan of the folded task is one of
the whole is seen by giving its steps members, see `planning.adl.refinement`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from planning.adl.balance import Balances
from planning.adl.like import Group
from planning.adl.task import AdlAction, AdlEffect, AdlTask
from semantics.atoms import Atom, Conjunct, Literal
from semantics.state import Action

__all__ = ["folded", "folds"]

NOT = "not "
"""Before the predicate of what is false of some member; no predicate has a space in it."""


def folds(task: AdlTask, groups: Collection[Group]) -> bool:
    """Return whether `groups` can be folded: rules and what effects depend on are left to the whole task."""
    if task.rules:
        return False
    members = {name for group in groups for name in group}
    open_ones = (effect.condition for step in task.steps for effect in step.effects if effect.condition)
    return not any(members.intersection(literal.atom.args) for condition in open_ones for literal in condition)


def folded(task: AdlTask, groups: Sequence[Group]) -> AdlTask:
    """Return `task` with each of `groups` as one thing, called as its first member."""
    return _Folding(task, groups).task()


class _Folding:
    def __init__(self, task: AdlTask, groups: Sequence[Group]) -> None:
        self._task = task
        self._first: Mapping[str, str] = {name: group[0] for group in groups for name in group}
        self._single = self._singles()

    def task(self) -> AdlTask:
        task, steps = self._task, dict[object, AdlAction]()
        for step in task.steps:
            made = self._step(step)
            args = tuple(self._first.get(arg, arg) for arg in step.operator.action.args)
            key = Action(step.operator.action.name, args), made.asked, made.effects
            if key not in steps or steps[key].operator.cost > step.operator.cost:
                steps[key] = made
        goals = {self._conjunct(goal): number for goal, number in zip(task.goals, task.numbers, strict=True)}
        return replace(
            task,
            steps=tuple(steps.values()),
            start=frozenset(self._start()),
            goals=tuple(goals),
            numbers=tuple(goals.values()),
        )

    def _singles(self) -> set[Atom]:
        """Return the facts of groups that at most one member can have at a time."""
        alike: dict[Atom, set[Atom]] = defaultdict(set)
        for atom in self._atoms():
            if self._grouped(atom):
                alike[self._renamed(atom)].add(atom)
        exclusive: dict[Atom, list[frozenset[Atom]]] = defaultdict(list)
        for tokens in Balances(self._task).exclusive():
            for atom in tokens:
                exclusive[atom].append(tokens)
        return {image for image, atoms in alike.items() if any(atoms <= tokens for tokens in exclusive[min(atoms)])}

    def _atoms(self) -> Iterable[Atom]:
        yield from self._task.start
        for step in self._task.steps:
            yield from (literal.atom for effect in step.effects for literal in effect.made)

    def _grouped(self, atom: Atom) -> bool:
        return any(arg in self._first for arg in atom.args)

    def _renamed(self, atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple([self._first.get(arg, arg) for arg in atom.args]))

    def _literal(self, literal: Literal) -> Literal:
        if not self._grouped(literal.atom):
            return literal
        atom = self._renamed(literal.atom)
        return Literal(atom if literal.positive else Atom(f"{NOT}{atom.predicate}", atom.args))

    def _conjunct(self, conjunct: Conjunct) -> Conjunct:
        return frozenset(map(self._literal, conjunct))

    def _step(self, step: AdlAction) -> AdlAction:
        effects = (
            AdlEffect(
                self._conjunct(effect.condition),
                tuple(made for literal in effect.made for made in self._made(literal, step)),
            )
            for effect in step.effects
        )
        return AdlAction(step.operator, self._conjunct(step.asked), tuple(effects))

    def _made(self, literal: Literal, step: AdlAction) -> Iterable[Literal]:
        yield self._literal(literal)
        if not literal.positive and literal.negated() in step.asked:
            atom = self._renamed(literal.atom)
            if atom in self._single:
                yield Literal(atom, False)

    def _start(self) -> Iterable[Atom]:
        """Yield what holds; and what is false of some member, where somebody asks."""
        for atom in self._task.start:
            yield self._renamed(atom)
        for atom in self._asked():
            if atom not in self._task.start:
                yield self._literal(Literal(atom, False)).atom

    def _asked(self) -> Iterable[Atom]:
        for step in self._task.steps:
            yield from (literal.atom for literal in step.asked if self._grouped(literal.atom))
        for goal in self._task.goals:
            yield from (literal.atom for literal in goal if self._grouped(literal.atom))
