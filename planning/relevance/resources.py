"""Resources: atoms that are asked for with one sign only, and what uses them up.

A free hand and a free top are resources. An action on things that do not matter changes them, and may be dropped from
a plan when nobody misses it: because the sign that is asked for is never made by such actions; because it always
holds; or because it is balanced by *tokens*: it holds exactly when none of its tokens does, and otherwise exactly one
does (an occupied hand: one thing in it). This is verified on each operator and on the start, in the manner of Fast
Downward's invariants of weight one (Helmert, AIJ 2009, section 5).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from semantics.atoms import Atom, Conjunct, Literal
from semantics.state import Operator, State

__all__ = ["Resources"]


class Resources:
    """Answers whether changes of an atom may be dropped."""

    def __init__(self, operators: Sequence[Operator], state: State, conjunct: Conjunct) -> None:
        """Take all operators, the start and the goal."""
        self._operators = operators
        self._state = state
        self._wanted = {literal for one in operators for literal in one.precondition} | conjunct
        self._found: dict[Atom, frozenset[Atom]] = {}

    def may_drop(self, atom: Atom, dropped: Collection[Operator]) -> bool:
        """Return whether nobody misses the changes of `atom` by the `dropped` operators."""
        asked = self._asked(atom)
        if len(asked) != 1:
            return not asked
        made = any(_makes(one, asked[0]) for one in dropped)
        return not made or self._lasting(asked[0]) or bool(self.tokens(atom))

    def _asked(self, atom: Atom) -> list[Literal]:
        return [literal for literal in (Literal(atom), Literal(atom, False)) if literal in self._wanted]

    def _lasting(self, literal: Literal) -> bool:
        opposite = literal.negated()
        return self._state.holds(literal) and not any(_makes(one, opposite) for one in self._operators)

    def tokens(self, atom: Atom) -> frozenset[Atom]:
        """Return the tokens of a resource; empty when it has none."""
        if atom not in self._found:
            asked = self._asked(atom)
            self._found[atom] = self._tokens(asked[0]) if len(asked) == 1 else frozenset()
        return self._found[atom]

    def _tokens(self, literal: Literal) -> frozenset[Atom]:
        taking = [one for one in self._operators if _makes(one, literal.negated())]
        giving = [one for one in self._operators if _makes(one, literal)]
        used = {atom for one in taking for atom in one.added} & {atom for one in giving for atom in one.deleted}
        groups: dict[str, set[Atom]] = defaultdict(set)
        for atom in used:
            groups[atom.predicate].add(atom)
        return next((frozenset(group) for group in groups.values() if self._fits(literal, group)), frozenset())

    def _fits(self, literal: Literal, tokens: set[Atom]) -> bool:
        balance = len(tokens & self._state.atoms) + self._state.holds(literal)
        return balance == 1 and all(_balanced(one, literal, tokens) for one in self._operators)


def _makes(operator: Operator, literal: Literal) -> bool:
    return literal.atom in (operator.added if literal.positive else operator.deleted)


def _balanced(operator: Operator, literal: Literal, tokens: set[Atom]) -> bool:
    """Return whether `operator` leaves the literal and its tokens at a sum of one."""
    gained, lost = operator.added & tokens, operator.deleted & tokens
    if _makes(operator, literal):
        return not gained and len(lost) == 1 and all(Literal(atom) in operator.precondition for atom in lost)
    if _makes(operator, literal.negated()):
        return not lost and len(gained) == 1 and literal in operator.precondition
    return not gained and not lost
