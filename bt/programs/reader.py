"""Reads a program: the subset of Python, as values.

All statements are read, so that every mistake is told at once. Shorter ways of saying the same are brought to one form:
``n += 1``, chained comparisons, tuples, ``all``, and formulas in PDDL.
"""

from __future__ import annotations

import ast
import io
import math
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from bt.programs.plan_statement import expression_of, read_achieve
from bt.programs.source import Unfit, parsed, told, unfit
from bt.programs.writer import Statements
from semantics.errors import FormulaError
from semantics.logic import program as syntax
from semantics.logic.parsing import parse_formula
from semantics.logic.program import Comments

ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
WORDS = {ast.And: "and", ast.Or: "or"}
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
FORMULAS = ("holds", "achieve")  # calls whose argument may be a PDDL formula in quotes
SAME = {"all": "every"}


def _place_of(node: ast.AST) -> syntax.TextPosition:
    """Return where a node of Python's tree stands."""
    return syntax.TextPosition(getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)


class Expressions:
    """Reads expressions within limits; what is outside the language raises `Unfit`."""

    def __init__(self, limits: syntax.ProgramLimits) -> None:
        self._limits = limits
        self._depth = 0

    def read(self, node: ast.expr) -> syntax.Expr:
        """Read one expression."""
        self._depth += 1
        try:
            if self._depth > self._limits.nesting:
                why = f"its parts stand more than {self._limits.nesting} deep"
                raise unfit(_place_of(node), "the expression", why, "Keep parts of it under names.")
            reader = EXPRESSION_READERS.get(type(node))
            if reader is None:
                what, how = told(node)
                raise unfit(_place_of(node), what, "it is not part of the language", how)
            expression: syntax.Expr = reader(self, node)
            return expression
        finally:
            self._depth -= 1

    def targets(self, node: ast.expr) -> tuple[str, ...]:
        """Read the names on the left of ``=`` or after ``for``."""
        parts = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        if not names or len(names) < len(parts) or (parts != [node] and len(parts) == 1):
            raise unfit(_place_of(node), "what is given a value", "it is no name", "Write name = value.")
        return tuple(names)

    def _constant(self, node: ast.Constant) -> syntax.Expr:
        value, place = node.value, _place_of(node)
        if isinstance(value, str):
            if len(value) > self._limits.text:
                why = f"it has {len(value)} characters; at most {self._limits.text} are read"
                raise unfit(place, "the text", why, "Say it shorter.")
            if not all(letter.isprintable() or letter == "\n" for letter in value):
                raise unfit(place, "the text", "it has characters that cannot be seen", "Use letters and digits.")
            return syntax.Constant(value, place)
        if isinstance(value, bool | int | float):
            if abs(value) >= 2**self._limits.bits or not math.isfinite(value):
                raise unfit(place, "the number", f"it takes more than {self._limits.bits} bits", "Use a smaller one.")
            return syntax.Constant(value, place)
        raise unfit(place, f"the value {value!r:.20}", "it is not part of the language", told(node)[1])

    def _items(self, node: ast.List | ast.Tuple) -> syntax.Expr:
        if len(node.elts) > self._limits.items:
            raise unfit(_place_of(node), "the list", f"it has more than {self._limits.items} members", "Use a query.")
        return syntax.Items(tuple(map(self.read, node.elts)), _place_of(node))

    def _call(self, node: ast.Call) -> syntax.Expr:
        place = _place_of(node)
        if not isinstance(node.func, ast.Name):
            what, how = told(node.func)
            raise unfit(_place_of(node.func), what, "only names are called", how)
        name = SAME.get(node.func.id, node.func.id)
        unnamed = next((keyword for keyword in node.keywords if keyword.arg is None), None)
        if unnamed is not None:
            raise unfit(
                _place_of(unnamed), "a star", "it is not part of the language", "Write the arguments one by one."
            )
        keywords = tuple((str(keyword.arg), self.read(keyword.value)) for keyword in node.keywords)
        if name in ("every", "any") and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return syntax.Call(name, (self._each(node.args[0]),), keywords, place)
        args = tuple(self._formula(name, arg) if name in FORMULAS else self.read(arg) for arg in node.args)
        if name == "holds" and len(args) == 1 and not keywords:
            if isinstance(args[0], syntax.Items):
                how = 'Write it as "(in apple0 fridge0)" or in_(apple0, fridge0).'
                raise unfit(place, "the condition of holds", "a list is no condition", how)
            return args[0]
        return syntax.Call(name, args, keywords, place)

    def _formula(self, name: str, node: ast.expr) -> syntax.Expr:
        """Read a formula in quotes as the expression that means the same; ``?x`` is the program's name x.

        A goal that has no such expression stays a text.
        """
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            return self.read(node)
        self._constant(node)
        try:
            return expression_of(parse_formula(node.value, variables=True), _place_of(node))
        except FormulaError as error:
            with suppress(FormulaError):
                if name == "achieve" and parse_formula(node.value, adl=True):
                    return syntax.Constant(node.value, _place_of(node))
            how = 'Write it as "(in apple0 fridge0)" or in_(apple0, fridge0).'
            raise unfit(_place_of(node), "the formula", f"it cannot be read: {error.reason}", how) from None

    def _binary(self, node: ast.BinOp) -> syntax.Expr:
        if type(node.op) not in ARITHMETIC:
            how = f"Use one of {' '.join(ARITHMETIC.values())}."
            raise unfit(_place_of(node), "this arithmetic", "the operator is not part of the language", how)
        return syntax.Operation(
            ARITHMETIC[type(node.op)], (self.read(node.left), self.read(node.right)), _place_of(node)
        )

    def _unary(self, node: ast.UnaryOp) -> syntax.Expr:
        if not isinstance(node.op, ast.Not | ast.USub):
            raise unfit(_place_of(node), "this operator", "it is not part of the language", "Use not or -.")
        part = self.read(node.operand)
        if isinstance(node.op, ast.Not):
            return syntax.Operation("not", (part,), _place_of(node))
        if (
            isinstance(part, syntax.Constant)
            and isinstance(part.value, int | float)
            and not isinstance(part.value, bool)
        ):
            return syntax.Constant(-part.value, _place_of(node))
        return syntax.Operation("-", (part,), _place_of(node))

    def _compare(self, node: ast.Compare) -> syntax.Expr:
        sides = tuple(map(self.read, (node.left, *node.comparators)))
        made: list[syntax.Expr] = []
        for at, operator in enumerate(node.ops):
            if type(operator) not in COMPARISONS:
                raise unfit(_place_of(node), "'is'", "it is not part of the language", "Use == or !=.")
            made.append(syntax.Operation(COMPARISONS[type(operator)], sides[at : at + 2], _place_of(node)))
        return made[0] if len(made) == 1 else syntax.Operation("and", tuple(made), _place_of(node))

    def _each(self, node: ast.ListComp | ast.GeneratorExp) -> syntax.Each:
        first = node.generators[0]
        if len(node.generators) != 1 or len(first.ifs) > 1 or first.is_async:
            raise unfit(_place_of(node), "this list", "one for and one if are read", "Use a for loop, or and.")
        where = self.read(first.ifs[0]) if first.ifs else None
        return syntax.Each(
            self.read(node.elt), self.targets(first.target), self.read(first.iter), where, _place_of(node)
        )


