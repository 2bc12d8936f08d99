"""`PddlNames`: the declarations of a PDDL file, and the readers of names and typed lists."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from domains.diagnostics import Mark
from domains.pddl.reader.document import Document, shown
from semantics.hints import nearest
from semantics.logic.parsing import Group, Node, Word

NAME = re.compile(r"\??[a-z][\w-]*", re.ASCII)
READABLE = re.compile(r"[!-~]+", re.ASCII)
ANY = ("object",)
MOST_ABOVE = 100
"""The largest number of types that may stand above a type, itself counted; each type is related to all above it."""
EXPECTED = "expected a letter, then letters, digits, - or _"


@dataclass(frozen=True, slots=True)
class Typed:
    """A name of a typed list, with its position and its types (several after ``either``)."""

    word: Word
    types: tuple[str, ...] = ANY


@dataclass(frozen=True, slots=True)
class DeclaredSignature:
    """A predicate or function with the types of its arguments."""

    name: str
    parameters: tuple[tuple[str, ...], ...]
    mark: Mark


@dataclass
class BoundVariable:
    """A variable in scope: its unique name, its types, and whether it is `used`."""

    name: str
    types: tuple[str, ...]
    word: Word
    used: bool = False


Scope = Mapping[str, BoundVariable]


class Undeclared(Enum):
    """What a type that is not declared is in a typed list: a new type, any object, or an error."""

    TYPE = auto()
    OBJECT = auto()  # an error nevertheless, if it is near to the name of a declared type
    UNKNOWN = auto()


@dataclass
class PddlNames:
    """The declarations so far."""

    document: Document  # the file
    types: dict[str, tuple[str, ...]] = field(default_factory=dict)  # direct supertypes of each type
    predicates: dict[str, DeclaredSignature] = field(default_factory=dict)  # predicates by name
    functions: dict[str, DeclaredSignature] = field(default_factory=dict)  # functions by name, without ``total-cost``
    objects: dict[str, tuple[str, ...]] = field(default_factory=dict)  # types of each constant and object
    # needed requirements, each with the first node that needs it
    features: dict[str, Node] = field(default_factory=dict)
    mentioned: set[str] = field(default_factory=set)
    unions: dict[tuple[str, ...], None] = field(default_factory=dict)

    def needs(self, requirement: str, node: Node) -> None:
        """Record that a node needs a requirement."""
        self.features.setdefault(requirement, node)

    def unknown(self, node: Node, kind: str, name: str, valid: Collection[str]) -> None:
        """Report an unknown name."""
        self.document.diagnostics.unknown(self.document.mark(node), kind, name, valid)

    def ancestors(self, name: str) -> frozenset[str]:
        """Return a type and everything above it, without ``object``; one more than `MOST_ABOVE`, if there are more."""
        ancestors: set[str] = set()
        queue = [name]
        while queue and len(ancestors) <= MOST_ABOVE:
            type_name = queue.pop()
            if type_name not in ancestors and type_name != "object":
                ancestors.add(type_name)
                queue += self.types.get(type_name, ())
        return frozenset(ancestors)

    def fits(self, given: Sequence[str], asked: Sequence[str]) -> bool:
        """Return whether a thing of any of the types `given` always has one of the types `asked`."""
        return "object" in asked or all(not self.ancestors(type_name).isdisjoint(asked) for type_name in given)

    def affordance(self, types: tuple[str, ...]) -> str:
        """Return the affordance for a list of types, and record a union of types."""
        if len(types) == 1 or "object" in types:
            return "object" if "object" in types else types[0]
        self.unions[types] = None
        return "-or-".join(types)


def plain_name(document: Document, node: Node, what: str, *, declared: bool = True) -> str:
    """Read a name that is no variable; empty when it is invalid.

    Other planners take any word of ASCII characters for a name, so an odd name is only a warning, where it is declared.
    """
    if isinstance(node, Word) and READABLE.fullmatch(node.text) and not node.text.startswith("?"):
        if declared:
            _warn_odd(document, node, f"name of {what}")
        return node.text
    document.report(node, f"'{shown(node)}' is no name of {what}; {EXPECTED}", "name")
    return ""


def _warn_odd(document: Document, word: Word, what: str) -> None:
    if word.text.startswith("-"):
        document.warn(word, f"'{word.text}' is read as a {what}; a space is missing after the dash", "space-missing")
    elif not NAME.fullmatch(word.text):
        document.warn(word, f"'{word.text}' is an odd {what}; {EXPECTED}", "odd-name")


def typed_list(
    names: PddlNames, items: Sequence[Node], what: str, *, variables: bool, undeclared: Undeclared = Undeclared.UNKNOWN
) -> list[Typed]:
    """Read a list such as ``?x ?y - block ?z``; invalid items are reported and skipped."""
    document, read, untyped, at = names.document, list[Typed](), list[Word](), 0
    while at < len(items):
        item = items[at]
        if isinstance(item, Word) and item.text == "-":
            if at + 1 == len(items):
                document.report(item, f"'-' without a type after it in {what}", "type-missing")
                break
            types = _types(names, items[at + 1], what, undeclared)
            if not untyped:
                document.report(item, f"'-' without a name before it in {what}", "name")
            read += [Typed(word, types) for word in untyped]
            untyped, at = [], at + 2
            continue
        untyped += _name(document, item, what, variables=variables)
        at += 1
    return read + [Typed(word) for word in untyped]


def _name(document: Document, item: Node, what: str, *, variables: bool) -> list[Word]:
    fits = isinstance(item, Word) and item.text.startswith("?") == variables and READABLE.fullmatch(item.text)
    if fits and isinstance(item, Word):
        _warn_odd(document, item, f"name in {what}")
        return [item]
    if isinstance(item, Word) and item.text.startswith("-"):
        message = f"'{shown(item)}' in {what}: a space is missing after the dash"
        document.report(item, message, "space-missing")
        return []
    form = "a variable such as ?x" if variables else "a name"
    document.report(item, f"'{shown(item)}' in {what}; expected {form}", "name")
    return []


def _types(names: PddlNames, node: Node, what: str, undeclared: Undeclared) -> tuple[str, ...]:
    names.needs(":typing", node)
    words = node.items[1:] if isinstance(node, Group) and node.head == "either" else (node,)
    if not words:
        names.document.report(node, f"'either' without types in {what}", "type-missing")
    types = []
    for word in words:
        name = plain_name(names.document, word, f"a type in {what}", declared=False)
        if name and undeclared is not Undeclared.TYPE and name not in names.types and name != "object":
            _undeclared(names, word, name, undeclared)
        elif name:
            names.mentioned.add(f"type {name}")
            types.append(name)
    return tuple(dict.fromkeys(types)) or ANY


def _undeclared(names: PddlNames, word: Node, name: str, undeclared: Undeclared) -> None:
    if undeclared is Undeclared.UNKNOWN or nearest(name, names.types):
        names.unknown(word, "type", name, (*names.types, "object"))
        return
    message = f"the type '{name}' is not declared; read as object"
    names.document.warn(word, message, "undeclared-type")
