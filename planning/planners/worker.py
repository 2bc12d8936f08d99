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

``memory`` bounds this process, its caller and the search together, in bytes.

The worker tries the first proof that supports all features of the translated task (axioms, conditional effects), for
its share of the remaining time. The searches follow if the proof hit a limit. ``bound`` is the largest value of f that
a proof has reached: no plan costs less. ``code`` is Fast Downward's exit code (20 to 24 for a limit, 31 for PDDL that
cannot be read). The translator stays imported, which saves 0.1 s per request. It runs in a fork of this process, so
that the memory it used is free when the search starts. Nothing is written to disk: the search reads the translation
from a file in memory, and returns the plan in the same way. The file of the last text is kept for the next request with
the same text. The search ends when its time is over, when this process ends for any reason, when the process at the
other end of the pipes ends, and when the question is called off: when the file descriptor that is the first argument is
ready to be read. ``code`` is then 1000.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import re
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TextIO

TRANSLATION = {True: [], False: ["--invariant-generation-max-candidates", "0"]}
"""The translator's options for problems with and without variables. Without variables, its search for invariants takes
seconds and finds little."""

MEMORY = 400 << 20  # the memory of this process and a search if the request has no ``memory``, bytes
LEAST = 64 << 20  # the memory that a search gets in any case, bytes

OUT_OF_TIME, OUT_OF_MEMORY, UNREADABLE, CRITICAL, CALLED_OFF = 23, 20, 31, 32, 1000
GIVEN_UP = (20, 21, 22, 23, 24, 34)
"""Exit codes after which another search may succeed: limits and unsupported features. A killed search counts too."""
TRANSLATE_OUT_OF_TIME = 21
PR_SET_PDEATHSIG = 1
PRCTL = ctypes.CDLL(None).prctl
MOST_TOLD = 64 << 20  # the largest output of a search, bytes: no other limit counts the memory of its files in memory
REACHED = re.compile(r"f = (\d+),")
THOROUGH = "astar(lmcut())"
QUICK = "let(h,landmark_cost_partitioning(lm_hm(m=1)),astar(h,lazy_evaluator=h))"
"""Tried before the landmark cut on ground tasks. It finds landmarks once and distributes their costs among the actions
in each state (Karpas and Domshlak, IJCAI 2009). It is weaker, but a hundred times faster per state if costs differ,
because the cut then consists of many slices."""
QUICK_SHARE = 0.4  # the share of a proof's time for the quick search


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


def translate(domain: str, problem: str, stream: TextIO) -> None:
    """Write the finite-domain form of a PDDL problem to `stream`.

    The translator's options are global in its package, so they are set for each request.
    """
    from fast_downward.translate import main

    main.pddl_to_sas(parsed(domain, problem)).output(stream)


def write_invariants(domain: str, problem: str, stream: TextIO) -> None:
    """Write the invariants of a PDDL problem to `stream`, one JSON value per line.

    Each is a list of predicates with their arguments. An argument is the index of a parameter of the invariant, or -1
    if all objects are counted.
    """
    from fast_downward.translate import invariant_finder

    for invariant in invariant_finder.find_invariants(parsed(domain, problem), None):
        stream.write(json.dumps([[part.predicate, list(part.args)] for part in invariant.parts]) + "\n")
        stream.flush()


def parsed(domain: str, problem: str) -> object:
    """Return a PDDL problem as the translator's normalised task."""
    from fast_downward.translate import normalize, options, pddl_parser
    from fast_downward.translate.pddl_parser import lisp_parser, parsing_functions

    options.set_options([*TRANSLATION[("?" in domain)], "domain.pddl", "problem.pddl"])
    assert pddl_parser  # import the whole package before its parts
    texts = [lisp_parser.parse_nested_list(text.splitlines(keepends=True)) for text in (domain, problem)]
    task = parsing_functions.parse_task(*texts)
    normalize.normalize(task)
    return task


def forked(work: Callable[[TextIO], None], deadline: float, memory: int) -> tuple[int, int]:
    """Run a function that writes text, in a fork of this process.

    Return its exit code, and the file in memory with its text, or with what went wrong. The caller closes the file.
    """
    file = os.memfd_create("text")
    try:
        worker, pid = os.getpid(), os.fork()
    except OSError:
        os.close(file)
        raise
    if not pid:
        os._exit(told(work, file, worker, memory))
    return ended(pid, deadline), file


def told(work: Callable[[TextIO], None], file: int, worker: int, memory: int) -> int:
    """Run the function in the fork, and return the exit code, whatever is raised: it must not go on as a worker."""
    try:
        tied(worker)
        gc.disable()  # the process ends soon
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        with open(file, "w", closefd=False) as stream:
            work(stream)
    except MemoryError:
        return OUT_OF_MEMORY
    except BaseException as error:  # the translator raises many kinds of errors and even exits
        os.truncate(file, 0)
        os.pwrite(file, " ".join(f"{type(error).__name__}: {error}".split()).encode(), 0)
        return UNREADABLE
    return 0


