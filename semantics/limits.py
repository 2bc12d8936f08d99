"""`ProgramLimits`: every bound on a program in one value."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ProgramLimits"]


@dataclass(frozen=True, slots=True)
class ProgramLimits:
    """Every bound on a program; what goes beyond one is told, never cut off.

    Attributes:
        source: Characters of the text.
        lines: Lines of the text.
        width: Characters of a line.
        nesting: Levels of blocks or of parts of an expression in each other; an ``elif`` is one level more.
        functions: Functions defined.
        name: Characters of a name.
        digits: Characters of a number as written.
        text: Characters of a text, written or made.
        bits: Bits of a whole number; other numbers stay below the same power of two.
        items: Members of a list.
        work: Parts of one expression that are looked at when it is evaluated once; after half as many in a tick, the
            next statement waits for the next tick.
        passes: Passes of one loop.
        recursion: Calls of functions in each other.
        depth: Nodes of the tree from the root down.
        steps: Statements that are begun in one run.
        steps_per_tick: Statements that are begun in one tick; the rest waits for the next.
    """

    source: int = 20_000
    lines: int = 400
    width: int = 2_000
    nesting: int = 24
    functions: int = 40
    name: int = 60
    digits: int = 30
    text: int = 500
    bits: int = 64
    items: int = 400
    work: int = 10_000
    passes: int = 400
    recursion: int = 16
    depth: int = 160
    steps: int = 4_000
    steps_per_tick: int = 100
