"""Finds facts of which at most one holds at a time, so that a search can store them as one variable.

The exploration finds all states of an object (see `planning.task.reachability`). Two facts about the object exclude
each other if no state contains both. A translator must guess and prove such invariants (Helmert, AIJ 2009); here they
are read from the states. They make states smaller and heuristics better informed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from planning.task.schemas import Fact

Signed = tuple[Fact, bool]
Changes = Sequence[tuple[Collection[Signed], Collection[Signed]]]
"""The preconditions and effects of each action."""


def exclusive(
    facts: Iterable[Fact], states: Mapping[str, Collection[frozenset[Fact]]], changes: Changes, denied: Collection[Fact]
) -> tuple[tuple[Fact, ...], ...]:
    """Return sets of `facts` of which at most one holds at a time, with two or more facts in each.

    `states` contains the states of each object whose facts are complete. Two kinds of facts are left out. A fact that
    is `denied` somewhere is left out, because a condition on a variable can only require the one fact that holds. A
    fact that some action ends without requiring it is left out too, because such an effect would depend on the state.
    """
    about: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact not in denied and fact[1] and fact[1][0] in states:
            about[fact[1][0]].append(fact)
    groups = [group for name, own in about.items() for group in _groups(own, states[name]) if len(group) > 1]
    return tuple(tuple(group) for group in _determined(groups, changes) if len(group) > 1)


def _groups(facts: Sequence[Fact], states: Collection[frozenset[Fact]]) -> list[list[Fact]]:
    """Partition facts, most frequent predicate first; each joins the first group without a fact that held with it."""
    seen: dict[Fact, int] = dict.fromkeys(facts, 0)
    for number, state in enumerate(states):
        for fact in state & seen.keys():
            seen[fact] |= 1 << number
    common = Counter(predicate for predicate, _ in facts)
    groups: list[tuple[list[Fact], list[int]]] = []
    for fact in sorted(facts, key=lambda fact: (-common[fact[0]], fact)):
        for group, mask in groups:
            if not mask[0] & seen[fact]:
                group.append(fact)
                mask[0] |= seen[fact]
                break
        else:
            groups.append(([fact], [seen[fact]]))
    return [group for group, _ in groups]


def _determined(groups: list[list[Fact]], changes: Changes) -> list[list[Fact]]:
    """Remove from `groups` each fact that an action ends without requiring or making a fact of the same group."""
    number = {fact: index for index, group in enumerate(groups) for fact in group}
    ends = [(asked, made) for asked, made in changes if any(not sign and fact in number for fact, sign in made)]
    changed = True
    while changed:
        changed = False
        for asked, made in ends:
            sure = {number[fact] for part in (asked, made) for fact, sign in part if sign and fact in number}
            for fact, sign in made:
                if not sign and fact in number and number[fact] not in sure:
                    groups[number.pop(fact)].remove(fact)
                    changed = True
    return groups
