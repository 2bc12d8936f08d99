"""The reader of effects: literals, conditional and quantified effects, and changes of numbers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from domains.capability import ALWAYS, ConditionalEffect, Effects, NumericEffect, Template
from domains.reader.formulas.conditions import Checked, sources
from domains.reader.formulas.scope import FormulaScope
from domains.reader.nodes.fields import Field
from semantics.errors import FormulaError
from semantics.logic.atoms import Atom, Literal, Not
from semantics.logic.parsing import Group, Node as Bracket

__all__ = ["read_effects"]

CHANGES = ("increase", "decrease", "assign")
FORM = "expected literals, 'when', 'forall', 'increase', 'decrease' or 'assign', joined by 'and'"


def read_effects(field: Field, scope: FormulaScope, derived: Collection[str]) -> Effects:
    """Read an effect; `derived` are the derived predicates, which no effect may change."""
    reader = _EffectReader(frozenset(derived))
    for source, tree in sources(field, scope, is_effect=True):
        try:
            reader.read(Checked(source), tree, scope, ALWAYS)
        except FormulaError as error:
            source.unreadable(error)
    return reader.effects


class _EffectReader:
    def __init__(self, derived: frozenset[str]) -> None:
        self._derived = derived
        self.effects = Effects()

    def read(self, checked: Checked, tree: Bracket, scope: FormulaScope, within: ConditionalEffect) -> None:
        """Read one effect.

        Raises:
            FormulaError: It cannot be read.
        """
        head = tree.head if isinstance(tree, Group) else ""
        if isinstance(tree, Group) and head == "and":
            for part in tree.items[1:]:
                self.read(checked, part, scope, within)
        elif isinstance(tree, Group) and head in ("when", "forall"):
            self._read_conditional(checked, tree, scope, within)
        elif isinstance(tree, Group) and head in CHANGES:
            self._read_change(checked, tree, scope, within)
        else:
            self._read_literal(checked, tree, scope, within)

    def _read_conditional(self, checked: Checked, tree: Group, scope: FormulaScope, within: ConditionalEffect) -> None:
        _, first, rest = _two_parts(checked, tree)
        if tree.head == "when":
            # The condition is read as a positive one, so that the affordances of its arguments are checked.
            condition = checked.condition(first, scope)
            self.read(checked, rest, scope, within.under(condition))
            return
        variables = checked.variables(first, scope)
        inner = replace(within, variables=(*within.variables, *variables))
        self.read(checked, rest, scope.inside(variables), inner)

    def _read_change(self, checked: Checked, tree: Group, scope: FormulaScope, within: ConditionalEffect) -> None:
        _, fluent, amount = _two_parts(checked, tree)
        atom = checked.syntax.atom(fluent)
        checked.number(fluent, atom, scope)
        by = checked.expression(amount, scope)
        if by is not None:
            self.effects.add(replace(within, numeric=(NumericEffect(tree.head, atom, by),)))

    def _read_literal(self, checked: Checked, tree: Bracket, scope: FormulaScope, within: ConditionalEffect) -> None:
        match checked.syntax.formula(tree):
            case Atom() as atom:
                positive, place = True, tree
            case Not(Atom() as atom) if isinstance(tree, Group):
                positive, place = False, tree.items[1]
            case other:
                checked.source.add(tree, f"{checked.source.what} holds {other}; {FORM}", "not-an-effect")
                return
        checked.atom(place, Literal(atom, positive), scope)
        if atom.predicate in self._derived:
            message = f"{atom} follows from other facts by definition; expected an effect on those"
            checked.source.add(place, message, "derived-changed", atom.predicate)
        self.effects.add(replace(within, literals=(Template(atom.predicate, atom.args, positive),)))


def _two_parts(checked: Checked, tree: Group) -> tuple[Bracket, Bracket, Bracket]:
    if len(tree.items) != 3:
        raise checked.syntax.error(tree.items[0], f"'{tree.head}' takes two parts, here are {len(tree.items) - 1}")
    return tree.items[0], tree.items[1], tree.items[2]
