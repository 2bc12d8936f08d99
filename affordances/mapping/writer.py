"""From a mapping to YAML; `affordances.mapping.reader` reads it back to an equal one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from affordances.mapping.evidence import Evidence
from affordances.mapping.object_affordances import ObjectAffordances, ObjectKind
from affordances.ontology import AFFORDANCES

__all__ = ["written"]


def written(mapping: ObjectAffordances) -> str:
    """Return a mapping as a document: further affordances, what is known of the classes, the evidence in groups."""
    further = [name for name in mapping.affordances() if name not in AFFORDANCES]
    lines = [f"affordances: {_listed(further)}"] if further else []
    lines += ["classes:"] if mapping.classes else ["classes: {}"]
    lines += [f"  {name}: {_described(found)}" for name, found in mapping.classes.items()]
    rows = [f"  - {row}" for row in _rows(mapping)]
    return "\n".join([*lines, *(["evidence:", *rows] if rows else []), ""])


def _described(found: ObjectKind) -> str:
    parts = {"kinds": sorted(found.kinds), "words": list(found.words)}
    return f"{{{', '.join(f'{key}: {_listed(value)}' for key, value in parts.items() if value)}}}"


def _rows(evidence: Iterable[Evidence]) -> Iterator[str]:
    """Yield one row for all that one voice says about one class in the same way."""
    groups: dict[Evidence, list[str]] = {}
    for piece in evidence:
        groups.setdefault(piece._replace(affordance=""), []).append(piece.affordance)
    for piece, names in sorted(groups.items(), key=lambda group: (group[0].class_name, str(group[0]))):
        yield f"{{{', '.join(f'{key}: {value}' for key, value in _fields(piece, sorted(names)))}}}"


def _fields(piece: Evidence, names: list[str]) -> Iterator[tuple[str, str]]:
    yield "class", piece.class_name
    yield "source", str(piece.source)
    yield "affordances", _listed(names)
    if not piece.source.adds_up:
        yield "share", repr(piece.share)
    if piece.by:
        yield "by", _quoted(piece.by)
    if piece.how:
        yield "how", _quoted(piece.how)
    if piece.times != 1:
        yield "times", str(piece.times)
    if piece.at:
        yield "at", _quoted(piece.at.isoformat())


def _listed(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _quoted(text: str) -> str:
    return text if text.replace("-", "").replace("_", "").isalnum() and text.isascii() else json.dumps(text)