EXPRESSION_READERS: dict[type[ast.expr], Any] = {
    ast.Constant: Expressions._constant,
    ast.Name: lambda _, node: syntax.Name(node.id, _place_of(node)),
    ast.List: Expressions._items,
    ast.Tuple: Expressions._items,
    ast.Call: Expressions._call,
    ast.BinOp: Expressions._binary,
    ast.UnaryOp: Expressions._unary,
    ast.BoolOp: lambda self, node: syntax.Operation(
        WORDS[type(node.op)], tuple(map(self.read, node.values)), _place_of(node)
    ),
    ast.Compare: Expressions._compare,
    ast.Subscript: lambda self, node: syntax.Operation(
        "[]", (self.read(node.value), self.read(node.slice)), _place_of(node)
    ),
    ast.ListComp: Expressions._each,
}


def read_program(text: str, limits: syntax.ProgramLimits | None = None) -> syntax.Program | syntax.RefusedProgram:
    """Read a program within limits; its names are not looked at yet, see `bt.programs.check_program`."""
    bounds = limits or syntax.ProgramLimits()
    try:
        tree = parsed(text, bounds)
    except Unfit as error:
        return syntax.RefusedProgram((error.mistake,))
    reader = _StatementReader(bounds, comments_of(text, tree) if "#" in text else {})
    program = reader.program(tree)
    if reader.mistakes:
        return syntax.RefusedProgram(tuple(sorted(reader.mistakes, key=lambda mistake: mistake.place)))
    return program


