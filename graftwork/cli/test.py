"""``graftwork test``: run the cases of worlds, and report those with an unexpected outcome."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graftwork.cases import Case, CaseResult, Suite, load_suites
from graftwork.cases.runner import results_of
from graftwork.cli.options import echo, print_json, progress
from graftwork.setup.settings import worlds_named
from semantics.errors import UsageError


@dataclass(slots=True)
class Tally:
    """The results so far."""

    asked: int  # number of cases to run
    results: list[CaseResult] = field(default_factory=list)  # results of the cases that were run
    began: float = field(default_factory=time.monotonic)  # start time on the monotonic clock
    interrupted: bool = False  # whether a person stopped the command

    @property
    def failed(self) -> list[CaseResult]:
        """The results that differ from their expectation."""
        return [result for result in self.results if not result.passed]

    @property
    def exit_code(self) -> int:
        """0 when all cases passed, 1 when one failed, 4 when a person stopped the command."""
        return 4 if self.interrupted else int(bool(self.failed))

    def words(self) -> str:
        """Return a summary in one line."""
        counts = [f"{len(self.results) - len(self.failed)} passed"]
        counts += [f"{len(self.failed)} failed"] if self.failed else []
        left = self.asked - len(self.results)
        counts += [f"{left} not run"] if left else []
        stopped = "interrupted: " if self.interrupted else ""
        return f"{stopped}{', '.join(counts)} in {time.monotonic() - self.began:.1f} s"

    def as_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON."""
        return {
            "passed": len(self.results) - len(self.failed),
            "failed": len(self.failed),
            "not_run": self.asked - len(self.results),
            "interrupted": self.interrupted,
            "seconds": round(time.monotonic() - self.began, 3),
            "cases": [_row(result) for result in self.results],
        }


def _row(result: CaseResult) -> dict[str, Any]:
    return {
        "name": result.case.name,
        "file": result.case.place.file,
        "line": result.case.place.line,
        "passed": result.passed,
        "got": result.got,
        "problems": list(result.problems),
        "seconds": round(result.seconds, 4),
    }


def test_command(paths: Sequence[str], pattern: str | None, *, jobs: int, as_json: bool, fail_fast: bool) -> int:
    """Run the cases of `paths`, print the results, and return the exit code.

    Raises:
        UsageError: A path, a pattern or a file is wrong; no case was run.
        OutsideError: The planner or Prolog is not available.
    """
    suites = _chosen(load_suites(worlds_named(paths)), pattern)
    tally = Tally(sum(len(suite.cases) for suite in suites))
    try:
        bar = progress("cases", tally.asked, sys.stdout, shown=not as_json)
        with results_of(suites, jobs) as results, bar as advance:
            _take(results, tally, advance, loud=not as_json, fail_fast=fail_fast)
    except KeyboardInterrupt:
        tally.interrupted = True
    if as_json:
        print_json(tally.as_dict())
    else:
        echo(tally.words())
    return tally.exit_code


def _chosen(suites: Sequence[Suite], pattern: str | None) -> list[Suite]:
    """Keep the cases whose file or name matches the pattern."""
    try:
        wanted = re.compile(pattern or "", re.IGNORECASE)
    except re.error as error:
        raise UsageError(f"-k {pattern!r} is no pattern: {error}") from error

    def is_wanted(case: Case) -> bool:
        return bool(wanted.search(f"{case.place.file} {case.name}"))

    matching = [replace(suite, cases=tuple(filter(is_wanted, suite.cases))) for suite in suites]
    if pattern and not any(suite.cases for suite in matching):
        raise UsageError(f"-k {pattern!r} matches none of the cases")
    return matching


def _take(
    results: Iterator[CaseResult], tally: Tally, advance: Callable[[], object], *, loud: bool, fail_fast: bool
) -> None:
    for result in results:
        tally.results.append(result)
        if loud and not result.passed:
            echo(_failure(result))
        advance()
        if fail_fast and not result.passed:
            return


def _failure(result: CaseResult) -> str:
    lines = [f"{result.case.place}: {result.case.name}"]
    lines += [f"    {line}" for problem in result.problems for line in problem.splitlines()]
    return "\n".join(lines)
