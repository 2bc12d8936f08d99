"""Reading effects: literals, effects under a condition or of everything of a sort, and changes of numbers."""

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
from semantics.sexpr import Group
from semantics.sexpr import Node as Bracket

__all__ = ["Effects", "read_effects"]

CHANGES = ("increase", "decrease", "assign")
FORM = "expected literals, 'when', 'forall', 'increase', 'decrease' or 'assign', joined by 'and'"


@dataclass(frozen=True, slots=True)
class Effects:
    """What a capability changes, as `domains.model.Capability` holds it."""

    literals: tuple[Template, ...] = ()
    numeric: tuple[NumericEffect, ...] = ()
    conditional: tuple[ConditionalEffect, ...] = ()


@dataclass(frozen=True, slots=True)
class _Under:
    """What an effect stands under: variables that range over things, and what must have held."""

    variables: tuple[Variable, ...] = ()
    conditions: tuple[Formula, ...] = ()


@dataclass(slots=True)
class _Group:
    literals: dict[Template, None] = field(default_factory=dict)
    numeric: list[NumericEffect] = field(default_factory=list)


def read_effects(
    node: Node | None, scope: FormulaScope, derived: Collection[str], what: str, diagnostics: Diagnostics
) -> Effects:
    """Read an effect; `derived` are the predicates that follow from others, which nothing may change."""
    reader = _EffectReader(frozenset(derived))
    for source, tree in sources(node, scope, what, diagnostics, is_effect=True):
        try:
            reader.read(Checked(source), tree, scope, _Under())
        except FormulaError as error:
            source.unreadable(error)
    plain = reader.groups.pop(_Under(), _Group())
    conditional = tuple(
        ConditionalEffect(tuple(group.literals), tuple(group.numeric), _joined(under.conditions), under.variables)
        for under, group in reader.groups.items()
    )
    return Effects(tuple(plain.literals), tuple(plain.numeric), conditional)


def _joined(conditions: tuple[Formula, ...]) -> Formula | None:
    if len(conditions) > 1:
        return And(conditions)
    return conditions[0] if conditions else None


class _EffectReader:
    def __init__(self, derived: frozenset[str]) -> None:
        self._derived = derived
        self.groups: dict[_Under, _Group] = {}

    def read(self, checked: Checked, tree: Bracket, scope: FormulaScope, under: _Under) -> None:
        """Read one effect.

        Raises:
            FormulaError: It cannot be read.
        """
        head = tree.head if isinstance(tree, Group) else ""
        if isinstance(tree, Group) and head == "and":
            for part in tree.items[1:]:
                self.read(checked, part, scope, under)
        elif isinstance(tree, Group) and head in ("when", "forall"):
            self._read_led(checked, tree, scope, under)
        elif isinstance(tree, Group) and head in CHANGES:
            self._read_change(checked, tree, scope, under)
        else:
            self._read_literal(checked, tree, scope, under)

    def _read_led(self, checked: Checked, tree: Group, scope: FormulaScope, under: _Under) -> None:
        _, first, rest = _two_parts(checked, tree)
        if tree.head == "when":
            # What holds before is asked with either sign, so that no affordance is missed in a condition.
            condition = checked.condition(first, scope)
            self.read(checked, rest, scope, _Under(under.variables, (*under.conditions, condition)))
            return
        variables = checked.variables(first, scope)
        inner = _Under((*under.variables, *variables), under.conditions)
        self.read(checked, rest, scope.inside(variables), inner)

    def _read_change(self, checked: Checked, tree: Group, scope: FormulaScope, under: _Under) -> None:
        _, fluent, amount = _two_parts(checked, tree)
        atom = checked.syntax.atom(fluent)
        checked.number(fluent, atom, scope)
        by = checked.expression(amount, scope)
        if by is not None:
            self._group(under).numeric.append(NumericEffect(tree.head, atom, by))

    def _read_literal(self, checked: Checked, tree: Bracket, scope: FormulaScope, under: _Under) -> None:
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
        self._group(under).literals[Template(atom.predicate, atom.args, positive)] = None

    def _group(self, under: _Under) -> _Group:
        return self.groups.setdefault(under, _Group())


def _two_parts(checked: Checked, tree: Group) -> tuple[Bracket, Bracket, Bracket]:
    if len(tree.items) != 3:
        raise checked.syntax.error(tree.items[0], f"'{tree.head}' takes two parts, here are {len(tree.items) - 1}")
    return tree.items[0], tree.items[1], tree.items[2]
