"""Finds similar objects: they allow the same actions, have the same unary facts, and occur in the goals alike.

They are candidates for merging (see `planning.adl.abstraction`), which is sound for any objects, so nothing is proved
here. Their locations may differ. The owner of a resource, such as a hand, is not merged: a relaxation with one hand for
all hands is too weak.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from planning.adl.balance import Balances
from planning.adl.task import AdlTask
from semantics.logic.atoms import Atom, Conjunct, Literal

__all__ = ["Group", "like_things", "split"]

Group = tuple[str, ...]
"""The names of similar objects, in order."""
SELF = "?"


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


def _about(goal: Conjunct, name: str) -> Iterator[Literal]:
    yield from (literal.replaced({name: SELF}) for literal in goal if name in literal.atom.args)
