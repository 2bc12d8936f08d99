"""Places inside a scalar's text, as places in its file."""

from __future__ import annotations

from domains.reading.nodes.complaints import Complaints, Mark
from domains.reading.nodes.document import Scalar

__all__ = ["place_in"]


def place_in(scalar: Scalar, line: int, column: int, complaints: Complaints) -> Mark:
    """Turn a place in a scalar's text into one in its file.

    Exact for texts of one line and for ``|`` blocks; the start of the text for folded ones.
    """
    if scalar.style == "|":
        part = scalar.text.split("\n")[line - 1]
        indent = complaints.line(scalar.mark.line + line).find(part)
        return Mark(scalar.mark.line + line, max(indent, 0) + column)
    written = complaints.line(scalar.mark.line)[scalar.mark.column - 1 :].rstrip()
    quoted = scalar.style in ("'", '"')
    end = len(scalar.text) + quoted
    is_verbatim = written[end : end + 1] == scalar.style if quoted else scalar.style == "" and end <= len(written)
    if line == 1 and is_verbatim:
        return Mark(scalar.mark.line, scalar.mark.column + quoted + column - 1)
    return scalar.mark
