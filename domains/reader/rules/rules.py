"""The reader of the section ``rules`` of a domain file, and of its packs: Prolog clauses that bodies of rules may call.

A clause may call what a body may call, and what the pack itself defines. So a pack can do nothing that a longer body
could not, except for recursion (which a time limit ends). Directives, operators and modules are forbidden.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from domains.diagnostics import Mark
from domains.errors import DomainFileError
from domains.model import GoalRule
from domains.reader.keys import open_table
from domains.reader.nodes.document import Entry, Node, Scalar, TableNode, place_in, read_text, value_of
from domains.reader.nodes.fields import Field, entries
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
    faults,
    goal_faults,
    misplaced,
    tokens_of,
)
from semantics.logic.parsing import place_of
from semantics.plain_text import shortened
from semantics.process.rule_text import excess

FILE = "file"
CULPRITS = re.compile(r"Culprits\s*=\s*\[([^][|]*)\]")
SLOT = re.compile(r"\{([^{}]*)\}")
PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.pl", re.ASCII)
LONGEST_PACK = 200_000


def read_rules(node: Node | None, source: str = "") -> tuple[GoalRule, ...]:
    """Read the rules by name; ``file`` names packs of definitions beside `source`."""
    named = node
    packs: list[Scalar] = []
    if isinstance(node, TableNode):
        files = value_of(node, FILE)
        if files is not None and not isinstance(files, TableNode):
            packs = list(Field(files, f"'{FILE}' of the rules").scalars())
            named = replace(node, entries=tuple(entry for entry in node.entries if entry.value is not files))
    definitions, defined = _read_packs(packs, source)
    rules = (_read_rule(entry, defined) for entry in entries(named, "rules"))
    return tuple(replace(rule, definitions=definitions) for rule in rules)


def _read_packs(packs: list[Scalar], source: str) -> tuple[str, frozenset[Signature]]:
    texts: list[str] = []
    defined: frozenset[Signature] = frozenset()
    for scalar in packs:
        for pack_text, path in _pack_text(scalar, source):
            pack = read_pack(pack_text)
            beside = scalar.file.beside(path, pack_text)
            for fault in pack.faults:
                beside.add(Mark(*place_of(pack_text, fault.offset)), fault.message, "bad-rule-pack")
            for name, arity in sorted(pack.defined & defined):
                message = f"{name}/{arity} is defined in another pack already; expected another name"
                beside.add(Mark(), message, "named-twice", name)
            texts.append(pack_text)
            defined |= pack.defined
    return "\n".join(texts), defined


def _pack_text(scalar: Scalar, source: str) -> Iterator[tuple[str, str]]:
    """Yield the text of a pack and its path, if it can be read."""
    name = scalar.text
    if not PLAIN.fullmatch(name) or not source:
        message = f"'{name}' is no pack; expected the name of a file beside the domain, such as rules.pl"
        scalar.report(message, "bad-rule-pack", name)
        return
    path = Path(scalar.file.path or source).parent / name
    try:
        pack_text = read_text(path, str(path))
    except DomainFileError as error:
        scalar.report(f"pack '{name}': {error.problems[0].message}", "bad-rule-pack", name)
        return
    if len(pack_text) > LONGEST_PACK:
        message = f"'{name}' is too long; expected at most {LONGEST_PACK} characters"
        scalar.report(message, "bad-rule-pack", name)
        return
    yield pack_text, str(path)


def _read_rule(entry: Entry, defined: Collection[Signature]) -> GoalRule:
    what = f"rule '{entry.key.text}'"
    fields = open_table(entry.value, "rule", what)
    body = fields.get("when")
    if isinstance(body, Scalar):
        for fault in faults(body.text, defined):
            place = replace(body, mark=place_in(body, *place_of(body.text, fault.offset)))
            place.report(f"{what}: {fault.message}", "bad-rule")
    prolog = body.text.strip() if isinstance(body, Scalar) else fields["when"].text()
    sentence = fields["say"].text()
    if "say" in fields.values:
        _check_sentence(sentence, prolog, fields.values["say"], what)
    return GoalRule(entry.key.text, prolog, sentence, fields["hint"].text())


def _check_sentence(sentence: str, prolog: str, node: Node, what: str) -> None:
    listed = [len(match[1].split(",")) if match[1].strip() else 0 for match in CULPRITS.finditer(prolog)]
    for slot in SLOT.findall(sentence):
        if not slot.isdigit():
            message = f"{what} says '{{{slot}}}'; expected {{0}}, {{1}}, … for the culprits"
            node.report(message, "bad-sentence", slot)
        elif listed and int(slot) >= min(listed):
            message = f"{what} says '{{{slot}}}' of {min(listed)} culprits; expected a smaller number"
            node.report(message, "bad-sentence", slot)


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
    defined = frozenset(clause.signature for clause, found in heads if not found)
    for clause, found in heads:
        flaws += found
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
