# SPDX-License-Identifier: GPL-3.0-only
"""A planner in its own process: Fast Downward behind JSON lines.

Licence: this script imports ``fast_downward.translate`` and runs the search program that comes with
``up-fast-downward``, both under the GNU General Public License, version 3. It is therefore itself under that licence.
It imports nothing from the rest of this project, and nothing in the project imports it: the two are separate programs
that communicate over pipes.

The worker reads one request per line from standard input and writes one answer per line to standard output, in turn:

    {"domain": PDDL, "problem": PDDL, "seconds": 20.0, "proofs": [["astar(lmcut())", []],
     ["astar(hmax())", ["conditional-effects"]]], "share": 0.8, "searches": ["lazy_greedy(…)"]}
    {"code": 0, "search": "astar(lmcut())", "proved": true, "bound": 12, "features": [],
     "plan": ["(move robot0 floor0 table0)", …], "seconds": 0.05, "log": ""}

Instead of ``domain`` and ``problem``, a request may contain a ``task`` that is already translated. A request with
``invariants`` is answered with those of the domain, under that name, and no search runs.

The worker tries the first proof that supports all features of the translated task (axioms, conditional effects), for
its share of the remaining time. The searches follow if the proof hit a limit. ``bound`` is the largest value of f that
a proof has reached: no plan costs less. ``code`` is Fast Downward's exit code (20 to 24 for a limit, 31 for PDDL that
cannot be read). The translator stays imported, which saves 0.1 s per request. Nothing is written to disk: the search
reads the translation from a file in memory, and returns the plan in the same way. The search ends when its time is
over, when this process ends for any reason, and when the process at the other end of the pipes ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import os
import re
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

TRANSLATION = {True: [], False: ["--invariant-generation-max-candidates", "0"]}
"""The translator's options for problems with and without variables. Without variables, its search for invariants takes
seconds and finds little.
"""

MEMORY = 320 << 20
"""The address space of a search if the request has no ``memory``, bytes."""

OUT_OF_TIME, OUT_OF_MEMORY, UNREADABLE, CRITICAL = 23, 20, 31, 32
GIVEN_UP = (20, 21, 22, 23, 24, 34)
"""Exit codes after which another search may succeed: limits and unsupported features. A killed search counts too."""
TRANSLATE_OUT_OF_TIME = 21
PR_SET_PDEATHSIG = 1
PRCTL = ctypes.CDLL(None).prctl
MOST_TOLD = 64 << 20
"""The largest output of a search, bytes: no other limit counts the memory of its files in memory."""
REACHED = re.compile(r"f = (\d+),")
THOROUGH = "astar(lmcut())"
QUICK = "let(h,landmark_cost_partitioning(lm_hm(m=1)),astar(h,lazy_evaluator=h))"
"""Tried before the landmark cut on ground tasks. It finds landmarks once and distributes their costs among the actions
in each state (Karpas and Domshlak, IJCAI 2009). It is weaker, but a hundred times faster per state if costs differ,
because the cut then consists of many slices.
"""
QUICK_SHARE = 0.4
"""The share of a proof's time for the quick search."""
WATCH = 0.25
"""How often the translation checks whether the caller still waits, seconds."""


class OutOfTimeError(Exception):
    """The translation took longer than allowed."""


def search_binary() -> str:
    """Return the path of the search program inside its package."""
    if not hasattr(os, "memfd_create"):
        raise FileNotFoundError("files in memory, which only Linux has")
    spec = find_spec("up_fast_downward")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("the package up-fast-downward is not installed")
    path = Path(spec.submodule_search_locations[0], "downward", "builds", "release", "bin", "downward")
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(f"up-fast-downward holds no search program for this system ({path.name})")
    return str(path)


def translate(domain: str, problem: str, found: list[Any] | None = None) -> str:
    """Return the finite-domain form of a PDDL problem, or fill `found` with invariants; drop the printed output.

    The translator's options are global in its package, so they are set for each request.
    """
    from fast_downward.translate import main, normalize, options, pddl_parser
    from fast_downward.translate.pddl_parser import lisp_parser, parsing_functions, warning

    options.set_options([*TRANSLATION[("?" in domain)], "domain.pddl", "problem.pddl"])
    warning.printed_warnings.clear()
    assert pddl_parser  # import the whole package before its parts
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        parsed = [lisp_parser.parse_nested_list(text.splitlines(keepends=True)) for text in (domain, problem)]
        task = parsing_functions.parse_task(*parsed)
        normalize.normalize(task)
        if found is not None:
            found += invariants(task)
            return ""
        sas = io.StringIO()
        main.pddl_to_sas(task).output(sas)
    return sas.getvalue()


def invariants(task: object) -> Iterator[list[Any]]:
    """Yield the invariants of a normalised task: each is a list of predicates with their arguments.

    An argument is the index of a parameter of the invariant, or -1 if all objects are counted.
    """
    from fast_downward.translate import invariant_finder

    for invariant in invariant_finder.find_invariants(task, None):
        yield [[part.predicate, list(part.args)] for part in invariant.parts]


