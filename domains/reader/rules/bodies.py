"""The check of bodies of semantic rules against a list of allowed predicates.

A domain file may come from an untrusted source, and Prolog can do anything that its process can. So a body may only
call the predicates in `ASKABLE`, and those that a pack beside the domain defines with them. This module runs no Prolog;
`semantics.logic.rules` does, and enforces the same list. Here the offending word gets its line and column.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from semantics.hints import nearest
from semantics.plain_text import shortened
from semantics.process.rule_text import excess

Signature = tuple[str, int]
"""A predicate's name and how many arguments it takes."""

_BY_ARITY = {
    1: "atom nonvar once var",
    2: "affords dif edges fails forall holds last length list_to_set member memberchk msort reverse sort thing "
    "transitive_closure vertices",
    3: "append between findall intersection neighbours nth0 nth1 reachable select subtract union "
    "vertices_edges_to_ugraph",
}
ARITIES: Mapping[str, int] = dict(sorted((name, arity) for arity in _BY_ARITY for name in _BY_ARITY[arity].split()))
ASKABLE = frozenset(ARITIES)
MAY_BE_ASKED = "holds, fails, thing, affords, comparisons, or a predicate on lists"

GOAL_ARGUMENTS = {"findall": frozenset({1}), "forall": frozenset({0, 1}), "once": frozenset({0})}
"""Which arguments of a call are goals themselves, counted from 0; other calls have none."""

NO_GOALS: frozenset[int] = frozenset()
PLAIN_GOALS = frozenset({"true", "fail", "false"})
COMPARISONS = frozenset({"=", "\\=", "==", "\\==", "@<", "@>", "@=<", "@>=", "<", ">", "=<", ">=", "=:=", "=\\="})
OPERATORS = COMPARISONS | {"-", "+", "*", "is", "mod", "rem"}
CONTROL = frozenset({"->", "\\+"})

TOKEN = re.compile(
    r"(?P<space>\s+|%[^\n]*)|(?P<variable>[A-Z_]\w*)|(?P<call>[a-z]\w*(?=\())|(?P<atom>[a-z]\w*)|(?P<number>\d+)"
    r"|(?P<quoted>'[^'\\\n]*'(?!\())|(?P<end>\.(?=\s|%|$))|(?P<symbol>[-+*=\\<>@:^/~?#&$.]+)|(?P<mark>[][(),;|])",
    re.ASCII,
)


class Token(NamedTuple):
    """A token of Prolog."""

    kind: str
    text: str
    offset: int


class RuleFlaw(NamedTuple):
    """A forbidden part of a rule."""

    offset: int
    message: str


MOST_COMPARED = 200
LONGEST_COMPARED = 80  # how many names of a pack, and how many characters of a wrong one, are compared for a suggestion
NOTHING_DEFINED: frozenset[Signature] = frozenset()
OPEN_ENDED = -1
OPENING = ("(", "[")
CLOSING = (")", "]")


def faults(body: str, defined: Collection[Signature] = NOTHING_DEFINED) -> Iterator[RuleFlaw]:
    """Yield the flaws of a body: what is too large, forbidden predicates, wrong syntax, no culprits."""
    if (large := excess(body)) is not None:
        yield RuleFlaw(*large)
        return
    tokens, fault = tokens_of(body)
    if fault is None:
        fault = next(
            (RuleFlaw(token.offset, _may_not_stand(token.text)) for token in tokens if token.kind == "end"), None
        )
    if fault is not None:
        yield fault
        return
    yield from misplaced(tokens, len(body))
    yield from goal_faults(tokens, defined)
    if not any(token.text == "Culprits" for token in tokens):
        yield RuleFlaw(0, "nothing binds Culprits; expected for example Culprits = [X, Y]")


def tokens_of(text: str, more: Collection[str] = ()) -> tuple[list[Token], RuleFlaw | None]:
    """Return the tokens up to the first forbidden one, which is the flaw; `more` are further allowed symbols."""
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None or (match["symbol"] and match["symbol"] not in OPERATORS | CONTROL | set(more)):
            return tokens, RuleFlaw(at, _may_not_stand(match[0] if match else text[at]))
        if match.lastgroup != "space":
            tokens.append(Token(match.lastgroup or "", match[0], at))
        at = match.end()
    return tokens, None


def _may_not_stand(word: str) -> str:
    shown = shortened(word)
    return f"'{shown}' may not stand in a condition; expected calls, comparisons, ',' ';' '->' and '\\+'"


def misplaced(tokens: Sequence[Token], end: int) -> Iterator[RuleFlaw]:
    """Yield the first bracket or token that is a syntax error."""
    yield from _unbalanced(tokens, end)
    for before, token in pairwise(tokens):
        ends = before.text in CLOSING or (_is_operand(before) and before.kind != "call")
        if ends and (token.text in (*OPENING, "\\+") or _is_operand(token)):
            shown = f"'{shortened(token.text)}' follows '{shortened(before.text)}'"
            yield RuleFlaw(token.offset, f"{shown}; expected ',' between")
            return
        is_empty_list = (before.text, token.text) == ("[", "]")
        if _awaits(before) and token.text in (",", ";", "|", ")", "]", "->") and not is_empty_list:
            yield RuleFlaw(token.offset, f"nothing stands between '{before.text}' and '{token.text}'")
            return
    if tokens and (_awaits(tokens[-1]) or tokens[0].text in (",", ";", "|", "->")):
        yield RuleFlaw(end if _awaits(tokens[-1]) else 0, "a condition is missing beside ',', ';' or an operator")


