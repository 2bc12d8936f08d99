"""What a line that was said to a moving robot is worth: by its effect within a second of the body's clock."""

from __future__ import annotations

from benchmarks.words.entries import Moving
from benchmarks.words.interjection import WITHIN
from benchmarks.words.rows import Row
from benchmarks.words.verdicts import Judged, Verdict
from benchmarks.words.worlds import Place

__all__ = ["judge_moving"]

RESTING = ("held", "stopped")
CHANGING = (*RESTING, "asks", "other goal", "other plan")


def judge_moving(entry: Moving, row: Row, _: Place) -> Judged:
    """Return what the row of a line is worth."""
    told = " ".join(row.told)
    seen = {name for name, seconds in row.effects.items() if seconds <= WITHIN}
    if entry.effect == "none":
        rested = seen.intersection(RESTING)
        why = f"it rests for nothing ({' '.join(sorted(rested))}): {told}" if rested else ""
        return Judged(Verdict.WRONG if rested else Verdict.RIGHT, "run", why)
    if (entry.effect == "stop" and not seen.intersection(RESTING)) or not seen.intersection(CHANGING):
        return Judged(Verdict.WRONG, "run", f"it goes on as before: {told}", missed=True)
    if entry.effect == "stop" and "stopped" not in seen:
        return Judged(Verdict.ASKED, "run", f"it waits instead: {told}")
    return Judged(Verdict.RIGHT, "run")
