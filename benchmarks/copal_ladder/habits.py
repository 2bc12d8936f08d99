"""How the model of CoPAL errs: which mistakes it brings into a text, and how often it makes one again when told.

Read from the configurations without repairs only (H0, H1, H2), so that all with repairs stay to be predicted. A failure
is *met again* when the same deed with the same first thing fails again in the same run. What is met for the first time
is a mistake that was in the text; its cause is told in H1 and H2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypedDict

from benchmarks.copal_ladder.records import Cause, Record

__all__ = ["LEVELS", "TOLD", "Habits", "habits"]

LEVELS = ("H0", "H1", "H2")
"""The configurations whose model is told what failed, why, and how to mend it."""
TOLD = ("H1", "H2")
"""Those of them whose logs say why something failed."""


class Habits(TypedDict):
    """What the stand-in for the model is fitted to.

    Attributes:
        fresh: Mistakes brought into a run, by cause and deed (H1 and H2).
        again: The share of the model's answers that fail again in the same way, by what it is told.
        nameless: Of unknown names, the share that no thing of the scene is meant by.
        mix: Of what is poured without being held, the share that is the mixing container.
    """

    fresh: Mapping[str, float]
    again: Mapping[str, float]
    nameless: float
    mix: float


def habits(records: Iterable[Record], runs: Mapping[str, int], nameless: float) -> Habits:
    """Return the habits that the logs show.

    Args:
        records: Of all configurations; only H0, H1 and H2 are read.
        runs: How many runs each configuration had.
        nameless: The share of unknown names that nothing in the scene is meant by.
    """
    fresh: Counter[str] = Counter()
    poured: Counter[bool] = Counter()
    asked: Counter[str] = Counter()
    repeated: Counter[str] = Counter()
    seen: set[tuple[str, tuple[str, int], tuple[str, ...]]] = set()
    for one in records:
        if one.config not in LEVELS:
            continue
        deed = tuple(one.command.split()[:2]) or ("nothing",)
        asked[one.config] += 1
        if (one.config, one.run, deed) in seen:
            repeated[one.config] += 1
            continue
        seen.add((one.config, one.run, deed))
        if one.config in TOLD:
            fresh[f"{one.cause} {deed[0]}"] += 1
            if one.cause is Cause.NOT_IN_HAND and deed[0] == "pour":
                poured[deed[1:] == ("mixing_container",)] += 1
    total = sum(runs[name] for name in TOLD)
    return {
        "fresh": {kind: round(count / total, 4) for kind, count in sorted(fresh.items())},
        "again": {name: round(repeated[name] / asked[name], 4) for name in LEVELS},
        "nameless": round(nameless, 4),
        "mix": round(poured[True] / poured.total(), 4),
    }
