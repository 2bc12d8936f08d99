"""The readers of types, predicates, functions and constants of a PDDL file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domains.pddl.reader.document import shown
from domains.pddl.reader.names import (
    MOST_ABOVE,
    DeclaredSignature,
    PddlNames,
    Typed,
    Undeclared,
    plain_name,
    typed_list,
)
from semantics.logic.parsing import Group, Node, Word

BUILT_IN = ("object", "number")
TOTAL_COST = "total-cost"


def read_types(names: PddlNames, section: Group) -> None:
    """Read ``(:types …)``; a type that occurs twice has several supertypes."""
    names.needs(":typing", section)
    entries = typed_list(names, section.items[1:], "the types", variables=False, undeclared=Undeclared.TYPE)
    for entry in entries:
        name = entry.word.text
        if name in BUILT_IN:
            if name == "number" or entry.types != ("object",):
                names.document.report(entry.word, f"'{name}' is built in; expected other names", "duplicate-name")
            continue
        above = tuple(supertype for supertype in entry.types if supertype != "object")
        if name in names.types and entry.types == (names.types[name] or ("object",)):
            names.document.warn(entry.word, f"the type '{name}' stands here twice", "duplicate-name")
        names.types[name] = tuple(dict.fromkeys((*names.types.get(name, ()), *above)))[: MOST_ABOVE + 1]
    _settle_types(names, entries)


def _settle_types(names: PddlNames, entries: Sequence[Typed]) -> None:
    """Declare types that occur only as supertypes, and cut cycles and what stands below too many types."""
    for entry in entries:
        for supertype in entry.types:
            if supertype not in names.types and supertype != "object":
                message = f"the type '{supertype}' stands above '{entry.word.text}' and is not declared; read as one"
                names.document.warn(entry.word, message, "undeclared-type", supertype)
                names.types[supertype] = ()
        above = names.types.get(entry.word.text, ())
        if any(entry.word.text in names.ancestors(supertype) for supertype in above):
            names.document.report(entry.word, f"the type '{entry.word.text}' stands above itself", "type-cycle")
            names.types[entry.word.text] = ()
        elif len(names.ancestors(entry.word.text)) > MOST_ABOVE:
            message = f"'{shown(entry.word)}' stands below {MOST_ABOVE} types or more, expected fewer"
            names.document.report(entry.word, message, "type-depth")
            names.types[entry.word.text] = ()


def read_predicates(names: PddlNames, section: Group) -> None:
    """Read ``(:predicates …)``."""
    for name, head, parameters in _signatures(names, section.items[1:], "predicate"):
        if name == "=":
            names.document.warn(head, "'=' is built in; expected other predicates", "duplicate-name")
        else:
            _declare(
                names, names.predicates, DeclaredSignature(name, parameters, names.document.mark(head)), "predicate"
            )


def _signatures(
    names: PddlNames, items: Sequence[Node], kind: str
) -> Iterator[tuple[str, Word, tuple[tuple[str, ...], ...]]]:
    for item in items:
        if isinstance(item, Word) or not item.items:
            names.document.report(item, f"'{shown(item)}' is no {kind}; expected (name ?x …)", kind)
            continue
        head = item.items[0]
        if isinstance(head, Word) and head.text == "=":
            yield "=", head, ()
            continue
        name = plain_name(names.document, head, f"a {kind}")
        entries = typed_list(names, item.items[1:], f"{kind} '{name}'", variables=True, undeclared=Undeclared.OBJECT)
        _warn_repeated(names, [entry.word for entry in entries], f"{kind} '{name}'")
        if name and isinstance(head, Word):
            yield name, head, tuple(entry.types for entry in entries)


def _declare(names: PddlNames, declared: dict[str, DeclaredSignature], signature: DeclaredSignature, kind: str) -> None:
    """Declare a predicate or function; a second declaration with the same arguments says nothing new."""
    diagnostics, message = names.document.diagnostics, f"the {kind} '{signature.name}' is declared twice"
    if signature.name not in declared:
        declared[signature.name] = signature
    elif declared[signature.name].parameters == signature.parameters:
        diagnostics.warn(signature.mark, message, "duplicate-name", signature.name)
    else:
        diagnostics.add(signature.mark, f"{message}, with different arguments", "duplicate-name", signature.name)


def _warn_repeated(names: PddlNames, words: Sequence[Word], what: str) -> None:
    seen: set[str] = set()
    for word in words:
        if word.text in seen:
            names.document.warn(word, f"{word.text} stands twice in {what}", "duplicate-name")
        seen.add(word.text)


def read_functions(names: PddlNames, section: Group) -> None:
    """Read ``(:functions …)``, the numeric fluents."""
    items: list[Node] = []
    rest = list(section.items[1:])
    while rest:
        item = rest.pop(0)
        if isinstance(item, Word) and item.text == "-" and rest:
            kind = rest.pop(0)
            if not (isinstance(kind, Word) and kind.text == "number"):
                message = f"a function to '{shown(kind)}' is not supported; expected numbers"
                names.document.report(kind, message, "not-supported")
        else:
            items.append(item)
    for name, head, parameters in _signatures(names, items, "function"):
        if name != TOTAL_COST:
            _declare(names, names.functions, DeclaredSignature(name, parameters, names.document.mark(head)), "function")
        names.needs(":action-costs", head)  # a number that is only a cost needs no more


def read_objects(names: PddlNames, section: Group, what: str) -> dict[str, Word]:
    """Read constants or objects; return the word of each."""
    words: dict[str, Word] = {}
    for entry in typed_list(names, section.items[1:], what, variables=False):
        name = entry.word.text
        if len(entry.types) > 1:
            message = f"'{name}' is given several types; expected one"
            names.document.report(entry.word, message, "not-supported")
        if name in words and names.objects[name] == entry.types:
            names.document.warn(entry.word, f"'{name}' stands twice in {what}", "duplicate-name")
        elif name in words:
            message = f"'{name}' stands twice in {what}, as a {names.objects[name][0]} and as a {entry.types[0]}"
            names.document.report(entry.word, message, "duplicate-name")
        elif name in names.objects and names.objects[name] != entry.types:
            message = f"'{name}' is a {names.objects[name][0]} in the domain, and a {entry.types[0]} here"
            names.document.report(entry.word, message, "duplicate-name")
        elif name in names.objects:
            names.document.warn(entry.word, f"'{name}' is a constant of the domain already", "duplicate-name")
        words[name] = entry.word
        names.objects[name] = entry.types[:1]
    return words
