"""A page of documentation, generated from a world: its classes, predicates, capabilities and phrases.

The page is Markdown. It is generated from the models alone, so that it cannot contradict the world.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import isinf

from domains.capability import Capability
from domains.conventions import CONVENTIONS
from domains.model import Domain, PredicateModel, SceneFile
from domains.pddl.writer.formulas import expression_text
from domains.pddl.writer.texts import conditional_text, literal_text, numeric_text
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import Attribute, told_values

GENERATED = "This page is generated from the world's own files by `graftwork domain page {name}`; do not edit it."


def page(domain: Domain, scenes: Sequence[SceneFile], search: str = "", cases: Sequence[tuple[str, str]] = ()) -> str:
    """Write the page of a world.

    Args:
        domain: The world.
        scenes: Its scenes, in order.
        search: A sentence that says which optimal search the world admits.
        cases: Name of each case, with its request and expectation.
    """
    sections = (
        _capabilities(domain),
        _values(domain),
        _predicates(domain),
        _fluents(domain),
        _agents(domain),
        _classes(domain),
        _periods(domain),
        _attributes(domain),
        _phrases(domain),
        _rules(domain),
        _repairs(domain),
        _conventions(domain),
        _planning(search),
        _scenes(scenes),
        _table("Cases", ("case", "asks and expects"), cases),
    )
    head = f"# The world `{domain.name}`\n\n{GENERATED.format(name=domain.name)}\n"
    return "\n".join((head, *(line for section in sections for line in section)))


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    written = [f"| {' | '.join(cell.replace('|', chr(92) + '|') or '-' for cell in row)} |" for row in rows]
    if written:
        yield f"## {title}\n"
        yield f"| {' | '.join(heads)} |"
        yield f"|{'---|' * len(heads)}"
        yield from written
        yield ""


def _capabilities(domain: Domain) -> Iterator[str]:
    heads = ("capability", "parameters", "before", "after", "cost", "body")
    rows = (
        (
            f"`{name}`",
            _parameters(capability),
            _before(capability),
            _after(capability),
            str(capability.cost) if capability.cost_by is None else f"`{expression_text(capability.cost_by)}`",
            f"`{capability.primitive or name}`",
        )
        for name, capability in domain.capabilities.items()
    )
    return _table("What can be done", heads, rows)


def _parameters(capability: Capability) -> str:
    shown = [f"`?{parameter.name}` {' + '.join(parameter.affordances)}" for parameter in capability.parameters]
    shown += [f"`?{left}` ≠ `?{right}`" for left, right in capability.distinct]
    return ", ".join(shown)


def _values(domain: Domain) -> Iterator[str]:
    heads = ("value", "of", "default", "words for it")
    rows = (row for name, capability in domain.capabilities.items() for row in _values_of(name, capability))
    return _table("What can be said of how it is done", heads, rows)


def _values_of(name: str, capability: Capability) -> Iterator[tuple[str, ...]]:
    for model in capability.values:
        default = "the body decides" if model.default is None else f"{model.default:g}"
        words = ", ".join(f"{word} ({number:g})" for word, number in model.words.items())
        yield f"`{model.form}`", f"`{name}`", default, words
    for place in capability.places:
        yield f"`{place.form}`", f"`{name}`", "the body decides", ""


def _before(capability: Capability) -> str:
    parts = [str(template.literal) for template in capability.precondition]
    return _code((*parts, *([str(capability.condition)] if capability.condition is not None else [])))


def _after(capability: Capability) -> str:
    numeric = map(numeric_text, capability.numeric)
    return _code((*map(literal_text, capability.effect), *numeric, *map(conditional_text, capability.conditional)))


def _code(parts: Sequence[str]) -> str:
    return " ".join(f"`{part}`" for part in parts)


def _known_by(model: PredicateModel) -> str:
    if model.sensed:
        return f"sensed (`{model.sensed}`)"
    if model.predicate.momentary:
        return "believed until another goal is begun"
    return "believed" if model.believed else "told"


def _predicates(domain: Domain) -> Iterator[str]:
    def source(name: str) -> str:
        model = domain.predicates[name]
        if name in domain.derived:
            return f"derived: {' or '.join(f'`{body}`' for body in domain.derived[name].bodies)}"
        return "bookkeeping" if model.bookkeeping else _known_by(model)

    rows = (
        (f"`({' '.join((name, *model.predicate.parameters))})`", model.predicate.description, source(name))
        for name, model in domain.predicates.items()
    )
    return _table("What can be stated", ("fact", "sentence", "how it is known"), rows)


def _fluents(domain: Domain) -> Iterator[str]:
    rows = (
        (
            f"`({' '.join((name, *fluent.parameters))})`",
            fluent.description,
            fluent.unit,
            "yes" if fluent.planned else "no, validated",
        )
        for name, fluent in domain.fluents.items()
    )
    return _table("Numbers", ("number", "sentence", "unit", "planned with"), rows)


def _agents(domain: Domain) -> Iterator[str]:
    rows = (
        (
            f"`{name}`",
            str(agent.cost),
            ", ".join(f"`{capability}`" for capability in domain.capabilities if capability in agent.capabilities),
        )
        for name, agent in domain.agents.items()
    )
    return _table("Who acts", ("class", "cost of an action", "capabilities"), rows)


def _classes(domain: Domain) -> Iterator[str]:
    rows = (
        (
            f"`{name}`",
            ", ".join(object_class.words),
            ", ".join(sorted(object_class.kinds)),
            ", ".join(sorted(object_class.affordances)),
            *([", ".join(told_values(object_class.attributes, domain.attributes))] if domain.attributes else []),
        )
        for name, object_class in domain.classes.items()
    )
    heads = ("class", "further words", "kinds", "affordances", *(["usually"] if domain.attributes else []))
    return _table("What there is", heads, rows)


def _attributes(domain: Domain) -> Iterator[str]:
    def written(attribute: Attribute) -> str:
        return attribute.unit or ", ".join(f"`{value}`" for value in attribute.values)

    def words(attribute: Attribute) -> str:
        scale = (", ".join(attribute.more), ", ".join(attribute.less))
        return " or ".join(filter(None, scale)) if attribute.is_number else ", ".join(attribute.words)

    rows = ((f"`{name}`", written(attribute), words(attribute)) for name, attribute in domain.attributes.items())
    return _table("What things are like", ("attribute", "values or unit", "further words"), rows)


def _phrases(domain: Domain) -> Iterator[str]:
    rows = ((f"`{phrase.pattern}`", f"`{phrase.goal}`") for phrase in domain.phrases)
    return _table("How to ask", ("words", "goal"), rows)


def _rules(domain: Domain) -> Iterator[str]:
    return _table(
        "What cannot be asked for", ("rule", "sentence"), ((f"`{rule.name}`", rule.sentence) for rule in domain.rules)
    )


def _repairs(domain: Domain) -> Iterator[str]:
    rows = (
        (
            f"`{repair.name}`",
            f"`{repair.code}`" + (f" of `{repair.capability}`" if repair.capability else ""),
            _code([str(Atom(step.capability, step.args)) for step in (*repair.before, *repair.instead)]),
            _code([str(Atom(step.capability, step.args)) for step in repair.after]),
        )
        for repair in domain.repairs
    )
    return _table("What mends small mishaps", ("rule", "after", "inserted before", "restored after"), rows)


def _periods(domain: Domain) -> Iterator[str]:
    own = {name: period for name, period in domain.moves_every.items() if name in {*domain.classes, *domain.kinds}}
    rows = ((f"`{name}`", "never" if isinf(period) else f"{period / 60:g} min") for name, period in own.items())
    return _table("After how long half of the things have been moved", ("class or kind", "time"), rows)


def _conventions(domain: Domain) -> Iterator[str]:
    rows = (
        (f"`{key}`", sort.value, f"`{domain.conventions[key]}`" if domain.conventions[key] else "none")
        for key, sort in CONVENTIONS.items()
        if key in domain.conventions.declared(domain.names)
    )
    return _table("What names stand for", ("convention", "sort", "here"), rows)


def _planning(search: str) -> Iterator[str]:
    if search:
        yield f"## Planning\n\n{search}\n"


def _scenes(scenes: Sequence[SceneFile]) -> Iterator[str]:
    rows = ((f"`{scene.name}`", str(len(scene.things)), _counted(scene)) for scene in scenes)
    return _table("Scenes", ("scene", "things", "classes"), rows)


def _counted(scene: SceneFile) -> str:
    counts = Counter(thing.class_name for thing in scene.things.values())
    return ", ".join(f"{count} {name}" if count > 1 else name for name, count in counts.items())
