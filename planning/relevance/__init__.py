"""Relevance: removes what a cheapest plan provably does not need.

A kitchen contains a thousand objects that can be carried; a goal is about one to six of them. The remaining objects
decide whether planning takes 20 ms or a minute. Let *K* be the objects that are kept: furniture and agents, the objects
of the goal, every object that shares a fact with an agent or with a kept object that can be carried (what it stands on
or in, what stands on it, what is in a hand), and the vessel that contains a liquid of the goal. The others are treated
as follows:

- *Idle* objects (see `planning.relevance.idle`) are left out: actions on them can be dropped from any plan. A group has
  the resources that an idle object may use up: there is room on a tray, whatever stands on it.
- Objects that may be useful, such as a bowl to carry the fruit in, are merged into a few *groups* (Hoffmann, Sabharwal
  and Domshlak, ICAPS 2006, merge objects in a similar way). Every fact of a member holds of the group and is never
  lost. No negative condition on a group is required. So each plan of the whole problem becomes, with names replaced, a
  plan of the problem over *K* and the groups, at no higher cost.

So a cheapest plan of the reduced problem costs no more than a cheapest plan of the whole problem. If it contains no
group, it *is* a plan of the whole problem, and optimal: one search finds and proves it. If it contains a group, members
may be found that can replace it; otherwise the group is split (see `planning.solver`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain

from domains.problem import Problem
from planning.relevance.idle import Idleness, Signature, idleness, signature
from planning.relevance.needed import needed
from planning.task.reachability import Individual
from planning.task.schemas import Fact
from semantics.logic.vocabulary import Thing

__all__ = ["GROUP", "Reduction", "relevant"]

GROUP = "?group"  # the prefix of a group's name; no object has such a name


@dataclass(frozen=True, slots=True)
class Reduction:
    """The objects to plan with."""

    things: Mapping[str, Thing]  # the objects that are kept
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The members of each group, by the group's name."""
    facts: Mapping[str, frozenset[Fact]] = field(default_factory=dict)
    """For each kept object and each member, the facts whose first argument it is, with names of groups in them."""
    doubled: frozenset[Fact] = frozenset()  # the facts among them that stand for several facts about one object
    single: frozenset[tuple[str, int, str]] = frozenset()
    """Predicates with an argument index and a name: with that name there, only one fact holds at a time."""

    def individuals(self, things: Mapping[str, Thing], *, groups: bool = True) -> dict[str, Individual]:
        """Return the individuals to ground with: the kept objects and, if `groups`, the groups of `things`."""
        result = {
            name: Individual(name, thing.class_name, thing.affordances, (self.facts.get(name, frozenset()),))
            for name, thing in self.things.items()
        }
        for name, members in self.groups.items() if groups else ():
            starts = dict.fromkeys(self.facts.get(member, frozenset()) for member in members)
            affordances = frozenset.intersection(*(things[member].affordances for member in members))
            result[name] = Individual(name, "", affordances, tuple(starts), len(members) + 1)
        result[""] = Individual("", "", frozenset(), (self.facts.get("", frozenset()),), doubled=self.doubled)
        return result


def relevant(
    problem: Problem,
    also: Collection[str] = (),
    *,
    fine: Mapping[str, object] | None = None,
    varying: Collection[str] = (),
) -> Reduction:
    """Return what a cheapest plan may need; the objects in `also` are always kept.

    The members of a group fill the same parameters and have the same value in `fine`, if any. Of the objects of a goal,
    the `varying` ones may be in groups, together with others whose facts have the same predicates.
    """
    problem = problem.within(needed(problem.domain, problem.goal, problem.objects))
    sorter = _Sorter(problem, frozenset(also), frozenset(varying))
    groups = sorter.groups(fine or {})
    names = {member: group for group, members in groups.items() for member in members}
    kept = {name: thing for name, thing in problem.objects.items() if name in sorter.kept}
    facts, doubled = sorter.facts(names)
    return Reduction(kept, groups, facts, doubled, sorter.single)


