"""The object-affordance mapping (OAM): the affordances of each class, each with its probability and evidence."""

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