@dataclass(slots=True)
class _StatementReader:
    limits: syntax.ProgramLimits
    comments: Mapping[int, syntax.Comments]
    mistakes: list[syntax.Mistake] = field(default_factory=list)
    expressions: Expressions = field(init=False)

    def __post_init__(self) -> None:
        self.expressions = Expressions(self.limits)

    def program(self, tree: ast.Module) -> syntax.Program:
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        for node in functions[self.limits.functions :]:
            why = f"there are more than {self.limits.functions}"
            self.mistakes.append(unfit(_place_of(node), "the functions", why, "Write fewer.").mistake)
        rest = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
        if rest and _is_text(rest[0]):
            rest = rest[1:]
        made = [self._function(node) for node in functions]
        return syntax.Program(tuple(function for function in made if function is not None), self.block(rest, 1))

    def _function(self, node: ast.FunctionDef) -> syntax.Function | None:
        try:
            parameters = _parameters(node)
        except Unfit as error:
            self.mistakes.append(error.mistake)
            parameters = ()
        doc = " ".join((ast.get_docstring(node) or "").split())
        body = self.block(node.body[1:] if _is_text(node.body[0]) else node.body, 1)
        return syntax.Function(node.name, parameters, body or (syntax.Pass(),), doc, **self._line(node))

    def block(self, nodes: list[ast.stmt], depth: int) -> Statements:
        """Read statements; one with a mistake is left out."""
        statements: list[syntax.Statement] = []
        for node in nodes:
            try:
                statements.append(replace(self._statement(node, depth), **self._line(node)))
            except Unfit as error:
                self.mistakes.append(error.mistake)
        return tuple(statements)

    def _line(self, node: ast.stmt) -> dict[str, Any]:
        return {"place": _place_of(node), "comments": self.comments.get(id(node), syntax.Comments())}

    def _statement(self, node: ast.stmt, depth: int) -> syntax.Statement:
        if depth > self.limits.nesting:
            raise unfit(_place_of(node), "the blocks", f"they stand more than {self.limits.nesting} deep", "Use def.")
        read = STATEMENT_READERS.get(type(node))
        if read is None:
            what, how = told(node)
            raise unfit(_place_of(node), what, "it is not part of the language", how)
        statement: syntax.Statement = read(self, node, depth)
        return statement

    def value(self, node: ast.expr) -> syntax.Expr:
        return self.expressions.read(node)

    def _do(self, node: ast.Expr, _: int) -> syntax.Statement:
        call = self.value(node.value)
        if isinstance(call, syntax.Call) and call.name == "achieve":
            is_bare = len(call.args) == 1 and not call.keywords
            return syntax.Achieve(call.args[0]) if is_bare else read_achieve(call)
        if not isinstance(call, syntax.Call):
            how = "Call a capability, as in grasp(cup0), or keep the value, as in name = value."
            raise unfit(_place_of(node), "a value on a line of its own", "it does nothing", how)
        return syntax.Do(call)

    def _assign(self, node: ast.Assign, _: int) -> syntax.Statement:
        if len(node.targets) != 1:
            raise unfit(_place_of(node), "several = in a line", "one at a time is read", "Write a line for each.")
        return syntax.Assign(self.expressions.targets(node.targets[0]), self.value(node.value))

    def _augmented(self, node: ast.AugAssign, _: int) -> syntax.Statement:
        (name,) = self.expressions.targets(node.target)
        both = ast.copy_location(ast.BinOp(ast.copy_location(ast.Name(name), node), node.op, node.value), node)
        value = self.value(both)
        assert isinstance(value, syntax.Operation)
        return syntax.Assign((name,), value)

    def _if(self, node: ast.If, depth: int) -> syntax.Statement:
        body, other = self.block(node.body, depth + 1), self.block(node.orelse, depth + 1)
        return syntax.If(self.value(node.test), body, other)

    def _for(self, node: ast.For, depth: int) -> syntax.Statement:
        self._no_else(node)
        body = self.block(node.body, depth + 1)
        return syntax.For(self.expressions.targets(node.target), self.value(node.iter), body)

    def _while(self, node: ast.While, depth: int) -> syntax.Statement:
        self._no_else(node)
        body = self.block(node.body, depth + 1)
        return syntax.While(self.value(node.test), body)

    def _no_else(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            raise unfit(_place_of(node.orelse[0]), "else after a loop", "it is not read", "Use if after the loop.")

    def _try(self, node: ast.Try, depth: int) -> syntax.Statement:
        if node.orelse or node.finalbody or len(node.handlers) != 1:
            how = "Write try: … except: …, and what comes after as the next line."
            raise unfit(_place_of(node), "this try", "one except, without else and finally, is read", how)
        handler = node.handlers[0]
        plain = handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id == "Exception")
        if not plain or handler.name:
            raise unfit(_place_of(handler), "this except", "failures have no classes and no names", "Write except:")
        return syntax.Fall(self.block(node.body, depth + 1), self.block(handler.body, depth + 1))

    def _return(self, node: ast.Return, _: int) -> syntax.Statement:
        return syntax.Return(None if node.value is None else self.value(node.value))

    def _nested(self, node: ast.FunctionDef, _: int) -> syntax.Statement:
        raise unfit(_place_of(node), "a def in a block", "functions stand at the left margin", "Move it there.")


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _parameters(node: ast.FunctionDef) -> tuple[str, ...]:
    arguments = node.args
    if node.decorator_list:
        raise unfit(_place_of(node.decorator_list[0]), "a decorator", "it is not read", "Leave it out.")
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs or arguments.defaults:
        how = "Write plain parameters, as in def tidy(thing, place):"
        raise unfit(_place_of(node), f"the parameters of {node.name}", "stars and defaults are not read", how)
    if node.returns or any(argument.annotation for argument in arguments.args):
        how = "Write plain parameters, as in def tidy(thing, place):"
        raise unfit(_place_of(node), f"the parameters of {node.name}", "types are not read", how)
    return tuple(argument.arg for argument in arguments.args)