class SasTranslation:
    """The translation of the last text, in a file in memory."""

    def __init__(self) -> None:
        self._text: tuple[str, str] | None = None
        self._file: int | None = None

    def of(self, domain: str, problem: str, deadline: float, memory: int) -> tuple[int, int]:
        """Translate a text; return the exit code, and the file with the translation or with what went wrong."""
        if self._file is None or self._text != (domain, problem):
            if self._file is not None:
                os.close(self._file)
                self._file = None  # also if the fork fails: a number that is closed soon belongs to another file
            code, self._file = forked(partial(translate, domain, problem), deadline, memory)
            self._text = None if code else (domain, problem)
            return code, self._file
        return 0, self._file


KEPT = SasTranslation()


def search(binary: str, configuration: str, task: int, deadline: float, memory: int) -> tuple[int, list[str], int]:
    """Search in the task of a file; return the exit code, the steps of the plan, and the largest f reported."""
    plan, log = (os.memfd_create(name) for name in ("plan", "told"))
    try:
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
        code = process.returncode = ended(process.pid, deadline)
        return code, [line for line in lines_of(plan) if line.startswith("(")], reached(log)
    finally:
        for file in (plan, log):
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


def ended(pid: int, deadline: float) -> int:
    """Wait until a child has ended, the deadline, the end of the caller or the question; then end the child.

    Return its exit code; -N if signal N killed it. The child writes to a file, so that no process is woken for each
    line.
    """
    process = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(process, select.POLLIN)
    poll.register(sys.stdin.fileno(), select.POLLHUP)
    off = int(sys.argv[1])
    poll.register(off, select.POLLIN)
    code = OUT_OF_TIME
    try:
        while (left := deadline - time.monotonic()) > 0:
            events = dict(poll.poll(left * 1000))
            if off in events:
                code = CALLED_OFF
            if off in events or events.get(sys.stdin.fileno(), 0) & select.POLLHUP:
                break
            if events:
                return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        signal.pidfd_send_signal(process, signal.SIGKILL)
        os.waitpid(pid, 0)
        return code
    finally:
        os.close(process)


def features(task: int) -> list[str]:
    """Return the features of a translated task that a search must support."""
    os.lseek(task, 0, os.SEEK_SET)
    present = set()
    with open(task, closefd=False) as lines:
        for line in lines:
            if line == "begin_rule\n":
                present.add("axioms")
            if line == "begin_operator\n" and "conditional-effects" not in present:
                next(lines)
                for _ in range(int(next(lines))):
                    next(lines)
                if any(next(lines)[0] != "0" for _ in range(int(next(lines)))):
                    present.add("conditional-effects")
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
    reply: dict[str, Any] = {"search": "", "proved": False, "bound": 0, "features": [], "plan": [], "log": ""}
    try:
        reply |= (found_invariants if "invariants" in request else found_plan)(binary, request, started)
    except MemoryError:
        reply["code"] = OUT_OF_MEMORY
    except Exception as error:  # a request that makes no sense
        reply |= {"code": UNREADABLE, "log": " ".join(f"{type(error).__name__}: {error}".split())}
    return reply | {"seconds": time.monotonic() - started}


def found_invariants(_: str, request: dict[str, Any], started: float) -> dict[str, Any]:
    """Answer a request for invariants with those that were found in time."""
    work = partial(write_invariants, request["domain"], request["problem"])
    code, file = forked(work, started + float(request["seconds"]), left(request))
    try:
        lines = lines_of(file)
    finally:
        os.close(file)
    if code in (0, OUT_OF_TIME):
        return {"code": code and TRANSLATE_OUT_OF_TIME, "invariants": [json.loads(line) for line in lines]}
    return {"code": code, "invariants": [], "log": " ".join(lines)}


def found_plan(binary: str, request: dict[str, Any], started: float) -> dict[str, Any]:
    """Answer a request for a plan: translate, and run one search after the other."""
    deadline = started + float(request["seconds"])
    if "task" in request:
        task = os.memfd_create("task")
        with open(task, "w", closefd=False) as stream:
            stream.write(request["task"])
    else:
        code, task = KEPT.of(request["domain"], request["problem"], deadline, left(request))
        if code:
            log = " ".join(lines_of(task)) if code == UNREADABLE else ""
            return {"code": TRANSLATE_OUT_OF_TIME if code == OUT_OF_TIME else code, "log": log}
    reply: dict[str, Any] = {"features": features(task) if request["proofs"] else [], "bound": 0}
    try:
        for configuration, proves, share in chosen(request, reply["features"]):
            now = time.monotonic()
            code, steps, bound = search(binary, configuration, task, now + share * (deadline - now), left(request))
            reply |= {"code": code, "search": configuration, "proved": proves, "plan": steps}
            reply["bound"] = max(bound, reply["bound"]) if proves else reply["bound"]
            if code >= 0 and code not in GIVEN_UP:
                break
    finally:
        if "task" in request:
            os.close(task)
    return reply


def left(request: dict[str, Any]) -> int:
    """Return the memory that a child of this process may use, bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return max(int(request.get("memory", MEMORY)) - pages * resource.getpagesize(), LEAST)


def serve() -> None:
    """Answer requests until the other end of the standard input is closed."""
    with contextlib.suppress(OSError):  # the kernel may share the processor among sessions first
        Path("/proc/self/autogroup").write_text(str(os.nice(0)), encoding="ascii")
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
