"""The ontology: all affordances of objects.

The 38 affordances are those of AutoGPT+P (Birr et al. 2024, appendix A). ``ontology.yaml`` holds, for each of them, a
sentence about an object that has it, and a question about a class for a person or a model; these texts are our own.
There are also three structural types, because capabilities need them as types of their parameters. A domain may leave
out affordances that it does not use, and may add its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

from domains.reader.nodes.document import read_document
from domains.reader.nodes.fields import Field, entries, open_fields
from semantics.errors import known_name
from semantics.vocabulary import Thing

__all__ = ["AFFORDANCES", "QUESTIONS", "STRUCTURAL", "affording"]

FILE = Path(__file__).with_name("ontology.yaml")


@cache
def _columns() -> Mapping[str, tuple[str, str]]:
    """Return the sentence and the question of each affordance, sorted by name."""
    node, diagnostics = read_document(FILE, FILE.name)
    columns: dict[str, tuple[str, str]] = {}
    for key, value in entries(node, "the ontology"):
        fields = open_fields(value, f"affordance '{key.text}'", required=("sentence", "question"))
        sentence, asked = (Field(fields.get(column), f"the {column}").text() for column in ("sentence", "question"))
        columns[key.text] = sentence, asked
    diagnostics.settle()
    return dict(sorted(columns.items()))


class _Column(Mapping[str, str]):
    """One column of the file, which is read on first access."""

    def __init__(self, index: int) -> None:
        self._index = index

    def __getitem__(self, name: str) -> str:
        return _columns()[name][self._index]

    def __iter__(self) -> Iterator[str]:
        return iter(_columns())

    def __len__(self) -> int:
        return len(_columns())


AFFORDANCES: Mapping[str, str] = _Column(0)
"""Sentence of each affordance, by name."""

QUESTIONS: Mapping[str, str] = _Column(1)
"""Question about a class, by affordance, as text: questions in parentheses joined by ``&``, ``|`` and ``!``."""

STRUCTURAL: Mapping[str, str] = {
    "actor": "it acts by itself",
    "cap": "it has a lid or cap that one hand opens and closes",
    "convey": "several things stand on it, and are carried with it",
    "hollow": "something can be in it",
    "location": "an actor can be there",
    "object": "it exists; everything has this one",
    "slim": "it is thin enough to stand in a cup",
    "soil": "it gets dirty in use, and can be cleaned",
    "steady": "it is not moved while something stands on it",
    "tap": "it comes from the tap",
    "upright": "thin things stand upright in it",
    "viewpoint": "directions can be said as seen from it",
}
"""Sentence of each structural type, by name."""


def affording(things: Mapping[str, Thing], wanted: Collection[str]) -> tuple[str, ...]:
    """Return the names of the objects that have all wanted affordances, sorted.

    Raises:
        UnknownNameError: A wanted affordance is neither in the ontology nor an affordance of any of the objects.
    """
    known = {*AFFORDANCES, *STRUCTURAL}.union(*(thing.affordances for thing in things.values()))
    for name in wanted:
        known_name("affordance", name, known)
    return tuple(sorted(name for name, thing in things.items() if thing.affords(wanted)))
