"""The object-affordance mapping (OAM): what the things of a class are good for, how surely, and why."""

from __future__ import annotations

from affordances.mapping.document import household, read_mapping, written
from affordances.mapping.evidence import Evidence, EvidenceSource
from affordances.mapping.object_affordances import ObjectAffordances, ObjectKind, believed_things
from affordances.mapping.store import EvidenceFileError, EvidenceStore, load_mapping

__all__ = [
    "Evidence",
    "EvidenceFileError",
    "EvidenceSource",
    "EvidenceStore",
    "ObjectAffordances",
    "ObjectKind",
    "believed_things",
    "household",
    "load_mapping",
    "read_mapping",
    "written",
]
