"""Pieces of Python as hypothesis makes them up, most of them outside the language: as syntax trees, and as raw text."""

import ast

from hypothesis import strategies as st

from tests.bt.programs.escapes import REFUSED, STOPPED

NAMES = st.sampled_from(
    ["apple0", "grasp", "on", "x", "f", "eval", "__class__", "objects", "fridge0", "say", "range", "_"]
)
VALUES = st.one_of(
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=5),
    st.booleans(),
    st.none(),
    st.binary(max_size=3),
    st.just(...),
)


def name(text):
    return ast.Name(text, ast.Load())


@st.composite
def expressions(draw, depth=2):
    """Made by hand rather than of strategies, whose descriptions would grow with each level."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(NAMES.map(name) | VALUES.map(ast.Constant))
    return draw(st.sampled_from(EXPRESSIONS))(lambda: draw(expressions(depth - 1)), lambda: draw(NAMES))


EXPRESSIONS = [
    lambda e, n: ast.Attribute(e(), n(), ast.Load()),
    lambda e, n: ast.Call(name(n()), [e(), e()], []),
    lambda e, n: ast.Call(name(n()), [e()], []),
    lambda e, _: ast.Call(e(), [], []),
    lambda e, n: ast.Call(name(n()), [], [ast.keyword(n(), e())]),
    lambda e, n: ast.Call(name(n()), [], [ast.keyword(None, e())]),
    lambda e, _: ast.BinOp(e(), ast.Add(), e()),
    lambda e, _: ast.BinOp(e(), ast.Mult(), e()),
    lambda e, _: ast.BinOp(e(), ast.Pow(), e()),
    lambda e, _: ast.UnaryOp(ast.Not(), e()),
    lambda e, _: ast.UnaryOp(ast.USub(), e()),
    lambda e, _: ast.Compare(e(), [ast.Lt()], [e()]),
    lambda e, _: ast.Compare(e(), [ast.In(), ast.Is()], [e(), e()]),
    lambda e, _: ast.BoolOp(ast.And(), [e(), e()]),
    lambda e, _: ast.IfExp(e(), e(), e()),
    lambda e, _: ast.Subscript(e(), e(), ast.Load()),
    lambda e, _: ast.List([e(), e()], ast.Load()),
    lambda e, _: ast.Tuple([e()], ast.Load()),
    lambda e, n: ast.ListComp(e(), [ast.comprehension(name(n()), e(), [e()], 0)]),
    lambda e, n: ast.GeneratorExp(e(), [ast.comprehension(name(n()), e(), [], 0)]),
    lambda _, n: ast.JoinedStr([ast.FormattedValue(name(n()), -1)]),
    lambda e, n: ast.NamedExpr(name(n()), e()),
    lambda e, _: ast.Starred(e(), ast.Load()),
    lambda e, _: ast.Lambda(ast.arguments([], [], None, [], [], None, []), e()),
    lambda e, _: ast.Yield(e()),
    lambda e, _: ast.Dict([e()], [e()]),
]


@st.composite
def statements(draw, depth=2):
    kinds = PLAIN if depth == 0 else [*PLAIN, *BLOCKS]
    made = draw(st.sampled_from(kinds))
    body = st.lists(statements(depth - 1), min_size=1, max_size=2) if depth else st.nothing()
    return made(lambda: draw(expressions()), lambda: draw(NAMES), lambda: draw(body))


PLAIN = [
    lambda e, _, __: ast.Expr(e()),
    lambda e, n, _: ast.Expr(ast.Call(name(n()), [e()], [])),
    lambda e, n, _: ast.Assign([name(n())], e(), lineno=1),
    lambda e, n, _: ast.AugAssign(name(n()), ast.Add(), e()),
    lambda _, n, __: ast.Delete([name(n())]),
    lambda _, n, __: ast.Global([n()]),
    lambda _, n, __: ast.Import([ast.alias(n())]),
    lambda e, _, __: ast.Assert(e(), None),
    lambda e, _, __: ast.Raise(e(), None),
    lambda e, _, __: ast.Return(e()),
    lambda *_: ast.Pass(),
    lambda *_: ast.Break(),
    lambda *_: ast.Continue(),
]
BLOCKS = [
    lambda e, _, b: ast.If(e(), b(), b()),
    lambda e, n, b: ast.For(name(n()), e(), b(), [], lineno=1),
    lambda e, _, b: ast.While(e(), b(), []),
    lambda e, _, b: ast.With([ast.withitem(e())], b(), lineno=1),
    lambda _, __, b: ast.Try(b(), [ast.ExceptHandler(None, None, b())], [], []),
    lambda _, n, b: ast.FunctionDef(n(), ast.arguments([], [ast.arg(n())], None, [], [], None, []), b(), [], lineno=1),
    lambda _, n, b: ast.ClassDef(n(), [], [], b(), []),
]


def _text(body):
    return ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))


TREES = st.lists(statements(), min_size=1, max_size=4).map(_text)
"""Texts of syntax trees, not all of them legal Python."""
WORDS = [
    *(
        "if",
        "else:",
        "for",
        "in",
        "while",
        "def",
        "return",
        "try:",
        "except:",
        "lambda",
        "import",
        "not",
        "and",
        "class",
    ),
    *("apple0", "table0", "grasp", "on", "objects", "x", "__import__", "say", "range", "achieve", "fail", "every", "f"),
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "=",
        "==",
        ":=",
        "+",
        "-",
        "*",
        "**",
        ".",
        "@",
        "'",
        '"',
        "'''",
        "#",
        "\\",
    ),
    *("\n", "\n    ", "\n\t", " ", ";", "1", "9" * 40, "1e999", "0x", "f'{", "\0", "\u200b", "\uff47", "\x0c", "\r"),
]
SOUP = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)
"""Words of Python in any order."""
RAW = st.text(max_size=60)
PARTS = sorted(
    {line for text in (*REFUSED.values(), *STOPPED.values()) for line in text.split("\n") if len(line) < 200}
)
SPLICED = st.lists(st.sampled_from(PARTS), max_size=8).map("\n".join)
"""Lines of the known attempts in any order."""
