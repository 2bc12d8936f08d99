"""One life of a run: a process that runs the real command line until it ends or is killed."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import threading
import time
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.killed.body import Judged

__all__ = ["Length", "Moment", "chosen", "live"]

LONGEST = 120.0
"""Wall-clock seconds after which a life counts as stuck."""
LOOK = 0.0005
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    ["graftwork.__main__", "graftwork.cli.app", "graftwork.cli.running", "robots.served", "unified_planning.shortcuts"]
)


class Length(NamedTuple):
    """How long an undisturbed run is: ``before`` its first motion in seconds, in ``asked`` sensings, in ``written`` bytes."""

    before: float
    asked: int
    written: int


class Moment(NamedTuple):
    """When a life is ended: ``kind`` is ``early`` (seconds), ``tick`` (sensings), ``writing`` (bytes) or ``never``."""

    kind: str
    at: float = 0.0


def chosen(random: Random, length: Length) -> Moment:
    """Return a moment, uniform over the length of a run; one in five before anything moves."""
    kind = random.choices(("early", "tick", "writing"), (2, 6, 2))[0]
    most = {"early": length.before, "tick": length.asked, "writing": length.written}[kind]
    return Moment(kind, random.random() * most)


def _run(words: list[str]) -> None:
    """Be the program, with nobody at the terminal."""
    from graftwork.__main__ import main

    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    sys.argv = ["graftwork", *words]
    main()


def live(words: list[str], record: Path, body: Judged, moment: Moment) -> tuple[int, float]:
    """Run the program with `words` until it ends or its moment comes.

    Returns:
        The exit code, -9 when it was killed; and after how many seconds its first motion began.
    """
    process = CONTEXT.Process(target=_run, args=(words,))
    began, motions = time.monotonic(), len(body.motions)
    if moment.kind == "tick":
        body.at_count = (body.asked + 1 + int(moment.at), lambda: _kill(process))
    process.start()
    over = threading.Event()
    if moment.kind in ("early", "writing"):
        threading.Thread(target=_end, args=(process, moment, record / "record.jsonl", over), daemon=True).start()
    first = 0.0
    while process.is_alive() and time.monotonic() < began + LONGEST:
        process.join(0.02)
        if not first and len(body.motions) > motions:
            first = time.monotonic() - began
    over.set()
    body.at_count = None
    code = process.exitcode
    if code is None:
        process.kill()
        process.join()
        raise TimeoutError(f"stuck: {' '.join(words)}")
    return code, first


def _kill(process: BaseProcess) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()


def _end(process: BaseProcess, moment: Moment, record: Path, over: threading.Event) -> None:
    """Kill a process after some seconds, or as soon as its record has grown to some bytes."""
    if moment.kind == "early":
        if not over.wait(moment.at):
            _kill(process)
        return
    while not over.wait(LOOK):
        with contextlib.suppress(OSError):
            if record.stat().st_size > moment.at:
                _kill(process)
                return
