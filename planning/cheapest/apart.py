"""Splits groups after a search has found a plan that only a group can execute.

Objects that could do what the group did are kept beside it: all of a small group, and of a large group those that are
ready at the places where it was used. The rest is split by whether the objects are at those places. If that is not
sufficient, one object of each part is kept. This choice affects only the time: the next plan is proved again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from domains.problem import Problem
from planning.relevance import Reduction
from semantics.logic.state import Action, State

Fine = Mapping[str, frozenset[str]]
"""For each object that is not merged with objects elsewhere, the places that matter."""

FEW = 3
"""All objects of a group of at most this size are kept at once."""


def apart(
    actions: Sequence[Action], reduction: Reduction, problem: Problem, also: frozenset[str], fine: Fine
) -> tuple[frozenset[str], Fine]:
    """Return the objects to keep and how to split groups, from the steps of a plan and the previous values of both."""
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
    """Return the groups that might replace `group` in the next plan: they have an affordance that only it had to have.

    Otherwise, each of them would need its own search to be excluded.
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
    """Yield, for each member of a group, at which of the `places` where the group is used it is."""
    if len(members) > FEW:
        light = {name for several in reduction.groups.values() for name in several}
        for name, where in _roots(members, state, light).items():
            yield name, where & frozenset(places)


def _stand_ins(
    group: str, actions: Sequence[Action], members: Sequence[str], state: State, also: Collection[str]
) -> Iterator[str]:
    """Yield the objects that could replace a group: at each place where it is used, the first one at hand."""
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
    """Return the other objects that facts about each of `names` mention; there are few if it stands alone."""
    neighbours: dict[str, set[str]] = {name: set() for name in names}
    for atom in state.atoms:
        if len(atom.args) > 1:
            for arg in atom.args:
                if arg in neighbours:
                    neighbours[arg].update(atom.args)
    return neighbours


def _roots(names: Iterable[str], state: State, light: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the objects that are not `light` and that facts about each of `names` lead to.

    An object that shares facts only with light objects, such as a spoon in a bowl, is where those are.
    """
    neighbours: dict[str, set[str]] = {}
    for atom in state.atoms:
        if len(atom.args) > 1 and atom.args[0] in light:
            neighbours.setdefault(atom.args[0], set()).update(atom.args[1:])
    return {name: _root(name, neighbours) for name in names}


def _root(name: str, neighbours: dict[str, set[str]]) -> frozenset[str]:
    seen, frontier = {name}, {name}
    while frontier:
        about = set[str]().union(*(neighbours.get(thing, ()) for thing in frontier)) - seen
        heavy = frozenset(thing for thing in about if thing not in neighbours)
        if heavy:
            return heavy
        seen |= about
        frontier = about
    return frozenset()
