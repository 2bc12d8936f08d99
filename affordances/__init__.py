"""What objects afford, and what a robot believes about the objects around it.

`Scene` holds beliefs about one place, and `Watcher` keeps them up to date with what a robot senses. `ObjectAffordances`
says what the objects of each class are good for, and `suggest` proposes a substitute for an object that is missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affordances.elicitation import AnswerCache, ClassInquiry
    from affordances.mapping import (
        Evidence,
        EvidenceSource,
        EvidenceStore,
        ObjectAffordances,
        believed_things,
        household,
        load_mapping,
    )
    from affordances.ontology import AFFORDANCES, affording
    from affordances.scene import Belief, Scene, inventory
    from affordances.substitutes import Knowledge, SubstitutionTask, suggest
    from affordances.watcher import Contradiction, Watcher

__all__ = [
    "AFFORDANCES",
    "AnswerCache",
    "Belief",
    "ClassInquiry",
    "Contradiction",
    "Evidence",
    "EvidenceSource",
    "EvidenceStore",
    "Knowledge",
    "ObjectAffordances",
    "Scene",
    "SubstitutionTask",
    "Watcher",
    "affording",
    "believed_things",
    "household",
    "inventory",
    "load_mapping",
    "suggest",
]

_HOMES = {
    "AFFORDANCES": "ontology",
    "AnswerCache": "elicitation",
    "Belief": "scene",
    "ClassInquiry": "elicitation",
    "Contradiction": "watcher",
    "Evidence": "mapping",
    "EvidenceSource": "mapping",
    "EvidenceStore": "mapping",
    "Knowledge": "substitutes",
    "ObjectAffordances": "mapping",
    "Scene": "scene",
    "SubstitutionTask": "substitutes",
    "Watcher": "watcher",
    "affording": "ontology",
    "believed_things": "mapping",
    "household": "mapping",
    "inventory": "scene",
    "load_mapping": "mapping",
    "suggest": "substitutes",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the attribute protocol of a module
    """Import a public name on first use, so that importing this package does not load the YAML reader."""
    if name not in _HOMES:
        raise AttributeError(f"module 'affordances' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"affordances.{_HOMES[name]}"), name)
