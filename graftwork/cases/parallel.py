"""Running cases in several processes.

This saves time when planning takes several times as long as starting the processes, which takes about one second.
Planning for one case takes about 50 ms, so it pays for hundreds of planned cases. Each process reads the files again,
because worlds are not sent between processes.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

from graftwork.cases.model import Case
from graftwork.cases.runner import CaseResult, CaseRunner
from graftwork.cases.suites import Suite, load_suites
from semantics.errors import OutsideError

__all__ = ["results_of"]

Name = tuple[str, str]
"""Identifies a case: its file, and its name, which is unique in the file; several cases may share a line."""
ResultFields = tuple[tuple[str, ...], str, float]


@contextmanager
def results_of(suites: Sequence[Suite], jobs: int = 1) -> Iterator[Iterator[CaseResult]]:
    """Yield the results of all cases, in order and as they arrive; with several jobs, run as many processes.

    Raises:
        OutsideError: The planner or Prolog is not available.
    """
    if jobs == 1:
        with CaseRunner() as runner:
            yield (runner.run(case, suite.world) for suite in suites for case in suite.cases)
        return
    files = list(dict.fromkeys(case.place.file for suite in suites for case in suite.cases))
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_prepare, initargs=(files,))
    try:
        yield _joined(suites, pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _joined(suites: Sequence[Suite], pool: ProcessPoolExecutor) -> Iterator[CaseResult]:
    cases = [case for suite in suites for case in suite.cases]
    for case, result in zip(cases, pool.map(_run, map(_name, cases)), strict=True):
        if isinstance(result, str):
            raise OutsideError(result)
        yield CaseResult(case, *result)


def _name(case: Case) -> Name:
    return case.place.file, case.name


class _CaseWorker:
    """The state that a process keeps between cases."""

    cases: dict[Name, tuple[Suite, Case]]
    runner: CaseRunner


def _prepare(files: Sequence[str]) -> None:
    """Read the files; ignore interrupts, which the parent process handles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _CaseWorker.runner = CaseRunner()
    _CaseWorker.cases = {_name(case): (suite, case) for suite in load_suites(files) for case in suite.cases}


def _run(name: Name) -> ResultFields | str:
    """Run a case; return an `OutsideError` as text, because exceptions with fields cannot be sent between processes."""
    suite, case = _CaseWorker.cases[name]
    try:
        result = _CaseWorker.runner.run(case, suite.world)
    except OutsideError as error:
        return str(error)
    return result.problems, result.got, result.seconds
