"""Rule packs: Prolog clauses beside a domain that the bodies of its rules may call.

A clause may call what a body may call, and what the pack itself defines. So a pack can do nothing that a longer body
could not, except for recursion (which a time limit ends). Directives, operators and modules are forbidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from domains.reader.rules.bodies import (
    ASKABLE,
    CLOSING,
    CONTROL,
    OPENING,
    OPERATORS,
    PLAIN_GOALS,
    RuleFlaw,
    Signature,
    Token,
    arity_at,
    goal_faults,
    misplaced,
    tokens_of,
)
from semantics.plain_text import shortened
from semantics.process.rule_text import excess

__all__ = ["Pack", "read_pack"]

IF = ":-"
MOST_FLAWS = 100
TAKEN = ASKABLE | PLAIN_GOALS | CONTROL | OPERATORS


@dataclass(frozen=True, slots=True)
class Pack:
    """The definitions of a pack, and its flaws."""

    defined: frozenset[Signature] = frozenset()
    faults: tuple[RuleFlaw, ...] = ()


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause: the tokens of its head and of its body, and the offsets of its first token and its full stop."""

    head: Sequence[Token]
    body: Sequence[Token]
    start: int
    end: int

    @property
    def signature(self) -> Signature:
        return (self.head[0].text, arity_at(self.head, 0))


def read_pack(text: str) -> Pack:
    """Read the clauses of a pack, unless one of them is too large."""
    if (large := excess(text)) is not None:
        return Pack(faults=(RuleFlaw(*large),))
    tokens, fault = tokens_of(text, (IF,))
    clauses = list(_clauses(tokens, len(text)))
    flaws = [] if fault is None else [fault]
    if fault is None and tokens and tokens[-1].kind != "end":
        flaws.append(RuleFlaw(len(text.rstrip()), "the last clause does not end; expected '.'"))
    heads = [(clause, list(_head_faults(clause))) for clause in clauses]
    defined = frozenset(clause.signature for clause, faults in heads if not faults)
    for clause, faults in heads:
        flaws += faults
        flaws += misplaced(clause.body, clause.end)
        flaws += goal_faults(clause.body, defined)
        if len(flaws) >= MOST_FLAWS:
            flaws.append(RuleFlaw(clause.end, "that is too many problems, so what follows is looked at no further"))
            break
    return Pack(defined, tuple(sorted(set(flaws))))


def _clauses(tokens: Sequence[Token], end: int) -> Iterator[_Clause]:
    start = 0
    for index, token in enumerate(tokens):
        if token.kind == "end":
            yield _clause(tokens[start:index], token.offset)
            start = index + 1
    if start < len(tokens):
        yield _clause(tokens[start:], end)


def _clause(tokens: Sequence[Token], end: int) -> _Clause:
    split = next((index for index, token in enumerate(tokens) if token.text == IF), len(tokens))
    start = tokens[0].offset if tokens else end
    return _Clause(tokens[:split], tokens[split + 1 :], start, end)


def _head_faults(clause: _Clause) -> Iterator[RuleFlaw]:
    """Yield the flaws of a clause's head, which must be a name with arguments."""
    if not clause.head:
        yield RuleFlaw(
            clause.start, "a directive may not stand in a pack; expected clauses such as p(X) :- holds(q, [X])."
        )
        return
    first, *rest = clause.head
    if first.kind not in ("call", "atom"):
        yield RuleFlaw(first.offset, f"'{shortened(first.text)}' begins no clause; expected a name such as above(X, Y)")
    elif first.text in TAKEN:
        yield RuleFlaw(first.offset, f"'{first.text}' is there already; expected another name for the definition")
    yield from misplaced(clause.head, clause.end)
    depth = 0
    for token in rest:
        if token.kind == "call":
            yield RuleFlaw(token.offset, f"'{token.text}' may not stand in a head; expected names, variables and lists")
        if depth == 0 and token.text != "(":
            yield RuleFlaw(token.offset, f"'{shortened(token.text)}' follows the head; expected ':-' or '.'")
            return
        depth += (token.text in OPENING) - (token.text in CLOSING)
    if any(token.text == IF for token in clause.body):
        second = next(token for token in clause.body if token.text == IF)
        yield RuleFlaw(second.offset, "':-' stands twice in a clause; expected '.' before the next one")