def _is_operand(token: Token) -> bool:
    return token.kind in ("variable", "call", "atom", "number", "quoted") and token.text not in OPERATORS


def _awaits(token: Token) -> bool:
    """Return whether another token must follow."""
    return token.text in (*OPENING, ",", ";", "|") or token.text in OPERATORS | CONTROL


def _unbalanced(tokens: Sequence[Token], end: int) -> Iterator[RuleFlaw]:
    pairs = {")": "(", "]": "["}
    opened: list[str] = []
    for token in tokens:
        if token.text in OPENING:
            opened.append(token.text)
        elif token.text in pairs and (not opened or opened.pop() != pairs[token.text]):
            yield RuleFlaw(token.offset, f"'{token.text}' closes nothing")
            return
    if opened:
        yield RuleFlaw(end, f"'{opened[-1]}' is not closed")


@dataclass(slots=True)
class _Bracket:
    """An open bracket: which of its arguments are goals (None: all), and which argument is being read."""

    goals: frozenset[int] | None
    argument: int = 0

    @property
    def holds_goals(self) -> bool:
        return self.goals is None or self.argument in self.goals


def goal_faults(tokens: Sequence[Token], defined: Collection[Signature] = NOTHING_DEFINED) -> Iterator[RuleFlaw]:
    """Yield every call in the position of a goal that is forbidden, or has a wrong number of arguments."""
    open_brackets = [_Bracket(None)]
    for index, token in enumerate(tokens):
        innermost = open_brackets[-1]
        # Only goal positions are checked: lists and terms are data. `_Bracket` tracks which arguments are goals.
        if token.text in OPENING:
            open_brackets.append(_opened(tokens, index, innermost))
        elif token.text in CLOSING:
            del open_brackets[max(len(open_brackets) - 1, 1) :]
        elif token.text == ",":
            innermost.argument += 1
        elif token.kind == "call":
            yield from _call_faults(tokens, index, defined)
        elif innermost.holds_goals and _stands_alone(tokens, index) and (token.text, 0) not in defined:
            yield _not_askable(token, defined)


def _call_faults(tokens: Sequence[Token], index: int, defined: Collection[Signature]) -> Iterator[RuleFlaw]:
    token, arity = tokens[index], arity_at(tokens, index)
    arities = _arities(frozenset(defined)).get(token.text, NO_GOALS)
    if arity in arities or (arities and arity == OPEN_ENDED):
        return
    if arities:
        counts = " or ".join(map(str, sorted(arities)))
        yield RuleFlaw(token.offset, f"'{token.text}' has {arity} arguments; expected {counts}")
    else:
        yield _not_askable(token, defined)


@lru_cache(16)
def _arities(defined: frozenset[Signature]) -> Mapping[str, frozenset[int]]:
    """Return the numbers of arguments of each name that may be asked."""
    found: dict[str, set[int]] = defaultdict(set)
    for name, count in (*defined, *ARITIES.items()):
        found[name].add(count)
    return {name: frozenset(counts) for name, counts in found.items()}


def _not_askable(token: Token, defined: Collection[Signature]) -> RuleFlaw:
    word = token.text.strip("'")
    names = {*ASKABLE, *(name for name, _ in defined)} if len(defined) <= MOST_COMPARED else ASKABLE
    close = nearest(word[:LONGEST_COMPARED], sorted(names))
    meant = f"; did you mean {' or '.join(close)}?" if close and defined else ""
    return RuleFlaw(token.offset, f"'{shortened(word)}' may not be asked; expected {MAY_BE_ASKED}{meant}")


def arity_at(tokens: Sequence[Token], index: int) -> int:
    """Return how many arguments follow the word at `index`; `OPEN_ENDED` where its bracket is not closed."""
    if index + 1 >= len(tokens) or tokens[index + 1].text != "(" or tokens[index].kind != "call":
        return 0
    depth, count = 0, 1
    for token in tokens[index + 1 :]:
        depth += (token.text in OPENING) - (token.text in CLOSING)
        count += depth == 1 and token.text == ","
        if depth <= 0:
            return count
    return OPEN_ENDED


def _opened(tokens: Sequence[Token], index: int, around: _Bracket) -> _Bracket:
    if index and tokens[index - 1].kind == "call":
        return _Bracket(GOAL_ARGUMENTS.get(tokens[index - 1].text, NO_GOALS))
    return _Bracket(None if tokens[index].text == "(" and around.holds_goals else NO_GOALS)


def _stands_alone(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a name or variable is a complete goal, and no operand of a comparison."""
    token = tokens[index]
    if token.kind not in ("variable", "atom", "quoted") or token.text in PLAIN_GOALS | OPERATORS:
        return False
    neighbours = (*tokens[max(index - 1, 0) : index], *tokens[index + 1 : index + 2])
    return not any(neighbour.text in OPERATORS for neighbour in neighbours)
