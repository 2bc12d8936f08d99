"""A small abstraction of a problem: what is unreachable in the sketch is unreachable in the problem.

The sketch keeps the objects that the question names, the agents, the constants of the domain, and what a kept object is
on, in or at. All other objects with the same affordances become one object. Every fact of each of them holds of it. It
loses no fact, unless an invariant shows that the fact held of only one of them. No negative condition on it is
required. So every plan of the problem has an image in the sketch (merging objects is the abstraction of Hoffmann,
Sabharwal and Domshlak, ICAPS 2006), and a thousand objects cost as much as fifteen.

Facts are literals with a number. Sets of facts are the bits of an integer, so that a step of a fixpoint is one ``and``.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from domains.model import Capability, Domain, Template
from domains.problem import Problem
from planning.problem.grounding import candidates
from planning.reasons.effort import Effort
from planning.reasons.invariants import Invariants
from semantics.logic.atoms import Literal
from semantics.logic.state import bits
from semantics.logic.vocabulary import Thing

MOST_KEPT = 40  # the largest number of objects that are kept because a kept object is on, in or at them


@dataclass(frozen=True, slots=True)
class RelaxedAction:
    """An action of the sketch: what it requires, adds and deletes, as bits; `pre` and `made` list the bits."""

    needs: int
    adds: int
    loses: int
    pre: tuple[int, ...]
    made: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sketch:
    """The facts by their bit, the actions, and the facts that hold at the start."""

    facts: tuple[Literal, ...]
    deeds: tuple[RelaxedAction, ...]
    start: int

    def number(self, literal: Literal) -> int:
        """Return the bit of a literal of the question."""
        return self.facts.index(literal)


def makers_of(literal: Literal, domain: Domain) -> Iterator[tuple[Capability, Template]]:
    """Yield each capability with an effect that may make `literal` true, and that effect."""
    for capability in domain.capabilities.values():
        for template in capability.effect:
            if (template.predicate, template.positive) == (literal.atom.predicate, literal.positive):
                yield capability, template


def draw(asked: Collection[Literal], problem: Problem, invariants: Invariants, effort: Effort) -> Sketch:
    """Return a sketch in which the objects of `asked` are distinct; it takes about 15 ms with four of them.

    Raises:
        SpentError: The sketch has more actions than `effort` allows.
    """
    return _Drawing(asked, problem, invariants, effort).finished(asked)


class _Drawing:
    """Merges objects and grounds actions."""

    def __init__(self, asked: Collection[Literal], problem: Problem, invariants: Invariants, effort: Effort) -> None:
        self._effort = effort
        self._domain = problem.domain
        self._things = problem.objects
        distinct = _kept({arg for literal in asked for arg in literal.atom.args}, problem)
        self._image = _merged(distinct, self._things, self._domain)
        sizes: dict[str, int] = defaultdict(int)
        for image in self._image.values():
            sizes[image] += 1
        self._single = {image for image, size in sizes.items() if size == 1}
        self._images = {name: self._things[name] for name in sizes}
        self._invariants = invariants
        self._atoms = {atom.replaced(self._image) for atom in problem.state.atoms}

    def finished(self, asked: Collection[Literal]) -> Sketch:
        grounded = [
            ground for capability in self._domain.capabilities.values() for ground in self._grounded(capability)
        ]
        wanted = dict.fromkeys(asked) | {literal: None for needs, _ in grounded for literal in needs}
        number = {literal: index for index, literal in enumerate(wanted)}
        start = sum(1 << index for (atom, positive), index in number.items() if (atom in self._atoms) == positive)
        deeds = dict.fromkeys(self._deed(needs, effect, number) for needs, effect in grounded)
        return Sketch(tuple(number), tuple(deed for deed in deeds if deed.adds), start)

    def _definite(self, literal: Literal) -> bool:
        return self._single.issuperset(literal.atom.args)

    def _ends(self, gone: Literal, needs: list[Literal]) -> bool:
        """Return whether `gone` ends its opposite: for merged objects, only if that cannot have held of two of them."""
        if self._definite(gone):
            return True
        opposite = gone.negated()
        return opposite in needs and self._invariants.exclusive(opposite, self._things, self._single)

    def _grounded(self, capability: Capability) -> Iterator[tuple[list[Literal], list[Literal]]]:
        """Yield the precondition and the effect of each instance."""
        names = [parameter.name for parameter in capability.parameters]
        distinct = [(names.index(left), names.index(right)) for left, right in capability.distinct]
        choices = candidates(self._domain, capability, self._images)
        # Pay before enumerating: the number of instances is known, and enumerating cannot be interrupted.
        self._effort.spend(math.prod(map(len, choices)))
        for args in product(*choices):
            if any(args[left] == args[right] and args[left] in self._single for left, right in distinct):
                continue
            binding = dict(zip(names, args, strict=True))
            needs = [template.ground(binding) for template in capability.precondition]
            effect = [template.ground(binding) for template in capability.effect]
            yield [literal for literal in needs if literal.positive or self._definite(literal)], effect

    def _deed(self, needs: list[Literal], effect: list[Literal], number: Mapping[Literal, int]) -> RelaxedAction:
        """Return an action. Additions win over deletions, and a literal that is added ends its opposite."""
        added = {literal for literal in effect if literal.positive}
        gone = {
            literal
            for literal in effect
            if not literal.positive and literal.negated() not in added and self._ends(literal, needs)
        }
        pre = sorted({number[literal] for literal in needs})
        made = sorted(number[literal] for literal in added | gone if literal in number)
        lost = (number[literal.negated()] for literal in added | gone if literal.negated() in number)
        return RelaxedAction(_mask(pre), _mask(made), _mask(lost), tuple(pre), tuple(made))


def _mask(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in set(numbers))


def _kept(names: set[str], problem: Problem) -> set[str]:
    domain, things = problem.domain, problem.objects
    agents = {name for name, thing in things.items() if thing.class_name in domain.agents}
    templates = [
        template
        for capability in domain.capabilities.values()
        for template in (*capability.precondition, *capability.effect)
    ]
    names_kept = (names | agents | {arg for template in templates for arg in template.args}) & things.keys()
    holders: dict[str, set[str]] = defaultdict(set)
    for atom in problem.state.atoms:
        if len(atom.args) > 1:
            holders[atom.args[0]].update(atom.args[1:])
    queue = sorted(names_kept)
    for name in queue:  # the list grows during the loop
        for holder in sorted((holders[name] & things.keys()) - names_kept):
            if len(names_kept) < MOST_KEPT:
                names_kept.add(holder)
                queue.append(holder)
    return names_kept


def _merged(distinct: set[str], things: Mapping[str, Thing], domain: Domain) -> dict[str, str]:
    """Return the image of each object: itself if it is distinct, else the first one that fills the same parameters."""
    parameters = {
        frozenset(parameter.affordances) - {"object"}
        for capability in domain.capabilities.values()
        for parameter in capability.parameters
    }
    first: dict[frozenset[str], str] = {}
    return {
        name: name
        if name in distinct
        else first.setdefault(frozenset[str]().union(*(part for part in parameters if part <= thing.affordances)), name)
        for name, thing in things.items()
    }


MIRACLE = 1000.0  # the price of a fact that no action makes, in actions


def reached(sketch: Sketch, effort: Effort) -> int:
    """Return the facts that the delete relaxation of a sketch reaches, one at a time.

    In the relaxation, a fact that was true once stays true. What is unreachable there is unreachable in the problem
    (Bonet and Geffner, AIJ 2001).

    Raises:
        SpentError: The fixpoint takes more than `effort`.
    """
    have, pending = sketch.start, list(sketch.deeds)
    while True:
        effort.spend(len(pending))
        before, later = have, []
        for deed in pending:
            if deed.needs & ~have:
                later.append(deed)
            else:
                have |= deed.adds
        if have == before:
            return have
        pending = later


def chain(sketch: Sketch, have: int, literal: Literal) -> list[Literal]:
    """Follow what an unreached `literal` is missing, and what that is missing in turn, to a fact that no action makes.

    If there are several ways, the one with the fewest miracles is followed. A fact that no action makes has a fixed
    price. An action costs one more than the sum of its preconditions (the additive heuristic of Bonet and Geffner, AIJ
    2001). A fact that depends on itself has no price. It is followed as long as it leads to a new fact; the chain ends
    where the cycle closes.
    """
    ways: dict[int, set[int]] = defaultdict(set)
    for deed in sketch.deeds:
        if lack := deed.needs & ~have:
            for made in bits(deed.adds & ~have):
                ways[made].add(lack)
    prices = _prices(ways)
    links = [sketch.number(literal)]
    while ways[links[-1]]:
        names = {arg for link in (links[0], links[-1]) for arg in sketch.facts[link].atom.args}
        rank = {fact: _rank(sketch.facts[fact], names) for lack in ways[links[-1]] for fact in bits(lack)}
        lacks = (sorted(bits(lack), key=lambda fact: (prices[fact], rank[fact])) for lack in ways[links[-1]])
        best = min(
            lacks, key=lambda lack: (sum(prices[fact] for fact in lack), len(lack), [rank[fact] for fact in lack])
        )
        # On a cycle, go back to where it began; if the cycle contains the question itself, stop.
        if best[0] in links[1:]:
            del links[links.index(best[0]) + 1 :]
        if best[0] in links:
            break
        links.append(best[0])
    return [sketch.facts[link] for link in links]


def _rank(literal: Literal, names: set[str]) -> tuple[int, int, Literal]:
    """Return the order of equally cheap literals: few objects first, then those that share names with the question."""
    return len(set(literal.atom.args)), -len(names.intersection(literal.atom.args)), literal


def _prices(ways: dict[int, set[int]]) -> dict[int, float]:
    prices: dict[int, float] = defaultdict(lambda: MIRACLE)
    prices.update(dict.fromkeys(ways, math.inf))
    listed = {made: [tuple(bits(lack)) for lack in lacks] for made, lacks in ways.items()}
    changed = True
    while changed:
        changed = False
        for made, lacks in listed.items():
            price = 1 + min(sum(prices[fact] for fact in lack) for lack in lacks)
            changed = changed or price < prices[made]
            prices[made] = price
    return prices


MOST_FACTS = 1500  # with more facts, pairs are not computed (they would take a second or more)
MOST_SETS = 300  # the number of sets that are regressed before the search gives up
CHEAPER = 8  # regressing through this many actions costs as much as entering the pairs of one action


@dataclass(frozen=True, slots=True)
class FactMutexes:
    """For each fact of a sketch, the facts that may hold together with it; others are reachable only one by one.

    Pairs are found by the fixpoint of reachable pairs (*h²* of Haslum and Geffner, AIPS 2000): a pair that it never
    reaches holds in no reachable state. Larger sets are found by regression. A set of facts is impossible if it
    does not hold at the start, and each action that could complete it requires something that is also impossible.
    This is regression pruned with pairs, similar to Alcázar and Torralba (ICAPS 2015), within a bound.
    """

    sketch: Sketch
    mates: Sequence[int]
    effort: Effort

    def excluded(self, facts: int) -> tuple[int, int] | None:
        """Return a pair of `facts` (or one fact twice) that cannot hold together; None when each pair can."""
        for fact in bits(facts):
            if clash := facts & ~self.mates[fact]:
                return fact, fact if clash >> fact & 1 else next(bits(clash))
        return None

    def impossible(self, facts: int) -> bool:
        """Return whether regression proves that `facts` never hold together; False also when the bound is reached.

        Raises:
            SpentError: The proof takes more than the effort that is left.
        """
        if self.excluded(facts):
            return True
        seen, queue = [facts], deque([facts])
        while queue:
            wanted = queue.popleft()
            if not wanted & ~self.sketch.start or len(seen) > MOST_SETS:
                return False
            for before in self._regressed(wanted):
                # A superset of a set that was seen is skipped: the smaller set is at least as easy to reach.
                if not any(smaller & before == smaller for smaller in seen):
                    seen.append(before)
                    queue.append(before)
        return True

    def _regressed(self, wanted: int) -> Iterable[int]:
        self.effort.spend(len(self.sketch.deeds) // CHEAPER)
        for deed in self.sketch.deeds:
            if deed.adds & wanted and not deed.loses & wanted:
                before = wanted & ~deed.adds | deed.needs
                if not self.excluded(before):
                    yield before


def exclusions(sketch: Sketch, have: int, effort: Effort) -> FactMutexes | None:
    """Compute the fixpoint over the facts that the relaxation reaches; return None when there are too many facts.

    Raises:
        SpentError: The fixpoint takes more than `effort`.
    """
    if have.bit_count() > MOST_FACTS:
        return None
    mates = [0] * len(sketch.facts)
    for fact in bits(sketch.start):
        mates[fact] = sketch.start
    deeds = [deed for deed in sketch.deeds if not deed.needs & ~have]
    single, changed, fresh = sketch.start, (1 << len(sketch.facts)) - 1, True
    while changed:
        effort.spend(len(deeds))
        before, changed = changed, 0
        for deed in deeds:
            if fresh or deed.needs & (before | changed) or not deed.needs:
                changed |= _apply(deed, mates, single)
        single |= changed
        fresh = False
    return FactMutexes(sketch, mates, effort)


def _apply(deed: RelaxedAction, mates: list[int], single: int) -> int:
    """Enter the pairs that `deed` makes; return the facts that got new mates."""
    # A fact stays beside the effects if it may hold together with every precondition, and is not deleted.
    common = single | deed.needs if not deed.pre else -1
    for fact in deed.pre:
        common &= mates[fact]
    if deed.needs & ~common:
        return 0
    after, changed = common & ~deed.loses | deed.adds, 0
    for made in deed.made:
        if new := after & ~mates[made]:
            mates[made] |= new
            changed |= new | 1 << made
            for mate in bits(new):
                mates[mate] |= 1 << made
    return changed
