"""The reader of PDDL problems, as a scene with a goal and a metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from domains.diagnostics import Diagnostics, Mark
from domains.invariants.clashing_facts import clash_message, clashing_facts, is_certain, switched_facts
from domains.model import Domain, SceneFile
from domains.pddl.reader.conditions import TRUE, Conditions
from domains.pddl.reader.declarations import read_objects
from domains.pddl.reader.document import Document, shown
from domains.pddl.reader.domain import UNTYPED, read_define, sorted_sections
from domains.pddl.reader.names import DeclaredSignature, PddlNames
from domains.pddl.reader.requirements import check_requirements
from semantics.logic.atoms import Atom, Formula
from semantics.logic.parsing import NUMBER, Group, Node, Word, text_of
from semantics.logic.vocabulary import Thing

SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length")
KNOWN_METRICS = ("minimize (total-cost)", "minimize total-cost", "minimize (total-time)", "minimize total-time")


@dataclass(frozen=True, slots=True)
class ProblemFile:
    """A parsed problem."""

    scene: SceneFile  # its objects, facts and numbers; it has no arrangement, so it serves only for planning
    goal: Formula  # the goal
    metric: str | None = None  # the metric, such as ``minimize (total-cost)``; None for the number of steps
    diagnostics: Diagnostics = field(default_factory=lambda: Diagnostics(""), compare=False)  # warnings


def read_problem_document(domain: Domain, document: Document, stem: str) -> ProblemFile:
    """Read a problem; the result is invalid when the diagnostics of `document` have errors."""
    _, sections = read_define(document, "problem")
    by_head = {head: group[0] for head, group in sorted_sections(document, sections, SECTIONS).items()}
    if ":length" in by_head:
        document.warn(by_head[":length"], "':length' is not supported; it is read and not used", "not-supported")
    names = _names(domain, document)
    _check_domain(document, domain, by_head.get(":domain"))
    if ":objects" in by_head:
        read_objects(names, by_head[":objects"], "the objects")
    start = _InitReader(names)
    facts, numbers = start.read(by_head.get(":init"))
    told: set[Atom] = set()
    for first, second in clashing_facts(facts, domain):
        tell = document.report if is_certain(first, second, domain) else document.warn
        tell(start.nodes[second], clash_message(first, second), "exclusive-facts", str(second))
        told.add(second)
    for first, second in switched_facts(facts, domain):
        if second not in told:
            document.warn(start.nodes[second], clash_message(first, second), "exclusive-facts", str(second))
            told.add(second)
    goal = _goal(names, by_head.get(":goal"))
    if ":requirements" in by_head:
        check_requirements(names, by_head[":requirements"], strict=False)
    things = {**domain.constants, **{name: _thing(domain, names, name) for name in names.objects}}
    defaults = {Atom(fluent.name): fluent.default for fluent in domain.fluents.values() if fluent.default is not None}
    scene = SceneFile(
        name=stem,
        things=things,
        layout=None,
        facts=frozenset(facts),
        numbers={
            **{atom: value for atom, value in defaults.items() if not domain.fluents[atom.predicate].parameters},
            **numbers,
        },
    )
    return ProblemFile(scene, goal, _metric(document, by_head.get(":metric")), document.diagnostics)


def _names(domain: Domain, document: Document) -> PddlNames:
    """Return the declarations of a domain for a problem: its classes are the types."""
    names = PddlNames(document)
    names.types = {
        object_class.name: tuple(sorted(object_class.affordances - {object_class.name}))
        for object_class in domain.classes.values()
    }
    names.types |= {name: () for name in domain.affordances if name not in names.types}
    names.predicates = {
        name: DeclaredSignature(name, tuple((affordance,) for affordance in model.predicate.parameters), Mark())
        for name, model in domain.predicates.items()
    }
    names.functions = {
        name: DeclaredSignature(name, tuple((affordance,) for affordance in model.parameters), Mark())
        for name, model in domain.fluents.items()
    }
    names.objects = {name: _type_of(domain, thing.class_name) for name, thing in domain.constants.items()}
    return names


def _type_of(domain: Domain, class_name: str) -> tuple[str, ...]:
    return (class_name,) if domain.classes[class_name].affordances else ("object",)


def _thing(domain: Domain, names: PddlNames, name: str) -> Thing:
    kind = names.objects[name][0]
    if kind not in domain.classes:
        kind = next(
            (object_class.name for object_class in domain.classes.values() if not object_class.affordances), UNTYPED
        )
    return domain.thing(name, kind) if kind in domain.classes else Thing(name, kind, frozenset())


def _check_domain(document: Document, domain: Domain, section: Group | None) -> None:
    if section is None:
        document.warn(document.define, "the problem does not name its domain; expected (:domain …)", "missing-domain")
    elif len(section.items) != 2 or not isinstance(section.items[1], Word):
        document.report(section, "':domain' takes one name", "parts")
    elif section.items[1].text != domain.name.lower():
        message = f"a problem of '{shown(section.items[1])}', read with the domain '{domain.name}'"
        document.warn(section.items[1], message, "other-domain")


def _goal(names: PddlNames, section: Group | None) -> Formula:
    conditions = Conditions(names)
    if section is None:
        names.document.report(names.document.define, "the problem has no goal; expected (:goal …)", "missing-goal")
        return TRUE
    return conditions.formula(section.items[1], {}) if conditions.parts(section, 1) else TRUE


def _metric(document: Document, section: Group | None) -> str | None:
    if section is None:
        return None
    text = " ".join(text_of(node) for node in section.items[1:])
    if text not in KNOWN_METRICS:
        message = f"the metric '{text}' is read and not used: plans are made with the least total cost"
        document.warn(section, message, "metric")
    return text


class _InitReader:
    """Reads ``(:init …)``."""

    def __init__(self, names: PddlNames) -> None:
        self._names = names
        self._document = names.document
        self._conditions = Conditions(names)
        self.nodes: dict[Atom, Node] = {}
        self._facts: dict[Atom, None] = {}
        self._denied: dict[Atom, Node] = {}
        self._numbers: dict[Atom, float] = {}

    def read(self, section: Group | None) -> tuple[Mapping[Atom, None], Mapping[Atom, float]]:
        for node in section.items[1:] if section else ():
            self._read(node)
        for atom in self._facts.keys() & self._denied.keys():
            self._document.report(self._denied[atom], f"{atom} is stated and denied", "contradiction", str(atom))
        return self._facts, self._numbers

    def _read(self, node: Node) -> None:
        if isinstance(node, Group) and node.head == "=":
            self._number(node)
        elif isinstance(node, Group) and node.head == "not":
            self._denial(node)
        elif isinstance(node, Group) and node.head == "and":
            self._document.warn(node, "'and' in :init; expected the facts themselves", "denied-fact")
            for part in node.items[1:]:
                self._read(part)
        elif isinstance(node, Group) and self._is_timed(node):
            self._document.report(node, "facts that begin later are not supported", "not-supported")
        else:
            self._fact(node)

    def _denial(self, node: Group) -> None:
        if not self._conditions.parts(node, 1):
            return
        atom = self._conditions.atom(node.items[1], {})
        self._document.warn(node, "what is not stated here is false anyway", "denied-fact")
        if atom is not None:
            self._denied.setdefault(atom, node)

    @staticmethod
    def _is_timed(node: Group) -> bool:
        if node.head != "at" or len(node.items) != 3:
            return False
        _, time, fact = node.items
        return isinstance(time, Word) and bool(NUMBER.fullmatch(time.text)) and isinstance(fact, Group)

    def _fact(self, node: Node) -> None:
        atom = self._conditions.atom(node, {})
        if atom is None:
            return
        if atom in self._facts:
            self._document.warn(node, f"{atom} stands here twice", "duplicate-fact", str(atom))
        self._facts[atom] = None
        self.nodes.setdefault(atom, node)

    def _number(self, node: Group) -> None:
        if not self._conditions.parts(node, 2):
            return
        target = node.items[1]
        value = self._conditions.expression(node.items[2], {})
        name = target.head if isinstance(target, Group) else target.text
        if name == "total-cost":
            return
        if not self._names.functions and isinstance(target, Group) and name:
            message = f"the function '{name}' is not declared, and nothing uses its value"
            self._document.warn(target, message, "undeclared-function", name)
            return
        atom = self._conditions.fluent(target, {})
        if value is not None and not isinstance(value, float):
            self._document.report(node.items[2], "a value in :init is a number", "number")
        elif atom is not None and value is not None:
            if self._numbers.get(atom, value) != value:
                self._document.report(node, f"{atom} is given two values", "duplicate-fact", str(atom))
            elif atom in self._numbers:
                self._document.warn(node, f"the value of {atom} stands here twice", "duplicate-fact", str(atom))
            self._numbers[atom] = value