class _Sorter:
    """Sorts the objects of a scene into kept, idle and useful ones."""

    def __init__(self, problem: Problem, also: frozenset[str], varying: frozenset[str]) -> None:
        self._varying = varying
        self._things = things = problem.objects
        self._state = state = problem.state
        self._domain = domain = problem.domain
        goals = problem.goal
        capabilities = domain.capabilities.values()
        self._asked = frozenset(
            frozenset(part.affordances) - {"object"} for capability in capabilities for part in capability.parameters
        )
        self._signatures: dict[tuple[frozenset[str], str], Signature] = {}
        self._agents = {name for name, thing in things.items() if thing.class_name in domain.agents}
        self._carried = {
            name for name, thing in things.items() if domain.conventions.carry in thing.affordances
        } - self._agents
        self._ties = self._find_ties()
        named = {
            arg
            for capability in capabilities
            for part in (*capability.precondition, *capability.effect)
            for arg in part.args
        }
        named |= {arg for goal in goals for literal in goal for arg in literal.atom.args} - varying
        named |= {arg for atom in state.atoms if atom.args and atom.args[0] in named for arg in atom.args}
        self.kept = self._with_tied((set(things) - self._carried) | ((named | also) & set(things)))
        self.single: frozenset[tuple[str, int, str]] = frozenset()
        self._had: Mapping[str, set[str]] = {}
        self.useful = self._sort_rest({literal.atom.predicate for goal in goals for literal in goal})

    def _find_ties(self) -> Mapping[str, set[str]]:
        """Return which objects that can be carried, and which agents, share a fact."""
        ties: dict[str, set[str]] = defaultdict(set)
        light = self._carried | self._agents
        for _, args in self._state.atoms:
            if len(args) > 1 and len(tied := light.intersection(args)) > 1:
                for arg in tied:
                    ties[arg].update(tied)
        return ties

    def _with_tied(self, names: Iterable[str]) -> set[str]:
        connected = set(names)
        agenda = [name for name in connected if name in self._ties]
        while agenda:
            new = self._ties.get(agenda.pop(), set()) - connected
            connected |= new
            agenda.extend(new)
        return connected

    def _with_supports(self, names: set[str]) -> set[str]:
        """Add what facts about objects name besides them, such as what they stand on; only what can be carried."""
        connected, new = set(names), set(names)
        while new:
            new = {
                arg
                for _, args in self._state.atoms
                if args and args[0] in new
                for arg in args[1:]
                if arg in self._carried and arg not in connected
            }
            connected |= new
        return connected

    def _signature(self, name: str) -> Signature:
        thing = self._things[name]
        key = thing.affordances, thing.class_name
        if key not in self._signatures:
            self._signatures[key] = signature(thing, self._domain, self._asked)
        return self._signatures[key]

    def _sort_rest(self, predicates: set[str]) -> set[str]:
        """Return the objects that are neither kept nor idle."""
        rest = self._carried - self.kept
        signatures = {name: self._signature(name) for name in self._things}
        kept = frozenset(signatures[name] for name in self.kept | (self._varying & rest))
        idle = idleness(self._domain, frozenset(signatures.values()), kept, frozenset(predicates))
        if not self._balanced(idle, signatures):
            return rest
        self.single = frozenset(
            (balance.token, balance.place, name)
            for balance, holder in idle.balances
            for name in self.kept
            if signatures[name] == holder
        )
        useful = {name for name in rest if signatures[name] not in idle.signatures or name in self._varying}
        useful = self._with_supports(useful) - self.kept
        # An idle object that uses up a resource of a useful one, as what stands on a tray does, may be gone in time.
        self._had = {
            name: {balance.predicate for balance, holder in idle.balances if balance.positive and holder == own}
            for name, own in signatures.items()
            if name in useful
        }
        return useful

    def _balanced(self, idle: Idleness, signatures: Mapping[str, Signature]) -> bool:
        """Return whether the resources are balanced at the start."""
        counts: dict[tuple[str, int, str], int] = defaultdict(int)
        tokens = {(balance.token, balance.place) for balance, _ in idle.balances}
        balanced = {balance.predicate for balance, _ in idle.balances}
        holding = set()
        for predicate, args in self._state.atoms:
            if len(args) == 1 and predicate in balanced:
                holding.add((predicate, args[0]))
            for token, place in tokens:
                if predicate == token:
                    counts[token, place, args[place]] += 1
        return all(
            counts[balance.token, balance.place, name] + (((balance.predicate, name) in holding) == balance.positive)
            == 1
            for balance, holder in idle.balances
            for name, own in signatures.items()
            if own == holder
        )

    def groups(self, fine: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
        """Merge the useful objects."""
        groups: dict[object, list[str]] = defaultdict(list)
        about, asked = self._predicates(), self._fillable()
        for name in self._things:
            if name in self.useful:
                filling, _ = signature(self._things[name], self._domain, asked)
                groups[filling, fine.get(name), about.get(name)].append(name)
        return {f"{GROUP}{number}": tuple(members) for number, members in enumerate(groups.values())}

    def _fillable(self) -> frozenset[frozenset[str]]:
        """Return what parameters ask for, without the capabilities that no object kept or useful can serve."""
        left = {self._things[name].affordances for name in self.kept | self.useful}
        asked = (
            [frozenset(part.affordances) - {"object"} for part in capability.parameters]
            for capability in self._domain.capabilities.values()
        )
        return frozenset(
            chain.from_iterable(parts for parts in asked if all(any(part <= kind for kind in left) for part in parts))
        )

    def _predicates(self) -> dict[str, frozenset[str]]:
        """Return the predicates of the facts about each varying object, as a grouping key."""
        by_name: dict[str, set[str]] = {name: set() for name in self._varying & self.useful}
        for atom in self._state.atoms if by_name else ():
            if atom.args and atom.args[0] in by_name:
                by_name[atom.args[0]].add(atom.predicate)
        return {name: frozenset(predicates) for name, predicates in by_name.items()}

    def facts(self, names: Mapping[str, str]) -> tuple[dict[str, frozenset[Fact]], frozenset[Fact]]:
        """Return the facts by their first argument, with `names` in place of objects.

        The second value contains the facts that stand for several facts about one object.
        """
        by_thing: dict[str, set[Fact]] = defaultdict(set)
        image = {**dict.fromkeys(self.kept), **names}
        doubled: set[Fact] = set()
        named = frozenset(image)
        for predicate, args in self._state.atoms:
            if named.issuperset(args):
                fact = predicate, tuple([image[arg] or arg for arg in args])
                own = by_thing[args[0] if args else ""]
                if fact in own:
                    doubled.add(fact)
                own.add(fact)
        for name, predicates in self._had.items():
            by_thing[name].update((predicate, (names[name],)) for predicate in predicates)
        return {name: frozenset(facts) for name, facts in by_thing.items()}, frozenset(doubled)
