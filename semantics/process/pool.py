"""`Pool`: worker processes that are ready before they are needed.

At most `seats` of them work at once, and `spares` more are kept warm. So a caller need not wait the half second in
which a new process starts when one is killed. One thread starts and reaps all of them, because the kernel ties a
process to the thread that started it.

Any thread may use a pool. A program that forks has a pool without processes in the child: the parent keeps its own, and
a question in the child starts new ones.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass

from semantics.process.child import ENDED, ERROR, lower
from semantics.process.seat import CalledOffError, DiedError, LateError, Seat, WorkerReply, WorkerSpec

STARTING = 30.0  # how long the start of a process may take, seconds; on an idle machine it takes half a second
TRIES = 5  # how many processes may be killed in a row before they are ready
LEAVING = 2.0  # how long callers may take to return after the pool is closed, seconds


@dataclass(eq=False)
class Ticket:
    """One question on its way: its time limit, and whether it was cancelled.

    The time starts when the question is asked, or when the first process is ready if there is none. Questions of one
    kind go to the process that has answered such ones, and remembers what it computed for them.
    """

    seconds: float
    kind: str = ""
    off: bool = False
    deadline: float | None = None

    def begin(self) -> float:
        """Start the time, if it has not started; return the deadline."""
        if self.deadline is None:
            self.deadline = time.monotonic() + self.seconds
        return self.deadline


class Pool:
    """Several processes that do the same work.

    Args:
        work: What they do.
        seats: How many questions are processed at once; others wait.
        spares: How many more processes are kept warm, to replace one that is killed.
        at_once: How many processes are started before they are needed; by default, all.
    """

    def __init__(self, work: WorkerSpec, seats: int, spares: int, at_once: int | None = None) -> None:
        self._work, self._seats, self._spares = work, seats, spares
        self._at_once = seats + spares if at_once is None else at_once
        self._closed = False
        self._reset()
        POOLS.add(self)

    def _reset(self) -> None:
        """Begin without processes."""
        self._changed = threading.Condition()
        self._idle: list[Seat] = []
        self._busy: dict[Seat, Ticket] = {}
        self._tickets: set[Ticket] = set()
        self._starting: Seat | None = None
        self._gives_way = False
        self._lowered: set[Seat] = set()
        self._failure: Exception | None = None
        self._proven = False
        self._jobs: queue.SimpleQueue[Seat | bool] = queue.SimpleQueue()
        self._keeper: threading.Thread | None = None
        self._is_over = False

    def _forked(self) -> None:
        """Begin without processes in a fork of the program, which has none of its threads either."""
        starting = [] if self._starting is None else [self._starting]
        for seat in {*self._idle, *self._busy, *starting}:
            with contextlib.suppress(OSError):
                seat.abandon()
        self._reset()

    def begin(self) -> None:
        """Start processes, without waiting for them."""
        with self._changed:
            self._failure = None
            if self._keeper is None and not self._closed:
                self._keeper = threading.Thread(target=self._keep, name="processes.pool", daemon=True)
                self._keeper.start()
            self._jobs.put(True)

    @property
    def is_idle(self) -> bool:
        """Whether as many processes as wanted are ready, and none is at work."""
        with self._changed:
            return not self._busy and len(self._idle) >= self._wanted()

    def _wanted(self) -> int:
        return max(self._at_once, min(len(self._tickets), self._seats) + self._spares)

    @contextlib.contextmanager
    def asking(self, ticket: Ticket) -> Iterator[None]:
        """Allow a question to be cancelled while a block runs."""
        with self._changed:
            ticket.off = ticket.off or self._closed
            self._tickets.add(ticket)
        try:
            yield
        finally:
            with self._changed:
                self._tickets.discard(ticket)

    def take(self, ticket: Ticket) -> Seat | None:
        """Wait for a free process; return None if the question was cancelled or its time is over.

        Raises:
            GraftworkError: No process can be started.
        """
        self.begin()
        patience = time.monotonic() + STARTING
        with self._changed:
            while not ticket.off:
                seat = self._free(ticket.kind)
                if self._idle or self._busy or seat is not None:
                    ticket.begin()
                if seat is not None:
                    self._busy[seat] = ticket
                    self._lower(seat)
                    return seat
                if self._failure is not None and not self._busy:
                    if self._proven:  # the work has started before, so its processes are being killed
                        return None
                    raise self._failure
                if not self._changed.wait(max((ticket.deadline or patience) - time.monotonic(), 0.0)):
                    return None
        return None

    def _free(self, kind: str) -> Seat | None:
        while self._idle and len(self._busy) < self._seats:
            # Of several, the one used last remembers most of the current world.
            seat = min(reversed(self._idle), key=lambda seat: bool(kind) and (seat.kind != kind, seat.kind != ""))
            self._idle.remove(seat)
            if seat.alive():
                seat.kind = seat.kind or kind
                return seat
            self._let_go(seat)
        return None

    def give_way(self) -> None:
        """Lower the priority of the processes: something has to keep its time from now on."""
        with self._changed:
            self._gives_way = True
            for seat in self._busy:
                self._lower(seat)

    def take_turns(self) -> None:
        """Work at the ordinary priority again, in new processes: a priority cannot be raised."""
        with self._changed:
            self._gives_way = False
            for seat in self._lowered.intersection(self._idle):
                self._idle.remove(seat)
                self._replace(seat)

    def _lower(self, seat: Seat) -> None:
        if self._gives_way and self._work.niceness and seat not in self._lowered:
            self._lowered.add(seat)
            lower(seat.pid, self._work.niceness)

    def _replace(self, seat: Seat) -> None:
        seat.kill()
        self._let_go(seat)

    def ask(self, seat: Seat, question: object, deadline: float) -> WorkerReply:
        """Ask a process that was taken, and give it back, or drop it if it fails.

        Raises:
            DiedError, LateError, CalledOffError: There is no answer. A process whose question was called off lives on
                if it has ended the question in time.
            GraftworkError: The worker raised it.
        """
        try:
            answer = seat.ask(question, deadline)
        except BaseException:  # also after an interrupt: a late answer must not be read as the next one
            self.drop(seat)
            raise
        self.give_back(seat)
        if answer.kind == ENDED:
            raise CalledOffError
        if answer.kind == ERROR:
            raise answer.value
        return answer

    def give_back(self, seat: Seat) -> None:
        """Make the process available again, unless it was killed just after its answer."""
        with self._changed:
            del self._busy[seat]
            seat.settle()
            if seat.is_killed or self._is_over:
                self._let_go(seat)
            elif seat in self._lowered and not self._gives_way:
                self._replace(seat)
            else:
                self._idle.append(seat)
            self._changed.notify_all()

    def drop(self, seat: Seat) -> None:
        """End the process; another one is started in the background."""
        seat.kill()
        with self._changed:
            del self._busy[seat]
            self._let_go(seat)
            self._changed.notify_all()

    def _let_go(self, seat: Seat) -> None:
        """Let the thread that started the process reap it; after the pool has ended, reap it here."""
        self._lowered.discard(seat)
        if self._is_over:
            seat.bury()
        else:
            self._jobs.put(seat)

    def cancel(self, ticket: Ticket | None = None) -> None:
        """Cancel one question, or all, and return at once. Their processes end them, or are killed."""
        with self._changed:
            cancelled = {each for each in (self._tickets if ticket is None else {ticket}) if not each.off}
            for question in cancelled:
                question.off = True
            for seat, question in self._busy.items():
                if self._closed or (question in cancelled and not self._work.is_interruptible):
                    seat.kill()
                elif question in cancelled:
                    seat.call_off()
            self._changed.notify_all()

    def close(self) -> None:
        """End every process, and wait until they have ended."""
        with self._changed:
            self._closed = True
            keeper = self._keeper
            if self._starting is not None:
                self._starting.kill()
            self.cancel()
            # Callers give their processes back first; later ones are reaped by the callers' own threads.
            self._changed.wait_for(lambda: not self._busy, LEAVING)
            while self._idle:
                self._jobs.put(self._idle.pop())
            self._jobs.put(False)
        if keeper not in (None, threading.current_thread()):  # the garbage collector runs in any thread
            keeper.join()

    def _keep(self) -> None:
        """Reap dead processes, and start new ones until there are enough."""
        while True:
            job = self._jobs.get()
            if job is False:
                self._bury_the_rest()
                return
            if isinstance(job, Seat):
                job.bury()
            with self._changed:
                dead = [seat for seat in self._idle if not seat.alive()]  # they ended while they were idle
                self._idle = [seat for seat in self._idle if seat not in dead]
            for seat in dead:
                seat.bury()
            with self._changed:
                enough = len(self._idle) + len(self._busy) >= self._wanted()
                is_lacking = not (self._closed or enough or self._failure)
            if self._jobs.empty() and is_lacking:  # reap first: dead processes hold open files
                self._start()
                self._jobs.put(True)

    def _bury_the_rest(self) -> None:
        """Reap the processes that became ready, or were given back, while the pool was closed."""
        with self._changed:
            self._is_over = True
            rest, self._idle = self._idle, []
        while not self._jobs.empty():
            if isinstance(job := self._jobs.get(), Seat):
                rest.append(job)
        for seat in rest:
            seat.bury()

    def _start(self) -> None:
        """Start one process, or store why that is impossible."""
        failure: Exception
        for _ in range(TRIES):
            seat: Seat | None = None
            try:
                seat = Seat(self._work)
                with self._changed:
                    self._starting = seat
                    if self._closed:
                        seat.kill()
                seat.ready(STARTING)
            except Exception as error:
                with self._changed:
                    self._starting = None
                if seat is not None:
                    seat.bury()
                if isinstance(error, CalledOffError):
                    return
                if isinstance(error, LateError) or (isinstance(error, DiedError) and error.killed):
                    continue
                failure = error  # reported to the callers
                if isinstance(error, DiedError):
                    failure = self._work.unavailable("its process ended before it could be asked")
                break
            with self._changed:
                self._starting, self._proven = None, True
                self._idle.insert(0, seat)
                self._changed.notify_all()
            return
        else:
            failure = self._work.unavailable("its process dies before it can be asked")
        with self._changed:
            self._failure = failure
            self._changed.notify_all()


def _forked() -> None:
    for pool in tuple(POOLS):
        pool._forked()


POOLS: weakref.WeakSet[Pool] = weakref.WeakSet()
os.register_at_fork(after_in_child=_forked)
