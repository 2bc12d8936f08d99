"""From text to a program: the subset of Python, as values.

All statements are read, so that every mistake is told at once. Shorter ways of saying the same are brought to one form:
``n += 1``, chained comparisons, tuples, ``all``, and formulas in PDDL.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from bt.programs.reader.expressions import Expressions, place_of
from bt.programs.reader.source import Unfit, parsed, told, unfit
from semantics.program import (
    Assign,
    Break,
    Call,
    Continue,
    Do,
    Expr,
    Fall,
    For,
    Function,
    If,
    Mistake,
    Operation,
    Pass,
    Program,
    ProgramLimits,
    RefusedProgram,
    Return,
    Statement,
    While,
)

__all__ = ["read_program"]

BLOCK = tuple[Statement, ...]


def read_program(text: str, limits: ProgramLimits | None = None) -> Program | RefusedProgram:
    """Read a program; its names are not looked at yet, see `bt.programs.check_program`.

    Args:
        text: The program.
        limits: What it may measure.
    """
    bounds = limits or ProgramLimits()
    try:
        tree = parsed(text, bounds)
    except Unfit as error:
        return RefusedProgram((error.mistake,))
    reader = _StatementReader(bounds)
    program = reader.program(tree)
    if reader.mistakes:
        return RefusedProgram(tuple(sorted(reader.mistakes, key=lambda mistake: mistake.place)))
    return program


@dataclass(slots=True)
class _StatementReader:
    limits: ProgramLimits
    mistakes: list[Mistake] = field(default_factory=list)
    expressions: Expressions = field(init=False)

    def __post_init__(self) -> None:
        self.expressions = Expressions(self.limits)

    def program(self, tree: ast.Module) -> Program:
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        for node in functions[self.limits.functions :]:
            why = f"there are more than {self.limits.functions}"
            self.mistakes.append(unfit(place_of(node), "the functions", why, "Write fewer.").mistake)
        rest = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
        if rest and _is_text(rest[0]):
            rest = rest[1:]
        made = [self._function(node) for node in functions]
        return Program(tuple(function for function in made if function is not None), self.block(rest, 1))

    def _function(self, node: ast.FunctionDef) -> Function | None:
        try:
            parameters = _parameters(node)
        except Unfit as error:
            self.mistakes.append(error.mistake)
            parameters = ()
        doc = " ".join((ast.get_docstring(node) or "").split())
        body = self.block(node.body[1:] if _is_text(node.body[0]) else node.body, 1)
        return Function(node.name, parameters, body or (Pass(),), doc, place_of(node))

    def block(self, nodes: list[ast.stmt], depth: int) -> BLOCK:
        """Read statements; one with a mistake is left out."""
        statements: list[Statement] = []
        for node in nodes:
            try:
                statements.append(self._statement(node, depth))
            except Unfit as error:
                self.mistakes.append(error.mistake)
        return tuple(statements)

    def _statement(self, node: ast.stmt, depth: int) -> Statement:
        if depth > self.limits.nesting:
            raise unfit(place_of(node), "the blocks", f"they stand more than {self.limits.nesting} deep", "Use def.")
        read = READERS.get(type(node))
        if read is None:
            what, how = told(node)
            raise unfit(place_of(node), what, "it is not part of the language", how)
        statement: Statement = read(self, node, depth)
        return statement

    def value(self, node: ast.expr) -> Expr:
        return self.expressions.read(node)

    def _do(self, node: ast.Expr, _: int) -> Statement:
        call = self.value(node.value)
        if not isinstance(call, Call):
            how = "Call a capability, as in grasp(cup0), or keep the value, as in name = value."
            raise unfit(place_of(node), "a value on a line of its own", "it does nothing", how)
        return Do(call, place_of(node))

    def _assign(self, node: ast.Assign, _: int) -> Statement:
        if len(node.targets) != 1:
            raise unfit(place_of(node), "several = in a line", "one at a time is read", "Write a line for each.")
        return Assign(self.expressions.targets(node.targets[0]), self.value(node.value), place_of(node))

    def _augmented(self, node: ast.AugAssign, _: int) -> Statement:
        (name,) = self.expressions.targets(node.target)
        both = ast.copy_location(ast.BinOp(ast.copy_location(ast.Name(name), node), node.op, node.value), node)
        value = self.value(both)
        assert isinstance(value, Operation)
        return Assign((name,), value, place_of(node))

    def _if(self, node: ast.If, depth: int) -> Statement:
        body, other = self.block(node.body, depth + 1), self.block(node.orelse, depth + 1)
        return If(self.value(node.test), body, other, place_of(node))

    def _for(self, node: ast.For, depth: int) -> Statement:
        self._no_else(node)
        body = self.block(node.body, depth + 1)
        return For(self.expressions.targets(node.target), self.value(node.iter), body, place_of(node))

    def _while(self, node: ast.While, depth: int) -> Statement:
        self._no_else(node)
        body = self.block(node.body, depth + 1)
        return While(self.value(node.test), body, place_of(node))

    def _no_else(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            raise unfit(place_of(node.orelse[0]), "else after a loop", "it is not read", "Use if after the loop.")

    def _try(self, node: ast.Try, depth: int) -> Statement:
        if node.orelse or node.finalbody or len(node.handlers) != 1:
            how = "Write try: … except: …, and what comes after as the next line."
            raise unfit(place_of(node), "this try", "one except, without else and finally, is read", how)
        handler = node.handlers[0]
        plain = handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id == "Exception")
        if not plain or handler.name:
            raise unfit(place_of(handler), "this except", "failures have no classes and no names", "Write except:")
        return Fall(self.block(node.body, depth + 1), self.block(handler.body, depth + 1), place_of(node))

    def _return(self, node: ast.Return, _: int) -> Statement:
        return Return(None if node.value is None else self.value(node.value), place_of(node))

    def _nested(self, node: ast.FunctionDef, _: int) -> Statement:
        raise unfit(place_of(node), "a def in a block", "functions stand at the left margin", "Move it there.")


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _parameters(node: ast.FunctionDef) -> tuple[str, ...]:
    arguments = node.args
    if node.decorator_list:
        raise unfit(place_of(node.decorator_list[0]), "a decorator", "it is not read", "Leave it out.")
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs or arguments.defaults:
        how = "Write plain parameters, as in def tidy(thing, place):"
        raise unfit(place_of(node), f"the parameters of {node.name}", "stars and defaults are not read", how)
    if node.returns or any(argument.annotation for argument in arguments.args):
        how = "Write plain parameters, as in def tidy(thing, place):"
        raise unfit(place_of(node), f"the parameters of {node.name}", "types are not read", how)
    return tuple(argument.arg for argument in arguments.args)


READERS: dict[type[ast.stmt], Any] = {
    ast.Expr: _StatementReader._do,
    ast.Assign: _StatementReader._assign,
    ast.AugAssign: _StatementReader._augmented,
    ast.If: _StatementReader._if,
    ast.For: _StatementReader._for,
    ast.While: _StatementReader._while,
    ast.Try: _StatementReader._try,
    ast.Return: _StatementReader._return,
    ast.FunctionDef: _StatementReader._nested,
    ast.Break: lambda _, node, __: Break(place_of(node)),
    ast.Continue: lambda _, node, __: Continue(place_of(node)),
    ast.Pass: lambda _, node, __: Pass(place_of(node)),
}
