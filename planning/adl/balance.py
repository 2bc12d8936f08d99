"""Finds facts that exclude each other: a resource and its tokens, of which exactly one holds in every state.

For example, a hand is either free or holds one object. Each set is verified on every step and at the start, as Fast
Downward verifies invariants of weight one (Helmert, AIJ 2009, section 5).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from planning.adl.task import AdlAction, AdlTask
from semantics.logic.atoms import Atom, Literal

Key = tuple[str, int, str]
"""A predicate, the index of an argument, and the name there; or the index -1 and an empty name for all its facts."""
MOST = 4  # the largest number of families that are joined


@dataclass(frozen=True, slots=True)
class LiteralInvariant:
    """In every state, either `literal` holds and no token does, or `literal` is false and exactly one token holds."""

    literal: Literal
    tokens: frozenset[Atom]


class Balances:
    """Finds the balances of a task and caches them."""

    def __init__(self, task: AdlTask) -> None:
        """Index the steps of `task` by the atoms they change. Derived atoms are not tokens, as no step makes them."""
        self._start = task.start
        self._touching: dict[Atom, list[AdlAction]] = defaultdict(list)
        for step in task.steps:
            for atom in {literal.atom for effect in step.effects for literal in effect.made}:
                self._touching[atom].append(step)
        self._families: dict[Key, set[Atom]] = defaultdict(set)
        for atom in (*self._touching, *task.start):
            for key in _keys(atom):
                self._families[key].add(atom)
        self._found: dict[Literal, LiteralInvariant | None] = {}

    def of(self, literal: Literal) -> LiteralInvariant | None:
        """Return the balance whose resource is `literal`; None when none is found."""
        if literal not in self._found:
            self._found[literal] = next(self._search(literal), None)
        return self._found[literal]

    def every(self) -> Iterator[LiteralInvariant]:
        """Yield the balances of all facts with at most one argument."""
        for atom in sorted(self._touching):
            if len(atom.args) <= 1:
                for literal in (Literal(atom), Literal(atom, False)):
                    if balance := self.of(literal):
                        yield balance

    def exclusive(self) -> Iterator[frozenset[Atom]]:
        """Yield sets of facts of which at most one holds at a time, such as where an object is or what a hand holds."""
        for key in sorted(self._families):
            if key[1] >= 0 and len(self._families[key]) > 1:
                atoms = self._grown(key)
                if atoms:
                    yield atoms

    def _grown(self, key: Key) -> frozenset[Atom] | None:
        """Return the facts of a family, joined with the facts that must end before one of them begins."""
        keys = {key}
        while len(keys) <= MOST:
            tokens = {atom for member in keys for atom in self._families[member]}
            step = next((action for action in self._of(tokens) if not _one_at_most(action, tokens)), None)
            if step is None:
                return frozenset(tokens) if len(tokens & self._start) <= 1 else None
            ended = (
                literal.atom for literal in _made(step) if not literal.positive and literal.negated() in step.asked
            )
            new = {
                candidate for atom in ended for candidate in _keys(atom) if candidate[2] == key[2] and candidate[1] >= 0
            } - keys
            if not new:
                return None
            keys |= new
        return None

    def _of(self, atoms: Iterable[Atom]) -> Iterator[AdlAction]:
        for atom in atoms:
            yield from self._touching[atom]

    def _search(self, literal: Literal) -> Iterator[LiteralInvariant]:
        if len(literal.atom.args) > 1:
            return
        against = literal.negated()
        name = literal.atom.args[0] if literal.atom.args else ""
        for key in sorted(self._gained(against, name)):
            tokens = self._families[key] - {literal.atom}
            held = len(tokens & self._start) + ((literal.atom in self._start) == literal.positive)
            # Exactly one at the start, and no step changes the sum: then exactly one in every reachable state.
            if held == 1 and all(_balanced(step, literal, tokens) for step in self._of((literal.atom, *tokens))):
                yield LiteralInvariant(literal, frozenset(tokens))

    def _gained(self, against: Literal, name: str) -> Iterable[Key]:
        """Return the families of the facts about `name` that a step makes when it uses up the resource."""
        for step in self._touching[against.atom]:
            made = _made(step)
            if against in made:
                return {key for literal in made if literal.positive for key in _keys(literal.atom) if key[2] == name}
        return ()


def _keys(atom: Atom) -> Iterator[Key]:
    yield atom.predicate, -1, ""
    for place, arg in enumerate(atom.args):
        yield atom.predicate, place, arg


def _made(step: AdlAction) -> set[Literal]:
    """Return what `step` makes unconditionally."""
    always = {literal for effect in step.effects if not effect.condition for literal in effect.made}
    return {literal for literal in always if literal.positive or literal.negated() not in always}


def _balanced(step: AdlAction, literal: Literal, tokens: set[Atom]) -> bool:
    """Return whether `step` keeps exactly one of the literal and its tokens true."""
    open_ones = (literal.atom for effect in step.effects if effect.condition for literal in effect.made)
    if any(atom in tokens or atom == literal.atom for atom in open_ones):
        return False
    made = _made(step)
    gained = sum(literal.positive and literal.atom in tokens for literal in made) + (literal in made)
    lost = {literal.negated() for literal in made if not literal.positive and literal.atom in tokens}
    lost |= {literal} if literal.negated() in made else set()
    if not gained and not lost:
        return True
    return gained == 1 and len(lost) == 1 and lost <= step.asked


def _one_at_most(step: AdlAction, tokens: set[Atom]) -> bool:
    """Return whether at most one token holds after `step` if at most one held before."""
    if any(
        literal.atom in tokens and literal.positive
        for effect in step.effects
        if effect.condition
        for literal in effect.made
    ):
        return False
    made = _made(step)
    gained = sum(literal.positive and literal.atom in tokens for literal in made)
    lost = any(not literal.positive and literal.atom in tokens and literal.negated() in step.asked for literal in made)
    return gained == 0 or (gained == 1 and lost)
