"""One life of a run: a process of its own that runs a sentence until it ends or is killed.

It is a copy of a process that has its modules loaded, and runs either the command line, whose planner has processes of
its own, or, which costs a sixth, a `Session` whose planner is in the process and has a worker below it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import threading
import time
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from benchmarks.killed.body import Judged

__all__ = ["Length", "Moment", "Task", "chosen", "complaints", "live"]

LONGEST = 120.0
"""Wall-clock seconds after which a life counts as stuck."""
LOOK = 0.0005
PAUSE = 0.02
ONE_ASKS = threading.Lock()
"""Held while a process is asked whether it has ended. Beginning one asks all the others too, and an exit code can be
read but once: of two threads that ask at a time one gets the code and the other a 255, which would be kept."""
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    ["graftwork.__main__", "graftwork.cli.app", "graftwork.cli.run", "robots.served", "unified_planning.shortcuts"]
)


class Length(NamedTuple):
    """How long an undisturbed run is: seconds `before` its first motion, sensings `asked` for, bytes `written`."""

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


class Task(NamedTuple):
    """What a life is to do.

    Attributes:
        scene: Name of the scene.
        seed: Of the scene.
        socket: Where the body is.
        record: The folder of its record.
        sentence: What is said; None to go on.
        resume: The record to go on from.
        by_command: Whether by the command line.
    """

    scene: str
    seed: int
    socket: Path
    record: Path
    sentence: str | None
    resume: Path | None = None
    by_command: bool = False


def _run(task: Task) -> None:
    """Be the program, with nobody at the terminal."""
    quiet, told = os.open(os.devnull, os.O_RDWR), os.open(complaints(task.record), os.O_WRONLY | os.O_CREAT)
    for stream, to in enumerate((quiet, quiet, told)):
        os.dup2(to, stream)
    (_command if task.by_command else _session)(task)


def complaints(record: Path) -> Path:
    """Return the file that takes what a life with this record writes to its standard error."""
    return record.with_suffix(".err")


def _command(task: Task) -> None:
    from graftwork.__main__ import main

    place = ["--scene", task.scene, "--seed", str(task.seed), "--robot", f"served:{task.socket}"]
    what = ["--resume", str(task.resume), "--yes"] if task.sentence is None else [task.sentence, *place]
    sys.argv = ["graftwork", "run", *what, "--record", str(task.record), "--no-memory", "--no-input", "--json"]
    main()


def _session(task: Task) -> None:
    from graftwork import Session
    from planning import FastDownward

    settings: dict[str, Any] = {"robot": f"served:{task.socket}", "record": task.record, "memory": None}
    with Session("kitchen", task.scene, seed=task.seed, planner=FastDownward(), **settings) as session:
        run = session.start(task.sentence) if task.sentence is not None else session.resume(task.resume or "")
        code = run.finish().exit_code
    sys.exit(code)


def live(task: Task, body: Judged, moment: Moment) -> tuple[int, float]:
    """Do a task until it is done or its moment comes.

    Returns:
        The exit code, -9 when it was killed; and after how many seconds its first motion began.

    Raises:
        TimeoutError: It does not end.
    """
    process = CONTEXT.Process(target=_run, args=(task,))
    began, motions = time.monotonic(), len(body.motions)
    with ONE_ASKS:
        process.start()
    if moment.kind == "tick":
        body.at_count = (body.asked + 1 + int(moment.at), lambda: _kill(process))
    over = threading.Event()
    if moment.kind in ("early", "writing"):
        threading.Thread(target=_end, args=(process, moment, task.record, over), daemon=True).start()
    first = 0.0
    while (code := _ended(process)) is None and time.monotonic() < began + LONGEST:
        if not first and len(body.motions) > motions:
            first = time.monotonic() - began
    over.set()
    body.at_count = None
    if code is None:
        process.kill()
        while _ended(process) is None:
            pass
        raise TimeoutError(f"{task} does not end")
    return code, first


def _ended(process: BaseProcess) -> int | None:
    """Wait a little for a process to end; return its exit code, or None."""
    wait([process.sentinel], PAUSE)
    with ONE_ASKS:
        return process.exitcode


def _kill(process: BaseProcess) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()


def _end(process: BaseProcess, moment: Moment, folder: Path, over: threading.Event) -> None:
    """Kill a process after some seconds, or as soon as its record has grown to some bytes."""
    if moment.kind == "early":
        if not over.wait(moment.at):
            _kill(process)
        return
    while not over.wait(LOOK):
        with contextlib.suppress(OSError):
            if (folder / "record.jsonl").stat().st_size > moment.at:
                _kill(process)
                return
