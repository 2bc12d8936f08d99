"""Positions in a PDDL file, by its brackets; paths are those of the world that the file is read as.

Types are under ``affordances``, actions under ``capabilities``, objects under ``things``, the rest under its own name.
PDDL ignores case, so paths and words are in lower case. A name that is declared twice has its first position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from domains.diagnostics import Mark
from domains.lint.survey.places import Path, first_literal
from semantics.logic.parsing import Group, Node, Word, parse_sexprs, place_of

TYPED = {":types": "affordances", ":constants": "constants", ":objects": "things"}
HEADED = {":predicates": "predicates", ":functions": "fluents"}
ACTIONS = (":action", ":durative-action")
PARTS = {
    ":parameters": "parameters",
    ":precondition": "precondition",
    ":condition": "precondition",
    ":effect": "effect",
    ":duration": "duration",
}
WHOLE = {":init": "facts", ":goal": "goal"}


class _FilePart(NamedTuple):
    node: Node
    names: Node


class PddlPlaces:
    """Finds positions in a domain or problem file."""

    def __init__(self, text: str) -> None:
        """Index `text`.

        Raises:
            FormulaError: Its brackets do not match.
        """
        self._text = text
        self._parts: dict[Path, _FilePart] = {}
        for path, part in _indexed(parse_sexprs(text)):
            self._parts.setdefault(path, part)

    def of(self, *path: str) -> Mark:
        """Return the position of the name at the end of `path`."""
        part = self._nearest(path)
        return Mark(*place_of(self._text, part.names.offset)) if part else Mark()

    def literal(self, path: Path, words: Sequence[str], positive: bool | None = None) -> Mark:
        """Return the position of an atom below `path`; see `first_literal`."""
        part = self._nearest(path)
        if part is None:
            return Mark()
        group = first_literal((part.node,), words, positive)
        return Mark(*place_of(self._text, (group or part.names).offset))

    def offset(self, path: Path, offset: int) -> Mark:
        """Return the position of the part at `path`: PDDL has no embedded text."""
        return self.of(*path)

    def _nearest(self, path: Path) -> _FilePart | None:
        while path and path not in self._parts:
            path = path[:-1]
        return self._parts.get(path)


def _indexed(parts: Sequence[Node]) -> Iterator[tuple[Path, _FilePart]]:
    for part in parts:
        if not isinstance(part, Group):
            continue
        yield (), _FilePart(part, part)
        for section in part.items:
            if isinstance(section, Group):
                yield from _section(section)


def _section(section: Group) -> Iterator[tuple[Path, _FilePart]]:
    head, rest = section.head, section.items[1:]
    if head in TYPED:
        yield (TYPED[head],), _FilePart(section, section)
        yield from (((TYPED[head], word.text), _FilePart(word, word)) for word in _names(rest))
    elif head in HEADED:
        yield (HEADED[head],), _FilePart(section, section)
        yield from (((HEADED[head], group.head), _FilePart(group, group.items[0])) for group in _headed(rest))
    elif head in ACTIONS and rest and isinstance(rest[0], Word):
        yield ("capabilities", rest[0].text), _FilePart(section, rest[0])
        yield from _action(("capabilities", rest[0].text), rest[1:])
    elif head == ":derived":
        yield from (
            (("predicates", group.head, "derived"), _FilePart(section, group.items[0])) for group in _headed(rest[:1])
        )
    elif head in WHOLE:
        yield (WHOLE[head],), _FilePart(section, section.items[0])


def _headed(nodes: Sequence[Node]) -> Iterator[Group]:
    yield from (node for node in nodes if isinstance(node, Group) and node.head)


def _names(nodes: Sequence[Node]) -> Iterator[Word]:
    """Yield the names of a typed list without their types."""
    before = ""
    for node in nodes:
        if isinstance(node, Word) and node.text != "-" and before != "-":
            yield node
        before = node.text if isinstance(node, Word) else ""


def _action(path: Path, rest: Sequence[Node]) -> Iterator[tuple[Path, _FilePart]]:
    for key, value in pairwise(rest):
        if isinstance(key, Word) and key.text in PARTS:
            part = PARTS[key.text]
            yield (*path, part), _FilePart(value, key)
            if part == "parameters" and isinstance(value, Group):
                yield from (
                    ((*path, part, word.text.lstrip("?")), _FilePart(word, word)) for word in _names(value.items)
                )
