"""Class packs: files of classes for any world.

A pack is parsed once in a process. A class of it is made when its name or a word for it is asked for: most of a pack is
never needed, and to make all of its classes takes longer than to read the kitchen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from domains.declarations import ObjectClass, PackedClasses
from domains.diagnostics import Diagnostics
from domains.model import Domain
from domains.reader.attributes import measured_class, read_attributes, read_values
from domains.reader.bases import named_file
from domains.reader.classes import LIMITS_OF_PACKS, read_moves_every, read_shape
from domains.reader.formulas.scope import with_implied
from domains.reader.keys import USE, open_table
from domains.reader.nodes.document import Listing, Node, Scalar, TableNode, nodes_of, read_text, value_of
from domains.reader.nodes.fields import Field, entries
from domains.worlds import WORLDS
from semantics.logic.vocabulary import Attribute
from semantics.words.lexicon import plain

ALL = "all"


@dataclass(frozen=True, eq=False)
class ClassPack:
    """A pack, parsed."""

    name: str  # its name
    digest: str  # of its text
    affordances: Mapping[str, Collection[str]]  # its affordances, each with those of a world that stand for it
    above: Mapping[str, frozenset[str]]  # each kind with all kinds above it
    kind_words: Mapping[str, str]  # the kind of each further word for one
    attributes: Mapping[str, Attribute]  # its attributes
    classes: Mapping[str, Node]  # what it says of each class
    words: Mapping[str, tuple[str, ...]]  # what people call the things of each class, in plain form
    moves_every: Mapping[str, float]  # after how many seconds half of the things of a class or kind have been moved

    def read(self, name: str, domain: Domain) -> ObjectClass:
        """Return a class as a world has it, without what follows from its affordances there.

        Raises:
            DomainFileError: It cannot be used; lists every problem with its line and column.
        """
        node, names = self.classes[name], domain.conventions
        fields = open_table(node, "pack class", f"class '{name}'")
        listed = fields["affordances"].known("affordance", self.affordances)
        affordances = {each for own in listed for each in self.affordances[own]} & domain.affordances.keys()
        direct = fields["kinds"].known("kind", self.above)
        shape = fields.get("shape")
        body = None if shape is None else read_shape(shape, fields.what, limits=LIMITS_OF_PACKS)
        stated = read_values(fields.get("attributes"), self.attributes, fields.what)
        absent = {names.carry} if fields["stays"].flag() else set()
        words = tuple(fields["words"].texts())
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
            tuple(pair for pair in stated if _is_known(*pair, domain.attributes)),
            domain.attributes,
        )


def _is_known(attribute: str, value: object, attributes: Mapping[str, Attribute]) -> bool:
    known = attributes.get(attribute)
    return known is not None and (value in known.values or (known.is_number and isinstance(value, float)))


def available_packs() -> dict[str, Path]:
    """Return the files of the packs that come with this package, by name."""
    return {path.stem: path for path in sorted(WORLDS.glob("packs/*.yaml"))}


def load_pack(path: Path) -> ClassPack:
    """Read a pack; a text that was read before is not parsed again.

    Raises:
        DomainFileError: It cannot be used; lists every problem with its line and column.
    """
    return _parsed(read_text(path, str(path)), str(path))


@lru_cache(maxsize=8)
def _parsed(text: str, shown: str) -> ClassPack:
    diagnostics = Diagnostics(shown, text)
    fields = open_table(nodes_of(text, diagnostics), "pack", "a pack")
    affordances: dict[str, Collection[str]] = {key.text: (key.text,) for key, _ in fields.entries("affordances")}
    for key, value in fields.entries("means"):
        if key.text not in affordances:
            key.unknown("affordance", key.text, affordances)
        affordances[key.text] = Field(value, f"what '{key.text}' means").texts()
    above, kind_words = _read_kinds(fields.get("kinds"))
    classes = {key.text: value for key, value in fields.entries("classes")}
    words = {name: Field(value_of(node, "words"), f"the words of '{name}'").texts() for name, node in classes.items()}
    if fields.get("classes") is not None and not classes:
        fields.values["classes"].report("no classes; expected a name and a table for each", "empty-section")
    name, attributes = fields["pack"].symbol(), read_attributes(fields.get("attributes"))
    moves_every = read_moves_every(fields.get("moves_every"), frozenset((*classes, *above)))
    diagnostics.settle()
    return ClassPack(
        name,
        hashlib.sha256(text.encode()).hexdigest(),
        affordances,
        above,
        kind_words,
        attributes,
        classes,
        {name: tuple(map(plain, (name, *further))) for name, further in words.items()},
        moves_every,
    )


def _read_kinds(node: Node | None) -> tuple[dict[str, frozenset[str]], dict[str, str]]:
    """Return each kind with all above it, and the kinds by their further words."""
    parents: dict[str, dict[str, Scalar]] = {}
    words: dict[str, str] = {}
    for key, value in entries(node, "kinds"):
        fields = open_table(value, "pack kind", f"kind '{key.text}'")
        parents[key.text] = fields["is"].texts()
        words |= dict.fromkeys(fields["words"].texts(), key.text)
    followers = {kind: tuple(places) for kind, places in parents.items()}
    above = {kind: frozenset(with_implied((kind,), followers)) for kind in parents}
    for kind, places in parents.items():
        for name, place in places.items():
            if name not in parents:
                place.unknown("kind", name, parents)
            elif kind in above[name]:
                place.report(f"kind '{kind}' is above itself by '{name}'; expected no circle", "circle", name)
    return above, words


class _Use(NamedTuple):
    """A pack in use: the classes that are named, None for all, and where it is named."""

    pack: ClassPack
    names: Collection[str] | None
    place: Scalar


def with_packs(domain: Domain, use: Node, follow: Callable[[ObjectClass], ObjectClass]) -> Domain:
    """Return a domain with the classes of packs; `follow` adds to a class what follows from its affordances."""
    uses = list(_read_use(use, Path(domain.source or "")))
    packs = _chosen(uses, domain.classes)
    words: dict[str, tuple[str, ...]] = {}
    for name, pack in packs.items():
        for word in pack.words[name]:
            words[word] = (*words.get(word, ()), name)
    meant = {each for use in uses for means in use.pack.affordances.values() for each in means}
    afforded = (follow(ObjectClass("", frozenset({each}))) for each in meant & domain.affordances.keys())
    classes = PackedClasses(
        domain.classes,
        hashlib.sha256("".join(f"{each.pack.digest}{each.names}" for each in uses).encode()).hexdigest(),
        lambda name: follow(packs[name].read(name, domain)),
        packs.keys(),
        words,
        {word: kind for each in uses for word, kind in each.pack.kind_words.items()},
        frozenset().union(*(each.affordances for each in afforded)),
    )
    periods = {name: period for each in reversed(uses) for name, period in each.pack.moves_every.items()}
    return replace(domain, classes=classes, moves_every=periods)


def _read_use(node: Node, source: Path) -> Iterator[_Use]:
    """Yield the packs in use: a name or a path for all of a pack, or a table with the names of classes."""
    for item in node.items if isinstance(node, Listing) else (node,):
        pairs: Iterable[tuple[Scalar, Node]] = item.entries if isinstance(item, TableNode) else ()
        for place, value in pairs or ((place, place) for place in Field(item, f"a pack under '{USE}'").scalars()):
            path = named_file(place, "pack", available_packs(), Path(place.file.path or source))
            if path is not None:
                pack = load_pack(path)
                is_all = value is place or (isinstance(value, Scalar) and value.text == ALL)
                named = Field(value, f"'{USE}' of pack '{pack.name}'")
                yield _Use(pack, None if is_all else named.known("class", pack.classes), place)


def _chosen(uses: Sequence[_Use], own: Collection[str]) -> dict[str, ClassPack]:
    """Return the pack of each class: the first that names it, or else the one that has it.

    Two packs that differ on a class that neither names are reported.
    """
    named = {name: use.pack for use in reversed(uses) for name in use.names or ()}
    chosen = dict(named)
    for use in uses:
        for name in use.pack.classes if use.names is None else ():
            first = chosen.setdefault(name, use.pack)
            if first.classes[name] != use.pack.classes[name] and name not in {*named, *own}:
                message = f"packs '{first.name}' and '{use.pack.name}' differ on {name}; expected each named with"
                use.place.report(f"{message} one pack, as in '{USE}: {{{first.name}: [{name}]}}'", "packs-differ")
                break  # copies of a pack differ on many
    return {name: pack for name, pack in chosen.items() if name not in own}
