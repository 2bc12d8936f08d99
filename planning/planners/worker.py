# SPDX-License-Identifier: GPL-3.0-only
"""A planner in a process of its own: Fast Downward behind JSON lines.

Licence: this script imports ``fast_downward.translate`` and runs the search program that comes with
``up-fast-downward``, both under the GNU General Public License, version 3. It is therefore itself under that licence,
imports nothing from the rest of this project and is imported by nothing of it: the two are separate programs that talk
over pipes.

One request a line on the standard input, one answer a line on the standard output, in turn:

    {"domain": PDDL, "problem": PDDL, "seconds": 20.0, "proofs": [["astar(lmcut())", []],
     ["astar(hmax())", ["conditional-effects"]]], "share": 0.8, "searches": ["lazy_greedy(…)"]}
    {"code": 0, "search": "astar(lmcut())", "proved": true, "bound": 12, "features": [],
     "plan": ["(move robot0 floor0 table0)", …], "seconds": 0.05, "log": ""}

Instead of ``domain`` and ``problem`` a request may hold a ``task`` that is translated already. A request with
``invariants`` is answered with those of the domain, under that name, and nothing is searched.
Of the proofs, the first that takes all features of the translated task (axioms, conditional effects) is tried, for its
share of the time that is left; the searches follow when it hit a limit. ``bound`` is the largest value of f that a
proof has reached: no plan costs less. ``code`` is Fast Downward's exit code (20 to 24 for a limit, 31 for PDDL that
cannot be read). Keeping the translator imported saves 0.1 s a request. Nothing is written to any disk: the translation
reaches the search through a file in memory, and the plan comes back the same way. The search ends with its time, with
this process (however that ends) and with the process that holds the other end of the pipes.
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
"""Options for problems with and without variables; without, the search for invariants takes seconds for little."""

MEMORY = 320 << 20
"""Address space of a search where a request says nothing else under ``memory``, bytes."""

OUT_OF_TIME, OUT_OF_MEMORY, UNREADABLE, CRITICAL = 23, 20, 31, 32
GIVEN_UP = (20, 21, 22, 23, 24, 34)
"""Exit codes after which another search may do better: the limits, and what is not supported; or it was killed."""
TRANSLATE_OUT_OF_TIME = 21
PR_SET_PDEATHSIG = 1
PRCTL = ctypes.CDLL(None).prctl
MOST_TOLD = 64 << 20
"""What a search may write, bytes: the memory of its files in memory is nowhere else counted."""
REACHED = re.compile(r"f = (\d+),")
THOROUGH = "astar(lmcut())"
QUICK = "let(h,landmark_cost_partitioning(lm_hm(m=1)),astar(h,lazy_evaluator=h))"
"""Tried before the landmark cut on what is ground already: its landmarks are found once and shared out among the
actions in each state (Karpas and Domshlak, IJCAI 2009). It is weaker, and a hundred times quicker a state where costs
differ, because the cut is then taken in many slices."""
QUICK_SHARE = 0.4
"""Part of a proof's time that it gets."""
WATCH = 0.25
"""How often the translation looks whether anybody still waits for it, seconds."""


class OutOfTimeError(Exception):
    """The translation took longer than allowed."""


def search_binary() -> str:
    """Return the path of the search program inside the package that ships it."""
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
    """Return the finite-domain form of a PDDL problem, or fill `found` with invariants; the chatter is dropped.

    Its options are a global of its package: they are set anew for each request, so that none leaks into the next.
    """
    from fast_downward.translate import main, normalize, options, pddl_parser
    from fast_downward.translate.pddl_parser import lisp_parser, parsing_functions, warning

    options.set_options([*TRANSLATION[("?" in domain)], "domain.pddl", "problem.pddl"])
    warning.printed_warnings.clear()
    assert pddl_parser  # the package has to be complete before its parts are used
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
    """Yield the invariants of a normalised task: each a list of predicates with their arguments.

    An argument is the number of a parameter of the invariant, or -1 where all are counted.
    """
    from fast_downward.translate import invariant_finder

    for invariant in invariant_finder.find_invariants(task, None):
        yield [[part.predicate, list(part.args)] for part in invariant.parts]


@contextlib.contextmanager
def watched(deadline: float) -> Iterator[None]:
    """Let a block of Python end at `deadline`, or the whole process when nobody waits any more."""

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
    """Run the search on `sas`; return its exit code, the steps of the plan, and the largest f that it told of."""
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
    """Tie the search to this process (runs in the child, before the program; what can be done outside is)."""
    PRCTL(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != worker:  # it was killed before the two were tied
        os._exit(0)


def lines_of(file: int) -> list[str]:
    """Return what a file in memory holds."""
    os.lseek(file, 0, os.SEEK_SET)
    with open(file, closefd=False) as stream:
        return stream.read().splitlines()


def reached(file: int) -> int:
    """Return the largest f that a search told of in this file in memory."""
    return max([0, *(int(number) for line in lines_of(file) for number in REACHED.findall(line))])


def wait(process: subprocess.Popen[bytes], deadline: float) -> int:
    """Wait for the search, the deadline or the end of the caller, whichever is first; end the search.

    Return its exit code. What it tells goes to a file, so that nobody is woken for each line.
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
    """Return what a translated task asks of a search besides plain operators."""
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
    """Return the searches to try in turn: each with whether it proves its plan cheapest, and its share of the time."""
    proofs = [name for name, takes in request["proofs"] if set(present) <= set(takes)][:1]
    share = request["share"]
    quick = [(QUICK, True, QUICK_SHARE * share)] if "task" in request and proofs == [THOROUGH] else []
    slow = [(name, True, share if not quick or share == 1.0 else share / 2) for name in proofs]
    searches = [*quick, *slow, *((name, False, 1.0) for name in request["searches"])]
    if not searches:
        raise ValueError(f"no search takes {', '.join(present)}")
    return searches


def answer(binary: str, request: dict[str, Any]) -> dict[str, Any]:
    """Answer one request; whatever goes wrong with it is an answer too, so that the next one finds a sound process."""
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
    except (Exception, SystemExit) as error:  # the translator raises many kinds and even exits
        reply |= {"code": UNREADABLE, "log": " ".join(f"{type(error).__name__}: {error}".split())}
    return reply | {"seconds": time.monotonic() - started}


def serve() -> None:
    """Answer requests until the other end of the standard input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the program that asked, which then closes the pipe
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
