"""The positions of names and literals in a world's file, beside its model, which knows no files.

A path names a part of a domain or a scene, such as ``("capabilities", "grasp", "effect")``. A part that the file does
not have gets the position of the nearest part around it, so that a finding always has a position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from domains.diagnostics import Mark
from domains.reader.formulas.plain import written_out
from domains.reader.formulas.scope import FormulaSource
from domains.reader.nodes.document import Entry, Listing, Node, Scalar, TableNode, place_in
from semantics.errors import FormulaError
from semantics.logic.parsing import Group, Node as Part, Word, parse_sexprs, place_of

Path = tuple[str, ...]
"""Sections and names from the top of a file down; the items of a list are counted from 0."""


class YamlPlaces:
    """Positions in a YAML file, by its nodes; `PddlPlaces` finds the same in PDDL."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._tables: dict[int, dict[str, Entry]] = {}
        """By the identity of a table, its entries by key: each finding asks for a place, and a table may be long."""

    def of(self, *path: str) -> Mark:
        """Return the position of the key or item at the end of `path`."""
        return self._found(path)[0]

    def literal(self, path: Path, words: Sequence[str], positive: bool | None = None) -> Mark:
        """Return the position of ``(predicate arguments)`` below `path`; see `first_literal`."""
        mark, node = self._found(path)
        for source in self._sources(path, node) if node is not None else ():
            with suppress(FormulaError):
                group = first_literal(parse_sexprs(source.text), words, positive)
                if group is not None:
                    return source.mark(group.offset)
        return mark

    def _sources(self, path: Path, node: Node) -> Iterator[FormulaSource]:
        """Yield the texts of a condition or effect; plain YAML is converted to PDDL."""
        for item in node.items if isinstance(node, Listing) else (node,):
            if isinstance(item, Scalar):
                # A slot of a phrase is a variable of the same length, so that every column stays where it is.
                yield FormulaSource(item.text.replace("{", "?").replace("}", " "), "", item)
            else:
                written = written_out(item, self._variables(path), "", is_effect=path[-1] == "effect")
                yield from (written,) if written is not None else ()

    def _variables(self, path: Path) -> list[str]:
        """Return the names of the parameters around a condition."""
        _, node = self._found((*path[:2], "parameters"))
        return [entry.key.text for entry in node.entries] if isinstance(node, TableNode) else []

    def offset(self, path: Path, offset: int) -> Mark:
        """Return the position of an offset in the text at `path`, counted from its first character that is no space."""
        mark, node = self._found(path)
        if not isinstance(node, Scalar):
            return mark
        leading = len(node.text) - len(node.text.lstrip())
        return place_in(node, *place_of(node.text, offset + leading))

    def _found(self, path: Path) -> tuple[Mark, Node | None]:
        mark, node = self._node.mark, self._node
        for name in path:
            if isinstance(node, TableNode):
                entry = self._entries(node).get(name)
                if entry is None:
                    return mark, None
                mark, node = entry.key.mark, entry.value
            elif isinstance(node, Listing):
                item = _item(node, name)
                if item is None:
                    return mark, None
                mark, node = item.mark, item
            else:
                return (node.mark, node) if node.text == name else (mark, None)
        return mark, node

    def _entries(self, table: TableNode) -> dict[str, Entry]:
        """Return the entries of a table by key; of a repeated key, the first."""
        if id(table) not in self._tables:
            self._tables[id(table)] = {entry.key.text: entry for entry in reversed(table.entries)}
        return self._tables[id(table)]


def _item(listing: Listing, name: str) -> Node | None:
    """Return the item with that index or that text."""
    if name.isdigit():
        return listing.items[int(name)] if int(name) < len(listing.items) else None
    return next((item for item in listing.items if isinstance(item, Scalar) and item.text == name), None)


def first_literal(parts: Sequence[Part], words: Sequence[str], positive: bool | None = None) -> Group | None:
    """Return the first atom below `parts` that begins with `words`; None when there is none.

    Args:
        parts: Trees of formulas.
        words: The predicate and its arguments; the predicate alone finds its first use.
        positive: Whether it is asserted or denied there; None for either.
    """
    for group, sign in _groups(parts):
        named = [item.text for item in group.items if isinstance(item, Word)]
        if named[: len(words)] == list(words) and positive in (None, sign):
            return group
    return None


def _groups(parts: Sequence[Part], positive: bool = True) -> Iterator[tuple[Group, bool]]:
    """Yield every bracket below `parts` in reading order, and whether it is asserted there."""
    for part in parts:
        if isinstance(part, Group):
            yield part, positive
            yield from _groups(part.items, positive != (part.head == "not"))
