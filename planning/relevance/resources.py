"""Resources: atoms that are required with one sign only, and what uses them up.

A free hand and a free surface are resources. An action on irrelevant objects changes them. It can be dropped from a
plan if its changes are not missed. There are two cases. Either such actions never make the sign that is required. Or
the resource is balanced by *tokens*: it holds exactly when none of its tokens holds, and otherwise exactly one token
holds (an occupied hand holds one object). This is verified on each operator, as Fast Downward verifies invariants of
weight one (Helmert, AIJ 2009, section 5). The caller verifies that it holds at the start.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from semantics.logic.atoms import Atom, Literal
from semantics.logic.state import Operator


class ResourceInvariant(NamedTuple):
    """If the literal on `predicate` holds, no fact of `token` is about its argument; otherwise exactly one is.

    Attributes:
        predicate: The predicate of the resource; it has one argument.
        positive: The sign that is required.
        token: The predicate of the tokens.
        place: The index of the token's argument that is the resource's argument.
    """

    predicate: str
    positive: bool
    token: str
    place: int


class Resources:
    """Answers whether changes of an atom may be dropped."""

    def __init__(self, operators: Sequence[Operator]) -> None:
        """Index all operators."""
        self._about: dict[str, list[Operator]] = defaultdict(list)
        for operator in operators:
            for name in {arg for atom in operator.added | operator.deleted for arg in atom.args}:
                self._about[name].append(operator)
        self._wanted = {literal for operator in operators for literal in operator.precondition}
        self._found: dict[Atom, tuple[ResourceInvariant, frozenset[Atom]] | None] = {}
        self._used: set[tuple[ResourceInvariant, str]] = set()

    def balances(self) -> frozenset[tuple[ResourceInvariant, str]]:
        """Return the balances that answers relied on, each with the object that has the resource."""
        return frozenset(self._used)

    def may_drop(self, atom: Atom, made: Collection[Literal], touched: Collection[Atom]) -> bool:
        """Return whether the changes of `atom` by operators that make `made`, literals on `touched`, are not missed."""
        asked = self._asked(atom)
        if len(asked) != 1:
            return not asked
        if asked[0] not in made:
            return True
        balance = self._balance(asked[0])
        if balance is None or not balance[1].isdisjoint(touched):
            return False
        self._used.add((balance[0], atom.args[0]))
        return True

    def causes(self, missed: Collection[Atom]) -> Collection[Atom]:
        """Return those of some missed atoms without a balance; if all have one, all of them.

        A balance that fails because its tokens change is mended when those tokens, which are missed too, are kept.
        """
        return [atom for atom in missed if not any(map(self._balance, self._asked(atom)))] or missed

    def _asked(self, atom: Atom) -> list[Literal]:
        return [literal for literal in (Literal(atom), Literal(atom, False)) if literal in self._wanted]

    def _balance(self, literal: Literal) -> tuple[ResourceInvariant, frozenset[Atom]] | None:
        if literal.atom not in self._found:
            self._found[literal.atom] = self._search(literal)
        return self._found[literal.atom]

    def _search(self, literal: Literal) -> tuple[ResourceInvariant, frozenset[Atom]] | None:
        if len(literal.atom.args) != 1:
            return None
        (name,) = literal.atom.args
        operators = self._about[name]  # other operators change neither the literal nor its tokens
        groups: dict[tuple[str, int], set[Atom]] = defaultdict(set)
        for operator in operators:
            for atom in operator.added | operator.deleted:
                for place, arg in enumerate(atom.args):
                    if arg == name and atom.predicate != literal.atom.predicate:
                        groups[atom.predicate, place].add(atom)
        for (token, place), atoms in sorted(groups.items()):
            if all(_balanced(operator, literal, atoms) for operator in operators):
                return ResourceInvariant(literal.atom.predicate, literal.positive, token, place), frozenset(atoms)
        return None


def _makes(operator: Operator, literal: Literal) -> bool:
    return literal.atom in (operator.added if literal.positive else operator.deleted)


def _balanced(operator: Operator, literal: Literal, tokens: set[Atom]) -> bool:
    """Return whether `operator` keeps the sum of the literal and its tokens at one."""
    gained, lost = operator.added & tokens, operator.deleted & tokens
    if _makes(operator, literal):
        return not gained and len(lost) == 1 and all(Literal(atom) in operator.precondition for atom in lost)
    if _makes(operator, literal.negated()):
        return not lost and len(gained) == 1 and literal in operator.precondition
    return not gained and not lost
