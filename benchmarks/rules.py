"""What it costs that goals are checked by SWI-Prolog in a process of its own, against the same work in this one.

Both variants answer the same question in turn: the check of the conjuncts of a goal against the rules of the kitchen,
with its scene and rule book known. The bound is the difference of the medians. Run from a checkout:
``python -m benchmarks.rules [--runs 400]``. Exit code 1 when a difference is larger than the bound.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from statistics import median

from rich.console import Console
from rich.table import Table

from benchmarks.cases import choices
from domains.model import Domain, SceneFile
from domains.reader import load_domain, load_scene
from semantics.logic.atoms import Conjunct, dnf
from semantics.logic.parsing import parse_formula
from semantics.logic.rules import RuleBook
from semantics.process.prolog import worker
from semantics.process.rule_processes import RuleLedger, RuleQuestion

__all__ = ["main"]

MOST_MORE = 0.5
"""How much longer a check may take in a process of its own, milliseconds."""


class InThisProcess:
    """SWI-Prolog in this process, asked as its own process is asked."""

    def __init__(self) -> None:
        self._answer = worker(os.devnull)
        self._ledger = RuleLedger()

    def ask(self, question: RuleQuestion) -> tuple[object, ...]:
        """Answer a question."""
        return self._answer(self._ledger.tell(question))


def measure(domain: Domain, scene: SceneFile, runs: int) -> dict[str, tuple[list[float], list[float]]]:
    """Return the milliseconds of each check, in this process and in its own, by the kind of goal."""
    apart, here = RuleBook(domain.rules), RuleBook(domain.rules)
    here._processes = InThisProcess()  # type: ignore[assignment]  # it is asked in the same way
    goals = {"1 conjunct": "(on apple0 table0)"} | {
        f"64 conjuncts {name}": text for name, text in choices(scene).items()
    }
    return {name: _in_turn(here, apart, dnf(parse_formula(text)), scene, runs) for name, text in goals.items()}


def _in_turn(
    here: RuleBook, apart: RuleBook, conjuncts: tuple[Conjunct, ...], scene: SceneFile, runs: int
) -> tuple[list[float], list[float]]:
    def take(book: RuleBook) -> float:
        began = time.perf_counter()
        book.violations(conjuncts, scene.things)
        return 1000 * (time.perf_counter() - began)

    assert here.violations(conjuncts, scene.things) == apart.violations(conjuncts, scene.things)
    taken = [(take(here), take(apart)) for _ in range(runs)]
    return [first for first, _ in taken], [second for _, second in taken]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, return the exit code."""
    parser = argparse.ArgumentParser(prog="graftwork bench rules", description=__doc__)
    parser.add_argument("--runs", type=int, default=400, help="how often each check is taken (400)")
    given = parser.parse_args(arguments)
    domain = load_domain("kitchen")
    gc.disable()
    figures = measure(domain, load_scene(domain, "full"), given.runs)
    table = Table("a check of", "in this process, ms", "in its own, ms", "more, ms")
    more = {name: median(apart) - median(here) for name, (here, apart) in figures.items()}
    for name, (here, apart) in figures.items():
        table.add_row(name, f"{median(here):.2f}", f"{median(apart):.2f}", f"{more[name]:+.2f}")
    console = Console(width=100)
    console.print(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {given.runs} runs in turn")
    console.print(table)
    return 0 if max(more.values()) <= MOST_MORE else 1


if __name__ == "__main__":
    sys.exit(main())
