"""How late ticks are, 50 a second, while a kitchen of a thousand objects is planned for and a model is called.

The planner is the real one in a process of its own; the model is a server on this machine that takes its time, asked
over HTTP on a thread. The tree is ticked and then slept for, as a runner on a real clock does it. What a machine is
late by itself is told by a process that does nothing else at the same time, and by the same ticks with nothing beside.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import urlopen

from benchmarks.planning.kitchens import kitchen_domain, make
from benchmarks.trees.forests import guarded
from bt.runner import prompt
from bt.ticking import Ticker
from domains.problem import Problem
from planning import OwnProcess
from semantics.logic.atoms import And
from semantics.logic.goal import CheckedGoal, Goal

__all__ = ["Pace", "late_ticks"]

PERIOD = 1 / 50
OBJECTS = 1000


class Slow(BaseHTTPRequestHandler):
    """Answers after a second, as a model would."""

    def do_GET(self) -> None:
        """Answer."""
        time.sleep(1.0)
        body = b'{"goal": "(on cup0 table0)"}' * 400
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def _beside(work: Callable[[], object]) -> Iterator[list[int]]:
    """Do something again and again on a thread while a block runs; gives the number of times in a list."""
    over, times = threading.Event(), [0]

    def run() -> None:
        while not over.is_set():
            work()
            times[0] += 1

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield times
    finally:
        over.set()
        thread.join()


@dataclass(frozen=True, slots=True)
class Pace:
    """How late each tick began, in seconds: with nothing beside it, and with a planner and a model call.

    Attributes:
        bare: That of an empty loop in a process of its own at the same time as `beside`.
        plans, calls: How many of either came to their end meanwhile.
    """

    alone: list[float]
    beside: list[float]
    bare: list[float]
    plans: int
    calls: int


def late_ticks(seconds: float) -> Pace:
    """Tick for `seconds` alone, and for as long with work beside."""
    grown = guarded(1000, 1)
    ticker = Ticker(grown.root, grown.facts)
    ticker.tick()
    kitchen = make(OBJECTS, 3)
    goal = CheckedGoal(Goal(And(())), kitchen.goals)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    service = OwnProcess()

    def plan() -> object:
        return service.solve(Problem(kitchen_domain(), kitchen.things, kitchen.state, goal.conjuncts, kitchen.costs))

    try:
        plan()
        alone = list(_paced(ticker.tick, seconds))
        with _beside(plan) as plans, _beside(lambda: urlopen(address).read()) as calls, _bare(seconds) as bare:
            late = list(_paced(ticker.tick, seconds))
        return Pace(alone, late, bare, plans[0], calls[0])
    finally:
        service.close()
        server.shutdown()
        server.server_close()


@contextmanager
def _bare(seconds: float) -> Iterator[list[float]]:
    """Let a loop run in a process of its own while a block runs; its lateness is in the list afterwards."""
    late: list[float] = []
    code = f"from benchmarks.trees.pace import empty; empty({seconds})"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()  # it is ready
        yield late
        late.extend(json.loads(process.stdout.readline()))


def empty(seconds: float) -> None:
    """Sleep from one due time to the next; print a line when that begins, and then how late each was."""
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdout.write(json.dumps(list(_paced(lambda: None, seconds))) + "\n")


def _paced(tick: Callable[[], object], seconds: float) -> Iterator[float]:
    with prompt():
        due = time.perf_counter()
        end = due + seconds
        while due < end:
            due += PERIOD
            time.sleep(max(due - time.perf_counter(), 0.0))
            yield max(time.perf_counter() - due, 0.0)
            tick()
            due = max(due, time.perf_counter() - PERIOD)  # a tick that was missed is not made up for
