"""Worlds on worlds: a domain file is joined with the files of the worlds that it ``extends``.

Files are joined as nodes, entry by entry, before anything is read, so that each problem is told in the file where its
text stands. An entry of the file itself wins if it says ``override``; ``without`` removes entries of the other worlds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import yaml

from domains.diagnostics import Mark
from domains.reader.keys import EXTENDS, OVERRIDE, SORTS, WITHOUT
from domains.reader.nodes.document import Entry, Listing, Node, Scalar, TableNode, read_document, value_of
from domains.reader.nodes.fields import Field, entries, is_empty, without_key
from domains.worlds import DOMAIN_FILE, ENDINGS, WORLDS, available_domains

FILES = ("scenes", "cases")
SETTINGS = ("conventions", "ladder", "moves_every")
"""Tables with one valid entry a name, so that a world's own entry is meant to win."""
ADDED: Mapping[str, str] = {"rules": "file", "classes": "use"}
"""Keys of tables that hold lists of files: the lists of all worlds count."""
SLOT = re.compile(r"\{(\w+)\}")
MAPPING, SEQUENCE, TEXT = (f"tag:yaml.org,2002:{kind}" for kind in ("map", "seq", "str"))
RESOLVER = yaml.resolver.Resolver()
WIDTH = 100_000  # columns of a line: a text that is folded could be cut at a place where it does not read the same

OWN = (EXTENDS, OVERRIDE, WITHOUT)

Entries = Mapping[str, Entry]
"""Entries by name: those of a table, or the tables of a file."""
Names = Mapping[str, Scalar]
"""Where a file names entries of a table."""


def with_bases(node: Node, path: Path) -> Node:
    """Return the node of a domain file, joined with the worlds that it extends; `path` is the file.

    Raises:
        DomainFileError: A world that it extends cannot be used.
    """
    if not isinstance(node, TableNode) or value_of(node, "pddl") is not None:  # its reader says which keys it takes
        return node
    if not any(value_of(node, key) for key in OWN):
        return node
    tables = _join_file(node, path, (path.resolve(),), {})
    for folder in FILES:
        files = _entries(tables, folder).items()
        node.file.ancestry.files[folder] = {name: Path(entry.key.file.path) for name, entry in files}
    joined = [entry for key, entry in tables.items() if key not in FILES]
    return replace(node, entries=(*joined, *(entry for entry in node.entries if entry.key.text in FILES)))


def whole_text(path: Path) -> str:
    """Return the text of a domain file, joined with the worlds that it extends: it reads to an equal world.

    Raises:
        DomainFileError: A file cannot be used.
    """
    node, diagnostics = read_document(path, str(path))
    whole = with_bases(node, path)
    diagnostics.settle()
    return yaml_text(_with_near_meshes(whole, path.parent))


def named_file(scalar: Scalar, kind: str, shipped: Mapping[str, Path], beside: Path) -> Path | None:
    """Return the file that the name of a shipped one means, or a path from the file `beside`; report what is none."""
    text = scalar.text
    if text in shipped:
        return shipped[text]
    file = beside.parent / text
    file = file / DOMAIN_FILE if file.is_dir() and text else file
    if file.is_file():
        return file
    if "/" in text or text.endswith(ENDINGS):
        scalar.report(f"there is no file {file}; expected a {kind}, by its path from this file", "no-file", text)
    else:
        scalar.unknown(kind, text, shipped)
    return None


def _with_near_meshes(node: Node, folder: Path) -> Node:
    """Return a node in which the files of meshes of a base are named from the folder of the world."""
    if not isinstance(node, TableNode):
        return node
    found = {entry.key.text: Entry(entry.key, _with_near_meshes(entry.value, folder)) for entry in node.entries}
    mesh = found.get("mesh")
    file = None if mesh is None else value_of(mesh.value, "file")
    if mesh is not None and isinstance(mesh.value, TableNode) and isinstance(file, Scalar) and file.file.path:
        near = replace(file, text=os.path.relpath(Path(file.file.path).parent / file.text, folder))
        key, flag, yes = (replace(file, text=text, style="") for text in ("file", "outside", "true"))
        others = [entry for entry in mesh.value.entries if entry.key.text not in ("file", "outside")]
        found["mesh"] = mesh._replace(value=replace(mesh.value, entries=(Entry(key, near), *others, Entry(flag, yes))))
    return replace(node, entries=tuple(found.values()))


