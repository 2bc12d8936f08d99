"""``graftwork affordances show`` and ``explain``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from affordances.mapping import ObjectAffordances, household, load_mapping
from affordances.ontology import AFFORDANCES
from domains.reader import load_domain
from graftwork.cli.memories import memory_file
from graftwork.cli.options import echo, print_json
from graftwork.memory.evidence import store_beside
from graftwork.setup.settings import command_settings, worlds_named
from semantics.errors import UnknownNameError, UsageError, known_name


class Known(NamedTuple):
    """The sources of beliefs: a world or a mapping file for the initial ones, and a memory; None for the defaults."""

    domain: str | None = None
    mapping: Path | None = None
    memory: Path | None = None


def show_command(class_name: str | None, known: Known, *, as_json: bool) -> None:
    """Print the affordances of every class, or all probabilities of one class.

    Raises:
        UnknownNameError: No source knows the class.
    """
    mapping, threshold = _believed(known)
    if class_name is None:
        _show_all(mapping, threshold, as_json=as_json)
        return
    _must_be_known(mapping, class_name)
    document = _class_document(mapping, class_name, threshold)
    if as_json:
        print_json(document)
        return
    echo(f"{class_name}{_about(mapping, class_name)}")
    for name, p in sorted(document["probabilities"].items(), key=lambda pair: (-pair[1], pair[0])):
        sign = "+" if name in document["affordances"] else "-"
        echo(f"  {sign} {p:.2f}  {name:18} {AFFORDANCES.get(name, '')}")


def _show_all(mapping: ObjectAffordances, threshold: float, *, as_json: bool) -> None:
    if as_json:
        print_json({"classes": [_class_document(mapping, name, threshold) for name in mapping.classes]})
        return
    for name in mapping.classes:
        echo(f"{name}: {', '.join(sorted(mapping.affordances_of(name))) or 'nothing'}")


def _about(mapping: ObjectAffordances, class_name: str) -> str:
    object_class = mapping.classes[class_name]
    parts = (*sorted(object_class.kinds), *(f"'{word}'" for word in object_class.words))
    return f"  ({', '.join(parts)})" if parts else ""


def _class_document(mapping: ObjectAffordances, class_name: str, threshold: float) -> dict[str, Any]:
    object_class = mapping.classes[class_name]
    return {
        "class": class_name,
        "kinds": sorted(object_class.kinds),
        "words": list(object_class.words),
        "affordances": sorted(mapping.affordances_of(class_name, threshold)),
        "probabilities": {
            name: round(mapping.probability(class_name, name), 4) for name in mapping.affordances_about(class_name)
        },
    }


def explain_command(class_name: str, affordance: str, known: Known, *, as_json: bool) -> None:
    """Print why a class is believed to have an affordance, or not.

    Raises:
        UnknownNameError: No source knows the class or the affordance.
    """
    mapping, threshold = _believed(known)
    _must_be_known(mapping, class_name)
    names = {*AFFORDANCES, *mapping.affordances()}
    known_name("affordance", affordance, names)
    if not as_json:
        echo(mapping.explain(class_name, affordance, threshold))
        return
    document = {
        "class": class_name,
        "affordance": affordance,
        "probability": round(mapping.probability(class_name, affordance), 4),
        "affords": mapping.affords(class_name, affordance, threshold),
        "evidence": [piece.as_dict() for piece in mapping.evidence(class_name, affordance)],
        "words": mapping.explain(class_name, affordance, threshold),
    }
    print_json(document)


def forget_command(class_name: str, affordance: str | None, memory: Path | None) -> None:
    """Delete the stored evidence about a class, or about one of its affordances.

    Raises:
        UnknownNameError: There is no evidence about it.
        UsageError: The settings switch the memory off.
    """
    store = store_beside(memory_file(command_settings({"memory": memory})))
    evidence = store.load()
    known_name("class with evidence", class_name, evidence.classes)
    if affordance is not None and affordance not in evidence.affordances_about(class_name):
        about = evidence.affordances_about(class_name)
        raise UnknownNameError(f"affordance of {class_name} with evidence", affordance, about)
    gone = store.forget(class_name, affordance)
    echo(f"forgot {gone} piece{'' if gone == 1 else 's'} of evidence")


def _believed(known: Known) -> tuple[ObjectAffordances, float]:
    """Return the initial mapping joined with the evidence beside the memory, and the threshold of a belief."""
    settings = command_settings({"memory": known.memory})
    start = _start(known)
    mapping = start if settings.memory is None else start.with_mapping(store_beside(settings.memory).load())
    return mapping, settings.affordance_threshold


def _start(known: Known) -> ObjectAffordances:
    if known.domain is not None and known.mapping is not None:
        raise UsageError("--domain and --mapping both say what is known from the start; give one of them")
    if known.domain is not None:
        return ObjectAffordances.from_domain(load_domain(*worlds_named([known.domain])))
    return household() if known.mapping is None else load_mapping(known.mapping)


def _must_be_known(mapping: ObjectAffordances, class_name: str) -> None:
    if class_name not in mapping:
        words = {word: name for name, object_class in mapping.classes.items() for word in object_class.words}
        also = f"'{class_name}' is a word for {words[class_name]}" if class_name in words else ""
        raise UnknownNameError("class", class_name, mapping.classes, also)
