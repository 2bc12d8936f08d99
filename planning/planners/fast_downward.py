"""`FastDownward`: an optimal planner that is kept warm in a worker process.

The search is A* with the landmark-cut heuristic (Helmert and Domshlak, ICAPS 2009). The heuristic is admissible, so the
plan found is a cheapest one. The landmark cut supports neither conditional effects nor axioms. A task with conditional
effects is solved with h^max instead. A task with axioms, for which h^max is no lower bound, is solved without a
heuristic. When the time for the proof is over, a greedy search with the FF heuristic and preferred operators (the first
stage of LAMA, Richter and Westphal, JAIR 2010) uses the rest. Its plan is marked as not optimal, and the lower bound
that the proof has reached is reported with it. `planning.planners.worker` describes the messages to the worker and how
it ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from planning.errors import PlannerUnavailableError, out_of_memory, out_of_time
from semantics.body.protocols import FoundPlan, NoPlan
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Action

OPTIMAL, HMAX, BLIND = "astar(lmcut())", "astar(hmax())", "astar(blind())"
PROOFS: Mapping[str, tuple[str, ...]] = {
    OPTIMAL: (),
    HMAX: ("conditional-effects",),
    BLIND: ("conditional-effects", "axioms"),
}
"""The searches that prove, best first, each with the features of a translated task that it supports soundly."""
GREEDY = "let(h,eval_modify_costs(ff(),cost_type=one),lazy_greedy([h],preferred=[h],cost_type=one,reopen_closed=false))"
LAMA_FIRST = (
    "let(hlm,eval_modify_costs(landmark_sum(lm_reasonable_orders_hps(lm_rhw()),pref=false),cost_type=one),"
    "let(hff,eval_modify_costs(ff(),cost_type=one),"
    "lazy_greedy([hff,hlm],preferred=[hff,hlm],cost_type=one,reopen_closed=false)))"
)
"""The first search of LAMA. Fast Downward's driver calls it ``lama-first``; the search program knows no such names."""
LAMA = (
    "let(hlm,eval_modify_costs(landmark_sum(lm_reasonable_orders_hps(lm_rhw()),pref=false),cost_type=plusone),"
    "let(hff,eval_modify_costs(ff(),cost_type=plusone),"
    "lazy_wastar([hff,hlm],preferred=[hff,hlm],w={weight},bound={bound})))"
)
"""A later search of LAMA, for plans that cost less than ``bound``."""
WEIGHTS = (5, 3, 2, 1)
"""The weights of the heuristic in the later searches of LAMA, one after the other; the last one is repeated."""
SHARE = 0.8  # the share of the time after translation that the optimal search may use
GRACE = 3.0  # how late a worker may be before it counts as hung, seconds
ENDING = 0.5  # how long a worker may take to end a question that was called off before it counts as hung, seconds
SOLVED, UNSOLVABLE, UNPROVEN = range(4), (10, 11), (12, 13)
LIMITS, MEMORY = range(20, 25), (20, 22)
UNREADABLE, UNSUPPORTED = 31, 34
KILLED, CANCELLED = -9, 1000
"""Our own codes: the worker was killed twice, or cancelled. A search that was killed also has a negative code."""


