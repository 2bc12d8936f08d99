"""Conditions as alternatives: the conjunctions of literals that make a ground formula true.

Literals that never change are left out. A derived atom is replaced by its definition if that is not recursive and stays
small. Other derived atoms remain literals, and their rules are written for the search as axioms. A part of a condition
with too many alternatives becomes a derived atom of its own, an *auxiliary*, as in Fast Downward (Helmert, AIJ 2009,
section 4).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from planning.adl.reachability import Reached
from semantics.logic.atoms import And, Atom, Compare, Conjunct, Formula, Literal, Not, Or, numbers_in
from semantics.logic.conditions import is_true
from semantics.logic.state import Axioms

MOST = 256  # the largest number of alternatives of a condition without auxiliaries
AUXILIARY = "auxiliary "  # Prefix for the predicate of an auxiliary. No predicate contains a space.
SMALL = 12  # a derived atom is replaced by its definition if it has at most this many alternatives of either sign
DEEPEST = 20  # definitions are put into definitions so often at most; Python does not nest calls without end
WIDEST = 4  # a definition is given up once it has this many times as many alternatives on the way

Choices = tuple[Conjunct, ...]
ALWAYS: Choices = (frozenset(),)
NEVER: Choices = ()


class Alternatives:
    """Turns formulas into alternatives.

    Attributes:
        guessed: Whether a formula asked for a number that is not planned with; it was assumed to have the right value.
    """

    def __init__(
        self, reached: Reached, axioms: Axioms | None, changing: Collection[str], most: int | None = None
    ) -> None:
        """Store the reachable actions, the derived predicates, and the names of the numbers that change.

        A condition has at most `most` alternatives, by default `MOST`.
        """
        self.guessed = False
        self._most = MOST if most is None else most
        self._auxiliaries: dict[Choices, Atom] = {}
        self._defined: dict[Atom, Choices] = {}
        self._inlining = 0
        self._shared: dict[int, tuple[Formula, Choices, bool]] = {}  # keeps the formulas, so that ids stay unique
        self._reached = reached
        self._changing = changing
        self._bodies: dict[Atom, list[Formula]] = {}
        for head, body in (rule for layer in (axioms.strata if axioms else ()) for rule in layer):
            self._bodies.setdefault(head, []).append(body)
        self._inlined: dict[Atom, tuple[Choices, Choices] | None] = {}
        self._working: set[Atom] = set()

    def together(self, literals: Iterable[Literal], formula: Formula | None = None) -> Choices:
        """Return the alternatives in which all `literals` and the `formula` hold."""
        parts = [self._atom(atom, positive) for atom, positive in sorted(literals)]
        return self._all([*parts, self.shared(formula)] if formula is not None else parts)

    def shared(self, formula: Formula) -> Choices:
        """Return the alternatives of a formula that several actions share; they are computed once."""
        if id(formula) not in self._shared:
            before, self.guessed = self.guessed, False
            self._shared[id(formula)] = formula, self.of(formula), self.guessed
            self.guessed = before
        _, choices, guessed = self._shared[id(formula)]
        self.guessed = self.guessed or guessed
        return choices

    def of(self, formula: Formula, positive: bool = True) -> Choices:
        """Return the alternatives that make `formula` true, or false if not `positive`."""
        match formula:
            case Atom():
                return self._atom(formula, positive)
            case Not(part):
                return self.of(part, not positive)
            case And(parts):
                return (self._all if positive else self._any)([self.of(part, positive) for part in parts])
            case Or(parts):
                return (self._any if positive else self._all)([self.of(part, positive) for part in parts])
            case Compare():
                return ALWAYS if self._compares(formula, positive) else NEVER
        raise AssertionError(formula)

    def _compares(self, comparison: Compare, positive: bool) -> bool:
        if any(fluent.predicate in self._changing for fluent in numbers_in(comparison)):
            self.guessed = True
            return True
        return is_true(comparison, (), self._reached.start.numbers) == positive

    def _atom(self, atom: Atom, positive: bool) -> Choices:
        verdict = self._reached.verdict(atom)
        if verdict is not None:
            return ALWAYS if verdict == positive else NEVER
        if atom.predicate in self._reached.derived:
            replaced = self._replaced(atom)
            if replaced is not None:
                return replaced[0] if positive else replaced[1]
        return (frozenset({Literal(atom, positive)}),)

    def _replaced(self, atom: Atom) -> tuple[Choices, Choices] | None:
        if atom in self._working:  # it depends on itself
            self._inlined[atom] = None
        if atom not in self._inlined:
            self._working.add(atom)
            definition = self._definition(atom)
            self._working.discard(atom)
            self._inlined.setdefault(atom, definition)
        return self._inlined[atom]

    def _definition(self, atom: Atom) -> tuple[Choices, Choices] | None:
        if self._inlining >= DEEPEST:
            return None
        body = Or(tuple(self._bodies.get(atom, ())))
        self._inlining += 1
        try:
            choices = self.of(body), self.of(body, False)
        except _TooManyAlternativesError:
            return None
        finally:
            self._inlining -= 1
        return choices if max(map(len, choices)) <= SMALL else None

    def rules(self, atoms: Iterable[Atom]) -> Mapping[Atom, Choices]:
        """Return the rules of the derived atoms that remain in conditions, and of the derived atoms in their bodies."""
        rules: dict[Atom, Choices] = {}
        agenda = [atom for atom in atoms if self._is_derived(atom)]
        while agenda:
            atom = agenda.pop()
            if atom not in rules:
                rules[atom] = self.bodies(atom)
                named = (literal.atom for conjunct in rules[atom] for literal in conjunct)
                agenda += [other for other in named if self._is_derived(other)]
        return rules

    def bodies(self, atom: Atom) -> Choices:
        """Return the alternatives from which an atom is derived; none if it is no derived atom."""
        if atom not in self._defined:
            self._defined[atom] = self._rule(atom) if self._is_derived(atom) else NEVER
        return self._defined[atom]

    def _rule(self, atom: Atom) -> Choices:
        parts = (part for body in self._bodies[atom] for part in (body.parts if isinstance(body, Or) else (body,)))
        return _minimal(conjunct for part in parts for conjunct in self.of(part))

    def _is_derived(self, atom: Atom) -> bool:
        return atom.predicate in self._reached.derived or atom.predicate.startswith(AUXILIARY)

    def _any(self, parts: Iterable[Choices]) -> Choices:
        choices = _minimal(conjunct for choices in parts for conjunct in choices)
        return choices if len(choices) <= self._limit else self._auxiliary(choices)

    def _all(self, parts: list[Choices]) -> Choices:
        sure = frozenset[Literal]().union(*(choices[0] for choices in parts if len(choices) == 1))
        if not all(parts) or _contradict(sure, sure):
            return NEVER
        combined: Choices = (sure,)
        for choices in sorted((choices for choices in parts if len(choices) > 1), key=len):
            fits = len(combined) * len(choices) <= self._limit
            options = choices if fits else self._auxiliary(choices)
            combined = _minimal(left | right for left in combined for right in options if not _contradict(left, right))
        return combined

    @property
    def _limit(self) -> int:
        return min(self._most, WIDEST * SMALL) if self._inlining else self._most

    def _auxiliary(self, choices: Choices) -> Choices:
        """Return an atom that holds where one of `choices` does, as the only alternative."""
        if self._inlining:
            raise _TooManyAlternativesError
        atom = self._auxiliaries.get(choices)
        if atom is None:
            atom = self._auxiliaries[choices] = Atom(f"{AUXILIARY}{len(self._auxiliaries)}")
            self._defined[atom] = choices
        return (frozenset({Literal(atom)}),)


class _TooManyAlternativesError(Exception):
    """A definition is too large to be written in the place of its atom."""


def _contradict(left: Conjunct, right: Conjunct) -> bool:
    return any(literal.negated() in right for literal in left)


def _minimal(conjuncts: Iterable[Conjunct]) -> Choices:
    """Drop each alternative that contains a smaller one."""
    candidates = sorted(dict.fromkeys(conjuncts), key=len)
    minimal: list[Conjunct] = []
    shorter, length = 0, 0  # conjuncts of equal length do not contain each other
    for candidate in candidates:
        if len(candidate) > length:
            shorter, length = len(minimal), len(candidate)
        if not any(smaller <= candidate for smaller in minimal[:shorter]):
            minimal.append(candidate)
    return tuple(minimal)
