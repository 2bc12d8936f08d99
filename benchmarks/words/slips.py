"""Whether malformed answers are read as they are meant, and cut ones never as something else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.words.entries import Slip
from benchmarks.words.judge import Judged, Verdict
from benchmarks.words.rows import Kind, Row
from graftwork.language.replies import read_reply
from semantics.body.exchange import Unusable
from semantics.errors import FormulaError
from semantics.logic.atoms import And, Formula
from semantics.logic.parsing import parse_formula
from semantics.logic.reply_form import document_of

__all__ = ["judge_slip", "misread_cuts", "read_slip"]

SETS = ("options", "missing", "about")
FACTS = ("fact", "that")
"""Keys whose lists have no order, and keys of conditions."""


def read_slip(entry: Slip) -> Row:
    """Read an answer; the row holds what it was read as, or why it cannot be used."""
    read = read_reply(entry.text)
    if isinstance(read, Unusable):
        return Row(entry.id, Kind.REFUSAL, told=[str(reason) for reason in read.feedback])
    return Row(entry.id, Kind.ANSWER, data=document_of(read)["reply"])


def judge_slip(entry: Slip, row: Row) -> Judged:
    """Return whether an answer was read as it is meant."""
    if row.data is None:
        right = entry.means == "none"
        return Judged(Verdict.DECLINED if right else Verdict.REFUSED, why=f"{entry.format}: {' '.join(row.told)}")
    if entry.means == "none":
        return Judged(Verdict.WRONG, why=f"{entry.format}: obeyed as {row.data}, though {entry.why}")
    assert isinstance(entry.means, Mapping)
    if _plain(row.data) == _plain(entry.means):
        return Judged(Verdict.RIGHT)
    return Judged(Verdict.WRONG, why=f"{entry.format}: read as {row.data}, and meant is {entry.means}")


def misread_cuts(entry: Slip) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield each length in bytes at which a cut answer is read as something that the whole one does not mean."""
    if not isinstance(entry.means, Mapping):  # cut before what takes it back, it is another answer
        return
    data, whole = entry.text.encode(), _plain(entry.means)
    for length in range(len(data)):
        read = read_reply(data[:length].decode(errors="ignore"))
        if not isinstance(read, Unusable) and _plain(found := document_of(read)["reply"]) != whole:
            yield length, found


def _plain(value: Any, key: str = "") -> Any:  # noqa: ANN401 - data
    """Return a reply in a form in which equal ones are equal; what is null is left out."""
    if isinstance(value, Mapping):
        return {name: _plain(part, name) for name, part in value.items() if part not in (None, [], ())}
    if isinstance(value, list | tuple):
        parts = [_plain(part, key) for part in value]
        return sorted(map(str, parts)) if key in SETS else parts
    if key == "goal" or key in FACTS:
        return _condition(str(value))
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value).strip()


def _condition(text: str) -> object:
    """Return a condition without the order of the parts of a conjunction."""
    try:
        return _unordered(parse_formula(text, variables=True, adl=True))
    except FormulaError:
        return " ".join(text.split())


def _unordered(formula: Formula) -> str:
    if isinstance(formula, And):
        return f"(and {' '.join(sorted(map(_unordered, formula.parts)))})"
    return str(formula)
