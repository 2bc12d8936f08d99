"""The object-affordance mapping (OAM): what the things of a class are good for, how surely, and why."""

from __future__ import annotations

from affordances.mapping.evidence import Evidence, EvidenceSource
from affordances.mapping.loader import load_mapping
from affordances.mapping.object_affordances import ObjectAffordances, ObjectKind
from affordances.mapping.reader import household, read_mapping
from affordances.mapping.store import EvidenceStore
from affordances.mapping.writer import written

__all__ = [
    "Evidence",
    "EvidenceSource",
    "EvidenceStore",
    "ObjectAffordances",
    "ObjectKind",
    "household",
    "load_mapping",
    "read_mapping",
    "written",
]
