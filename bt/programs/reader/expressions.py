"""The expressions of the language, read from Python's."""

from __future__ import annotations

import ast
import keyword
import math
from typing import Any

from bt.programs.reader.source import told, unfit
from semantics.atoms import And, Atom, Formula, Not, Or
from semantics.errors import FormulaError
from semantics.parsing import parse_formula
from semantics.program import Call, Constant, Each, Expr, Items, Name, Operation, ProgramLimits, TextPosition

__all__ = ["FORMULAS", "Expressions", "identifier", "place_of"]

ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
COMPARISONS = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
}
FORMULAS = ("holds", "achieve")
"""Calls whose argument may be a PDDL formula in quotes."""
SAME = {"all": "every"}


def place_of(node: ast.AST) -> TextPosition:
    """Return where a node of Python's tree stands."""
    return TextPosition(getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)


def identifier(symbol: str) -> str:
    """Return how a symbol of a world is written in a program: ``in`` as ``in_``, ``hand-busy`` as ``hand_busy``."""
    plain = symbol.replace("-", "_")
    return f"{plain}_" if keyword.iskeyword(plain) else plain


class Expressions:
    """Reads expressions within limits; what is outside the language raises `Unfit`."""

    def __init__(self, limits: ProgramLimits) -> None:
        self._limits = limits
        self._depth = 0

    def read(self, node: ast.expr) -> Expr:
        """Read one expression."""
        self._depth += 1
        try:
            if self._depth > self._limits.nesting:
                why = f"its parts stand more than {self._limits.nesting} deep"
                raise unfit(place_of(node), "the expression", why, "Keep parts of it under names.")
            reader = READERS.get(type(node))
            if reader is None:
                what, how = told(node)
                raise unfit(place_of(node), what, "it is not part of the language", how)
            expression: Expr = reader(self, node)
            return expression
        finally:
            self._depth -= 1

    def targets(self, node: ast.expr) -> tuple[str, ...]:
        """Read the names on the left of ``=`` or after ``for``."""
        parts = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        if not names or len(names) < len(parts) or (parts != [node] and len(parts) == 1):
            raise unfit(place_of(node), "what is given a value", "it is no name", "Write name = value.")
        return tuple(names)

    def _constant(self, node: ast.Constant) -> Expr:
        value, place = node.value, place_of(node)
        if isinstance(value, str):
            if len(value) > self._limits.text:
                why = f"it has {len(value)} characters; at most {self._limits.text} are read"
                raise unfit(place, "the text", why, "Say it shorter.")
            if not all(letter.isprintable() or letter == "\n" for letter in value):
                raise unfit(place, "the text", "it has characters that cannot be seen", "Use letters and digits.")
            return Constant(value, place)
        if isinstance(value, bool | int | float):
            if abs(value) >= 2**self._limits.bits or not math.isfinite(value):
                raise unfit(place, "the number", f"it takes more than {self._limits.bits} bits", "Use a smaller one.")
            return Constant(value, place)
        raise unfit(place, f"the value {value!r:.20}", "it is not part of the language", told(node)[1])

    def _name(self, node: ast.Name) -> Expr:
        return Name(node.id, place_of(node))

    def _items(self, node: ast.List | ast.Tuple) -> Expr:
        if len(node.elts) > self._limits.items:
            raise unfit(place_of(node), "the list", f"it has more than {self._limits.items} members", "Use a query.")
        return Items(tuple(map(self.read, node.elts)), place_of(node))

    def _call(self, node: ast.Call) -> Expr:
        place = place_of(node)
        if not isinstance(node.func, ast.Name):
            what, how = told(node.func)
            raise unfit(place_of(node.func), what, "only names are called", how)
        name = SAME.get(node.func.id, node.func.id)
        unnamed = next((keyword for keyword in node.keywords if keyword.arg is None), None)
        if unnamed is not None:
            raise unfit(
                place_of(unnamed), "a star", "it is not part of the language", "Write the arguments one by one."
            )
        keywords = tuple((str(keyword.arg), self.read(keyword.value)) for keyword in node.keywords)
        if name in ("every", "any") and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return Call(name, (self._each(node.args[0]),), keywords, place)
        args = tuple(self._formula(arg) if name in FORMULAS else self.read(arg) for arg in node.args)
        if name == "holds" and len(args) == 1 and not keywords:
            return args[0]
        return Call(name, args, keywords, place)

    def _formula(self, node: ast.expr) -> Expr:
        """Read a formula in quotes as the expression that means the same; ``?x`` is the program's name x."""
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            return self.read(node)
        self._constant(node)
        try:
            return _expression(parse_formula(node.value, variables=True), place_of(node))
        except FormulaError as error:
            how = 'Write it as "(in apple0 fridge0)" or in_(apple0, fridge0).'
            raise unfit(place_of(node), "the formula", f"it cannot be read: {error.reason}", how) from None

    def _binary(self, node: ast.BinOp) -> Expr:
        if type(node.op) not in ARITHMETIC:
            how = f"Use one of {' '.join(ARITHMETIC.values())}."
            raise unfit(place_of(node), "this arithmetic", "the operator is not part of the language", how)
        return Operation(ARITHMETIC[type(node.op)], (self.read(node.left), self.read(node.right)), place_of(node))

    def _unary(self, node: ast.UnaryOp) -> Expr:
        if not isinstance(node.op, ast.Not | ast.USub):
            raise unfit(place_of(node), "this operator", "it is not part of the language", "Use not or -.")
        part = self.read(node.operand)
        if isinstance(node.op, ast.Not):
            return Operation("not", (part,), place_of(node))
        if isinstance(part, Constant) and isinstance(part.value, int | float) and not isinstance(part.value, bool):
            return Constant(-part.value, place_of(node))
        return Operation("-", (part,), place_of(node))

    def _boolean(self, node: ast.BoolOp) -> Expr:
        return Operation(
            "and" if isinstance(node.op, ast.And) else "or", tuple(map(self.read, node.values)), place_of(node)
        )

    def _compare(self, node: ast.Compare) -> Expr:
        sides = tuple(map(self.read, (node.left, *node.comparators)))
        made: list[Expr] = []
        for at, operator in enumerate(node.ops):
            if type(operator) not in COMPARISONS:
                raise unfit(place_of(node), "'is'", "it is not part of the language", "Use == or !=.")
            made.append(Operation(COMPARISONS[type(operator)], sides[at : at + 2], place_of(node)))
        return made[0] if len(made) == 1 else Operation("and", tuple(made), place_of(node))

    def _subscript(self, node: ast.Subscript) -> Expr:
        return Operation("[]", (self.read(node.value), self.read(node.slice)), place_of(node))

    def _each(self, node: ast.ListComp | ast.GeneratorExp) -> Each:
        first = node.generators[0]
        if len(node.generators) != 1 or len(first.ifs) > 1 or first.is_async:
            raise unfit(place_of(node), "this list", "one for and one if are read", "Use a for loop, or and.")
        where = self.read(first.ifs[0]) if first.ifs else None
        return Each(self.read(node.elt), self.targets(first.target), self.read(first.iter), where, place_of(node))


