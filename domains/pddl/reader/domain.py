"""The reader of PDDL domains, as a `Domain`: each type is an affordance and a class of things."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from domains.conventions import STANDARD
from domains.diagnostics import expected
from domains.grounding import ground_axioms
from domains.model import Capability, DerivedPredicate, Domain, NumericFluent, ObjectClass, PredicateModel
from domains.pddl.reader.actions import read_action, read_derived
from domains.pddl.reader.declarations import read_functions, read_objects, read_predicates, read_types
from domains.pddl.reader.document import Document, shown
from domains.pddl.reader.durative import check_denied
from domains.pddl.reader.names import PddlNames, plain_name
from domains.pddl.reader.requirements import check_requirements
from semantics.errors import UsageError
from semantics.logic.parsing import Group, Node, Word
from semantics.logic.vocabulary import Predicate, Thing

ONCE: Mapping[str, Callable[[PddlNames, Group], object]] = {
    ":types": read_types,
    ":constants": lambda names, section: read_objects(names, section, "the constants"),
    ":predicates": read_predicates,
    ":functions": read_functions,
}
"""Sections that are read in this order, regardless of their order in the file."""
ACTIONS = (":action", ":durative-action")
SECTIONS = (":requirements", *ONCE, ":derived", *ACTIONS)
REFUSED = {
    ":constraints": "constraints on plans are not supported",
    ":process": "processes are not supported",
    ":event": "events are not supported",
}
UNTYPED = "thing"


@dataclass(frozen=True, slots=True)
class ParsedDomain:
    """A parsed domain."""

    domain: Domain  # the domain; invalid when there are errors
    document: Document  # its parse tree and diagnostics


def read_define(document: Document, kind: str) -> tuple[str, list[Group]]:
    """Read ``(define (kind name) sections…)``; parts that are no section are reported and skipped."""
    items = document.define.items[1:]
    name = ""
    first = items[0] if items else None
    if isinstance(first, Group) and first.head == kind and len(first.items) == 2:
        name = plain_name(document, first.items[1], f"a {kind}")
        items = items[1:]
    elif kind == "problem" and isinstance(first, Group) and (first.head == kind or first.head.startswith(":")):
        document.warn(first, "the problem has no name; expected (problem name)", "missing-name")
        items = items[first.head == kind :]
    else:
        node = items[0] if items else document.define
        document.report(node, f"'{shown(node)}' where ({kind} name) should stand", "define")
        if items and isinstance(items[0], Group) and not items[0].head.startswith(":"):
            items = items[1:]
    sections: list[Group] = []
    for item in items:
        if isinstance(item, Group) and item.head.startswith(":"):
            sections.append(item)
        else:
            document.report(item, f"'{shown(item)}' is no section; expected (:…", "unknown-section")
    return name, sections


def sorted_sections(document: Document, sections: list[Group], valid: tuple[str, ...]) -> dict[str, list[Group]]:
    """Return the sections by their heads; report unknown, unsupported and repeated ones."""
    by_head: dict[str, list[Group]] = {}
    for section in sections:
        head = section.items[0]
        if section.head in REFUSED:
            document.report(head, f"{section.head}{_named(section)}: {REFUSED[section.head]}", "not-supported")
        elif section.head not in valid:
            message = f"unknown section {section.head}; {expected(section.head, valid)}"
            document.report(head, message, "unknown-section")
        elif section.head in by_head and section.head not in (":derived", *ACTIONS):
            document.report(head, f"{section.head} stands here twice", "duplicate-name")
        else:
            by_head.setdefault(section.head, []).append(section)
    return by_head


def _named(section: Group) -> str:
    name = section.items[1] if len(section.items) > 1 else None
    return f" '{shown(name)}'" if isinstance(name, Word) else ""


def read_domain_document(document: Document, source: str) -> ParsedDomain:
    """Read a domain."""
    name, sections = read_define(document, "domain")
    by_head = sorted_sections(document, sections, SECTIONS)
    names = PddlNames(document)
    for head, read in ONCE.items():
        for section in by_head.get(head, ()):
            read(names, section)
    _clashing(names)
    derived = read_derived(names, by_head.get(":derived", ()))
    actions = [section for head in ACTIONS for section in by_head.get(head, ())]
    counted = any(map(_counts, actions))
    capabilities: dict[str, Capability] = {}
    for section in actions:
        capability = read_action(names, section, derived, counted=counted)
        if capability is None:
            continue
        if capability.name in capabilities:
            capability = _renamed(document, section.items[1], capability, capabilities)
        capabilities[capability.name] = capability
    check_denied(document, by_head.get(":durative-action", ()), capabilities.values(), derived.values())
    requirements = by_head.get(":requirements")
    check_requirements(names, requirements[0] if requirements else None, strict=True)
    domain = _domain(names, name, capabilities, derived, source)
    _check_layers(document, domain, by_head.get(":derived", []))
    return ParsedDomain(domain, document)


def _renamed(document: Document, node: Node, capability: Capability, taken: Collection[str]) -> Capability:
    """Return an action of a name that is taken with a name of its own: other planners read both actions."""
    number = 2
    while f"{capability.name}-{number}" in taken:
        number += 1
    name = f"{capability.name}-{number}"
    message = f"the action '{capability.name}' stands here twice; this one is read as '{name}'"
    document.warn(node, message, "duplicate-name", capability.name)
    return replace(capability, name=name)


def _counts(node: Node) -> bool:
    """Return whether a node contains an effect on the total cost."""
    return isinstance(node, Group) and (
        (node.head == "increase" and len(node.items) > 1 and _is_total(node.items[1])) or any(map(_counts, node.items))
    )


def _is_total(node: Node) -> bool:
    return node.head == "total-cost" if isinstance(node, Group) else node.text == "total-cost"


def _clashing(names: PddlNames) -> None:
    for name in names.predicates.keys() & names.functions.keys():
        document = names.document
        mark = names.functions[name].mark
        document.diagnostics.add(mark, f"'{name}' is a predicate and a function", "duplicate-name", name)


def _check_layers(document: Document, domain: Domain, sections: list[Group]) -> None:
    try:
        ground_axioms(domain, {})
    except UsageError as exc:
        document.report(sections[0], str(exc), "derived-cycle")


def _class_of(names: PddlNames, kind: str) -> str:
    """Return the class of things of a type; that of untyped things is ``thing``, made unique."""
    untyped = UNTYPED
    while untyped in names.types:
        untyped += "-"
    return untyped if kind == "object" else kind


def _domain(
    names: PddlNames,
    name: str,
    capabilities: Mapping[str, Capability],
    derived: Mapping[str, DerivedPredicate],
    source: str,
) -> Domain:
    predicates = {signature.name: _predicate(names, signature.name) for signature in names.predicates.values()}
    fluents = {
        signature.name: NumericFluent(
            signature.name,
            _affordances(names, signature.parameters),
            _number_sentence(signature.name, len(signature.parameters)),
        )
        for signature in names.functions.values()
    }
    unions = {names.affordance(types): types for types in names.unions}
    affordances = {kind: f"it is a {_words(kind)}" for kind in names.types}
    affordances |= {union: f"it is a {' or a '.join(map(_words, types))}" for union, types in unions.items()}
    untyped = _class_of(names, "object")
    classes = {kind: _class(names, kind, unions) for kind in names.types} | {
        untyped: ObjectClass(untyped, frozenset(), abstract=True)
    }
    constants = {}
    for constant, types in names.objects.items():
        object_class = classes.get(_class_of(names, types[0]), classes[untyped])
        constants[constant] = Thing(constant, object_class.name, object_class.affordances)
    domain = Domain(
        name=name,
        affordances=affordances,
        classes=classes,
        kinds={},
        predicates=predicates,
        capabilities=dict(capabilities),
        agents={},
        source=source,
        constants=constants,
        derived=dict(derived),
        fluents=fluents,
    )
    return replace(domain, conventions=STANDARD.among(domain.names))


def _class(names: PddlNames, kind: str, unions: Mapping[str, tuple[str, ...]]) -> ObjectClass:
    above = names.ancestors(kind)
    either = {union for union, types in unions.items() if not above.isdisjoint(types)}
    return ObjectClass(kind, above | either, abstract=True)


def _affordances(names: PddlNames, parameters: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(map(names.affordance, parameters))


def _predicate(names: PddlNames, name: str) -> PredicateModel:
    parameters = _affordances(names, names.predicates[name].parameters)
    return PredicateModel(Predicate(name, parameters, _sentence(name, len(parameters))))


def _sentence(name: str, arity: int) -> str:
    """Make a default sentence from a name."""
    if arity == 0:
        return _words(name)
    if arity == 1:
        return f"{{0}} is {_words(name)}"
    rest = ", ".join(f"{{{number}}}" for number in range(1, arity))
    return f"{{0}} {_words(name)} {rest}"


def _number_sentence(name: str, arity: int) -> str:
    of = " of " + ", ".join(f"{{{number}}}" for number in range(arity)) if arity else ""
    return f"{_words(name)}{of} is {{value}}"


def _words(name: str) -> str:
    return name.replace("-", " ").replace("_", " ")