class FastDownward:
    """Fast Downward in a worker process, which starts at `warm_up` or at the first problem.

    It solves one problem at a time; a second thread waits for the first. A worker that was killed or hangs is replaced
    and asked once more. If this happens twice for one problem, the answer is a timeout. After a fork, the parent keeps
    the worker, and the child's first problem starts another one.

    Attributes:
        memory: How much memory the worker and its searches may use, bytes; None for the worker's default.
    """

    name = "fast-downward"

    def __init__(self, optimal: str | None = None, greedy: str | None = GREEDY, *, proves: bool = True) -> None:
        """Set the search that proves optimality and the fallback search, as Fast Downward writes them.

        By default, the best search of `PROOFS` that is sound for the task is used. If `optimal` is given, it is used
        for all tasks. A planner that does not prove uses only the fallback search, and never calls a plan optimal.
        """
        features = tuple(PROOFS[BLIND])
        proofs = [[optimal, features]] if optimal else [[name, takes] for name, takes in PROOFS.items()]
        self._proofs = proofs if proves else []
        self._greedy = [greedy] if greedy else []
        self.memory: int | None = None
        self._lock = threading.Lock()
        self._worker: _PlannerProcess | None = None
        self._closed = self._cancelled = 0
        self._twin: FastDownward | None = None
        PLANNERS.add(self)

    def _forked(self) -> None:
        """Begin without a worker in a fork of the program, which has none of its threads either."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.abandon()
        self._lock = threading.Lock()

    @property
    def twin(self) -> FastDownward:
        """Another planner of this kind, whose worker can search at the same time. It is closed with this one."""
        self._twin = self._twin or FastDownward()
        return self._twin

    def warm_up(self) -> None:
        """Start the worker, without waiting until it is ready.

        Raises:
            PlannerUnavailableError: The worker cannot be started.
        """
        with self._lock:
            self._ready()

    def solve(self, domain: str, problem: str, *, seconds: float) -> FoundPlan | NoPlan:
        """Find a cheapest plan, or any plan when the time for a cheapest one has run out.

        Raises:
            PlannerUnavailableError: The planner cannot be started, ended by itself, or was closed meanwhile.
        """
        share = SHARE if self._greedy else 1.0
        return self._asked({"domain": domain, "problem": problem}, seconds, self._proofs, share, self._greedy)

    def satisfice(
        self, domain: str, problem: str, *, seconds: float, below: int | None = None, attempt: int = 0
    ) -> FoundPlan | NoPlan:
        """Find any plan with the searches of LAMA (Richter and Westphal, JAIR 2010).

        Args:
            domain: The domain's text.
            problem: The problem's text.
            seconds: The time limit.
            below: The plan must cost less, by the costs in the text; None for the first search.
            attempt: How many searches with `below` there were before: each weighs the heuristic less.

        Raises:
            PlannerUnavailableError: As in `solve`.
        """
        search = LAMA_FIRST
        if below is not None:
            search = LAMA.format(weight=WEIGHTS[min(attempt, len(WEIGHTS) - 1)], bound=below)
        return self._asked({"domain": domain, "problem": problem}, seconds, [], 1.0, [search])

    def search(self, task: str, *, seconds: float, prove: bool = True, share: float = SHARE / 2) -> FoundPlan | NoPlan:
        """Solve a ground task (see `planning.task.sas`): only with a proof if `prove`, otherwise in any way.

        Without `prove`, the proof is tried for its `share` of the time.

        Raises:
            PlannerUnavailableError: As in `solve`.
        """
        if prove and self._proofs:
            return self._asked({"task": task}, max(seconds, 0.0), self._proofs, 1.0, [])
        return self._asked({"task": task}, max(seconds, 0.0), self._proofs, share, self._greedy)

    def invariants(self, domain: str, problem: str, *, seconds: float) -> list[list[tuple[str, list[int]]]]:
        """Return the invariants that the translator proves: for each choice of names, at most one fact holds.

        Each invariant is a list of predicates. An argument is the index of a name, or -1 if all objects are counted.
        Invariants found in time are returned. An invariant is valid if it holds at the start.

        Raises:
            PlannerUnavailableError: As in `solve`, or there was no answer.
        """
        request = {"domain": domain, "problem": problem, "invariants": True, "seconds": seconds}
        reply = self._ask(request)
        if "log" not in reply or reply["code"] == CANCELLED:
            raise PlannerUnavailableError(self.name, "it was killed, or called off")
        invariants = reply.get("invariants", [])
        return [[(name, places) for name, places in invariant] for invariant in invariants]

    def _asked(
        self, problem: dict[str, Any], seconds: float, proofs: list[Any], share: float, searches: list[str]
    ) -> FoundPlan | NoPlan:
        request = {**problem, "proofs": proofs, "share": share, "searches": searches}
        started = time.monotonic()
        memory = {} if self.memory is None else {"memory": self.memory}
        return _answer(self._ask({**request, **memory, "seconds": seconds}), time.monotonic() - started)

    def cancel(self) -> None:
        """End a question in another thread at once with `Code.CANCELLED`. The planner can be used again."""
        self._cancelled += 1
        if self._lock.locked():
            self._call_off()

    def _call_off(self) -> None:
        worker = self._worker
        if worker is not None:
            worker.call_off()

    def close(self) -> None:
        """End the worker and its search. A `solve` in another thread ends with `PlannerUnavailableError`."""
        self._closed += 1
        worker = self._worker
        if worker is not None and self._lock.locked():
            worker.kill()
        with self._lock:
            self._discard()
        if self._twin is not None:
            self._twin.close()

    def _ready(self) -> _PlannerProcess:
        if self._worker is None or not self._worker.settled():
            self._discard()
            self._worker = _PlannerProcess()
        return self._worker

    def _discard(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the worker's reply, or a reply that only says that there is none."""
        cancelled = self._cancelled  # read before waiting for the lock, so that waiting callers are cancelled too
        with self._lock:
            closed, end = self._closed, time.monotonic() + request["seconds"]
            while cancelled == self._cancelled:
                try:
                    worker = self._ready()
                    reply = {} if cancelled != self._cancelled else worker.ask(request)
                    if reply.get("code", CANCELLED) != CANCELLED:
                        return reply
                    continue  # ask again if the question before was meant
                except _DiedError as error:
                    self._discard()
                    if closed != self._closed or not error.killed:
                        raise PlannerUnavailableError(self.name, str(error)) from error
                except BaseException:  # an interrupt
                    self._call_off()
                    if (
                        self._worker is not None and not self._worker.settled()
                    ):  # a planner that hangs goes on searching
                        self._discard()
                    raise
                if "again" in request or time.monotonic() > end:
                    break
                request = {**request, "again": True, "seconds": end - time.monotonic()}
        return {"code": KILLED if cancelled == self._cancelled else CANCELLED, "bound": 0}


