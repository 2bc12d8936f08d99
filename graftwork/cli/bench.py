"""``graftwork bench``: the benchmarks, which only a checkout of the project contains."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from semantics.errors import UsageError

SUITES = {
    "any": "benchmarks.any.suite",
    "copal": "benchmarks.copal.suite",
    "cost": "benchmarks.cost.suite",
    "crossing": "benchmarks.crossing.suite",
    "ladder": "benchmarks.copal_ladder.suite",
    "bins": "benchmarks.bins.suite",
    "blocks": "benchmarks.blocks",
    "cases": "benchmarks.cases",
    "faults": "benchmarks.faults.suite",
    "gallery": "benchmarks.gallery.suite",
    "handling": "benchmarks.handling.suite",
    "killed": "benchmarks.killed.suite",
    "limits": "benchmarks.any.limits",
    "motion": "benchmarks.motion.suite",
    "open-world": "benchmarks.open_world.suite",
    "places": "benchmarks.places.suite",
    "planning": "benchmarks.planning.suite",
    "rules": "benchmarks.rules",
    "session": "benchmarks.long_session",
    "substitution": "benchmarks.substitution.suite",
    "tabletop": "benchmarks.tabletop.suite",
    "trees": "benchmarks.trees.suite",
    "whole": "benchmarks.whole_runs.suite",
}
"""Module of each suite; its `main` takes command-line words and returns the exit code."""


def bench_command(suite: str, words: Sequence[str]) -> int:
    """Run a suite.

    Raises:
        UsageError: There is no such suite, or this is an installed copy, which has no suites.
    """
    if suite not in SUITES:
        raise UsageError(f"there is no suite '{suite}'; there is {', '.join(SUITES)}")
    root = Path(__file__).parents[2]
    if not (root / "benchmarks" / "planning").is_dir():
        raise UsageError("this is an installed copy; measurements are run from a checkout of the project")
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    code: int = import_module(SUITES[suite]).main(list(words))
    return code
