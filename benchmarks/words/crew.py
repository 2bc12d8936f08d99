"""Entries tried in several processes at once; each result is written down when it comes.

A process tries one entry after another. One that dies is replaced, and its entry counts as broken off. An interrupt
ends all of them, with their planners and bodies; what is written stays, and the next call goes on from there.
"""

from __future__ import annotations

import os
import queue
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from typing import Any, NamedTuple

from benchmarks.words.rows import Row
from benchmarks.words.worlds import ROOT

__all__ = ["Job", "results_of"]

PATIENCE = 15.0
"""Seconds that a process has to end after an interrupt."""


class Job(NamedTuple):
    """An entry to try: what to call with it, and how."""

    key: str
    work: Callable[..., Row]
    arguments: tuple[Any, ...]


def results_of(jobs: Sequence[Job], count: int) -> Iterator[tuple[str, Row]]:
    """Yield each result as it comes, with the key of its job.

    Args:
        jobs: What is to be done.
        count: How many processes work at once.

    Raises:
        KeyboardInterrupt: It was interrupted; all processes have ended.
    """
    context = get_context("spawn")
    results: Queue[tuple[str, Row]] = context.Queue()
    waiting, running = list(reversed(jobs)), dict[BaseProcess, tuple[Job, Any]]()
    idle: list[tuple[BaseProcess, Any]] = []
    try:
        while waiting or running:
            while waiting and len(running) < count:
                process, inbox = idle.pop() if idle else _begin(context, results)
                job = waiting.pop()
                inbox.put(job)
                running[process] = (job, inbox)
            with suppress(queue.Empty):
                key, row = results.get(timeout=0.2)
                process = next(each for each, (job, _) in running.items() if job.key == key)
                idle.append((process, running.pop(process)[1]))
                yield key, row
                continue
            for process in [each for each in running if not each.is_alive()]:
                job, _ = running.pop(process)
                yield job.key, Row(job.key.partition("/")[2], error=f"its process ended with {process.exitcode}")
    finally:
        _end([*running, *(process for process, _ in idle)], [inbox for _, inbox in idle])


def _begin(context: Any, results: Any) -> tuple[BaseProcess, Any]:  # noqa: ANN401 - contexts have no public type
    inbox = context.Queue()
    process = context.Process(target=_work, args=(inbox, results))
    process.start()
    return process, inbox


def _end(processes: Sequence[BaseProcess], idle: Sequence[Any]) -> None:
    """End all processes: those at rest by a word, the others by an interrupt, which closes their sessions."""
    for inbox in idle:
        inbox.put(None)
    last = time.monotonic() + PATIENCE
    for process in processes[: len(processes) - len(idle)]:
        if process.is_alive() and process.pid is not None:
            os.kill(process.pid, signal.SIGINT)
    for process in processes:
        process.join(max(last - time.monotonic(), 0.1))
        if process.is_alive():
            process.terminate()
            process.join()


def _work(inbox: Any, results: Any) -> None:  # noqa: ANN401 - queues of a context
    """Try one entry after another; the first interrupt ends it, and those that follow do not disturb its closing."""
    os.chdir(ROOT)
    signal.signal(signal.SIGINT, _interrupt)
    with suppress(KeyboardInterrupt):
        while (job := inbox.get()) is not None:
            results.put((job.key, job.work(*job.arguments)))


def _interrupt(*_: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt
