"""Read a mapping from YAML, and write one. The reader reports all mistakes with their line and column.

docs/affordances.md describes the format. A mapping that `written` writes is read back as an equal mapping.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from affordances.mapping.evidence import Evidence, EvidenceSource
from affordances.mapping.object_affordances import ObjectAffordances, ObjectKind
from affordances.ontology import AFFORDANCES
from domains.reader.nodes.document import Entry, Listing, Node, read_document
from domains.reader.nodes.fields import Field, Fields, entries, is_empty, open_fields

HOUSEHOLD = Path(__file__).parent.parent / "household.yaml"
TOP = ("author", "affordances", "evidence")
MOST = 1_000_000_000
SEEN = {str(EvidenceSource.WORKED): 1.0, str(EvidenceSource.FAILED): 0.0}
"""The share of the sources that have a fixed share."""


@cache
def household() -> ObjectAffordances:
    """Return the mapping of common household classes that comes with this package."""
    return read_mapping(HOUSEHOLD)


def read_mapping(path: Path) -> ObjectAffordances:
    """Read a mapping.

    Raises:
        DomainFileError: The file cannot be used; the error lists all problems with their line and column.
    """
    node, diagnostics = read_document(path, str(path))
    fields = open_fields(node, "a mapping", required=("classes",), optional=TOP)
    afforded = (*AFFORDANCES, *Field(fields.get("affordances"), "the further affordances").texts())
    author = Field(fields.get("author"), "the author").text(path.stem)
    reader = _MappingReader(afforded, author)
    classes = {entry.key.text: reader.described(entry) for entry in entries(fields.get("classes"), "classes")}
    evidence = [*reader.authored, *reader.evidence(fields.get("evidence"), classes)]
    diagnostics.settle()
    return ObjectAffordances(evidence, classes)


class _MappingReader:
    """Reads classes and evidence, and collects the author's evidence about each class in `authored`."""

    def __init__(self, afforded: Collection[str], author: str) -> None:
        self.authored: list[Evidence] = []
        self._afforded = afforded
        self._author = author

    def described(self, entry: Entry) -> ObjectKind:
        """Read a class. Its ``affordances`` are a complete list: the author denies all others."""
        name, what = entry.key.text, f"class '{entry.key.text}'"
        fields = open_fields(entry.value, what, optional=("affordances", "kinds", "words"))
        listed = fields.get("affordances")
        if listed is not None:
            empty = isinstance(listed, Listing) and not listed.items
            afforded = () if empty else Field(listed, what).known("affordance", self._afforded)
            self.authored += [
                Evidence.authored(name, affordance, affordance in afforded, self._author)
                for affordance in self._afforded
            ]
        kinds, words = (self._texts(fields, key, f"the {key} of {what}") for key in ("kinds", "words"))
        return ObjectKind(frozenset(kinds), words)

    def _texts(self, fields: Fields, key: str, what: str) -> tuple[str, ...]:
        node = fields.get(key)
        if node is None or is_empty(node):
            return ()
        return tuple(Field(node, what).texts())

    def evidence(self, node: Node | None, classes: Collection[str]) -> Iterator[Evidence]:
        """Yield the evidence of all rows."""
        if node is None or is_empty(node):
            return
        if not isinstance(node, Listing):
            node.report("evidence: expected a list of rows such as {class: cup, source: worked, …}")
            return
        for number_of_row, item in enumerate(node.items, 1):
            yield from self._row(item, f"evidence {number_of_row}", classes)

    def _row(self, node: Node, what: str, classes: Collection[str]) -> Iterator[Evidence]:
        required, optional = ("class", "source", "affordances"), ("share", "by", "how", "times", "at")
        fields = open_fields(node, what, required=required, optional=optional)
        if any(fields.get(key) is None for key in required):
            return
        name = fields["class"].symbol()
        source = fields["source"].choice("source", list(EvidenceSource))
        if name not in classes:
            fields.values["class"].unknown("class", name, classes)
        share = self._share(fields, source, what)
        for affordance in Field(fields.get("affordances"), what).known("affordance", self._afforded):
            yield Evidence(
                name,
                affordance,
                EvidenceSource(source or EvidenceSource.AUTHORED),
                share,
                fields["by"].text(),
                fields["how"].text(),
                fields["times"].whole(1, 1, MOST),
                self._moment(fields, what),
            )

    def _share(self, fields: Fields, source: str, what: str) -> float:
        """Read the share of a row; ``worked`` and ``failed`` have a fixed share and must not state one."""
        node = fields.get("share")
        if source in SEEN:
            if node is not None:
                node.report(f"{what} has {source}, which is all for or all against; expected no share")
            return SEEN[source]
        if node is None and source:
            fields.node.report(f"{what} has no 'share'; expected how far it speaks for them, from 0 to 1")
        return fields["share"].number(0.0, 0.0, 1.0)

    def _moment(self, fields: Fields, what: str) -> datetime | None:
        node = fields.get("at")
        written = fields["at"].text()
        try:
            moment = datetime.fromisoformat(written) if written else None
        except ValueError:
            message = f"'at' of {what} is '{written}'; expected a time such as 2026-11-20T14:05:00+00:00"
            (node or fields.node).report(message)
            return None
        return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def written(mapping: ObjectAffordances) -> str:
    """Return a mapping as YAML: its affordances outside of the ontology, its classes, and its evidence in groups."""
    further = [name for name in mapping.affordances() if name not in AFFORDANCES]
    lines = [f"affordances: {_listed(further)}"] if further else []
    lines += ["classes:"] if mapping.classes else ["classes: {}"]
    lines += [f"  {name}: {_described(kind)}" for name, kind in mapping.classes.items()]
    rows = [f"  - {row}" for row in _rows(mapping)]
    return "\n".join([*lines, *(["evidence:", *rows] if rows else []), ""])


def _described(kind: ObjectKind) -> str:
    parts = {"kinds": sorted(kind.kinds), "words": list(kind.words)}
    return f"{{{', '.join(f'{key}: {_listed(value)}' for key, value in parts.items() if value)}}}"


def _rows(evidence: Iterable[Evidence]) -> Iterator[str]:
    """Yield a row for each group of evidence that differs only in the affordance."""
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