def _join_file(node: TableNode, path: Path, above: tuple[Path, ...], known: dict[Path, Entries]) -> Entries:
    """Return what stands in a file and in its bases, by key.

    Args:
        node: The file.
        path: Its path.
        above: The files that extend it, and itself.
        known: The worlds that were joined before, so that what two bases share is the same.
    """
    own = {entry.key.text: entry for entry in node.entries if entry.key.text not in OWN and not is_empty(entry.value)}
    own |= {folder: _files_beside(node, path, folder) for folder in FILES}
    extends = value_of(node, EXTENDS)
    named = Field(extends, f"'{EXTENDS}' of a domain").texts().values()
    bases = [base for scalar in named for base in _read_base(scalar, path, above, known)]
    if extends is not None:
        node.file.settle()  # every name of a missing world would be reported too
    override, without = (_read_names(value_of(node, key), key) for key in (OVERRIDE, WITHOUT))
    inherited = {key: entry for base in reversed(bases) for key, entry in base.items() if key != "name"}
    tables = own | {key: entry for key, entry in inherited.items() if key not in own}
    for key, sort in SORTS.items():
        lists, removed = [_entries(base, key) for base in bases], without.get(key, {})
        joined = _join_table(key, _entries(own, key), lists, override.get(key, {}), removed, extends or node)
        if key in tables:
            tables[key] = _with_entries(tables[key], joined.values())
        node.file.ancestry.removed.update(((sort, name), _place(scalar)) for name, scalar in removed.items())
    _check_phrases(_entries(tables, "phrases"), without)
    return tables


def _files_beside(node: TableNode, path: Path, folder: str) -> Entry:
    """Return a table of the files in a folder beside a domain file; each is an entry that stands in itself."""
    files = map(str, sorted(path.parent.glob(f"{folder}/*.yaml")))
    keys = [Scalar(Path(file).stem, Mark(shown=file), node.file.beside(file, "", file)) for file in files]
    table = TableNode(tuple(Entry(key, key) for key in keys), node.mark, node.file)
    return Entry(Scalar(folder, node.mark, node.file), table)


def _entries(tables: Entries, key: str) -> Entries:
    """Return the entries of a table by name; phrases, which are a list, are named by their patterns."""
    value = tables[key].value if key in tables else None
    if isinstance(value, TableNode):
        return {entry.key.text: entry for entry in value.entries}
    phrases = value.items if isinstance(value, Listing) and key == "phrases" else ()
    patterns = ((value_of(phrase, "pattern"), phrase) for phrase in phrases)
    named = (Entry(at if isinstance(at, Scalar) else Scalar("", item.mark, item.file), item) for at, item in patterns)
    return {" ".join(entry.key.text.split()): entry for entry in named}


def _with_entries(table: Entry, inner: Iterable[Entry]) -> Entry:
    """Return a table with other entries; what is neither a table nor a list of phrases is left to its reader."""
    value = table.value
    if isinstance(value, Listing) and table.key.text == "phrases":
        return table._replace(value=replace(value, items=tuple(entry.value for entry in inner)))
    return table._replace(value=replace(value, entries=tuple(inner))) if isinstance(value, TableNode) else table


def _read_base(scalar: Scalar, path: Path, above: tuple[Path, ...], known: dict[Path, Entries]) -> Iterator[Entries]:
    """Yield the world that a file names as its base, or report it."""
    shipped = {name: WORLDS / name / DOMAIN_FILE for name in available_domains()}
    file = named_file(scalar, "world", shipped, path)
    if file is None:
        return
    real = file.resolve()
    if real in above:
        circle = " extends ".join(
            each.parent.name if each.name == DOMAIN_FILE else each.name for each in (*above[above.index(real) :], real)
        )
        scalar.report(f"worlds extend each other in a circle: {circle}; expected none", "circle", scalar.text)
        return
    if real not in known:
        shown = str(file) if file in shipped.values() else os.path.relpath(file)
        node, _ = read_document(file, shown, beside=scalar.file)
        name = value_of(node, "name")
        if not isinstance(node, TableNode) or value_of(node, "pddl") is not None or not isinstance(name, Scalar):
            scalar.report(f"'{scalar.text}' is no world in YAML with a name; expected one", "no-world", scalar.text)
            return
        scalar.file.ancestry.bases[str(file)] = name.text
        known[real] = _join_file(node, file, (*above, real), known)
    yield known[real]


def _read_names(node: Node | None, key: str) -> dict[str, Names]:
    """Read what a file overrides or removes, by table."""
    names: dict[str, Names] = {}
    for entry in entries(node, f"'{key}' of a domain"):
        if entry.key.text not in SORTS:
            entry.key.unknown("key", entry.key.text, SORTS, f"in '{key}'")
        names[entry.key.text] = Field(entry.value, f"'{key}' of {entry.key.text}").texts()
    return names


