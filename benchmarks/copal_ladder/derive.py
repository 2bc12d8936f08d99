"""Derives the model of errors from CoPAL's logs, and counts which rung mends what.

``python -m benchmarks.copal_ladder.derive DATA [OUT]``: DATA is a folder with ``copal_logs`` (its files are
``errors_and_repairs.json`` and ``runs_summary.json``) and ``copal_scenes`` (the published states). Without OUT it says
what it found; with it the model of errors is written there, such as into ``error_model.json`` here.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from benchmarks.copal_ladder.habits import TOLD, habits
from benchmarks.copal_ladder.mending import Answer, answered, published_scene
from benchmarks.copal_ladder.rates import rates
from benchmarks.copal_ladder.records import Cause, Record, read_records, read_runs
from domains.problem import Problem

__all__ = ["error_model", "tally"]

SOURCE = "HRI-EU/LLM_Evaluation, 600 cocktail runs of CoPAL (Joublin et al. 2024), re-counted"


def error_model(records: tuple[Record, ...], runs: dict[str, int], scene: Problem) -> dict[str, object]:
    """Return mistakes per run with 95 % intervals, by configuration and for groups of them, and what errs like that."""
    groups: dict[str, tuple[str, ...]] = {name: (name,) for name in sorted(runs)}
    groups |= {"H": ("H0", "H1", "H2"), "MH": ("MH0", "MH1", "MH2"), "told": ("H1", "H2", "MH1", "MH2")}
    found: dict[str, object] = {}
    for name, configs in groups.items():
        total = sum(runs[one] for one in configs)
        own = [one for one in records if one.config in configs]
        marked = [Record(one.config, (f"{one.config} {one.run[0]}", one.run[1]), *_rest(one)) for one in own]
        kinds = {kind: asdict(rate) for kind, rate in rates(marked, total).items()}
        found[name] = {"runs": total, "per_run": kinds}
    own_habits = habits(records, runs, _nameless(records, scene))
    spread = "95 %, normal, from the spread between runs"
    return {"source": SOURCE, "interval": spread, "habits": own_habits, "configurations": found}


def _nameless(records: tuple[Record, ...], scene: Problem) -> float:
    """Return the share of unknown names that are not badly written names of something."""
    unknown = [one for one in records if one.cause is Cause.UNKNOWN_NAME and one.config in TOLD]
    return sum(answered(one, scene)[0] is Answer.PLAN for one in unknown) / len(unknown)


def _rest(one: Record) -> tuple[bool, str, Cause]:
    return one.repaired, one.command, one.cause


def tally(records: tuple[Record, ...], scene: Problem) -> Counter[tuple[str, Answer]]:
    """Count what mends the logged failures, by cause."""
    return Counter((str(one.cause), answered(one, scene)[0]) for one in records)


def main(arguments: list[str]) -> int:
    """Say what was found, and write the model of errors where a file is named."""
    data = Path(arguments[0])
    logs, scene = data / "copal_logs", published_scene(data)
    records = read_records(logs / "errors_and_repairs.json")
    for (cause, answer), count in sorted(tally(records, scene).items()):
        sys.stdout.write(f"{count:5}  {cause}: {answer}\n")
    if len(arguments) > 1:
        model = error_model(records, read_runs(logs / "runs_summary.json"), scene)
        Path(arguments[1]).write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
