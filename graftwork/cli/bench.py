"""``graftwork bench``: the benchmarks, which only a checkout of the project contains."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from semantics.errors import UsageError


def suites() -> Mapping[str, str]:
    """Return the module of each suite; its `main` takes command-line words and returns the exit code.

    Raises:
        UsageError: This is an installed copy, which has no suites.
    """
    root = Path(__file__).parents[2]
    if not (root / "benchmarks" / "planning").is_dir():
        raise UsageError("this is an installed copy; measurements are run from a checkout of the project")
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    named: Mapping[str, str] = import_module("benchmarks").SUITES
    return named


def bench_command(suite: str, words: Sequence[str]) -> int:
    """Run a suite.

    Raises:
        UsageError: There is no such suite, or no suite at all.
    """
    if suite not in suites():
        raise UsageError(f"there is no suite '{suite}'; there is {', '.join(suites())}")
    code: int = import_module(suites()[suite]).main(list(words))
    return code
