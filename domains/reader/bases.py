"""Worlds on worlds: a domain file is joined with the files of the worlds that it ``extends``.

Files are joined as nodes, entry by entry, before anything is read, so that each problem is told in the file where its
text stands. An entry of the file itself wins if it says ``override``; ``without`` removes entries of the other worlds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from domains.diagnostics import Diagnostics
from domains.reader.nodes.document import Entry, Listing, Node, Scalar, TableNode, read_document, value_of
from domains.reader.nodes.fields import Field, entries, is_empty
from domains.reader.nodes.text import yaml_text
from domains.worlds import DOMAIN_FILE, ENDINGS, WORLDS, available_domains

__all__ = ["ADDED", "EXTENDS", "OVERRIDE", "SORTS", "WITHOUT", "whole_text", "with_bases"]

EXTENDS, OVERRIDE, WITHOUT = "extends", "override", "without"
SORTS: Mapping[str, str] = {
    "affordances": "affordance",
    "implied": "affordance",
    "excluded": "affordance",
    "kinds": "kind",
    "classes": "class",
    "attributes": "attribute",
    "constants": "constant",
    "predicates": "predicate",
    "fluents": "number",
    "capabilities": "capability",
    "agents": "agent",
    "phrases": "phrase",
    "rules": "rule",
    "repairs": "repair",
    "conventions": "convention",
    "ladder": "rung",
    "scenes": "scene",
    "cases": "file of cases",
}
"""What stands in each table that is joined; scenes and cases are files."""
FILES = ("scenes", "cases")
SETTINGS = ("conventions", "ladder")
"""Tables with one valid entry a name, so that a world's own entry is meant to win."""
ADDED: Mapping[str, str] = {"rules": "file", "classes": "use"}
"""Keys of tables that hold lists of files: the lists of all worlds count."""
OWN = ("name", EXTENDS, OVERRIDE, WITHOUT)
SLOT = re.compile(r"\{(\w+)\}")

Names = dict[tuple[str, str], Scalar]
"""Where a file names entries, by their table and name."""


def with_bases(node: Node, path: Path) -> Node:
    """Return the node of a domain file, joined with the worlds that it extends; `path` is the file.

    Raises:
        DomainFileError: A world that it extends cannot be used.
    """
    if not isinstance(node, TableNode) or all(value_of(node, key) is None for key in OWN[1:]):
        return node
    if value_of(node, "pddl") is not None:  # its reader says which keys it takes
        return node
    reading = _Reading(node.file)
    world = reading.join(node, path, (path.resolve(),))
    if reading.is_lost:  # every name of the missing world would be reported too
        node.file.settle()
    files = [(f"{table}/{name}", entry.value) for table in FILES for name, entry in world.tables[table].items()]
    node.file.inherited |= {name: file.text for name, file in files if isinstance(file, Scalar)}
    return world.whole()


def whole_text(path: Path) -> str:
    """Return the text of a domain file, joined with the worlds that it extends: it reads to an equal world.

    Raises:
        DomainFileError: A file cannot be used.
    """
    node, diagnostics = read_document(path, str(path))
    whole = with_bases(node, path)
    diagnostics.settle()
    return yaml_text(_relative(whole, path.parent))


def _relative(node: Node, folder: Path) -> Node:
    """Return a node in which files beside a base are named from the folder of the world."""
    if isinstance(node, Listing):
        return replace(node, items=tuple(_relative(item, folder) for item in node.items))
    if isinstance(node, Scalar):
        return node
    kept = tuple(Entry(entry.key, _relative(entry.value, folder)) for entry in node.entries)
    file = value_of(node, "file")
    if not isinstance(file, Scalar) or not file.file.path:
        return replace(node, entries=kept)
    text = os.path.relpath(Path(file.file.path).parent / file.text, folder)
    flag = Entry(replace(file, text="outside", style=""), replace(file, text="true", style=""))
    others = tuple(entry for entry in kept if entry.key.text not in ("file", "outside"))
    return replace(node, entries=(Entry(replace(file, text="file"), replace(file, text=text)), *others, flag))


@dataclass(frozen=True, slots=True)
class _World:
    """A domain file, joined with those of its bases.

    Attributes:
        node: The file itself.
        tables: The entries of each table, by name; the names of its scenes and cases too.
        others: What stands under every other key, and where.
    """

    node: TableNode
    tables: Mapping[str, Mapping[str, Entry]]
    others: Mapping[str, Entry]

    def whole(self) -> TableNode:
        """Return all of it as one node."""
        joined = {
            key: Entry(entry.key, self._table(key, entry.value) if key in SORTS else entry.value)
            for key, entry in self.others.items()
        }
        return replace(self.node, entries=tuple(joined.values()))

    def _table(self, key: str, written: Node) -> Node:
        """Return a joined table; what is no table at all is left to its reader."""
        found = tuple(self.tables[key].values())
        if key == "phrases" and (isinstance(written, Listing) or is_empty(written)):
            return Listing(tuple(entry.value for entry in found), written.mark, written.file)
        if key != "phrases" and (isinstance(written, TableNode) or is_empty(written)):
            return TableNode(found, written.mark, written.file)
        return written


