"""Semantic rules: Prolog clause bodies, held to a small vocabulary.

A domain file is data that may come from a stranger, and Prolog can do anything its process can, so a body may only
ask the predicates listed in `ASKABLE`. Nothing here runs Prolog: `semantics.rules` does, and holds bodies to the same
list; here the offending word gets its line and column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from domains.model import Rule
from domains.reading.keys import open_table
from domains.reading.nodes.complaints import Complaints, Mark
from domains.reading.nodes.document import Entry, Node, Scalar
from domains.reading.nodes.fields import entries, text
from domains.reading.templates import place_in

__all__ = ["ASKABLE", "read_rules"]

ASKABLE = frozenset(
    {
        "affords",
        "append",
        "atom",
        "between",
        "dif",
        "edges",
        "fails",
        "findall",
        "forall",
        "holds",
        "intersection",
        "last",
        "length",
        "list_to_set",
        "member",
        "memberchk",
        "msort",
        "neighbours",
        "nonvar",
        "nth0",
        "nth1",
        "once",
        "reachable",
        "reverse",
        "select",
        "sort",
        "subtract",
        "thing",
        "transitive_closure",
        "union",
        "var",
        "vertices",
        "vertices_edges_to_ugraph",
    }
)
MAY_BE_ASKED = "holds, fails, thing, affords, comparisons, or a predicate on lists"

GOAL_ARGUMENTS = {"findall": frozenset({1}), "forall": frozenset({0, 1}), "once": frozenset({0})}
"""Which arguments of a call are goals themselves, counted from 0; of any other call none is."""

NO_GOALS: frozenset[int] = frozenset()
PLAIN_GOALS = frozenset({"true", "fail", "false"})
COMPARISONS = frozenset({"=", "\\=", "==", "\\==", "@<", "@>", "@=<", "@>=", "<", ">", "=<", ">=", "=:=", "=\\="})
OPERATORS = COMPARISONS | {"-", "+", "*", "is", "mod", "rem"}
CONTROL = frozenset({"->", "\\+"})

TOKEN = re.compile(
    r"(?P<space>\s+|%[^\n]*)|(?P<variable>[A-Z_]\w*)|(?P<call>[a-z]\w*(?=\())|(?P<atom>[a-z]\w*)|(?P<number>\d+)"
    r"|(?P<quoted>'[^'\\\n]*'(?!\())|(?P<symbol>[-+*=\\<>@:^/~?#&$.]+)|(?P<mark>[][(),;|])",
    re.ASCII,
)
CULPRITS = re.compile(r"Culprits\s*=\s*\[([^][|]*)\]")
SLOT = re.compile(r"\{([^{}]*)\}")


class Token(NamedTuple):
    """A word of Prolog."""

    kind: str
    text: str
    offset: int


class Fault(NamedTuple):
    """Something that may not stand in a rule."""

    offset: int
    message: str


def read_rules(node: Node | None, complaints: Complaints) -> tuple[Rule, ...]:
    """Read the rules by name."""
    return tuple(_read_rule(entry, complaints) for entry in entries(node, "rules", complaints))


def _read_rule(entry: Entry, complaints: Complaints) -> Rule:
    what = f"rule '{entry.key.text}'"
    fields = open_table(entry.value, "rule", what, complaints)
    body, say = fields.get("when"), fields.get("say")
    if isinstance(body, Scalar):
        for fault in faults(body.text):
            line = body.text.count("\n", 0, fault.offset) + 1
            column = fault.offset - body.text.rfind("\n", 0, fault.offset)
            complaints.add(place_in(body, line, column, complaints), f"{what}: {fault.message}")
    prolog = body.text.strip() if isinstance(body, Scalar) else text(body, f"'when' of {what}", complaints)
    sentence = text(say, f"'say' of {what}", complaints)
    if say is not None:
        _check_sentence(sentence, prolog, say.mark, what, complaints)
    return Rule(entry.key.text, prolog, sentence, text(fields.get("hint"), f"'hint' of {what}", complaints))


def _check_sentence(sentence: str, prolog: str, mark: Mark, what: str, complaints: Complaints) -> None:
    listed = [len(match[1].split(",")) if match[1].strip() else 0 for match in CULPRITS.finditer(prolog)]
    for slot in SLOT.findall(sentence):
        if not slot.isdigit():
            complaints.add(mark, f"{what} says '{{{slot}}}'; expected {{0}}, {{1}}, … for the culprits")
        elif listed and int(slot) >= min(listed):
            complaints.add(mark, f"{what} says '{{{slot}}}' of {min(listed)} culprits; expected a smaller number")


def faults(body: str) -> Iterator[Fault]:
    """Yield what keeps a body from being a harmless condition: words it may not ask, brackets, no culprits."""
    tokens: list[Token] = []
    at = 0
    while at < len(body):
        match = TOKEN.match(body, at)
        if match is None or (match["symbol"] and match["symbol"] not in OPERATORS | CONTROL):
            word = match[0] if match else body[at]
            yield Fault(
                at, f"'{word}' may not stand in a condition; expected calls, comparisons, ',' ';' '->' and '\\+'"
            )
            return
        if match.lastgroup != "space":
            tokens.append(Token(match.lastgroup or "", match[0], at))
        at = match.end()
    yield from _unbalanced(tokens, len(body))
    yield from _forbidden(tokens)
    if not any(token.text == "Culprits" for token in tokens):
        yield Fault(0, "nothing binds Culprits; expected for example Culprits = [X, Y]")


def _unbalanced(tokens: list[Token], end: int) -> Iterator[Fault]:
    pairs = {")": "(", "]": "["}
    opened: list[str] = []
    for token in tokens:
        if token.text in ("(", "["):
            opened.append(token.text)
        elif token.text in pairs and (not opened or opened.pop() != pairs[token.text]):
            yield Fault(token.offset, f"'{token.text}' closes nothing")
            return
    if opened:
        yield Fault(end, f"'{opened[-1]}' is not closed")


@dataclass(slots=True)
class _Bracket:
    """An open bracket: which of its arguments are goals (None: all), and which argument is being read."""

    goals: frozenset[int] | None
    argument: int = 0

    @property
    def holds_goals(self) -> bool:
        return self.goals is None or self.argument in self.goals


def _forbidden(tokens: list[Token]) -> Iterator[Fault]:
    """Yield every word in the place of a goal that may not be asked."""
    open_brackets = [_Bracket(None)]
    for index, token in enumerate(tokens):
        innermost = open_brackets[-1]
        if token.text in ("(", "["):
            open_brackets.append(_opened(tokens, index, innermost))
        elif token.text in (")", "]"):
            del open_brackets[max(len(open_brackets) - 1, 1) :]
        elif token.text == ",":
            innermost.argument += 1
        elif _is_forbidden(tokens, index, innermost):
            word = token.text.strip("'")
            yield Fault(token.offset, f"'{word}' may not be asked; expected {MAY_BE_ASKED}")


def _opened(tokens: list[Token], index: int, around: _Bracket) -> _Bracket:
    if index and tokens[index - 1].kind == "call":
        return _Bracket(GOAL_ARGUMENTS.get(tokens[index - 1].text, NO_GOALS))
    return _Bracket(None if tokens[index].text == "(" and around.holds_goals else NO_GOALS)


def _is_forbidden(tokens: list[Token], index: int, around: _Bracket) -> bool:
    token = tokens[index]
    if token.kind == "call":
        return token.text not in ASKABLE
    return around.holds_goals and _stands_alone(tokens, index)


def _stands_alone(tokens: list[Token], index: int) -> bool:
    """Return whether a name or variable is a whole goal, and no operand of a comparison."""
    token = tokens[index]
    if token.kind not in ("variable", "atom", "quoted") or token.text in PLAIN_GOALS | OPERATORS:
        return False
    neighbours = (*tokens[max(index - 1, 0) : index], *tokens[index + 1 : index + 2])
    return not any(neighbour.text in OPERATORS for neighbour in neighbours)
