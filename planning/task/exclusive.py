"""Facts of which at most one holds at a time, so that a search can keep them as one variable.

A thing's own states were all found by exploring (see `planning.task.reachability`). Two facts about it that no state
has together exclude each other. A translator guesses and proves such invariants (Helmert, AIJ 2009); here they are read
off. Heuristics see more in such variables, and states are smaller.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from planning.task.schemas import Fact

__all__ = ["exclusive"]

Signed = tuple[Fact, bool]
Changes = Sequence[tuple[Collection[Signed], Collection[Signed]]]
"""What each action asks for and makes."""


def exclusive(
    facts: Iterable[Fact], states: Mapping[str, Collection[frozenset[Fact]]], changes: Changes, denied: Collection[Fact]
) -> tuple[tuple[Fact, ...], ...]:
    """Return sets of `facts` of which at most one holds at a time, two facts or more in each.

    `states` are those of each thing whose facts are told in full. What is `denied` somewhere is left out, because a
    variable can only be asked for the one fact that holds; and so is what some action ends without knowing that it
    holds, because such an effect would depend on the state.
    """
    about: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if fact not in denied and fact[1] and fact[1][0] in states:
            about[fact[1][0]].append(fact)
    groups = [group for name, own in about.items() for group in _groups(own, states[name]) if len(group) > 1]
    return tuple(tuple(group) for group in _determined(groups, changes) if len(group) > 1)


def _groups(facts: Sequence[Fact], states: Collection[frozenset[Fact]]) -> list[list[Fact]]:
    """Share facts out, those of the commonest predicate first, each to the first group where none is seen with it."""
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
    """Take out of `groups` what some action ends while it neither asks for nor makes a fact of the same group."""
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
