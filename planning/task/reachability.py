"""Finds the actions that can ever be applied, without enumerating all others.

The atoms of each object (those whose first argument it is) form a small state space: a milk carton stands on one of the
places and can be reached from there, or it is in a container, or in a hand. An action can be applied only if each of
its objects has been seen in a state that satisfies the conditions on it. Growing these spaces together from the start
misses no action: it is reachability in the projections to the atoms of each object (projections as in Edelkamp, ECP
2001). It is sharper than the delete relaxation, in which an object on the table can be grasped from the counter. The
work is to join what each object allows, not to try all arguments.

A *group* stands for several objects at once. It starts in the states of all its members. The exploration also finds out
whether an object can have the same fact with two members of a group at a time (be in both of two bowls), see
`Explored.doubled`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from operator import itemgetter

from planning.task.schemas import AtomTemplate, CapabilitySchema, Fact, Role
from semantics.logic.atoms import Conjunct, Literal

Local = frozenset[Fact]
Change = tuple[Local, Local, Local, Local]
NOTHING: Local = frozenset()
LIMIT = 20_000  # the largest number of states of one object
MOST_ACTIONS = 30_000
"""The largest number of actions. More would take seconds, during which the work cannot be cancelled."""


class TooManyError(Exception):
    """The state space of an object is too large to be enumerated, or there are too many actions."""


@dataclass(frozen=True, slots=True)
class Individual:
    """An object, or a group of `size` objects, with its affordances and the states in which it may start.

    The facts in `doubled` hold of several members of a group at the start.
    """

    name: str
    class_name: str
    affordances: frozenset[str]
    starts: tuple[Local, ...]
    size: int = 1
    doubled: Local = frozenset()


@dataclass(frozen=True, slots=True)
class Explored:
    """What may happen."""

    actions: list[tuple[CapabilitySchema, tuple[str, ...], tuple[Change, ...]]]
    """The actions that may be applicable, with the conditions and changes of each role."""
    states: Mapping[str, Collection[Local]]  # for each object, the states of its atoms that may occur
    doubled: Collection[Fact]
    """Facts with a group as an argument that may be true of one object in several ways at a time. Such a fact may still
    hold after it has ended for one member."""

    def possible(self, conjunct: Conjunct) -> bool:
        """Return whether for each object some state satisfies what `conjunct` requires of it."""
        asked: dict[str, list[Literal]] = defaultdict(list)
        for literal in conjunct:
            asked[literal.atom.args[0] if literal.atom.args else ""].append(literal)
        return all(
            any(all((literal.atom in local) == literal.positive for literal in literals) for local in self.states[name])
            for name, literals in asked.items()
        )


def explore(schemas: Iterable[CapabilitySchema], individuals: Mapping[str, Individual]) -> Explored:
    """Return what may happen.

    Raises:
        TooManyError: See `LIMIT` and `MOST_ACTIONS`.
    """
    explorer = _Explorer(schemas, individuals)
    explorer.run()
    return Explored(explorer.actions, explorer.states, explorer.doubled)


class _Watch:
    """A role that an object may take: finds the bindings that its states allow."""

    def __init__(
        self, schema: CapabilitySchema, number: int, relations: Sequence[Relation], candidates: list[frozenset[str]]
    ) -> None:
        self.schema, self.role, self.candidates = schema, schema.asking[number], candidates
        self.relation = relations[number]
        self.rest = joins(schema, number, relations)
        self.asked = frozenset(part.predicate for part in self.role.positive)

    def rows(self, name: str, state: Local, facts: Mapping[str, Sequence[tuple[str, ...]]]) -> Iterator[Binding]:
        """Yield the bindings with which `name` takes the role in `state`, whose facts are `facts` by predicate."""
        row: list[str | None] = [None] * len(self.schema.needs)
        if isinstance(self.role.key, int):
            row[self.role.key] = name
        rows: list[Binding] = [tuple(row)]
        for part in self.role.positive:
            filled = [unified(part.args, args, row, self.candidates) for row in rows for args in facts[part.predicate]]
            rows = [row for row in filled if row is not None]
        for binding in rows:
            if not any(fact in state for fact in known(self.role.negative, binding)):
                yield binding


class _Explorer:
    def __init__(self, schemas: Iterable[CapabilitySchema], individuals: Mapping[str, Individual]) -> None:
        self.individuals = individuals
        self.schemas = tuple(schemas)
        self.actions: list[tuple[CapabilitySchema, tuple[str, ...], tuple[Change, ...]]] = []
        self._seen: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        self.states: dict[str, set[Local]] = defaultdict(set)
        self.doubled = {fact for individual in individuals.values() for fact in individual.doubled}
        self._groups = frozenset(name for name, individual in individuals.items() if individual.size > 1)
        self._changes: dict[str, set[Change]] = defaultdict(set)
        self._asking: dict[str, dict[Fact | None, list[Change]]] = defaultdict(lambda: defaultdict(list))
        self._having: dict[str, dict[Fact | None, list[Local]]] = defaultdict(lambda: defaultdict(list))
        self._made: dict[Role, dict[object, Change]] = defaultdict(dict)
        self._queue: deque[tuple[str, Local]] = deque()
        self._candidates = {schema.name: self._fitting(schema) for schema in self.schemas}
        self._relations = {schema.name: [Relation() for _ in schema.asking] for schema in self.schemas}
        self._watching = {name: self._watches(name) for name in ("", *individuals)}

    def _fitting(self, schema: CapabilitySchema) -> list[frozenset[str]]:
        """Return the names that can be bound to each parameter."""
        options = [
            frozenset(name for name, individual in self.individuals.items() if name and needs <= individual.affordances)
            for needs in schema.needs
        ]
        if schema.agents is None:
            return options
        able = (name for name in options[0] if self.individuals[name].class_name in schema.agents)
        return [frozenset(able), *options[1:]]

    def _watches(self, name: str) -> list[_Watch]:
        """Return the roles that the atoms of `name` may take; the name is empty for atoms without arguments."""
        return [
            _Watch(schema, number, self._relations[schema.name], self._candidates[schema.name])
            for schema in self.schemas
            for number, role in enumerate(schema.asking)
            if (
                name in self._candidates[schema.name][role.key]
                if isinstance(role.key, int)
                else name == (role.key or "")
            )
        ]

    def run(self) -> None:
        for schema in self.schemas:
            if not schema.asking:
                self._complete(schema, (None,) * len(schema.needs))
        if "" not in self.individuals:
            self._reach("", frozenset())
        for individual in self.individuals.values():
            for start in individual.starts:
                self._reach(individual.name, start)
        while self._queue:
            self._look(*self._queue.popleft())

    def _look(self, name: str, state: Local) -> None:
        """Change the object `name` from `state` in every possible way, and let it take its roles in this state."""
        asking = self._asking[name]
        for fact in (None, *state):
            for change in tuple(asking.get(fact, ())):
                self._change(name, state, change)
        facts: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for predicate, args in state:
            facts[predicate].append(args)
        for watch in self._watching[name]:
            if watch.asked <= facts.keys():
                for row in watch.rows(name, state, facts):
                    if watch.relation.add(row):
                        self._join(watch.schema, row, watch.rest)

    def _reach(self, name: str, state: Local) -> None:
        seen = self.states[name]
        if state not in seen:
            seen.add(state)
            having = self._having[name]
            for fact in (None, *state):
                having[fact].append(state)
            self._queue.append((name, state))
            if len(seen) > LIMIT:
                raise TooManyError

    def _change(self, name: str, state: Local, change: Change) -> None:
        positive, negative, added, deleted = change
        if not (positive <= state and not negative & state):
            return
        self._reach(name, (state - deleted) | added)
        if self._groups and not (added.isdisjoint(state) and self.doubled.isdisjoint(deleted)):
            self._double(name, state, added, deleted)

    def _double(self, name: str, state: Local, added: Local, deleted: Local) -> None:
        """Handle facts about groups: they may hold twice, and then do not end at the first deletion."""
        # A fact that is added while it already holds may hold of two members, so one deletion need not end it.
        twice = {fact for fact in (added & state) - deleted if not self._groups.isdisjoint(fact[1][1:])}
        if not twice <= self.doubled:
            self.doubled |= twice
            for other in tuple(self.states[name]):
                self._queue.append((name, other))
        if not self.doubled.isdisjoint(deleted):
            self._reach(name, (state - (deleted - self.doubled)) | added)

    def _join(self, schema: CapabilitySchema, row: Binding, joins: Sequence[Join]) -> None:
        rows = [row]
        for relation, columns, pick, new in joins:
            extended = []
            for current in rows:
                for match in relation.matching(columns, pick(current)):
                    merged = list(current)
                    for column in new:
                        merged[column] = match[column]
                    extended.append(tuple(merged))
            rows = extended
        for current in rows:
            self._complete(schema, current)

    def _complete(self, schema: CapabilitySchema, row: Binding) -> None:
        """Add the action, with every choice of the parameters that no condition names."""
        filled: Iterable[tuple[str, ...]] = (row,)  # type: ignore[assignment]  # as long as nothing is open
        if None in row:
            candidates = self._candidates[schema.name]
            filled = product(
                *((name,) if name is not None else sorted(candidates[number]) for number, name in enumerate(row))
            )
        seen = self._seen[schema.name]
        for args in filled:
            if args not in seen and self._may_differ(schema, args) and not self._contradicts(schema, args):
                seen.add(args)
                self.actions.append((schema, args, self._take(schema, args)))
                if len(self.actions) > MOST_ACTIONS:
                    raise TooManyError

    def _may_differ(self, schema: CapabilitySchema, args: tuple[str, ...]) -> bool:
        return all(
            args[left] != args[right] or self.individuals[args[left]].size > 1 for left, right in schema.distinct
        )

    def _contradicts(self, schema: CapabilitySchema, args: tuple[str, ...]) -> bool:
        """Return whether the action requires a fact to hold and not to hold; members of a group may differ in it."""
        facts = (asked.ground(args) for asked, denied in schema.opposed if asked.ground(args) == denied.ground(args))
        return any(self._groups.isdisjoint(fact[1]) for fact in facts)

    def _take(self, schema: CapabilitySchema, args: tuple[str, ...]) -> tuple[Change, ...]:
        names = schema.keys(args)
        made = tuple([self._made_by(role, args) for role in schema.roles])
        if len(set(names)) == len(names):
            for name, change in zip(names, made, strict=True):
                self._learn(name, change)
            return made
        for name in dict.fromkeys(names):
            self._learn_together(name, [change for own, change in zip(names, made, strict=True) if own == name])
        return made

    def _learn_together(self, name: str, several: list[Change]) -> None:
        size = self.individuals[name].size if name in self.individuals else 1
        if len(several) == 1 or size > 1:  # different members of a group may take its roles
            for change in several:
                self._learn(name, change)
        if len(several) > 1:
            positive, negative, added, deleted = (frozenset().union(*parts) for parts in zip(*several, strict=True))
            self._learn(name, (positive, negative, added, deleted))

    def _learn(self, name: str, change: Change) -> None:
        changes = self._changes[name]
        if change not in changes and (change[2] or change[3]):
            changes.add(change)
            asking = self._asking[name]
            # Index the change by its rarest precondition: the states that may allow it are then found by one look-up.
            fact = min(change[0], key=lambda fact: len(asking.get(fact, ())), default=None)
            asking[fact].append(change)
            for state in tuple(self._having[name].get(fact, ())):
                self._change(name, state, change)

    def _made_by(self, role: Role, args: tuple[str, ...]) -> Change:
        own = role.pick(args)
        made = self._made[role]
        change = made.get(own)
        if change is None:
            change = made[own] = _change(role, args)
        return change


def _change(role: Role, args: tuple[str, ...]) -> Change:
    positive, negative, added, deleted = [
        frozenset([ground(args) for ground in parts]) if parts else NOTHING for parts in role.grounding
    ]
    return positive, negative, added, deleted


Binding = tuple[str | None, ...]
"""A name for each parameter; None where the parameter is unbound."""
Pick = Callable[[Binding], object]


def _picker(columns: tuple[int, ...]) -> Pick:
    """Return a function that picks `columns` of a binding."""
    return itemgetter(*columns) if columns else lambda _row: ()


class Relation:
    """The bindings of one role found so far, with an index for each set of columns."""

    def __init__(self) -> None:
        self.rows: dict[Binding, None] = {}
        self.indices: dict[tuple[int, ...], tuple[Pick, dict[object, list[Binding]]]] = {}

    def add(self, row: Binding) -> bool:
        """Add a binding; return whether it is new."""
        if row in self.rows:
            return False
        self.rows[row] = None
        for pick, index in self.indices.values():
            index[pick(row)].append(row)
        return True

    def matching(self, columns: tuple[int, ...], values: object) -> list[Binding]:
        """Return the bindings whose `columns`, as `_picker` picks them, have the `values`."""
        entry = self.indices.get(columns)
        if entry is None:
            pick, index = entry = self.indices[columns] = _picker(columns), defaultdict(list)
            for row in self.rows:
                index[pick(row)].append(row)
        return entry[1].get(values, NONE)


Join = tuple[Relation, tuple[int, ...], Pick, tuple[int, ...]]
"""A role to be joined: its bindings, the columns to match, the function that picks them, and the columns to fill."""
NONE: list[Binding] = []


def unified(
    wanted: tuple[int | str, ...], names: tuple[str, ...], row: Binding, candidates: list[frozenset[str]]
) -> Binding | None:
    """Return `row` with the arguments of a fact bound to those of a template; None when they do not match."""
    filled = list(row)
    for arg, name in zip(wanted, names, strict=True):
        if isinstance(arg, str):
            if arg != name:
                return None
        elif filled[arg] is None:
            if name not in candidates[arg]:
                return None
            filled[arg] = name
        elif filled[arg] != name:
            return None
    return tuple(filled)


def known(parts: tuple[AtomTemplate, ...], row: Binding) -> Iterator[Fact]:
    """Yield the facts of `parts` whose arguments are all bound; the other templates are ignored."""
    for part in parts:
        args = tuple([row[arg] if isinstance(arg, int) else arg for arg in part.args])
        if None not in args:
            yield part.predicate, args  # type: ignore[misc]  # None was ruled out


def joins(schema: CapabilitySchema, number: int, relations: Sequence[Relation]) -> tuple[Join, ...]:
    """Return how to bind what role `number` leaves unbound, role by role."""
    bound = set(schema.asking[number].bound)
    result = []
    for index, role in enumerate(schema.asking):
        if index != number:
            columns = tuple(sorted(bound.intersection(role.bound)))
            result.append((relations[index], columns, _picker(columns), tuple(sorted(set(role.bound) - bound))))
            bound.update(role.bound)
    return tuple(result)
