"""`Derivation`: derives facts from definitions by joining the facts that hold, without grounding the definitions.

Grounding ``(exists (?c) (and (in ?o ?c) (reachable ?c)))`` makes a rule for each pair of objects; joining looks only at
the pairs of which ``in`` holds. The evaluation is semi-naive, layer by layer (Abiteboul, Hull and Vianu, Foundations of
Databases, section 13.1): a new fact is joined with the others once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count, product

from domains.declarations import DerivedPredicate
from semantics.logic.atoms import And, Atom, Equal, Exists, ForAll, Formula, Not, Or, Variable
from semantics.logic.vocabulary import Thing

MOST = 64  # the largest number of conjunctions of a definition; one with more is grounded

Values = tuple[str, ...]
Binding = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Case:
    """A conjunction of a definition that is being read: what it asks, and the affordances of its variables."""

    positive: tuple[Atom, ...] = ()
    negative: tuple[Atom, ...] = ()
    equal: tuple[tuple[str, str, bool], ...] = ()
    variables: tuple[tuple[str, str], ...] = ()

    def joined(self, other: _Case) -> _Case:
        return _Case(
            self.positive + other.positive,
            self.negative + other.negative,
            self.equal + other.equal,
            self.variables + other.variables,
        )


@dataclass(frozen=True, slots=True)
class _Rule:
    head: Atom
    case: _Case


class _UnsupportedError(Exception):
    """A definition that is grounded instead."""


class _Facts:
    """Facts by predicate, and by an argument at a place."""

    def __init__(self) -> None:
        self._all: dict[str, list[Values]] = defaultdict(list)
        self._by: dict[tuple[str, int], dict[str, list[Values]]] = {}

    def add(self, atom: Atom) -> None:
        self._all[atom.predicate].append(atom.args)
        for place, value in enumerate(atom.args):
            index = self._by.get((atom.predicate, place))
            if index is not None:
                index.setdefault(value, []).append(atom.args)

    def candidates(self, template: Atom, bound: Binding) -> list[Values]:
        """Return the arguments of the facts that may match; the list must not be changed."""
        found = self._all[template.predicate]
        for place, word in enumerate(template.args):
            value = bound.get(word) if word.startswith("?") else word
            if value is not None:
                some = self._index(template.predicate, place).get(value, [])
                found = some if len(some) < len(found) else found
        return found

    def _index(self, predicate: str, place: int) -> dict[str, list[Values]]:
        index = self._by.get((predicate, place))
        if index is None:
            index = self._by[predicate, place] = {}
            for values in self._all[predicate]:
                if place < len(values):
                    index.setdefault(values[place], []).append(values)
        return index


class Derivation:
    """The definitions of derived predicates over some things."""

    def __init__(self, layers: Iterable[Iterable[_Rule]], things: Mapping[str, Thing]) -> None:
        """Take the rules in layers: those of a layer deny only what earlier layers derive."""
        self._layers = [tuple(rules) for rules in layers]
        self._read = {atom.predicate for rules in self._layers for rule in rules for atom in rule.case.positive}
        self._things = things
        self._members: dict[str, list[str]] = {}

    def close(self, atoms: set[Atom]) -> None:
        """Add to `atoms`, which has no derived ones, all that follow."""
        facts = _Facts()
        for atom in atoms:
            if atom.predicate in self._read:
                facts.add(atom)
        for rules in self._layers:
            self._close(rules, atoms, facts)

    def _close(self, rules: tuple[_Rule, ...], atoms: set[Atom], facts: _Facts) -> None:
        after: dict[str, list[tuple[_Rule, int]]] = defaultdict(list)
        for rule in rules:
            for place, atom in enumerate(rule.case.positive):
                after[atom.predicate].append((rule, place))
        agenda = [atom for rule in rules for atom in self._derived(rule, {}, rule.case.positive, atoms, facts)]
        while agenda:
            atom = agenda.pop()
            for rule, place in after.get(atom.predicate, ()):
                asked = rule.case.positive
                bound = self._unified(asked[place], atom.args, {}, rule)
                if bound is not None:
                    agenda += self._derived(rule, bound, asked[:place] + asked[place + 1 :], atoms, facts)

    def _derived(
        self, rule: _Rule, bound: dict[str, str], rest: tuple[Atom, ...], atoms: set[Atom], facts: _Facts
    ) -> set[Atom]:
        """Add what the rule derives with the variables `bound` and the facts that match `rest`; return what is new."""
        new = {rule.head.replaced(whole) for whole in self._join(rule, bound, rest, atoms, facts)} - atoms
        atoms |= new
        for atom in new:
            facts.add(atom)
        return new

    def _join(
        self, rule: _Rule, bound: dict[str, str], rest: tuple[Atom, ...], atoms: set[Atom], facts: _Facts
    ) -> Iterator[dict[str, str]]:
        """Yield the bindings of all variables with which the rule holds."""
        if not rest:
            yield from self._completed(rule, bound, atoms)
            return
        found = [facts.candidates(atom, bound) for atom in rest]
        best = min(range(len(rest)), key=lambda number: len(found[number]))
        others = rest[:best] + rest[best + 1 :]
        for values in tuple(found[best]):  # a copy, since facts are added meanwhile
            more = self._unified(rest[best], values, bound, rule)
            if more is not None:
                yield from self._join(rule, more, others, atoms, facts)

    def _unified(self, template: Atom, values: Values, bound: Binding, rule: _Rule) -> dict[str, str] | None:
        """Return `bound` with the variables of `template` bound to `values`, or None if they do not fit."""
        if len(values) != len(template.args):
            return None
        more = dict(bound)
        kinds = dict(rule.case.variables)
        for word, value in zip(template.args, values, strict=True):
            if not word.startswith("?"):
                if word != value:
                    return None
            elif word not in more:
                if not self._is(value, kinds[word]):
                    return None
                more[word] = value
            elif more[word] != value:
                return None
        return more

    def _completed(self, rule: _Rule, bound: dict[str, str], atoms: set[Atom]) -> Iterator[dict[str, str]]:
        """Bind the variables that no positive fact binds, and test the rest of the rule."""
        case = rule.case
        free = [(word, kind) for word, kind in case.variables if word not in bound]
        for names in product(*(self._of(kind) for _, kind in free)):
            whole = {**bound, **{word: name for (word, _), name in zip(free, names, strict=True)}} if free else bound
            if all((whole.get(a, a) == whole.get(b, b)) == same for a, b, same in case.equal) and not any(
                atom.replaced(whole) in atoms for atom in case.negative
            ):
                yield whole

    def _is(self, name: str, kind: str) -> bool:
        thing = self._things.get(name)
        return thing is not None and (kind == "object" or kind in thing.affordances)

    def _of(self, kind: str) -> list[str]:
        if kind not in self._members:
            self._members[kind] = [name for name in self._things if self._is(name, kind)]
        return self._members[kind]


def derivation(
    derived: Mapping[str, DerivedPredicate], layer_of: Mapping[str, int], things: Mapping[str, Thing]
) -> Derivation | None:
    """Return what derives facts without grounding; None where a definition compares numbers or has a universal part."""
    numbers = count()
    layers: dict[int, list[_Rule]] = defaultdict(list)
    try:
        for name, definition in derived.items():
            renaming = {f"?{variable.name}": f"?{variable.name}" for variable in definition.variables}
            head = Atom(name, tuple(renaming))
            own = _Case(variables=_kinds(definition.variables, renaming))
            for body in definition.bodies:
                for case in _cases(body, renaming, numbers):
                    layers[layer_of[name]].append(_Rule(head, own.joined(case)))
    except _UnsupportedError:
        return None
    return Derivation([layers[number] for number in sorted(layers)], things)


def _kinds(variables: Iterable[Variable], renaming: Binding) -> tuple[tuple[str, str], ...]:
    return tuple((renaming[f"?{variable.name}"], variable.affordance) for variable in variables)


def _cases(formula: Formula, names: Binding, numbers: Iterator[int], positive: bool = True) -> list[_Case]:
    """Return the conjunctions of which one must hold; variables of quantifiers get names of their own."""
    match formula:
        case Atom():
            atom = formula.replaced(names)
            return [_Case(positive=(atom,)) if positive else _Case(negative=(atom,))]
        case Equal(first, second):
            return [_Case(equal=((names.get(first, first), names.get(second, second), positive),))]
        case Not(part):
            return _cases(part, names, numbers, not positive)
        case And(parts) | Or(parts):
            found = [_cases(part, names, numbers, positive) for part in parts]
            if isinstance(formula, And) != positive:
                return _few([case for cases in found for case in cases])
            joined = [_Case()]
            for cases in found:
                joined = _few([one.joined(other) for one in joined for other in cases])
            return joined
        case Exists(variables, part) | ForAll(variables, part) if isinstance(formula, Exists) == positive:
            own = {f"?{variable.name}": f"?{variable.name} {next(numbers)}" for variable in variables}
            kinds = _Case(variables=_kinds(variables, own))
            return [kinds.joined(case) for case in _cases(part, {**names, **own}, numbers, positive)]
    raise _UnsupportedError


def _few(cases: list[_Case]) -> list[_Case]:
    if len(cases) > MOST:
        raise _UnsupportedError
    return cases
