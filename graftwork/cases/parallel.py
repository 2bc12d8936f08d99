"""Running cases in several processes at once.

That pays when planning takes several times as long as starting the processes, which is about a second: a case is
planned in some 50 ms, so with hundreds of planned cases. Each process reads the files anew, since worlds are not passed
between processes.
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
"""A case among all: its file, and its name, which no other case of the file has; several may share a line."""
ResultFields = tuple[tuple[str, ...], str, float]


@contextmanager
def results_of(suites: Sequence[Suite], jobs: int = 1) -> Iterator[Iterator[CaseResult]]:
    """Give the results of all cases in their order, as they come; with more than one job from as many processes.

    Raises:
        OutsideError: The planner or Prolog is not there.
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
    """What a process keeps from one case to the next."""

    cases: dict[Name, tuple[Suite, Case]]
    runner: CaseRunner


def _prepare(files: Sequence[str]) -> None:
    """Read the files; an interruption is for the process that asked for the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _CaseWorker.runner = CaseRunner()
    _CaseWorker.cases = {_name(case): (suite, case) for suite in load_suites(files) for case in suite.cases}


def _run(name: Name) -> ResultFields | str:
    """Run a case; what is not there is told in words, for exceptions with fields do not pass between processes."""
    suite, case = _CaseWorker.cases[name]
    try:
        result = _CaseWorker.runner.run(case, suite.world)
    except OutsideError as error:
        return str(error)
    return result.problems, result.got, result.seconds
