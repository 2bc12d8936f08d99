"""Which facts exclude each other: a resource and its tokens, of which exactly one holds in every state.

A free hand and what it could hold are such: the hand is free, or holds one thing. Each set is verified on each step, in
the manner of Fast Downward's invariants of weight one (Helmert, AIJ 2009, section 5), and at the start.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from planning.adl.task import AdlAction, AdlTask
from semantics.atoms import Atom, Literal

__all__ = ["Balances", "LiteralInvariant"]

Key = tuple[str, int, str]
"""A predicate, a place among its arguments, and what stands there; or -1 and nothing, for all facts of it."""
MOST = 4
"""How many families are put together at most."""


@dataclass(frozen=True, slots=True)
class LiteralInvariant:
    """In every state either `literal` holds and none of `tokens`, or it does not, and one of them does."""

    literal: Literal
    tokens: frozenset[Atom]


class Balances:
    """Finds the balances of a task, each once."""

    def __init__(self, task: AdlTask) -> None:
        """Take a task; what is derived is no token, as no step makes it."""
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
        """Return the balance in which `literal` is the resource, None when none is known."""
        if literal not in self._found:
            self._found[literal] = next(self._search(literal), None)
        return self._found[literal]

    def every(self) -> Iterator[LiteralInvariant]:
        """Yield the balances of all facts about at most one thing."""
        for atom in sorted(self._touching):
            if len(atom.args) <= 1:
                for literal in (Literal(atom), Literal(atom, False)):
                    if balance := self.of(literal):
                        yield balance

    def exclusive(self) -> Iterator[frozenset[Atom]]:
        """Yield sets of facts of which at most one holds at a time: where a thing is, or what a hand holds."""
        for key in sorted(self._families):
            if key[1] >= 0 and len(self._families[key]) > 1:
                atoms = self._grown(key)
                if atoms:
                    yield atoms

    def _grown(self, key: Key) -> frozenset[Atom] | None:
        """Return the facts of a family with those that have to end before one of them begins."""
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
            if held == 1 and all(_balanced(step, literal, tokens) for step in self._of((literal.atom, *tokens))):
                yield LiteralInvariant(literal, frozenset(tokens))

    def _gained(self, against: Literal, name: str) -> Iterable[Key]:
        """Return the families, about `name` if there is one, of what a step makes that uses the resource up."""
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
    """Return what `step` makes in any case."""
    always = {literal for effect in step.effects if not effect.condition for literal in effect.made}
    return {literal for literal in always if literal.positive or literal.negated() not in always}


def _balanced(step: AdlAction, literal: Literal, tokens: set[Atom]) -> bool:
    """Return whether `step` leaves one of the literal and its tokens true, if one was."""
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
    """Return whether at most one of the tokens holds after `step`, if at most one did."""
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
