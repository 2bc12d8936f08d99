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

from graftwork.cases.finding import Suite, load_suites
from graftwork.cases.running import CaseRunner, Result

__all__ = ["results_of"]

Told = tuple[tuple[str, ...], str, float]


@contextmanager
def results_of(suites: Sequence[Suite], jobs: int = 1) -> Iterator[Iterator[Result]]:
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


def _joined(suites: Sequence[Suite], pool: ProcessPoolExecutor) -> Iterator[Result]:
    cases = [case for suite in suites for case in suite.cases]
    for case, told in zip(cases, pool.map(_run, [case.place for case in cases]), strict=True):
        yield Result(case, *told)


class _Worker:
    """What a process keeps from one case to the next."""

    cases: dict[tuple[str, int], tuple[Suite, int]]
    runner: CaseRunner


def _prepare(files: Sequence[str]) -> None:
    """Read the files; an interruption is for the process that asked for the results."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Worker.runner = CaseRunner()
    _Worker.cases = {
        case.place: (suite, index) for suite in load_suites(files) for index, case in enumerate(suite.cases)
    }


def _run(place: tuple[str, int]) -> Told:
    suite, index = _Worker.cases[place]
    result = _Worker.runner.run(suite.cases[index], suite.world)
    return result.problems, result.got, result.seconds
