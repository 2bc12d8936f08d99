"""The reader of effects: from PDDL brackets to literals, numeric effects and costs, with conditions and quantifiers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from domains.capability import ALWAYS, ConditionalEffect, Effects, NumericEffect, Template
from domains.pddl.reader.conditions import Conditions
from domains.pddl.reader.document import shown
from domains.pddl.reader.names import Scope
from semantics.logic.atoms import Arithmetic, Expression, Variable
from semantics.logic.parsing import Group, Node, Word

TOTAL_COST = "total-cost"
CHANGES = ("increase", "decrease", "assign")
SCALES = {"scale-up": "*", "scale-down": "/"}


@dataclass
class ParsedEffects(Effects):
    """The effects of an action."""

    cost: Expression | None = None  # the cost that it adds to the total cost; None without one


class EffectsReader:
    """Reads the effects of one file."""

    def __init__(self, conditions: Conditions, derived: Iterable[str]) -> None:
        """Take the reader of conditions, and the predicates that no effect may change."""
        self._conditions = conditions
        self._document = conditions.document
        self._names = conditions.names
        self._derived = frozenset(derived)

    def read(self, node: Node, scope: Scope) -> ParsedEffects:
        """Read an effect."""
        effects = ParsedEffects()
        self._read(node, scope, effects, ALWAYS)
        return effects

    def _read(  # noqa: C901 - one case per node of the language
        self, node: Node, scope: Scope, effects: ParsedEffects, within: ConditionalEffect
    ) -> None:
        if isinstance(node, Word):
            self._document.report(node, f"'{shown(node)}' is no effect; expected '('", "effect")
            return
        match node.head:
            case "and":
                for part in node.items[1:]:
                    self._read(part, scope, effects, within)
            case "when":
                self._when(node, scope, effects, within)
            case "forall":
                self._forall(node, scope, effects, within)
            case head if head in CHANGES or head in SCALES:
                self._number(node, scope, effects, within)
            case head if head in ("or", "imply", "exists", "oneof", "probabilistic", "="):
                message = f"'{head}' cannot stand in an effect: what happens must be certain"
                self._document.report(node, message, "effect")
            case _ if node.items:
                self._literal(node, scope, effects, within)

    def _when(self, node: Group, scope: Scope, effects: ParsedEffects, within: ConditionalEffect) -> None:
        self._names.needs(":conditional-effects", node)
        if self._conditions.parts(node, 2):
            condition = self._conditions.formula(node.items[1], scope)
            self._read(node.items[2], scope, effects, within.under(condition))

    def _forall(self, node: Group, scope: Scope, effects: ParsedEffects, within: ConditionalEffect) -> None:
        self._names.needs(":conditional-effects", node)
        if self._conditions.parts(node, 2):
            inner = self._conditions.variables(node.items[1], scope, "the variables of 'forall'")
            own = (Variable(variable.name, self._names.affordance(variable.types)) for variable in inner.values())
            wider = replace(within, variables=(*within.variables, *own))
            self._read(node.items[2], {**scope, **inner}, effects, wider)
            self._conditions.unused(inner)

    def _literal(self, node: Group, scope: Scope, effects: ParsedEffects, within: ConditionalEffect) -> None:
        positive = node.head != "not"
        if not positive and not self._conditions.parts(node, 1):
            return
        inner = node if positive else node.items[1]
        if isinstance(inner, Group) and inner.head in ("and", "or", "not", "forall", "exists", "when"):
            self._document.report(inner, f"'not' in an effect takes an atom, here is '{inner.head}'", "effect")
            return
        atom = self._conditions.atom(inner, scope)
        if atom is None:
            return
        if atom.predicate in self._derived:
            message = f"'{atom.predicate}' is derived from other facts, so no effect can change it"
            self._document.report(inner, message, "derived-effect", atom.predicate)
            return
        template = Template(atom.predicate, atom.args, positive)
        effects.add(replace(within, literals=(template,)))

    def _number(self, node: Group, scope: Scope, effects: ParsedEffects, within: ConditionalEffect) -> None:
        if not self._conditions.parts(node, 2):
            return
        target = node.items[1]
        if (target.head if isinstance(target, Group) else target.text) == TOTAL_COST:
            self._cost(node, scope, effects, within)
            return
        self._names.needs(":numeric-fluents", node)
        fluent = self._conditions.fluent(target, scope)
        amount = self._conditions.expression(node.items[2], scope)
        if fluent is None or amount is None:
            return
        how = node.head
        if how in SCALES:
            how, amount = "assign", Arithmetic(SCALES[how], (fluent, amount))
        effects.add(replace(within, numeric=(NumericEffect(how, fluent, amount),)))

    def _cost(self, node: Group, scope: Scope, effects: ParsedEffects, within: ConditionalEffect) -> None:
        self._names.needs(":action-costs", node)
        amount = self._conditions.expression(node.items[2], scope)
        if within != ALWAYS or node.head != "increase" or effects.cost is not None:
            message = "a cost is increased once, by each step alike; conditions on it are not supported"
            self._document.report(node, message, "cost")
        elif isinstance(amount, float) and amount < 0:
            message = f"a cost of {amount:g}; expected a number from 0"
            self._document.report(node.items[2], message, "cost")
        else:
            effects.cost = amount