STATEMENT_READERS: dict[type[ast.stmt], Any] = {
    ast.Expr: _StatementReader._do,
    ast.Assign: _StatementReader._assign,
    ast.AugAssign: _StatementReader._augmented,
    ast.If: _StatementReader._if,
    ast.For: _StatementReader._for,
    ast.While: _StatementReader._while,
    ast.Try: _StatementReader._try,
    ast.Return: _StatementReader._return,
    ast.FunctionDef: _StatementReader._nested,
    ast.Break: lambda *_: syntax.Break(),
    ast.Continue: lambda *_: syntax.Continue(),
    ast.Pass: lambda *_: syntax.Pass(),
}


class _Comment(NamedTuple):
    line: int
    column: int
    text: str
    is_alone: bool


class _Anchor(NamedTuple):
    """A statement or function: where its first line begins, and the line in which what stands before its block ends."""

    line: int
    column: int
    end: int
    ident: int
    is_function: bool


def comments_of(text: str, tree: ast.Module) -> Mapping[int, Comments]:
    """Return the comments of each statement and function that has some, by the ``id`` of its node.

    A comment at the end of a line belongs to the statement of this line, one on a line of its own to the next
    statement; at the end of a block, it belongs to the last statement of the block.

    Args:
        text: A program that was parsed.
        tree: Its tree.
    """
    anchors = sorted(_anchors(tree))
    found: dict[int, Comments] = {}
    for comment in _comments(text):
        beside, before, after = _places(comment, anchors)
        ident = beside or before or after
        have = found.get(ident, Comments())
        if beside and not have.beside:
            found[ident] = replace(have, beside=comment.text)
        elif beside or before:
            found[ident] = replace(have, before=(*have.before, comment.text))
        elif after:
            found[ident] = replace(have, after=(*have.after, comment.text))
    return found


def _places(comment: _Comment, anchors: Sequence[_Anchor]) -> tuple[int, int, int]:
    """Return the node that a comment stands beside, before or after; 0 for two of them, or for all three."""
    line, column = comment.line, comment.column
    here = [anchor for anchor in anchors if anchor.line <= line <= anchor.end]
    if here and not comment.is_alone:
        return here[-1].ident, 0, 0
    if here:
        return 0, here[-1].ident, 0
    later = next((anchor for anchor in anchors if anchor.line > line), None)
    earlier = [anchor for anchor in anchors if anchor.line < line and anchor.column <= column and comment.is_alone]
    if later is None:
        return 0, 0, _at_the_end(earlier)
    if earlier and earlier[-1].column > later.column:
        return 0, 0, earlier[-1].ident
    return 0, later.ident, 0


def _at_the_end(earlier: Sequence[_Anchor]) -> int:
    """Return the node that a comment at the end of the text follows; 0 without one.

    Functions are written first, so it is the last statement outside of them, if there is one.
    """
    outside = [anchor for anchor in earlier if anchor.column == 0 and not anchor.is_function]
    last = outside if earlier and earlier[-1].is_function and outside else earlier
    return last[-1].ident if last else 0


def _comments(text: str) -> Iterator[_Comment]:
    """Yield the comments that say something, each on one line: what comes after a carriage return is no statement."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        said = " ".join(token.string.lstrip("#").split()) if token.type == tokenize.COMMENT else ""
        if said:
            line, column = token.start
            yield _Comment(line, column, said, not token.line[:column].strip())


def _anchors(tree: ast.Module) -> Iterator[_Anchor]:
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            is_function = isinstance(node, ast.FunctionDef)
            yield _Anchor(node.lineno, node.col_offset, _end_of_head(node), id(node), is_function)


def _end_of_head(node: ast.stmt) -> int:
    """Return the last line of what stands before the block of a statement, or of a statement without a block."""
    match node:
        case ast.If(test) | ast.While(test):
            return test.end_lineno or node.lineno
        case ast.For():
            return node.iter.end_lineno or node.lineno
        case ast.Try():
            return node.lineno
        case ast.FunctionDef():
            return max([node.lineno, *(argument.lineno for argument in node.args.args)])
        case _:
            return node.end_lineno or node.lineno
