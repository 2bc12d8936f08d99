"""A page of documentation, generated from a world: its classes, predicates, capabilities and phrases.

The page is Markdown, by the template ``page.md.j2`` beside this file. It is generated from the models alone, so that it
cannot contradict the world.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import isinf
from pathlib import Path

from domains.capability import Capability
from domains.conventions import CONVENTIONS
from domains.model import Domain, SceneFile
from domains.pddl.writer.formulas import expression_text
from domains.pddl.writer.texts import conditional_text, literal_text, numeric_text
from semantics.logic.atoms import Atom
from semantics.logic.vocabulary import told_values


def page(domain: Domain, scenes: Sequence[SceneFile], search: str = "", cases: Sequence[tuple[str, str]] = ()) -> str:
    """Write the page of a world.

    Args:
        domain: The world.
        scenes: Its scenes, in order.
        search: A sentence that says which optimal search the world admits.
        cases: Name of each case, with its request and expectation.
    """
    from jinja2 import Environment, StrictUndefined  # who reads the cases of a world writes no page

    made = Environment(trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    made.globals |= {"atom": Atom, "conventions": CONVENTIONS, "told_values": told_values}
    made.filters |= {
        "cell": lambda cell: str(cell).replace("|", "\\|") or "-",
        "code": lambda text: f"`{text}`",
        "codes": lambda texts: " ".join(f"`{text}`" for text in texts),
        "steps": lambda steps: [Atom(step.capability, step.args) for step in steps],
        "parameters": _parameters,
        "before": _before,
        "after": _after,
        "cost": lambda verb: str(verb.cost) if verb.cost_by is None else f"`{expression_text(verb.cost_by)}`",
        "values": _values,
        "periods": _periods,
        "classes": _classes,
    }
    template = made.from_string(Path(__file__).with_name("page.md.j2").read_text(encoding="utf-8"))
    text = template.render(domain=domain, scenes=scenes, search=search, cases=cases)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _parameters(capability: Capability) -> str:
    shown = [f"`?{parameter.name}` {' + '.join(parameter.affordances)}" for parameter in capability.parameters]
    shown += [f"`?{left}` ≠ `?{right}`" for left, right in capability.distinct]
    return ", ".join(shown)


def _before(capability: Capability) -> Iterator[object]:
    yield from (template.literal for template in capability.precondition)
    if capability.condition is not None:
        yield capability.condition


def _after(capability: Capability) -> Iterator[str]:
    yield from map(literal_text, capability.effect)
    yield from map(numeric_text, capability.numeric)
    yield from map(conditional_text, capability.conditional)


def _values(domain: Domain) -> Iterator[tuple[str, str, str, str]]:
    for name, capability in domain.capabilities.items():
        for model in capability.values:
            default = "the body decides" if model.default is None else f"{model.default:g}"
            words = ", ".join(f"{word} ({number:g})" for word, number in model.words.items())
            yield model.form, name, default, words
        yield from ((place.form, name, "the body decides", "") for place in capability.places)


def _periods(domain: Domain) -> Iterator[tuple[str, str]]:
    for name, period in domain.moves_every.items():
        if name in {*domain.classes, *domain.kinds}:
            yield name, "never" if isinf(period) else f"{period / 60:g} min"


def _classes(scene: SceneFile) -> str:
    counts = Counter(thing.class_name for thing in scene.things.values())
    return ", ".join(f"{count} {name}" if count > 1 else name for name, count in counts.items())
