"""Class packs: files of classes for any world. A class is read when its name or a word for it is asked for.

Most of a pack is never needed, and reading all of one takes twice as long as reading the kitchen. So its text is
divided at the lines where a class begins, and the text of one class is read at a time.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from domains.declarations import ObjectClass
from domains.diagnostics import Diagnostics, Mark
from domains.model import Domain
from domains.packed_classes import PackedClasses
from domains.reader.attributes import measured_class, read_attributes, read_values
from domains.reader.classes import read_shape
from domains.reader.keys import open_table
from domains.reader.nodes.document import Listing, Node, Scalar, TableNode, nodes_of, read_text, value_of
from domains.reader.nodes.fields import Field, entries
from domains.worlds import ENDINGS, WORLDS
from semantics.errors import known_name
from semantics.logic.attributes import Attribute
from semantics.words.lexicon import plain

__all__ = ["ClassPack", "available_packs", "load_pack", "named_pack", "with_packs", "without_use"]

PACKS = WORLDS / "packs"
ALL, USE = "all", "use"
CLASSES = re.compile(r"^classes:[ \t]*(#.*)?$", re.MULTILINE)
SECTION = re.compile(r"^[^\s#]", re.MULTILINE)
ENTRY = re.compile(r"^( +)([a-z][a-z0-9_-]*):", re.MULTILINE)
MOST_TOLD = 5


class _Text(NamedTuple):
    """The text of a class, and the number of lines before it."""

    text: str
    lines: int


@dataclass(frozen=True)
class ClassPack:
    """A pack, divided into the texts of its classes.

    Attributes:
        name: Its name.
        shown: Its path for messages.
        digest: Of its text.
        affordances: Its affordances.
        means: The affordances of a world that stand for one of its own, where that is not the one of the same name.
        above: Each kind with all kinds above it.
        kind_words: The kind of each further word for one.
        attributes: Its attributes.
        texts: The text of each class.
    """

    name: str
    shown: str
    digest: str
    affordances: frozenset[str]
    means: Mapping[str, tuple[str, ...]]
    above: Mapping[str, frozenset[str]]
    kind_words: Mapping[str, str]
    attributes: Mapping[str, Attribute]
    texts: Mapping[str, _Text]

    @cached_property
    def _plain(self) -> Mapping[str, str]:
        return {name: plain(text.text) for name, text in self.texts.items()}

    def meant(self, word: str) -> tuple[str, ...]:
        """Return the names of the classes that a word in its plain form may mean."""
        holding = [name for name, text in self._plain.items() if word in text]
        return tuple(name for name in holding if word == plain(name) or word in map(plain, self._words(name)))

    def _words(self, name: str) -> Collection[str]:
        return Field(value_of(self.node(name), "words"), f"the words of '{name}'").texts()

    def node(self, name: str) -> Node:
        """Return what the pack says of a class.

        Raises:
            DomainFileError: It is no YAML.
        """
        text, lines = self.texts[name]
        table = nodes_of("\n" * lines + text, Diagnostics(self.shown))
        found = value_of(table, name)
        return table if found is None else found

    def read(self, name: str, domain: Domain) -> ObjectClass:
        """Return a class as a world has it, without what follows from its affordances there.

        Raises:
            DomainFileError: It cannot be used; lists every problem with its line and column.
        """
        node, names = self.node(name), domain.conventions
        fields = open_table(node, "pack class", f"class '{name}'")
        listed = fields["affordances"].known("affordance", self.affordances)
        affordances = domain.affordances.keys() & {each for own in listed for each in self.means.get(own, (own,))}
        direct = fields["kinds"].known("kind", self.above)
        shape = fields.get("shape")
        body = None if shape is None else read_shape(shape, fields.what, self.shown, rough=True)
        stated = read_values(fields.get("attributes"), self.attributes, fields.what)
        words = tuple(fields["words"].texts()) if fields.get("words") is not None else ()
        absent = {names.carry} if fields["stays"].flag() else set()
        node.file.settle()
        return measured_class(
            ObjectClass(
                name,
                frozenset(affordances - absent),
                frozenset().union(*(self.above[kind] for kind in direct)),
                words,
                body,
                abstract=body is None,
                lacks=frozenset({names.location} - {""}),  # no robot can be told where to stand at it
            ),
            tuple(pair for pair in stated if _is_known(pair[0], pair[1], domain.attributes)),
            domain.attributes,
        )


def _is_known(attribute: str, value: object, attributes: Mapping[str, Attribute]) -> bool:
    known = attributes.get(attribute)
    return known is not None and (value in known.values or (known.is_number and isinstance(value, float)))


def available_packs() -> tuple[str, ...]:
    """Return the names of the packs that come with this package, sorted."""
    return tuple(sorted(path.stem for path in PACKS.glob("*.yaml")))


def named_pack(name: str) -> ClassPack:
    """Return a pack by its name, or by the path of its file.

    Raises:
        UnknownNameError: There is no pack of that name.
        DomainFileError: It cannot be used.
    """
    if "/" not in name and not name.endswith(ENDINGS):
        known_name("pack", name, available_packs())
        return load_pack(PACKS / f"{name}.yaml", str(PACKS / f"{name}.yaml"))
    return load_pack(Path(name), name)


def load_pack(path: Path, shown: str) -> ClassPack:
    """Read a pack; a text that was read before is not divided again.

    Raises:
        DomainFileError: It cannot be used; lists every problem with its line and column.
    """
    return _parsed(read_text(path, shown), shown)


@lru_cache(maxsize=8)
def _parsed(text: str, shown: str) -> ClassPack:
    diagnostics = Diagnostics(shown, text)
    begin = CLASSES.search(text)
    end = SECTION.search(text, begin.end()) if begin else None
    after = len(text) if end is None else end.start()
    if begin is None:
        raise diagnostics.fatal(Mark(), "no line is 'classes:'; expected one, and a class on each line below it")
    body = text[begin.end() : after]
    head = text[: begin.end()] + " {}" + "\n" * body.count("\n") + text[after:]
    fields = open_table(nodes_of(head, diagnostics), "pack", "a pack")
    affordances = frozenset(entry.key.text for entry in fields.entries("affordances"))
    means = {
        entry.key.text: tuple(Field(entry.value, f"what '{entry.key.text}' means").texts())
        for entry in fields.entries("means")
    }
    for entry in fields.entries("means"):
        if entry.key.text not in affordances:
            entry.key.unknown("affordance", entry.key.text, affordances)
    above, kind_words = _read_kinds(fields.get("kinds"))
    texts = _divided(body, text[: begin.end()].count("\n"))
    pack = ClassPack(
        fields["pack"].symbol(),
        shown,
        hashlib.sha256(text.encode()).hexdigest(),
        affordances,
        means,
        above,
        kind_words,
        read_attributes(fields.get("attributes")),
        texts,
    )
    if not texts:
        fields.node.report("the pack has no classes; expected one on each line below 'classes:'", "empty-section")
    diagnostics.settle()
    return pack


def _divided(body: str, lines: int) -> dict[str, _Text]:
    """Return the texts of the classes: each begins where a line has the indentation of the first one."""
    starts = list(ENTRY.finditer(body))
    starts = [start for start in starts if len(start[1]) == len(starts[0][1])]
    ends = [*(start.start() for start in starts[1:]), len(body)]
    return {
        start[2]: _Text(body[start.start() : end], lines + body.count("\n", 0, start.start()))
        for start, end in zip(starts, ends, strict=True)
    }


def _read_kinds(node: Node | None) -> tuple[dict[str, frozenset[str]], dict[str, str]]:
    """Return each kind with all above it, and the kinds by their further words."""
    parents: dict[str, dict[str, Scalar]] = {}
    words: dict[str, str] = {}
    for entry in entries(node, "kinds"):
        fields = open_table(entry.value, "pack kind", f"kind '{entry.key.text}'")
        parents[entry.key.text] = fields["is"].texts()
        words |= dict.fromkeys(fields["words"].texts(), entry.key.text)
    for kind, above in parents.items():
        for name, place in above.items():
            if name not in parents:
                place.unknown("kind", name, parents)
            elif kind in _all_above(name, parents):
                place.report(f"kind '{kind}' is above itself by '{name}'; expected no circle", "circle", name)
    return {kind: _all_above(kind, parents) for kind in parents}, words


def _all_above(kind: str, parents: Mapping[str, Mapping[str, Scalar]]) -> frozenset[str]:
    found, agenda = set[str](), [kind]
    while agenda:
        each = agenda.pop()
        if each not in found:
            found.add(each)
            agenda += parents.get(each, ())
    return frozenset(found)


class _Use(NamedTuple):
    """A pack in use: the classes that are named, None for all, and where it is named."""

    pack: ClassPack
    names: Collection[str] | None
    place: Scalar


def without_use(node: Node) -> tuple[Node, Node | None]:
    """Return the node of a domain without what its classes `use`, and that."""
    classes = value_of(node, "classes")
    use = None if classes is None else value_of(classes, USE)
    if use is None or not isinstance(node, TableNode) or not isinstance(classes, TableNode):
        return node, None
    own = replace(classes, entries=tuple(entry for entry in classes.entries if entry.value is not use))
    changed = tuple(entry._replace(value=own) if entry.value is classes else entry for entry in node.entries)
    return replace(node, entries=changed), use


def with_packs(domain: Domain, use: Node | None, follow: Callable[[ObjectClass], ObjectClass]) -> Domain:
    """Return a domain with the classes of packs; `follow` adds to a class what follows from its affordances."""
    if use is None:
        return domain
    uses = list(_read_use(use, domain.source or ""))
    classes = _Classes(domain, _chosen(uses, domain.classes), follow)
    digest = hashlib.sha256("".join(f"{each.pack.digest}{each.names}" for each in uses).encode()).hexdigest()
    kind_words = {word: kind for each in uses for word, kind in each.pack.kind_words.items()}
    given = frozenset[str]().union(*(_given(each.pack, domain, follow) for each in uses))
    words = _Words(classes)
    return replace(domain, classes=PackedClasses(domain.classes, classes, digest, words, kind_words, given))


def _read_use(node: Node, source: str) -> Iterator[_Use]:
    """Yield the packs in use: a name or a path for all of a pack, or a table with the names of classes."""
    for item in node.items if isinstance(node, Listing) else (node,):
        table = item.entries if isinstance(item, TableNode) else ()
        pairs: Sequence[tuple[Scalar, Node | None]] = [(item, None)] if isinstance(item, Scalar) else table
        for place, value in pairs:
            path = _path_of(place, source)
            if path is None:
                continue
            pack = load_pack(path, str(path))
            is_all = value is None or (isinstance(value, Scalar) and value.text == ALL)
            what = f"'{USE}' of pack '{pack.name}'"
            yield _Use(pack, None if is_all else Field(value, what).known("class", pack.texts), place)


def _path_of(place: Scalar, source: str) -> Path | None:
    if "/" not in place.text and not place.text.endswith(ENDINGS):
        if place.text not in available_packs():
            place.unknown("pack", place.text, available_packs())
            return None
        return PACKS / f"{place.text}.yaml"
    path = Path(place.file.path or source).parent / place.text
    if not path.is_file():
        place.report(f"there is no file {path}; expected a class pack", "no-file", place.text)
        return None
    return path


def _chosen(uses: Sequence[_Use], own: Collection[str]) -> dict[str, ClassPack]:
    """Return the pack of each class: the first that names it, or else the one that has it.

    Two packs that differ on a class that neither names are reported.
    """
    chosen = {name: each.pack for each in reversed(uses) for name in each.names or ()}
    named = {*chosen, *own}
    for each in uses:
        differing: dict[str, list[str]] = {}
        for name in each.pack.texts if each.names is None else ():
            first = chosen.setdefault(name, each.pack)
            if name not in named and not _is_same(first, each.pack, name):
                differing.setdefault(first.name, []).append(name)
        for first_name, names in differing.items():
            told = ", ".join(names[:MOST_TOLD]) + (", …" if len(names) > MOST_TOLD else "")
            message = f"packs '{first_name}' and '{each.pack.name}' differ on {told}; expected each named with"
            each.place.report(f"{message} one pack, as in '{USE}: {{{first_name}: [{names[0]}]}}'", "packs-differ")
    return {name: pack for name, pack in chosen.items() if name not in own}


def _is_same(first: ClassPack, second: ClassPack, name: str) -> bool:
    return first is second or first.texts[name].text.split() == second.texts[name].text.split()


def _given(pack: ClassPack, domain: Domain, follow: Callable[[ObjectClass], ObjectClass]) -> frozenset[str]:
    """Return the affordances of a world that a class of the pack may have."""
    meant = {each for own in pack.affordances for each in pack.means.get(own, (own,))} & domain.affordances.keys()
    return frozenset().union(*(follow(ObjectClass("", frozenset({each}))).affordances for each in meant))


class _Classes(Mapping[str, ObjectClass]):
    """The classes of packs, each read when it is looked up; a walk goes over those that were read."""

    def __init__(
        self, domain: Domain, packs: Mapping[str, ClassPack], follow: Callable[[ObjectClass], ObjectClass]
    ) -> None:
        self._domain = domain
        self.packs = packs
        self._follow = follow
        self._read: dict[str, ObjectClass] = {}

    def __getitem__(self, name: str) -> ObjectClass:
        if name not in self._read:
            self._read[name] = self._follow(self.packs[name].read(name, self._domain))
        return self._read[name]

    def __contains__(self, name: object) -> bool:
        return name in self.packs

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._read))

    def __len__(self) -> int:
        return len(self._read)


class _Words:
    """What people call the classes of packs, in plain form; implements `domains.packed_classes.PackWords`."""

    def __init__(self, classes: _Classes) -> None:
        self._packs = classes.packs
        self.names: Collection[str] = classes.packs.keys()

    def meant(self, word: str) -> tuple[str, ...]:
        """Return the names of the classes that a word may mean."""
        packs = {pack.shown: pack for pack in self._packs.values()}
        return tuple(name for pack in packs.values() for name in pack.meant(word) if self._packs.get(name) is pack)

    def __contains__(self, word: object) -> bool:
        return bool(self.meant(str(word)))

    def __reduce__(self) -> tuple[type[tuple[str, ...]], tuple[()]]:
        return tuple, ()
