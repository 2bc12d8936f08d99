"""The reader of effects: literals, conditional and quantified effects, and changes of numbers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from domains.model import ConditionalEffect, NumericEffect, Template
from domains.reader.formulas.conditions import Checked, sources
from domains.reader.formulas.scope import FormulaScope
from domains.reader.nodes.diagnostics import Diagnostics
from domains.reader.nodes.document import Node
from semantics.atoms import And, Atom, Formula, Literal, Not, Variable
from semantics.errors import FormulaError
from semantics.sexpr import Group, Node as Bracket

__all__ = ["Effects", "read_effects"]

CHANGES = ("increase", "decrease", "assign")
FORM = "expected literals, 'when', 'forall', 'increase', 'decrease' or 'assign', joined by 'and'"


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of a capability, in the form of `domains.model.Capability`."""

    literals: tuple[Template, ...] = ()
    numeric: tuple[NumericEffect, ...] = ()
    conditional: tuple[ConditionalEffect, ...] = ()


@dataclass(frozen=True, slots=True)
class _EffectContext:
    """The context of an effect: quantified variables, and conditions that must have held."""

    variables: tuple[Variable, ...] = ()
    conditions: tuple[Formula, ...] = ()


@dataclass(slots=True)
class _EffectGroup:
    literals: dict[Template, None] = field(default_factory=dict)
    numeric: list[NumericEffect] = field(default_factory=list)


def read_effects(
    node: Node | None, scope: FormulaScope, derived: Collection[str], what: str, diagnostics: Diagnostics
) -> Effects:
    """Read an effect; `derived` are the derived predicates, which no effect may change."""
    reader = _EffectReader(frozenset(derived))
    for source, tree in sources(node, scope, what, diagnostics, is_effect=True):
        try:
            reader.read(Checked(source), tree, scope, _EffectContext())
        except FormulaError as error:
            source.unreadable(error)
    plain = reader.groups.pop(_EffectContext(), _EffectGroup())
    conditional = tuple(
        ConditionalEffect(tuple(group.literals), tuple(group.numeric), _joined(context.conditions), context.variables)
        for context, group in reader.groups.items()
    )
    return Effects(tuple(plain.literals), tuple(plain.numeric), conditional)


def _joined(conditions: tuple[Formula, ...]) -> Formula | None:
    if len(conditions) > 1:
        return And(conditions)
    return conditions[0] if conditions else None


class _EffectReader:
    def __init__(self, derived: frozenset[str]) -> None:
        self._derived = derived
        self.groups: dict[_EffectContext, _EffectGroup] = {}

    def read(self, checked: Checked, tree: Bracket, scope: FormulaScope, context: _EffectContext) -> None:
        """Read one effect.

        Raises:
            FormulaError: It cannot be read.
        """
        head = tree.head if isinstance(tree, Group) else ""
        if isinstance(tree, Group) and head == "and":
            for part in tree.items[1:]:
                self.read(checked, part, scope, context)
        elif isinstance(tree, Group) and head in ("when", "forall"):
            self._read_conditional(checked, tree, scope, context)
        elif isinstance(tree, Group) and head in CHANGES:
            self._read_change(checked, tree, scope, context)
        else:
            self._read_literal(checked, tree, scope, context)

    def _read_conditional(self, checked: Checked, tree: Group, scope: FormulaScope, context: _EffectContext) -> None:
        _, first, rest = _two_parts(checked, tree)
        if tree.head == "when":
            # The condition is read as a positive one, so that the affordances of its arguments are checked.
            condition = checked.condition(first, scope)
            self.read(checked, rest, scope, _EffectContext(context.variables, (*context.conditions, condition)))
            return
        variables = checked.variables(first, scope)
        inner = _EffectContext((*context.variables, *variables), context.conditions)
        self.read(checked, rest, scope.inside(variables), inner)

    def _read_change(self, checked: Checked, tree: Group, scope: FormulaScope, context: _EffectContext) -> None:
        _, fluent, amount = _two_parts(checked, tree)
        atom = checked.syntax.atom(fluent)
        checked.number(fluent, atom, scope)
        by = checked.expression(amount, scope)
        if by is not None:
            self._group(context).numeric.append(NumericEffect(tree.head, atom, by))

    def _read_literal(self, checked: Checked, tree: Bracket, scope: FormulaScope, context: _EffectContext) -> None:
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
        self._group(context).literals[Template(atom.predicate, atom.args, positive)] = None

    def _group(self, context: _EffectContext) -> _EffectGroup:
        return self.groups.setdefault(context, _EffectGroup())


def _two_parts(checked: Checked, tree: Group) -> tuple[Bracket, Bracket, Bracket]:
    if len(tree.items) != 3:
        raise checked.syntax.error(tree.items[0], f"'{tree.head}' takes two parts, here are {len(tree.items) - 1}")
    return tree.items[0], tree.items[1], tree.items[2]
