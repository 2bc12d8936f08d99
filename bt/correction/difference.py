"""What is different between two programs, in words for the person who wanted it so."""

from __future__ import annotations

from difflib import SequenceMatcher

from bt.programs import write_program
from semantics.program import Program

__all__ = ["difference"]


def difference(old: Program, new: Program) -> tuple[str, ...]:
    """Return one sentence for each change, in the order of the text; none when the two are the same."""
    before, after = (write_program(one).splitlines() for one in (old, new))
    gone: list[str] = []
    come: list[tuple[int, str]] = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            gone += [line.strip() for line in before[a:b] if line.strip()]
            come += [(number, line.strip()) for number, line in enumerate(after[c:d], c) if line.strip()]
    told = []
    for number, line in come:
        was = line if line in gone else next((one for one in gone if _verb(one) == _verb(line)), None)
        if was is not None:
            gone.remove(was)
        told.append(_told(was, line, _where(after, number)))
    return (*told, *(f"'{line}' is left out." for line in gone))


def _told(was: str | None, line: str, where: str) -> str:
    if was is None:
        return f"'{line}' is added {where}."
    return f"'{line}' is done {where}." if was == line else f"'{was}' becomes '{line}'."


def _verb(line: str) -> str:
    """Return what a line does, whatever it is done to."""
    return line.partition("(")[0]


def _where(lines: list[str], number: int) -> str:
    """Say where a line stands by the one after it, or before it."""
    following = next((line.strip() for line in lines[number + 1 :] if line.strip()), "")
    if following:
        return f"before '{following}'"
    leading = next((line.strip() for line in reversed(lines[:number]) if line.strip()), "")
    return f"after '{leading}'" if leading else "alone"
