"""The reader of conditions: from PDDL brackets to formulas, with a check of every name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

from domains.pddl.reader.document import shown
from domains.pddl.reader.names import BoundVariable, DeclaredSignature, PddlNames, Scope, typed_list
from semantics.logic.atoms import (
    And,
    Arithmetic,
    Atom,
    Compare,
    Equal,
    Exists,
    Expression,
    ForAll,
    Formula,
    Not,
    Or,
    Variable,
)
from semantics.logic.parsing import ARITHMETIC, COMPARISONS, NUMBER, Group, Node, Word

TRUE = And(())
QUANTIFIERS = {"forall": ":universal-preconditions", "exists": ":existential-preconditions"}


class Conditions:
    """Reads the conditions of one file; an invalid part is reported, and counts as true."""

    def __init__(self, names: PddlNames) -> None:
        self.names = names
        self.document = names.document

    def formula(self, node: Node, scope: Scope) -> Formula:  # noqa: C901 - one case per node of the language
        """Read a condition; an empty list is true."""
        if isinstance(node, Word):
            self.document.report(node, f"'{shown(node)}' is no condition; expected '('", "condition")
            return TRUE
        if not node.items:
            return TRUE
        match node.head:
            case "and":
                return And(tuple(self.formula(part, scope) for part in node.items[1:]))
            case "or":
                self.names.needs(":disjunctive-preconditions", node)
                return Or(tuple(self.formula(part, scope) for part in node.items[1:]))
            case "not" | "imply":
                return self._connective(node, scope)
            case "forall" | "exists":
                return self._quantified(node, scope)
            case "preference":
                self.document.report(node, "preferences are not supported; expected a condition", "not-supported")
                return TRUE
            case head if head in COMPARISONS:
                return self._comparison(node, scope)
        return self.atom(node, scope) or TRUE

    def _connective(self, node: Group, scope: Scope) -> Formula:
        if not self.parts(node, 1 if node.head == "not" else 2):
            return TRUE
        if node.head == "imply":
            self.names.needs(":disjunctive-preconditions", node)
            return Or((Not(self.formula(node.items[1], scope)), self.formula(node.items[2], scope)))
        part = node.items[1]
        plain = isinstance(part, Group) and part.head not in ("and", "or", "not", "imply", *QUANTIFIERS)
        if not (isinstance(part, Group) and part.head == "="):
            self.names.needs(":negative-preconditions" if plain else ":disjunctive-preconditions", node)
        return Not(self.formula(part, scope))

    def _quantified(self, node: Group, scope: Scope) -> Formula:
        self.names.needs(QUANTIFIERS[node.head], node)
        if not self.parts(node, 2):
            return TRUE
        inner = self.variables(node.items[1], scope, f"the variables of '{node.head}'")
        part = self.formula(node.items[2], {**scope, **inner})
        self.unused(inner)
        return _over(node.head, list(inner.values()), part)

    def variables(self, node: Node, scope: Scope, what: str) -> dict[str, BoundVariable]:
        """Read a list of variables; one that is in scope already gets a new name."""
        if isinstance(node, Word):
            self.document.report(node, f"'{shown(node)}' where {what} should stand; expected '('", "variables")
            return {}
        declared: dict[str, BoundVariable] = {}
        taken = {bound.name for bound in scope.values()}
        for entry in typed_list(self.names, node.items, what, variables=True):
            written = entry.word.text
            if written in declared:
                self.document.report(entry.word, f"{written} stands twice in {what}", "duplicate-name")
                continue
            name = written[1:]
            if written in scope:
                self.document.warn(entry.word, f"{written} in {what} hides another one of that name", "hidden-variable")
            while name in taken:
                name += "-"
            taken.add(name)
            declared[written] = BoundVariable(name, entry.types, entry.word)
        return declared

    def unused(self, scope: Scope, code: str = "unused-variable") -> None:
        """Warn of unused variables."""
        for written, bound in scope.items():
            if not bound.used:
                self.document.warn(bound.word, f"{written} is declared and never used", code)

    def _comparison(self, node: Group, scope: Scope) -> Formula:
        if not self.parts(node, 2):
            return TRUE
        first, second = node.items[1:]
        if node.head == "=" and self._is_term(first) and self._is_term(second):
            self.names.needs(":equality", node)
            terms = self.term(first, scope), self.term(second, scope)
            return Equal(*(term or "" for term in terms)) if all(terms) else TRUE
        self.names.needs(":numeric-fluents", node)
        left, right = self.expression(first, scope), self.expression(second, scope)
        return Compare(node.head, left, right) if left is not None and right is not None else TRUE

    def _is_term(self, node: Node) -> bool:
        return isinstance(node, Word) and (node.text in self.names.objects or not NUMBER.fullmatch(node.text))

    def expression(self, node: Node, scope: Scope) -> Expression | None:
        """Read a numeric expression; None when it is invalid."""
        if isinstance(node, Word):
            if NUMBER.fullmatch(node.text) and math.isfinite(float(node.text)):
                return float(node.text)
            if node.text in self.names.functions:
                return self._function(node, (), scope)
            self.document.report(node, f"'{shown(node)}' is no number; expected a number or '('", "number")
            return None
        if node.head not in ARITHMETIC:
            return self.fluent(node, scope)
        parts = [self.expression(part, scope) for part in node.items[1:]]
        if len(parts) < 1 + (node.head != "-"):
            self.document.report(node, f"'{node.head}' takes two parts or more, here are {len(parts)}", "parts")
            return None
        values = tuple(part for part in parts if part is not None)
        return Arithmetic(node.head, values) if len(values) == len(parts) else None

    def fluent(self, node: Node, scope: Scope) -> Atom | None:
        """Read a numeric fluent with its arguments."""
        if isinstance(node, Word) or not node.items:
            self.document.report(node, f"'{shown(node)}' is no number that depends on things; expected '('", "number")
            return None
        return self._function(node.items[0], node.items[1:], scope)

    def _function(self, head: Node, args: Sequence[Node], scope: Scope) -> Atom | None:
        return self._applied(head, args, scope, "function", self.names.functions)

    def atom(self, node: Node, scope: Scope) -> Atom | None:
        """Read a predicate with its arguments; None when it is invalid."""
        if isinstance(node, Word) or not node.items:
            self.document.report(node, f"'{shown(node)}' is no atom; expected (predicate …)", "condition")
            return None
        return self._applied(node.items[0], node.items[1:], scope, "predicate", self.names.predicates)

    def _applied(
        self, head: Node, args: Sequence[Node], scope: Scope, kind: str, signatures: dict[str, DeclaredSignature]
    ) -> Atom | None:
        terms = [self.term(arg, scope) for arg in args]
        if isinstance(head, Group):
            self.document.report(head, f"'{shown(head)}' where a {kind} should stand", "name")
            return None
        if head.text not in signatures:
            self.names.unknown(head, kind, head.text, signatures)
            return None
        self.names.mentioned.add(f"{kind} {head.text}")
        declared = signatures[head.text]
        if len(terms) != len(declared.parameters):
            count = len(declared.parameters)
            message = (
                f"'{head.text}' has {count} argument{'s' * (count != 1)} where it is declared, here are {len(terms)}"
            )
            self.document.report(head, message, "arity")
            return None
        for arg, asked in zip(args, declared.parameters, strict=True):
            self._check_type(arg, asked, scope, head.text)
        return Atom(head.text, tuple(term or "" for term in terms)) if all(terms) else None

    def _check_type(self, arg: Node, asked: tuple[str, ...], scope: Scope, name: str) -> None:
        if not isinstance(arg, Word):
            return
        types = scope[arg.text].types if arg.text in scope else self.names.objects.get(arg.text, asked)
        if not self.names.fits(types, asked):
            message = f"{arg.text} is a {' or '.join(types)}; '{name}' takes a {' or '.join(asked)}"
            self.document.warn(arg, message, "wrong-type", arg.text)

    def term(self, node: Node, scope: Scope) -> str | None:
        """Read an argument: ``?variable`` or the name of an object; None when it is unknown."""
        if isinstance(node, Group):
            self.document.report(node, f"'{shown(node)}' where a name or variable should stand", "name")
            return None
        if node.text.startswith("?"):
            if node.text not in scope:
                self.names.unknown(node, "variable", node.text, scope.keys())
                return None
            scope[node.text].used = True
            return f"?{scope[node.text].name}"
        if node.text not in self.names.objects:
            self.names.unknown(node, "object", node.text, (*self.names.objects, *scope.keys()))
            return None
        self.names.mentioned.add(f"object {node.text}")
        return node.text

    def parts(self, node: Group, count: int) -> bool:
        """Return whether a list has `count` parts after its head; otherwise report it."""
        if len(node.items) != count + 1:
            plural = "s" if count != 1 else ""
            message = f"'{node.head}' takes {count} part{plural}, here are {len(node.items) - 1}"
            self.document.report(node, message, "parts")
        return len(node.items) == count + 1


def _over(head: str, variables: list[BoundVariable], part: Formula) -> Formula:
    """Quantify over each choice of types, because a problem cannot declare a union of types (``either``)."""
    kind, join = (ForAll, And) if head == "forall" else (Exists, Or)
    choices = [
        kind(tuple(Variable(variable.name, own) for variable, own in zip(variables, types, strict=True)), part)
        for types in product(*(("object",) if "object" in each.types else each.types for each in variables))
    ]
    return choices[0] if len(choices) == 1 else join(tuple(choices))
