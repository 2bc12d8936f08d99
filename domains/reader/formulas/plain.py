"""Conversion of plain YAML conditions and effects to PDDL.

``on: [o, from]`` is a fact about parameters, named without a question mark (a parameter wins over a constant);
``not:``, ``and:``, ``or:`` and comparisons are prefix operators; ``forall:`` and ``exists:`` name their variables and
are followed by ``holds:`` or, in an effect, ``then:``. Several entries of a table form a conjunction.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from domains.diagnostics import Mark
from domains.reader.formulas.scope import FormulaSource
from domains.reader.nodes.document import Entry, Listing, Node, Scalar, TableNode, place_in
from domains.reader.nodes.fields import is_empty
from semantics.errors import FormulaError
from semantics.logic.parsing import NUMBER, Node as Bracket, Word, parse_sexpr, place_of
from semantics.plain_text import shortened

NAME = re.compile(r"\??[a-z][a-z0-9_-]*", re.ASCII)
BEFORE_OTHERS = ("and", "or", "not", "imply", "=", "<", "<=", ">=", ">", "+", "-", "*", "/")
CHANGES = {"increase": "by", "decrease": "by", "assign": "to"}
LEADERS = ("forall", "exists", "when", *CHANGES)
FOLLOWERS = ("holds", "then", "by", "to")
RESERVED = frozenset({"and", "or", "not", "imply", *LEADERS, *FOLLOWERS})
"""Words of the language, which cannot be names of predicates or numbers."""


def written_out(node: Node, variables: Collection[str], what: str, *, is_effect: bool = False) -> FormulaSource | None:
    """Convert a table or list to PDDL; return None after reporting an error.

    Args:
        node: The node in the file.
        variables: Parameters in scope, without their question mark.
        what: Description of the node for messages.
        is_effect: Whether it is an effect; otherwise it is a condition.
    """
    writer = _Writer(what, is_effect=is_effect)
    writer.formula(node, frozenset(variables))
    return writer.source(node) if writer.is_whole else None


class _Writer:
    def __init__(self, what: str, *, is_effect: bool) -> None:
        self._what = what
        self._is_effect = is_effect
        self._parts: list[str] = []
        self._length = 0
        self._places: list[tuple[int, Mark]] = []
        self.is_whole = True

    def source(self, node: Node) -> FormulaSource:
        offsets, marks = tuple(zip(*self._places, strict=True)) if self._places else ((0,), (Mark(),))
        return FormulaSource("".join(self._parts), self._what, node, offsets, marks)

    def _append(self, mark: Mark, *words: str) -> None:
        for word in words:
            self._places.append((self._length, mark))
            self._parts.append(word + " ")
            self._length += len(word) + 1

    def _refuse(self, node: Node, message: str, culprit: str = "") -> None:
        self.is_whole = False
        node.report(f"{self._what}: {message}", "unreadable-formula", culprit)

    def formula(self, node: Node, variables: frozenset[str]) -> None:
        """Write a condition or effect."""
        if isinstance(node, Scalar):
            self._text(node)
        elif isinstance(node, Listing):
            self._append(node.mark, "(", "and")
            for item in node.items:
                self.formula(item, variables)
            self._append(node.mark, ")")
        elif any(key.text in (*LEADERS, *FOLLOWERS) for key, _ in node.entries):
            self._leader_form(node, variables)
        elif len(node.entries) == 1:
            self._applied(node.entries[0], variables)
        else:
            self._append(node.mark, "(", "and")
            for entry in node.entries:
                self._applied(entry, variables)
            self._append(node.mark, ")")

    def _text(self, scalar: Scalar) -> None:
        """Write PDDL text inside plain YAML."""
        try:
            tree = parse_sexpr(scalar.text)
        except FormulaError as error:
            place = replace(scalar, mark=place_in(scalar, error.line, error.column))
            self._refuse(place, f"'{shortened(scalar.text)}' cannot be read: {error.reason}", scalar.text)
            return
        for word, offset in _words(tree):
            self._append(place_in(scalar, *place_of(scalar.text, offset)), word)

    def _leader_form(self, node: TableNode, variables: frozenset[str]) -> None:
        """Write a quantifier, a conditional effect, or a change of a number."""
        entries = {entry.key.text: entry for entry in node.entries}
        leader = next((key for key in LEADERS if key in entries), "")
        keys = self._keys_of(leader, entries)
        if set(keys) != set(entries):
            shown = " and ".join(f"'{key}'" for key in entries)
            self._refuse(node, f"{shown} cannot stand together; {_forms(self._is_effect)}", next(iter(entries)))
        elif leader in CHANGES:
            self._append(entries[leader].key.mark, "(", leader)
            self._expression(entries[leader].value, variables)
            self._expression(entries[CHANGES[leader]].value, variables)
            self._append(node.mark, ")")
        else:
            self._scoped([entries[key] for key in keys], variables, node.mark)

    def _keys_of(self, leader: str, entries: Collection[str]) -> tuple[str, ...]:
        if not self._is_effect:
            return (leader, "holds") if leader in ("forall", "exists") else ()
        if leader in CHANGES:
            return (leader, CHANGES[leader])
        if leader == "forall":
            return ("forall", "when", "then") if "when" in entries else ("forall", "then")
        return ("when", "then") if leader == "when" else ()

    def _scoped(self, entries: list[Entry], variables: frozenset[str], mark: Mark) -> None:
        *leaders, last = entries
        for key, value in leaders:
            self._append(key.mark, "(", key.text)
            if key.text == "when":
                self._is_effect = False
                self.formula(value, variables)
                self._is_effect = True
            else:
                variables |= self._variables(value)
        self.formula(last.value, variables)
        self._append(mark, *(")" for _ in leaders))

    def _variables(self, node: Node) -> frozenset[str]:
        """Write the variables of a quantifier, and return their names."""
        if not isinstance(node, TableNode) or not node.entries:
            self._refuse(node, "no variables; expected a table such as {x: block}")
            return frozenset()
        self._append(node.mark, "(")
        for key, value in node.entries:
            if isinstance(value, Scalar) and NAME.fullmatch(key.text) and NAME.fullmatch(value.text):
                self._append(key.mark, f"?{key.text.removeprefix('?')}")
                self._append(value.mark, "-", value.text)
            else:
                self._refuse(key, f"'{shortened(key.text)}' is no variable; expected such as {{x: block}}")
        self._append(node.mark, ")")
        return frozenset(key.text.removeprefix("?") for key, _ in node.entries)

    def _applied(self, entry: Entry, variables: frozenset[str]) -> None:
        """Write a predicate with its arguments, or a prefix operator with its operands."""
        key, value = entry
        if key.text not in BEFORE_OTHERS and not NAME.fullmatch(key.text):
            self._refuse(key, f"'{shortened(key.text)}' is no name; {_forms(self._is_effect)}", key.text)
            return
        self._append(key.mark, "(", key.text)
        if key.text == "not":
            self.formula(value, variables)
        elif key.text in ("and", "or", "imply"):
            for item in value.items if isinstance(value, Listing) else (value,):
                self.formula(item, variables)
        else:
            for item in _items(value):
                self._expression(item, variables)
        self._append(key.mark, ")")

    def _expression(self, node: Node, variables: frozenset[str]) -> None:
        """Write an argument: a name, a number, or a numeric fluent."""
        if isinstance(node, TableNode) and len(node.entries) == 1:
            self._applied(node.entries[0], variables)
        elif isinstance(node, Scalar) and node.text.startswith("("):
            self._text(node)
        elif isinstance(node, Scalar) and (NAME.fullmatch(node.text) or NUMBER.fullmatch(node.text)):
            self._append(node.mark, f"?{node.text}" if node.text in variables else node.text)
        else:
            shown = f"'{shortened(node.text)}'" if isinstance(node, Scalar) else "this"
            self._refuse(node, f"{shown} is neither name nor number")


def _items(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Listing):
        return node.items
    return () if is_empty(node) else (node,)


def _words(tree: Bracket) -> Iterator[tuple[str, int]]:
    if isinstance(tree, Word):
        yield tree.text, tree.offset
        return
    yield "(", tree.offset
    for item in tree.items:
        yield from _words(item)
    yield ")", tree.end - 1


def _forms(is_effect: bool) -> str:
    if is_effect:
        return (
            "expected such as {on: [o, to]}, {not: …}, {when: …, then: …}, {forall: {x: block}, then: …} or "
            "{increase: {volume: [c]}, by: 1}"
        )
    return "expected such as {on: [o, from]}, {not: …}, {or: […]} or {forall: {x: block}, holds: …}"
