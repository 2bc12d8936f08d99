"""Taking groups apart: what to keep, or to split, after a search has found a plan that only a group can carry out.

The things that would do what the group did are kept beside it: all of a small group, and of a large one what stands
ready at the places where it was used; the rest is split by whether they are at those places. If that is not enough, a
thing of each part is kept. Whatever is chosen is a matter of time only: the next plan is proved anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from domains.problem import Problem
from planning.relevance import Reduction
from planning.relevance.places import roots
from semantics.state import Action, State

__all__ = ["Fine", "apart"]

Fine = Mapping[str, frozenset[str]]
"""The places that matter of each thing that is not merged with those elsewhere."""

FEW = 3
"""All things of a group of at most so many are kept at once."""


def apart(
    actions: Sequence[Action], reduction: Reduction, problem: Problem, also: frozenset[str], fine: Fine
) -> tuple[frozenset[str], Fine]:
    """Return the things to keep and how to group others, given the steps of a plan and what both were."""
    groups, state = reduction.groups, problem.state
    used = dict.fromkeys(arg for action in actions for arg in action.args if arg in groups)
    ready = frozenset(name for group in used for name in _stand_ins(group, actions, groups[group], state, also))
    parts: dict[str, frozenset[str]] = {}
    for group in used:
        places = {arg for action in actions if group in action.args for arg in action.args if arg in reduction.things}
        for rival in _rivals(group, actions, reduction, problem):
            for name, part in _parts(groups[rival], places, reduction, state):
                parts[name] = parts.get(name, frozenset()) | part
    if ready <= also and all(fine.get(name, frozenset()) >= part for name, part in parts.items()):
        return also | {groups[group][0] for group in used}, fine
    return also | ready, {**fine, **{name: part | fine.get(name, frozenset()) for name, part in parts.items()}}


def _rivals(group: str, actions: Sequence[Action], reduction: Reduction, problem: Problem) -> list[str]:
    """Return the groups that might do next what `group` did: they afford something that was asked of it in particular.

    Otherwise each would be found out to be no better in a search of its own.
    """
    affords = {name: problem.objects[members[0]].affordances for name, members in reduction.groups.items()}
    asked = {
        affordance
        for action in actions
        for part, arg in zip(problem.domain.capabilities[action.name].parameters, action.args, strict=True)
        if arg == group
        for affordance in part.affordances
    }
    special = asked - frozenset.intersection(*affords.values())
    return [name for name, affordances in affords.items() if name == group or special & affordances]


def _parts(
    members: Sequence[str], places: Collection[str], reduction: Reduction, state: State
) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield at which of the `places` where a group is used each of its things is."""
    if len(members) > FEW:
        light = {name for several in reduction.groups.values() for name in several}
        for name, where in roots(members, state, light).items():
            yield name, where & frozenset(places)


def _stand_ins(
    group: str, actions: Sequence[Action], members: Sequence[str], state: State, also: Collection[str]
) -> Iterator[str]:
    """Yield what could play the part of a group: at each place where it is used, the first thing that is at hand."""
    if len(members) <= FEW:
        yield from members
        return
    about = _about(members, state)
    about_kept = _about(also, state)
    for place in dict.fromkeys(arg for action in actions if group in action.args for arg in action.args):
        present = [name for name in members if place in about[name]]
        if present and not any(place in facts for facts in about_kept.values()):
            yield min(present, key=lambda name: (len(about[name]), name))


def _about(names: Collection[str], state: State) -> Mapping[str, set[str]]:
    """Return the other things that facts about each of `names` mention; few, when it stands alone."""
    neighbours: dict[str, set[str]] = {name: set() for name in names}
    for atom in state.atoms:
        if len(atom.args) > 1:
            for arg in atom.args:
                if arg in neighbours:
                    neighbours[arg].update(atom.args)
    return neighbours