@contextlib.contextmanager
def watched(deadline: float) -> Iterator[None]:
    """Run a block of Python until `deadline` at most, and end the whole process if the caller is gone."""

    def look(_signal: int, _frame: FrameType | None) -> None:
        if abandoned():
            os._exit(0)
        if time.monotonic() > deadline:
            raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, WATCH, WATCH)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def abandoned() -> bool:
    """Return whether the other end of the standard input has been closed."""
    poll = select.poll()
    poll.register(sys.stdin.fileno(), select.POLLHUP)
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def search(
    binary: str, configuration: str, sas: str, deadline: float, memory: int = MEMORY
) -> tuple[int, list[str], int]:
    """Run the search on `sas`; return its exit code, the steps of the plan, and the largest f that it reported."""
    task, plan, log = (os.memfd_create(name) for name in ("task", "plan", "told"))
    try:
        with open(task, "w", closefd=False) as stream:
            stream.write(sas)
        os.lseek(task, 0, os.SEEK_SET)
        command = [binary, "--search", configuration, "--internal-plan-file", f"/proc/self/fd/{plan}"]
        process = subprocess.Popen(
            command,
            stdin=task,
            stdout=log,
            stderr=log,
            pass_fds=(plan,),
            cwd="/",
            preexec_fn=partial(tied, os.getpid()),  # noqa: PLW1509  # this process has one thread
        )
        for limit, most in (
            (resource.RLIMIT_AS, memory),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, MOST_TOLD),
        ):
            resource.prlimit(process.pid, limit, (most, most))
        code = wait(process, deadline)
        return code, [line for line in lines_of(plan) if line.startswith("(")], reached(log)
    finally:
        for file in (task, plan, log):
            os.close(file)


def tied(worker: int) -> None:
    """Tie the search to this process. It runs in the child before the program and does only what must be done there."""
    PRCTL(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != worker:  # the parent died before the two were tied
        os._exit(0)


def lines_of(file: int) -> list[str]:
    """Return the lines of a file in memory."""
    os.lseek(file, 0, os.SEEK_SET)
    with open(file, closefd=False) as stream:
        return stream.read().splitlines()


def reached(file: int) -> int:
    """Return the largest f that a search reported in this file in memory."""
    return max([0, *(int(number) for line in lines_of(file) for number in REACHED.findall(line))])


def wait(process: subprocess.Popen[bytes], deadline: float) -> int:
    """Wait for the search, the deadline or the end of the caller, whichever is first; then end the search.

    Return its exit code. The search writes to a file, so that no process is woken for each line.
    """
    ended = os.pidfd_open(process.pid)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(sys.stdin.fileno(), select.POLLHUP)
    try:
        while (left := deadline - time.monotonic()) > 0:
            events = dict(poll.poll(left * 1000))
            if events.get(sys.stdin.fileno(), 0) & select.POLLHUP:
                return OUT_OF_TIME
            if events:
                return process.wait()
        return OUT_OF_TIME
    finally:
        process.kill()
        process.wait()
        os.close(ended)


def features(sas: str) -> list[str]:
    """Return the features of a translated task that a search must support."""
    present = {"axioms"} if "\nbegin_rule\n" in sas else set()
    lines = iter(sas.partition("\nend_goal\n")[2].split("\n"))
    for line in lines:
        if line == "begin_operator":
            next(lines)
            for _ in range(int(next(lines))):
                next(lines)
            if any(next(lines)[0] != "0" for _ in range(int(next(lines)))):
                present.add("conditional-effects")
                break
    return sorted(present)


def chosen(request: dict[str, Any], present: list[str]) -> list[tuple[str, bool, float]]:
    """Return the searches to try in order, each with whether it proves its plan cheapest, and its share of the time."""
    proofs = [name for name, takes in request["proofs"] if set(present) <= set(takes)][:1]
    share = request["share"]
    quick = [(QUICK, True, QUICK_SHARE * share)] if "task" in request and proofs == [THOROUGH] else []
    slow = [(name, True, share if not quick or share == 1.0 else share / 2) for name in proofs]
    searches = [*quick, *slow, *((name, False, 1.0) for name in request["searches"])]
    if not searches:
        raise ValueError(f"no search takes {', '.join(present)}")
    return searches


def answer(binary: str, request: dict[str, Any]) -> dict[str, Any]:
    """Answer one request. Every error is also an answer, so that the process can serve the next request."""
    started = time.monotonic()
    deadline = started + float(request["seconds"])
    reply: dict[str, Any] = {"search": "", "proved": False, "bound": 0, "features": [], "plan": [], "log": ""}
    try:
        with watched(deadline):
            if "invariants" in request:
                reply |= {"code": 0, "invariants": []}
                translate(request["domain"], request["problem"], reply["invariants"])
                return reply | {"seconds": time.monotonic() - started}
            sas = request["task"] if "task" in request else translate(request["domain"], request["problem"])
        reply["features"] = features(sas)
        for configuration, proves, share in chosen(request, reply["features"]):
            now = time.monotonic()
            code, steps, bound = search(
                binary, configuration, sas, now + share * (deadline - now), request.get("memory", MEMORY)
            )
            reply |= {"code": code, "search": configuration, "proved": proves, "plan": steps}
            reply["bound"] = max(bound, reply["bound"]) if proves else reply["bound"]
            if code >= 0 and code not in GIVEN_UP:
                break
    except OutOfTimeError:
        reply["code"] = TRANSLATE_OUT_OF_TIME
    except MemoryError:
        reply["code"] = OUT_OF_MEMORY
    except (Exception, SystemExit) as error:  # the translator raises many kinds of errors and even exits
        reply |= {"code": UNREADABLE, "log": " ".join(f"{type(error).__name__}: {error}".split())}
    return reply | {"seconds": time.monotonic() - started}


def serve() -> None:
    """Answer requests until the other end of the standard input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Ctrl-C, the calling program closes the pipe
    binary = search_binary()
    import fast_downward.translate.main  # noqa: F401  # warm before the first request

    for line in sys.stdin:
        sys.stdout.write(json.dumps(answer(binary, json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    try:
        serve()
    except (FileNotFoundError, ImportError) as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(CRITICAL)
    except BrokenPipeError:
        os._exit(0)