def _answer(reply: dict[str, Any], seconds: float) -> FoundPlan | NoPlan:
    code = reply["code"]
    if code in SOLVED:
        steps = (line.strip("()").split() for line in reply["plan"])
        return FoundPlan(
            tuple(Action(name, tuple(args)) for name, *args in steps), reply["proved"], seconds, reply["bound"]
        )
    if code in UNSOLVABLE:
        feedback = Feedback(Code.NO_PLAN, "the goal", "no sequence of actions reaches it", recoverable=False)
    elif code in UNPROVEN:
        feedback = Feedback(Code.NO_PLAN, "the goal", "the search ended without a plan")
    elif code == CANCELLED:
        feedback = Feedback(Code.CANCELLED, "planning", "it was called off")
    elif code in MEMORY:
        feedback = out_of_memory(f"the memory that it may use was spent after {seconds:.1f} s")
    elif code in LIMITS or code < 0:
        feedback = out_of_time(seconds)
    else:
        reason = {UNREADABLE: "cannot be read", UNSUPPORTED: "uses what the search does not support"}
        why = f"the problem {reason.get(code, f'made the planner fail with code {code}')} {reply['log']}".strip()
        feedback = Feedback(Code.INVALID_PLAN, "planning", why, recoverable=False)
    return NoPlan(feedback, code in UNSOLVABLE, seconds, reply["bound"])


class _DiedError(Exception):
    """The worker ended or hangs. It was `killed`, unless it ended by itself."""

    def __init__(self, why: str, killed: bool) -> None:
        self.killed = killed
        super().__init__(why)


