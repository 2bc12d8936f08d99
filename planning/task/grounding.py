"""Turns reachable actions into a task without irrelevant parts.

Three things are removed: conditions on facts that never change; actions that make nothing that the goal needs, directly
or through other actions; and facts that no condition asks for. Fast Downward prunes in the same way (Helmert, AIJ 2009,
section 6). Costs and plans stay the same.

A group (see `planning.relevance`) is relaxed: its facts stay true once they are true, and no negative condition on it
is required. A fact that can hold of only one member at a time is an exception: it ends when it ends for that member.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter

from planning.task.reachability import Change, Individual, explore
from planning.task.schemas import CapabilitySchema, Fact
from semantics.logic.atoms import Conjunct
from semantics.logic.state import Action

Signed = tuple[Fact, bool]


@dataclass(slots=True)
class GroundAction:
    """A ground action of a task."""

    action: Action  # its name and arguments
    asked: list[Signed]  # the literals that must hold before
    made: list[Signed]  # the literals that hold afterwards
    cost: int = 1  # its cost
    grouped: int = 0  # how many of its arguments are groups


@dataclass(frozen=True, slots=True)
class SearchTask:
    """The input of a search.

    Attributes:
        steps: The actions.
        start: The facts of `named` that hold at the start.
        named: All facts that conditions or effects name.
        goals: Conjunctions; the plan must reach one of them. Unreachable ones are left out.
        numbers: For each of `goals`, the index of the conjunct in the original goal.
        exclusive: Sets of facts of which at most one holds at a time; see `planning.task.grounding`.
    """

    steps: tuple[GroundAction, ...]
    start: frozenset[Fact]
    named: tuple[Fact, ...]
    goals: tuple[tuple[Signed, ...], ...]
    numbers: tuple[int, ...]
    exclusive: tuple[tuple[Fact, ...], ...] = ()


def ground_task(
    read: Collection[CapabilitySchema],
    individuals: Mapping[str, Individual],
    goals: Iterable[Conjunct],
    price: Callable[[Action], int],
    single: Collection[tuple[str, int, str]] = (),
) -> SearchTask:
    """Ground the actions that `explore` finds, relevant to any of `goals`, at the costs that `price` returns.

    Each element of `single` is a predicate, an argument index and a name. With that name there, only one fact of the
    predicate holds at a time.

    Raises:
        TooManyError: As `explore` does.
    """
    wishes = tuple(goals)
    individuals = _asked_about(read, individuals, wishes)
    start = frozenset(fact for individual in individuals.values() for local in individual.starts for fact in local)
    groups = frozenset(name for name, individual in individuals.items() if individual.size > 1)
    explored = explore(read, individuals)
    drafts, parts = _drafts(explored.actions, _Lasting(groups, explored.doubled, single))
    changed = {literal for part in parts for literal in part.made}
    reached: list[tuple[Signed, ...]] = []
    numbers: list[int] = []
    for number, goal in enumerate(wishes):
        left = [(fact, holds) for fact, holds in goal if (fact in start) != holds or (fact, not holds) in changed]
        if explored.possible(goal) and all(
            (literal[0] in start) == literal[1] or literal in changed for literal in left
        ):
            reached.append(tuple((tuple(atom), positive) for atom, positive in sorted(left)))  # type: ignore[misc]
            numbers.append(number)
    for part in parts:
        part.asked = [
            literal
            for literal in part.asked
            if (literal[0] in start) != literal[1] or (literal[0], not literal[1]) in changed
        ]
    relevant, wanted = _towards({literal for goal in reached for literal in goal}, drafts, parts)
    for part in parts:
        part.made = [literal for literal in part.made if literal in wanted or (literal[0], not literal[1]) in wanted]
    relevant.sort(key=itemgetter(0, 1))  # sets differ in order between processes; the task must not
    steps = tuple([_step(Action(name, args), own, groups, price) for name, args, own in relevant])
    named = dict.fromkeys(sorted(fact for fact, _ in wanted))
    states = {name: local for name, local in explored.states.items() if name not in groups}
    denied = {fact for fact, positive in wanted if not positive}
    sets = exclusive(named, states, [(step.asked, step.made) for step in steps], denied)
    return SearchTask(steps, start.intersection(named), tuple(named), tuple(reached), tuple(numbers), sets)


def _asked_about(
    read: Collection[CapabilitySchema], individuals: Mapping[str, Individual], goals: Collection[Conjunct]
) -> dict[str, Individual]:
    """Return `individuals` without facts that no condition uses: they would only multiply the states of an object."""
    asked = {part.predicate for schema in read for role in schema.roles for part in (*role.positive, *role.negative)}
    asked |= {literal.atom.predicate for goal in goals for literal in goal}
    reduced = {}
    for name, individual in individuals.items():
        starts = dict.fromkeys(frozenset([fact for fact in local if fact[0] in asked]) for local in individual.starts)
        reduced[name] = replace(individual, starts=tuple(starts))
    return reduced


@dataclass(frozen=True, slots=True)
class _Lasting:
    """The facts about groups that never end, as a container."""

    groups: frozenset[str]
    doubled: Collection[Fact]
    single: Collection[tuple[str, int, str]]

    def __contains__(self, fact: Fact) -> bool:
        predicate, args = fact
        if self.groups.isdisjoint(args):
            return False
        if args[0] not in self.groups and fact not in self.doubled:
            return False
        return not any((predicate, place, arg) in self.single for place, arg in enumerate(args))


@dataclass(slots=True)
class _ObjectRole:
    """What the actions with these numbers require of an object and change about it; many actions share one."""

    asked: list[Signed]
    made: list[Signed]
    actions: list[int] = field(default_factory=list)


Draft = tuple[str, tuple[str, ...], list[_ObjectRole]]


def _drafts(
    actions: Iterable[tuple[CapabilitySchema, tuple[str, ...], tuple[Change, ...]]], lasting: _Lasting
) -> tuple[list[Draft], list[_ObjectRole]]:
    """Return the actions with their parts, and all parts."""
    parts: dict[Change, _ObjectRole] = {}
    drafts: list[Draft] = []
    for number, (schema, args, changes) in enumerate(actions):
        keys = schema.keys(args)
        own = []
        for change in changes if len(set(keys)) == len(keys) else _joined(changes):
            part = parts.get(change)
            if part is None:
                part = parts[change] = _part(change, lasting)
            own.append(part)
        for part in own:
            part.actions.append(number)
        drafts.append((schema.name, args, own))
    return drafts, list(parts.values())


def _joined(changes: Iterable[Change]) -> tuple[Change]:
    """Return the conditions and effects of several roles of one object as one."""
    positive, negative, added, deleted = (frozenset().union(*sets) for sets in zip(*changes, strict=True))
    return ((positive, negative, added, deleted),)


def _part(change: Change, lasting: _Lasting) -> _ObjectRole:
    positive, negative, added, deleted = change
    asked = [(fact, True) for fact in positive]
    made = [(fact, True) for fact in added]
    if lasting.groups:
        asked += [(fact, False) for fact in negative if fact not in lasting and fact not in positive]
        made += [(fact, False) for fact in deleted if fact not in added and fact not in lasting]
    else:
        asked += [(fact, False) for fact in negative]
        made += [(fact, False) for fact in deleted if fact not in added]
    return _ObjectRole(asked, made)


def _step(
    action: Action, parts: list[_ObjectRole], groups: frozenset[str], price: Callable[[Action], int]
) -> GroundAction:
    grouped = 0 if groups.isdisjoint(action.args) else sum([arg in groups for arg in action.args])
    asked = [literal for part in parts for literal in part.asked]
    return GroundAction(action, asked, [literal for part in parts for literal in part.made], price(action), grouped)


def _towards(
    goal: set[Signed], drafts: Sequence[Draft], parts: Iterable[_ObjectRole]
) -> tuple[list[Draft], set[Signed]]:
    """Return the actions that the goal needs, directly or indirectly, and the literals that they and it require."""
    makers: dict[Signed, list[_ObjectRole]] = defaultdict(list)
    for part in parts:
        for literal in part.made:
            makers[literal].append(part)
    wanted = set(goal)
    agenda = list(goal)
    needed: set[int] = set()
    looked: set[int] = set()
    while agenda:
        new = {number for part in makers[agenda.pop()] for number in part.actions} - needed
        needed |= new
        # Parts are shared by many actions; each part's preconditions are added once.
        for part in [part for number in new for part in drafts[number][2] if id(part) not in looked]:
            looked.add(id(part))
            asked = [literal for literal in part.asked if literal not in wanted]
            wanted.update(asked)
            agenda += asked
    return [drafts[number] for number in sorted(needed)], wanted


Changes = Sequence[tuple[Collection[Signed], Collection[Signed]]]
"""The preconditions and effects of each action."""


def exclusive(
    facts: Iterable[Fact], states: Mapping[str, Collection[frozenset[Fact]]], changes: Changes, denied: Collection[Fact]
) -> tuple[tuple[Fact, ...], ...]:
    """Return sets of `facts` of which at most one holds at a time, with two or more facts in each.

    `states` contains the states of each object whose facts are complete. Two kinds of facts are left out. A fact that
    is `denied` somewhere is left out, because a condition on a variable can only require the one fact that holds. A
    fact that some action ends without requiring it is left out too, because such an effect would depend on the state.

    The exploration finds all states of an object (see `planning.task.reachability`). Two facts about the object
    exclude each other if no state contains both. A translator must guess and prove such invariants (Helmert, AIJ
    2009); here they are read from the states. They make states smaller and heuristics better informed.
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