@dataclass(slots=True)
class _Reading:
    """The reading of a domain file and of all worlds below it.

    Attributes:
        file: The problems of all.
        is_lost: Whether a world is not there.
    """

    file: Diagnostics
    is_lost: bool = False
    _known: dict[Path, _World | None] = field(default_factory=dict)

    def join(self, node: TableNode, path: Path, above: tuple[Path, ...]) -> _World:
        """Return a file joined with its bases; `above` are the files that extend it, and itself."""
        named = Field(value_of(node, EXTENDS), f"'{EXTENDS}' of a domain").texts().values()
        found = [self._base(scalar, path, above) for scalar in named]
        bases = [base for base in found if base is not None]
        self.is_lost |= len(bases) < len(found) or (value_of(node, EXTENDS) is not None and not found)
        override, without = (_read_names(value_of(node, key), key) for key in (OVERRIDE, WITHOUT))
        others = {entry.key.text: entry for entry in node.entries if entry.key.text not in OWN[1:]}
        for base in bases:
            others |= {key: entry for key, entry in base.others.items() if key != "name" and key not in others}
        tables = {}
        for key in SORTS:
            own = _files(path, key, node) if key in FILES else _entries(value_of(node, key), key)
            at = value_of(node, EXTENDS) or node
            tables[key] = _Table(key, own, [base.tables[key] for base in bases], override, without, at).joined()
        self.file.removed |= {(SORTS[key], name): _place(scalar) for (key, name), scalar in without.items()}
        _check_phrases(tables["phrases"], without)
        return _World(node, tables, others)

    def _base(self, scalar: Scalar, path: Path, above: tuple[Path, ...]) -> _World | None:
        file = _file_of(scalar, path)
        if file is None:
            return None
        real = file.resolve()
        if real in above:
            circle = " extends ".join(map(_label, (*above[above.index(real) :], real)))
            scalar.report(f"worlds extend each other in a circle: {circle}; expected none", "circle", scalar.text)
            return None
        if real not in self._known:
            node, _ = read_document(file, _shown(scalar, file), beside=self.file)
            name = value_of(node, "name")
            if not isinstance(node, TableNode) or value_of(node, "pddl") is not None or not isinstance(name, Scalar):
                scalar.report(f"'{scalar.text}' is no world in YAML with a name; expected one", "no-world", scalar.text)
                self._known[real] = None
                return None
            self.file.bases[str(file)] = name.text
            self._known[real] = self.join(node, file, (*above, real))
        return self._known[real]


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of a file, and the same tables of its bases.

    Attributes:
        key: Its key.
        own: The entries of the file.
        bases: The entries of each base.
        override: What the file says that it overrides, in a list.
        without: What it removes.
        at: Where it names its bases.
    """

    key: str
    own: Mapping[str, Entry]
    bases: list[Mapping[str, Entry]]
    override: Names
    without: Names
    at: Node

    def joined(self) -> dict[str, Entry]:
        """Return the entries of the file, then those of its bases; what is overridden is replaced in its place."""
        known = {name for base in self.bases for name in base}
        added = ADDED.get(self.key)
        winning = {name for name, entry in self.own.items() if self._wins(name, entry)}
        for name, entry in self.own.items():
            if name in winning and name not in known and self.key not in SETTINGS:
                entry.key.unknown(SORTS[self.key], name, known, "to override, in the worlds that this one extends")
        self._check_names(known)
        inherited = self._inherited(winning, added)
        for name, entry in self.own.items():
            if name in inherited and name not in winning and name != added:
                here = f"'{name}' stands in {_place(inherited[name])} already"
                entry.key.report(f"{here}; expected {self._way(name, entry)}, or another name", "named-twice", name)
        own = {name: _without_flag(entry) for name, entry in self.own.items()}
        if added in own and added in inherited:
            own[added] = _joined_lists(own[added], inherited[added])
        return {name: entry for name, entry in own.items() if name not in inherited} | inherited | own

    def _way(self, name: str, entry: Entry) -> str:
        """Return how an entry overrides that of a base."""
        is_table = isinstance(entry.value, TableNode)
        return f"'{OVERRIDE}: true' in it" if is_table else f"'{OVERRIDE}: {{{self.key}: [{name}]}}'"

    def _wins(self, name: str, entry: Entry) -> bool:
        flag = value_of(entry.value, OVERRIDE)
        return (
            self.key in SETTINGS or (self.key, name) in self.override or Field(flag, f"'{OVERRIDE}' of '{name}'").flag()
        )

    def _check_names(self, known: Iterable[str]) -> None:
        """Report names that are removed or overridden and are not there."""
        lists = (
            (self.without, set(known), "in the worlds that this one extends"),
            (self.override, self.own, "in this file"),
        )
        for names, valid, where in lists:
            for (key, name), scalar in names.items():
                if key == self.key and name not in valid:
                    scalar.unknown(SORTS[key], name, valid, where)

    def _inherited(self, winning: set[str], added: str | None) -> dict[str, Entry]:
        """Return what the bases have together; report what two of them have that differs."""
        found: dict[str, Entry] = {}
        for base in self.bases:
            for name, entry in base.items():
                if (self.key, name) in self.without:
                    continue
                first = found.setdefault(name, entry)
                if name == added and first is not entry:
                    found[name] = _joined_lists(first, entry)
                elif first.value is not entry.value and name not in winning and self.key not in SETTINGS:
                    message = f"{SORTS[self.key]} '{name}' stands in {_place(first)} and in {_place(entry)}"
                    message += f"; expected an entry of this world with '{OVERRIDE}: true', or none by '{WITHOUT}'"
                    self.at.report(message, "named-twice", name)
        return found


def _file_of(scalar: Scalar, path: Path) -> Path | None:
    """Return the domain file that a name or a relative path means, or report it."""
    text = scalar.text
    if "/" not in text and not text.endswith(ENDINGS):
        if text not in available_domains():
            scalar.unknown("world", text, available_domains(), f"in '{EXTENDS}'")
            return None
        return WORLDS / text / DOMAIN_FILE
    file = path.parent / text
    file = file / DOMAIN_FILE if file.is_dir() else file
    if not file.is_file():
        scalar.report(f"there is no file {file}; expected a world, by its path from this file", "no-file", text)
        return None
    return file


def _read_names(node: Node | None, key: str) -> Names:
    """Read what a file overrides or removes: names by their table."""
    names: Names = {}
    for entry in entries(node, f"'{key}' of a domain"):
        if entry.key.text not in SORTS:
            entry.key.unknown("key", entry.key.text, SORTS, f"in '{key}'")
            continue
        places = Field(entry.value, f"'{key}' of {entry.key.text}").texts()
        names |= {(entry.key.text, name): place for name, place in places.items()}
    return names


def _entries(node: Node | None, key: str) -> dict[str, Entry]:
    """Return the entries of a table by name; a phrase is named by its pattern."""
    if isinstance(node, TableNode):
        return {entry.key.text: entry for entry in node.entries}
    found: dict[str, Entry] = {}
    for index, item in enumerate(node.items if isinstance(node, Listing) and key == "phrases" else ()):
        pattern = value_of(item, "pattern")
        name = pattern if isinstance(pattern, Scalar) else Scalar(str(index), item.mark, item.file)
        found[" ".join(name.text.split())] = Entry(name, item)
    return found


def _files(path: Path, table: str, node: TableNode) -> dict[str, Entry]:
    """Return the scenes or cases beside a domain file, by name; each stands where the file names its bases."""
    mark = (value_of(node, EXTENDS) or node).mark
    paths = sorted(path.parent.glob(f"{table}/*.yaml"))
    return {each.stem: Entry(Scalar(each.stem, mark, node.file), Scalar(str(each), mark, node.file)) for each in paths}


def _without_flag(entry: Entry) -> Entry:
    if value_of(entry.value, OVERRIDE) is None or not isinstance(entry.value, TableNode):
        return entry
    kept = tuple(inner for inner in entry.value.entries if inner.key.text != OVERRIDE)
    return Entry(entry.key, replace(entry.value, entries=kept))


def _joined_lists(first: Entry, second: Entry) -> Entry:
    items = (item for node in (first.value, second.value) for item in _items(node))
    unique = tuple({id(item): item for item in items}.values())
    return Entry(first.key, Listing(unique, first.value.mark, first.value.file))


def _items(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, Listing) else (node,)


def _check_phrases(phrases: Mapping[str, Entry], without: Names) -> None:
    """Report phrases whose goal names something that is removed, as words of their own."""
    removed = {name: scalar for (key, name), scalar in without.items() if key in ("classes", "kinds", "constants")}
    for pattern, entry in phrases.items():
        goal = value_of(entry.value, "goal")
        if not isinstance(goal, Scalar):
            continue
        for slot in SLOT.findall(goal.text):
            if slot in removed and f"{{{slot}}}" not in pattern:
                message = f"the phrase names '{slot}', which is removed in {_place(removed[slot])}"
                goal.report(f"{message}; expected '{WITHOUT}' for the phrase too", "removed-name", slot)


def _place(part: Entry | Scalar) -> str:
    """Return the place of an entry or a name, for messages; a scene or a file of cases is a place itself."""
    scalar = part.key if isinstance(part, Entry) else part
    if isinstance(part, Entry) and isinstance(part.value, Scalar) and part.value.mark is scalar.mark:
        return part.value.text
    return f"{scalar.file.shown}:{scalar.mark.line}:{scalar.mark.column}"


def _shown(scalar: Scalar, file: Path) -> str:
    """Return the path of a base for messages: beside that of the file which names it, unless it ships."""
    return str(file) if file.is_relative_to(WORLDS) else os.path.relpath(file)


def _label(path: Path) -> str:
    return path.parent.name if path.name == DOMAIN_FILE else path.name