class _PlannerProcess:
    """One worker process, in its own session, so that Ctrl-C in the terminal does not reach it."""

    def __init__(self) -> None:
        script = Path(__file__).with_name("worker.py")
        # A file, because another thread may call off what has just ended. The worker polls it, and never reads it.
        self._off = os.fdopen(os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC), "wb", buffering=0)
        self._owes = False
        try:
            # -P: the script's folder contains a fast_downward.py, which must not shadow the package
            self.process = subprocess.Popen(
                [sys.executable, "-P", str(script), str(self._off.fileno())],
                pass_fds=(self._off.fileno(),),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            self._off.close()
            raise PlannerUnavailableError(FastDownward.name, str(error)) from error
        self._finalizer = weakref.finalize(self, _end, self.process, self._off)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        deadline = time.monotonic() + request["seconds"] + GRACE
        self._owes = True
        try:
            self._send(json.dumps(request).encode() + b"\n", deadline)
            reply: dict[str, Any] = json.loads(self._line(deadline))
        except (OSError, ValueError) as error:
            raise self._died() from error
        return reply

    def call_off(self) -> None:
        """Have the worker end its question, and go on with the next; any thread may call this."""
        with contextlib.suppress(ValueError, OSError):  # the worker has just ended
            self._off.write((1).to_bytes(8, sys.byteorder))

    def settled(self) -> bool:
        """Wait for the answer to a question that was interrupted; return whether the next one can be asked."""
        with contextlib.suppress(_DiedError):
            if self._owes:
                self._line(time.monotonic() + ENDING)
            with contextlib.suppress(BlockingIOError):
                os.eventfd_read(self._off.fileno())
            return self.process.poll() is None
        return False

    def _send(self, data: bytes, deadline: float) -> None:
        assert self.process.stdin is not None
        pipe = self.process.stdin.fileno()
        os.set_blocking(pipe, False)
        while data:
            self._await(pipe, select.POLLOUT, deadline)
            data = data[os.write(pipe, data) :]

    def _line(self, deadline: float) -> bytes:
        assert self.process.stdout is not None
        received = b""
        while not received.endswith(b"\n"):
            self._await(self.process.stdout.fileno(), select.POLLIN, deadline)
            part = os.read(self.process.stdout.fileno(), 65536)
            if not part:
                raise self._died()
            received += part
        self._owes = False
        return received

    def _await(self, pipe: int, event: int, deadline: float) -> None:
        """Wait until the pipe is ready or broken."""
        poll = select.poll()
        poll.register(pipe, event)
        poll.register(self._off.fileno(), select.POLLIN)
        ready = poll.poll(max(deadline - time.monotonic(), 0) * 1000)
        if [number for number, _ in ready] == [self._off.fileno()]:  # called off
            poll.unregister(self._off.fileno())
            ready = poll.poll(ENDING * 1000)
        if not ready:
            raise _DiedError("the worker hangs", killed=True)

    def _died(self) -> _DiedError:
        assert self.process.stderr is not None
        with contextlib.suppress(subprocess.TimeoutExpired, OSError, ValueError):
            code = self.process.wait(1.0)
            words = self.process.stderr.read().decode(errors="replace").strip()
            return _DiedError(words or "the worker ended", code < 0)
        return _DiedError("the worker hangs", killed=True)

    def kill(self) -> None:
        _kill(self.process)

    def end(self) -> None:
        self._finalizer()

    def abandon(self) -> None:
        """Leave the worker to the process that started it."""
        self._finalizer.detach()
        self.process.returncode = 0  # it is no child of this process
        _close_pipes(self.process, self._off)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes], off: IO[bytes]) -> None:
    """End the worker's whole process group, and reap it."""
    _kill(process)
    process.wait()
    _close_pipes(process, off)


def _close_pipes(process: subprocess.Popen[bytes], off: IO[bytes]) -> None:
    for stream in (process.stdin, process.stdout, process.stderr, off):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def _forked() -> None:
    for planner in tuple(PLANNERS):
        planner._forked()


PLANNERS: weakref.WeakSet[FastDownward] = weakref.WeakSet()
os.register_at_fork(after_in_child=_forked)
