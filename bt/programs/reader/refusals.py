"""What of Python is outside the language, in words, and what to write instead."""

from __future__ import annotations

import ast
from collections.abc import Mapping

__all__ = ["EXPRESSIONS", "STATEMENTS", "told"]

ALLOWED = (
    "Allowed are calls, names = values, if/elif/else, for, while, try/except, def, return, break, continue and pass."
)
PARTS = (
    "Allowed are names, numbers, texts, lists, calls such as on(apple0, table0), arithmetic, comparisons, and/or/not "
    "and [… for … in …]."
)

STATEMENTS: Mapping[type[ast.AST], tuple[str, str]] = {
    ast.Import: ("an import", "Everything there is has a name already: capabilities, predicates and things."),
    ast.ImportFrom: ("an import", "Everything there is has a name already: capabilities, predicates and things."),
    ast.ClassDef: ("a class", "Use def for a part with parameters."),
    ast.AsyncFunctionDef: ("async", "Use def; a call is waited for by itself."),
    ast.AsyncFor: ("async", "Use for; a call is waited for by itself."),
    ast.AsyncWith: ("async", "Leave it out; a call is waited for by itself."),
    ast.With: ("with", "Leave it out, and write its body."),
    ast.Global: ("global", "Give the value to the function as an argument and return the result."),
    ast.Nonlocal: ("nonlocal", "Give the value to the function as an argument and return the result."),
    ast.Delete: ("del", "Leave it out; give the name another value if need be."),
    ast.Assert: ("assert", 'Write if not …: fail("why").'),
    ast.Raise: ("raise", 'Write fail("why").'),
    ast.Match: ("match", "Use if, elif and else."),
    ast.AnnAssign: ("a type annotation", "Write name = value."),
    ast.TryStar: ("except*", "Use try and except."),
}

EXPRESSIONS: Mapping[type[ast.AST], tuple[str, str]] = {
    ast.Attribute: ("a dot", "Values have no parts; ask predicates such as on(apple0, table0)."),
    ast.Lambda: ("lambda", "Use def for a part with parameters."),
    ast.JoinedStr: ("an f-string", 'Join texts with +, as in "I see " + thing.'),
    ast.NamedExpr: (":=", "Write name = value on a line of its own."),
    ast.Await: ("await", "Leave it out; a call is waited for by itself."),
    ast.Yield: ("yield", "Return a list."),
    ast.YieldFrom: ("yield", "Return a list."),
    ast.Starred: ("a star", "Write the arguments one by one."),
    ast.Dict: ("a dictionary", "Use lists, as in [[apple0, table0], [cup0, shelf0]]."),
    ast.Set: ("a set", "Use a list."),
    ast.DictComp: ("a dictionary", "Use lists."),
    ast.SetComp: ("a set", "Use a list."),
    ast.GeneratorExp: ("a generator", "Write it in brackets, [… for … in …], or in every(…) or any(…)."),
    ast.IfExp: ("a choice in one line", "Use if and else with lines of their own."),
    ast.Slice: ("a slice", "Take one member, as in things[0]."),
}


def told(node: ast.AST) -> tuple[str, str]:
    """Return what a part is called that is outside the language, and what is allowed instead."""
    if isinstance(node, ast.stmt):
        return STATEMENTS.get(type(node), (type(node).__name__.lower(), ALLOWED))
    return EXPRESSIONS.get(type(node), (type(node).__name__.lower(), PARTS))
