"""Merges groups of objects into one object each. The result is a relaxation, so its plan cost is a lower bound.

A fact holds of a group if it holds of some member. A fact is false of a group if it is false of some member. Both are
separate facts, and neither deletes the other. So every plan of the whole task, with members replaced by their groups,
is a plan of the folded task at no higher cost.

A fact of a group is deleted only where at most one member can have it (for example, a hand holds one object; see
`planning.adl.balance`) and where the step requires that fact. `planning.casting` decides whether a plan of the folded
task is a plan of the whole task: it replaces the groups by members.

Similar objects are merged: they allow the same actions, have the same unary facts, and occur in the goals alike.
Merging is sound for any objects, so nothing is proved about them. Their locations may differ. The owner of a resource,
such as a hand, is not merged: a relaxation with one hand for all hands is too weak.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from planning.adl.balance import Balances
from planning.adl.task import AdlAction, AdlEffect, AdlTask
from semantics.logic.atoms import Atom, Conjunct, Literal
from semantics.logic.state import Action

Group = tuple[str, ...]
"""The names of similar objects, in order."""
SELF = "?"
NOT = "not "  # Prefix for the predicate of a fact that is false of some member. No predicate contains a space.


def like_things(task: AdlTask) -> tuple[Group, ...]:
    """Return the groups of two or more similar objects that take part in some action."""
    holders = {name for balance in Balances(task).every() for name in balance.literal.atom.args}
    done: dict[str, set[Atom]] = defaultdict(set)
    for step in task.steps:
        action = Atom(step.operator.action.name, step.operator.action.args)
        for name in set(action.args) - holders:
            done[name].add(action.replaced({name: SELF}))
    alone = {(atom.predicate, atom.args[0]) for atom in task.start if len(atom.args) == 1}
    groups: dict[object, list[str]] = defaultdict(list)
    for name in sorted(done):
        facts = frozenset(predicate for predicate, of in alone if of == name)
        wished = Counter(frozenset(_about(goal, name)) for goal in task.goals)
        groups[frozenset(done[name]), facts, frozenset(wished.items())].append(name)
    return tuple(tuple(names) for names in groups.values() if len(names) > 1)


def split(groups: Sequence[Group], touched: Collection[str]) -> tuple[Group, ...]:
    """Return `groups` with each group that a plan touched halved: its first half is no longer merged."""
    parts = (group[(len(group) + 1) // 2 :] if not set(group).isdisjoint(touched) else group for group in groups)
    return tuple(part for part in parts if len(part) > 1)


def folds(task: AdlTask, groups: Collection[Group]) -> bool:
    """Return whether `groups` can be folded. Tasks with rules, or with effect conditions about members, cannot."""
    if task.rules:
        return False
    members = {name for group in groups for name in group}
    open_ones = (effect.condition for step in task.steps for effect in step.effects if effect.condition)
    return not any(members.intersection(literal.atom.args) for condition in open_ones for literal in condition)


def folded(task: AdlTask, groups: Sequence[Group]) -> AdlTask:
    """Return `task` with each of `groups` as one object, named after its first member."""
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
                alike[atom.replaced(self._first)].add(atom)
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

    def _literal(self, literal: Literal) -> Literal:
        if not self._grouped(literal.atom):
            return literal
        atom = literal.atom.replaced(self._first)
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
            atom = literal.atom.replaced(self._first)
            if atom in self._single:
                yield Literal(atom, False)

    def _start(self) -> Iterable[Atom]:
        """Yield the facts that hold, and the negated facts of some member that a step or a goal asks for."""
        for atom in self._task.start:
            yield atom.replaced(self._first)
        for atom in self._asked():
            if atom not in self._task.start:
                yield self._literal(Literal(atom, False)).atom

    def _asked(self) -> Iterable[Atom]:
        for step in self._task.steps:
            yield from (literal.atom for literal in step.asked if self._grouped(literal.atom))
        for goal in self._task.goals:
            yield from (literal.atom for literal in goal if self._grouped(literal.atom))


def _about(goal: Conjunct, name: str) -> Iterator[Literal]:
    yield from (literal.replaced({name: SELF}) for literal in goal if name in literal.atom.args)
