"""The ontology: all affordances of objects.

The 38 affordances are those of AutoGPT+P (Birr et al. 2024, appendix A). ``ontology.yaml`` holds, for each of them, a
sentence about an object that has it, and a question about a class for a person or a model; these texts are our own.
A domain may leave out affordances that it does not use, and may add its own, such as the structural types that its
capabilities need for their parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from domains.reader.nodes.document import read_document
from domains.reader.nodes.fields import Field, entries, open_fields

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