def _expression(formula: Formula, place: TextPosition) -> Expr:
    match formula:
        case Atom(predicate, args):
            if any("--" in name or "__" in name for name in (predicate, *args)):
                raise FormulaError("double underscores belong to Python", place.line, place.column)
            names = tuple(Name(identifier(arg.removeprefix("?")), place) for arg in args)
            return Call(identifier(predicate), names, (), place)
        case Not(part):
            return Operation("not", (_expression(part, place),), place)
        case And(parts) | Or(parts) if len(parts) != 1:
            if not parts:
                return Constant(isinstance(formula, And), place)
            word = "and" if isinstance(formula, And) else "or"
            return Operation(word, tuple(_expression(part, place) for part in parts), place)
        case And((part,)) | Or((part,)):
            return _expression(part, place)
    raise FormulaError(f"{formula} is not a formula of facts", place.line, place.column)


READERS: dict[type[ast.expr], Any] = {
    ast.Constant: Expressions._constant,
    ast.Name: Expressions._name,
    ast.List: Expressions._items,
    ast.Tuple: Expressions._items,
    ast.Call: Expressions._call,
    ast.BinOp: Expressions._binary,
    ast.UnaryOp: Expressions._unary,
    ast.BoolOp: Expressions._boolean,
    ast.Compare: Expressions._compare,
    ast.Subscript: Expressions._subscript,
    ast.ListComp: Expressions._each,
}
