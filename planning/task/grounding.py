"""From actions that can perhaps be taken to a task without what can never matter.

Facts that nothing changes are left out of conditions, then actions that make nothing that is asked for, directly or
through others, from the goal backwards; then facts that nobody asks for (Fast Downward prunes likewise: Helmert, AIJ
2009, section 6). Costs and plans stay the same.

Of a group (see `planning.relevance`) more is granted: its facts, once true, stay so, and nothing is asked not to hold
of it. But a fact that can be true of one of its things only at a time ends when it ends for that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from planning.task.exclusive import exclusive
from planning.task.exploring import Change, Individual, explore
from planning.task.schemas import Fact, Schema, schemas
from semantics.atoms import Conjunct
from semantics.state import Action

__all__ = ["Step", "Task", "ground_task"]

Signed = tuple[Fact, bool]


@dataclass(slots=True)
class Step:
    """A ground action of a task: the literals asked for, those made, its cost, and how often it names a group."""

    action: Action
    asked: list[Signed]
    made: list[Signed]
    cost: int = 1
    grouped: int = 0


@dataclass(frozen=True, slots=True)
class Task:
    """What a search works on.

    Attributes:
        steps: The actions.
        start: The facts of `named` that hold at the start.
        named: All facts that conditions or effects name.
        goals: Conjunctions; one of them has to be reached. Those that cannot be are left out.
        numbers: Which conjunct each of `goals` is.
        exclusive: Sets of facts of which at most one holds at a time; see `planning.task.exclusive`.
    """

    steps: tuple[Step, ...]
    start: frozenset[Fact]
    named: tuple[Fact, ...]
    goals: tuple[tuple[Signed, ...], ...]
    numbers: tuple[int, ...]
    exclusive: tuple[tuple[Fact, ...], ...] = ()


def ground_task(
    read: Collection[Schema],
    individuals: Mapping[str, Individual],
    goals: Iterable[Conjunct],
    price: Callable[[Action], int],
    single: Collection[tuple[str, int, str]] = (),
) -> Task:
    """Ground what `explore` finds, towards any of `goals`, at the costs that `price` says.

    Each of `single` is a predicate, a place and a name: with that name there, only one fact holds at a time.

    Raises:
        TooManyError: As `explore` does.
    """
    wishes = tuple(goals)
    individuals = _asked_about(read, individuals, wishes)
    start = frozenset(fact for one in individuals.values() for local in one.starts for fact in local)
    groups = frozenset(name for name, one in individuals.items() if one.size > 1)
    explored = explore(read, individuals)
    lasting = _Lasting(groups, explored.doubled, single)
    steps = [_step(schema.name, args, changes, lasting) for schema, args, changes in explored.actions]
    changed = {literal for step in steps for literal in step.made}
    reached: list[tuple[Signed, ...]] = []
    numbers: list[int] = []
    for number, goal in enumerate(wishes):
        left = [literal for literal in goal if ((literal[0] in start) != literal[1]) or _negated(literal) in changed]
        if explored.possible(goal) and all((one[0] in start) == one[1] or one in changed for one in left):
            reached.append(tuple((tuple(atom), positive) for atom, positive in sorted(left)))  # type: ignore[misc]
            numbers.append(number)
    for step in steps:
        step.asked = [one for one in step.asked if (one[0] in start) != one[1] or _negated(one) in changed]
    kept, wanted = _towards({one for goal in reached for one in goal}, steps)
    for step in kept:
        step.made = [one for one in step.made if one in wanted or _negated(one) in wanted]
        step.cost = price(step.action)
    kept.sort(key=lambda step: step.action)  # the same task in every process, whatever the order of its sets
    named = dict.fromkeys(sorted(fact for fact, _ in wanted))
    own = {name: local for name, local in explored.states.items() if name not in groups}
    denied = {fact for fact, positive in wanted if not positive}
    sets = exclusive(named, own, [(step.asked, step.made) for step in kept], denied)
    return Task(tuple(kept), start.intersection(named), tuple(named), tuple(reached), tuple(numbers), sets)


def _asked_about(
    read: Collection[Schema], individuals: Mapping[str, Individual], goals: Collection[Conjunct]
) -> dict[str, Individual]:
    """Return `individuals` without the facts that nobody asks for: they would only multiply the states of a thing."""
    asked = {part.predicate for one in read for role in one.roles for part in (*role.positive, *role.negative)}
    asked |= {literal.atom.predicate for goal in goals for literal in goal}
    found = {}
    for name, one in individuals.items():
        starts = dict.fromkeys(frozenset([fact for fact in local if fact[0] in asked]) for local in one.starts)
        found[name] = replace(one, starts=tuple(starts))
    return found


def _negated(literal: Signed) -> Signed:
    return literal[0], not literal[1]


@dataclass(frozen=True, slots=True)
class _Lasting:
    """Tells which facts about groups do not end."""

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


def _step(name: str, args: tuple[str, ...], changes: Iterable[Change], lasting: _Lasting) -> Step:
    asked: dict[Signed, None] = {}
    added: set[Fact] = set()
    deleted: set[Fact] = set()
    for positive, negative, makes, ends in changes:
        asked.update(dict.fromkeys([(fact, True) for fact in positive]))
        asked.update(dict.fromkeys([(fact, False) for fact in negative]))
        added |= makes
        deleted |= ends
    made = [(fact, True) for fact in added] + [(fact, False) for fact in deleted - added]
    grouped = sum(arg in lasting.groups for arg in args) if lasting.groups else 0
    if grouped:
        asked = dict.fromkeys(one for one in asked if one[1] or one[0] not in lasting)
        made = [one for one in made if one[1] or one[0] not in lasting]
    return Step(Action(name, args), list(asked), made, 1, grouped)


def _towards(goal: set[Signed], steps: list[Step]) -> tuple[list[Step], set[Signed]]:
    """Return the steps that the goal needs, perhaps through others, and the literals asked for by them and by it."""
    makers: dict[Signed, list[int]] = defaultdict(list)
    for number, step in enumerate(steps):
        for literal in step.made:
            makers[literal].append(number)
    wanted = set(goal)
    waiting = list(goal)
    kept: set[int] = set()
    while waiting:
        for number in makers[waiting.pop()]:
            if number not in kept:
                kept.add(number)
                new = [one for one in steps[number].asked if one not in wanted]
                wanted.update(new)
                waiting.extend(new)
    return [steps[number] for number in sorted(kept)], wanted


__all__ += ["schemas"]
