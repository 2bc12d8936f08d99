"""CoPAL's configurations and ours on the same mistaken texts: ``graftwork bench ladder --data DIR``.

The texts come from a stand-in for the model that errs as CoPAL's logs show (`benchmarks/copal_ladder/standin`). DIR
has ``copal_scenes`` and ``copal_ground_truth``; what the logs say is in ``error_model.json`` here. Exit code 1 when a
target is not met.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from benchmarks.copal_ladder.configurations import CONFIGURATIONS, OURS, PLAN_SECONDS, Bar
from benchmarks.copal_ladder.telling import judged, table_of, twins
from planning import FastDownward
from semantics.errors import UsageError

__all__ = ["MODEL", "main"]

MODEL = Path(__file__).parent / "error_model.json"
NEEDED = Path("copal_scenes", "env_state_cocktail.json"), Path("copal_ground_truth", "cocktails_and_pizzas.json")


def main(words: Sequence[str]) -> int:
    """Run the suite; 1 when a target is not met."""
    parser = argparse.ArgumentParser(prog="graftwork bench ladder", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with copal_scenes and copal_ground_truth")
    parser.add_argument("--seeds", type=int, default=10, help="texts for each cocktail (default: 10)")
    parser.add_argument(
        "--only", nargs="+", choices=CONFIGURATIONS, default=CONFIGURATIONS, help="which (default: all)"
    )
    parser.add_argument("--plan-seconds", type=float, default=PLAN_SECONDS, help="for each new plan of ours")
    chosen = parser.parse_args(words)
    missing = [str(one) for one in NEEDED if not (chosen.data / one).is_file()]
    if missing:
        raise UsageError(f"there is no {' and no '.join(missing)} in {chosen.data}; name their folder with --data")
    planner = FastDownward()
    planner.warm_up()
    try:
        return _run(chosen, planner)
    finally:
        planner.close()


def _run(chosen: argparse.Namespace, planner: FastDownward) -> int:
    console, began = Console(width=230), time.perf_counter()
    model = json.loads(MODEL.read_text(encoding="utf-8"))
    bar = Bar(chosen.data, model["habits"], planner, chosen.plan_seconds)
    cases = tuple(bar.cases(chosen.seeds))
    found = {name: [bar.run(case, name) for case in cases] for name in chosen.only}
    aside = [bar.obstructed(recipe) for recipe in bar.recipes]
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, Python {platform.python_version()}")
    mistakes = sum(one.planted for one in next(iter(found.values())))
    console.print(f"{len(cases)} texts with {mistakes} mistakes; {time.perf_counter() - began:.0f} s in all")
    if compared := twins(found, model["configurations"]):
        console.print(compared)
    console.print(table_of(found))
    for one in found.get(OURS, ()):
        if not one.correct or one.answered["model"]:
            told = one.reason or f"{one.drink}, {one.answered['model']} times the model"
            console.print(f"ours, {one.recipe}, seed {one.seed}: {told}", highlight=False)
    targets = judged(found, model["configurations"], aside)
    for target in targets:
        console.print(f"{'met' if target.met else 'NOT met'}: {target.told}", highlight=False)
    return 0 if all(target.met for target in targets) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
