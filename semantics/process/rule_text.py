"""Rules and names as text for Prolog; a rule that is nested too deep or too large is refused before Prolog reads it.

SWI-Prolog's reader calls itself for each bracket, so some thousand of them end its process. The arithmetic of integers
that do not fit into a machine word takes time that grows faster than their length, and cannot be interrupted.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

MOST_DEPTH = 100  # how deep brackets may be nested
MOST_DIGITS = 18  # how many digits a number may have; each such number fits into 64 bits
MOST_PARTS = 10_000  # how many words and signs a condition, or a clause of a pack, may have

PART = re.compile(
    r"(?P<skipped>\s+|%[^\n]*)|(?P<quoted>'[^'\\\n]*')|(?P<end>\.(?=\s|%|$))|(?P<number>\d\w*)|(?P<word>\w+)"
    r"|(?P<opening>[(\[{])|(?P<closing>[)\]}])|(?P<sign>.)"
)
DEEPER = {"opening": 1, "closing": -1}


class Excess(NamedTuple):
    """A part of a rule that is too large."""

    offset: int
    message: str


@lru_cache(256)
def excess(text: str) -> Excess | None:
    """Return the first part of a condition, or of the clauses of a pack, that is too large; None if there is none."""
    depth = parts = 0
    for match in PART.finditer(text):
        kind = match.lastgroup or ""
        parts = 0 if kind == "end" else parts + (kind != "skipped")
        depth = 0 if kind == "end" else max(depth + DEEPER.get(kind, 0), 0)
        if kind == "number" and len(match[0]) > MOST_DIGITS:
            return Excess(match.start(), f"a number has {len(match[0])} digits; expected at most {MOST_DIGITS}")
        if depth > MOST_DEPTH:
            return Excess(match.start(), f"brackets are nested too deep; expected at most {MOST_DEPTH}")
        if parts > MOST_PARTS:
            return Excess(match.start(), f"a condition is too long; expected at most {MOST_PARTS} words and signs")
    return None


SPECIAL = re.compile(r"['\\\x00-\x1f\x7f]")


@lru_cache(4096)
def quote(text: str) -> str:
    """Write any text as a Prolog atom, so that it is a name and nothing else."""
    return "'" + SPECIAL.sub(lambda match: f"\\{ord(match[0]):o}\\", text) + "'"