def _join_table(
    key: str, own: Entries, bases: list[Entries], override: Names, without: Names, at: Node
) -> dict[str, Entry]:
    """Return the entries of a table of a file, then those of its bases; what is overridden is replaced in its place.

    Args:
        key: Of the table.
        own: The entries of the file.
        bases: The entries of each base.
        override: What the file says that it overrides, in a list.
        without: What it removes.
        at: Where it names its bases.
    """
    sort, known, added = SORTS[key], {name for base in bases for name in base}, ADDED.get(key)
    flags = {name: Field(value_of(entry.value, OVERRIDE), f"'{OVERRIDE}' of '{name}'") for name, entry in own.items()}
    winning = {name: own[name].key for name in own if name in override or flags[name].flag()}
    _check_names(sort, winning, known, "to override, in the worlds that this one extends")
    _check_names(sort, without, known, "in the worlds that this one extends")
    _check_names(sort, override, own, "in this file")
    free = {*winning, *(own if key in SETTINGS else ()), added}
    found: dict[str, Entry] = {}
    for name, entry in ((name, entry) for base in bases for name, entry in base.items() if name not in without):
        first = found.setdefault(name, entry)
        if name == added:
            found[name] = _with_items(first, entry)
        elif first.value is not entry.value and name not in free:
            message = f"{sort} '{name}' stands in {_place(first.key)} and in {_place(entry.key)}; expected an entry"
            at.report(f"{message} of this world with '{OVERRIDE}: true', or none by '{WITHOUT}'", "named-twice", name)
    for name in [name for name in own if name in found and name not in free]:
        way = "true' in it" if isinstance(own[name].value, TableNode) else f"{{{key}: [{name}]}}'"
        message = f"'{name}' stands in {_place(found[name].key)} already; expected '{OVERRIDE}: {way}, or another name"
        own[name].key.report(message, "named-twice", name)
    mine = {name: entry._replace(value=without_key(entry.value, OVERRIDE)) for name, entry in own.items()}
    if added in mine and added in found:
        mine[added] = _with_items(mine[added], found[added])
    return {name: entry for name, entry in mine.items() if name not in found} | found | mine


def _check_names(sort: str, names: Names, valid: Collection[str], where: str) -> None:
    for name, scalar in names.items():
        if name not in valid:
            scalar.unknown(sort, name, valid, where)


def _with_items(first: Entry, second: Entry) -> Entry:
    """Return an entry with the items of two lists; one item stands for a list of it."""
    nodes = (node for entry in (first, second) for node in getattr(entry.value, "items", (entry.value,)))
    unique = tuple({id(node): node for node in nodes}.values())
    return first._replace(value=Listing(unique, first.value.mark, first.value.file))


def _check_phrases(phrases: Entries, without: Mapping[str, Names]) -> None:
    """Report phrases whose goal names something that is removed, as words of their own."""
    removed = {name: place for key in ("classes", "kinds", "constants") for name, place in without.get(key, {}).items()}
    for pattern, entry in phrases.items():
        goal = value_of(entry.value, "goal")
        if not isinstance(goal, Scalar):
            continue
        for slot in SLOT.findall(goal.text):
            if slot in removed and f"{{{slot}}}" not in pattern:
                message = f"the phrase names '{slot}', which is removed in {_place(removed[slot])}"
                goal.report(f"{message}; expected '{WITHOUT}' for the phrase too", "removed-name", slot)


def _place(scalar: Scalar) -> str:
    return f"{scalar.file.shown}:{scalar.mark.line}:{scalar.mark.column}"


def yaml_text(node: Node) -> str:
    """Return a node as the text of a file, which reads to an equal node; comments are lost."""
    text: str = yaml.serialize(_written(node), Dumper=yaml.SafeDumper, width=WIDTH, allow_unicode=True)
    return text


def _written(node: Node) -> yaml.Node:
    if isinstance(node, Scalar):
        # The reader tells a number or a flag from a text by its quotes.
        tag = TEXT if node.style else RESOLVER.resolve(yaml.ScalarNode, node.text, (True, False))  # type: ignore[no-untyped-call]
        return yaml.ScalarNode(tag, node.text, style=node.style or None)
    if isinstance(node, Listing):
        are_texts = all(isinstance(item, Scalar) for item in node.items)
        return yaml.SequenceNode(SEQUENCE, list(map(_written, node.items)), flow_style=are_texts)
    pairs = [(_written(key), _written(value)) for key, value in node.entries]
    return yaml.MappingNode(MAPPING, pairs, flow_style=False)
