"""`Seat`: one worker process, seen from the process that started it; `WorkerSpec`: what it does and may use."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from semantics.process.child import ANSWER, ERROR, HEARD, READY, SPENT, end, family
from semantics.process.wire import Raised, frame, take_frames

GRACE = 0.3  # how late an answer may be before the process is ended, seconds
DEAF = 2.0  # how long a process may take to acknowledge a question, seconds; a sound one needs a millisecond
ENDING = 0.5  # how long a process may take to end a question that was called off, seconds; then it is killed
LOOKING = 1.0
"""How often a process that is waited for is looked at, seconds; one that is found stopped twice is replaced."""
MOST_ANSWER = 1 << 30
LAST = 1 << 16  # how much of the notes of a process is read, bytes from their end


class Ledger(Protocol):
    """The sender's record of what one process knows already."""

    def tell(self, question: Any) -> object:  # noqa: ANN401  # what the work takes as a question
        """Return the question as it is sent, without what the process knows, and record what it will know."""


@dataclass(frozen=True)
class WorkerSpec:
    """What the processes of a pool do, and what they may use."""

    # An importable function, as ``module:name``. Each process calls it once with `arguments`; it returns the function
    # that answers a question, and both run in the main thread of the process. In place of the answer, this function may
    # return a function without arguments that computes it.
    worker: str
    arguments: tuple[str, ...]  # the arguments of the worker
    ledger: Callable[[], Ledger]  # makes the record of what one process knows
    # returns the error to raise when no process can be started; its argument is half a sentence
    unavailable: Callable[[str], Exception]
    memory: int  # how much memory a process may use, bytes
    answer: int = MOST_ANSWER  # the size of the largest answer, bytes
    niceness: int = 0  # how much lower the priority of the processes is while the pool gives way
    # Whether the kernel kills a process together with the program. Otherwise only the end of its pipe ends it, and it
    # ends the processes below it first.
    is_tied: bool = True
    # Whether such a function bears that an exception ends it anywhere. A question that is called off is then ended in
    # this way, and otherwise with its process.
    is_interruptible: bool = False
    # whether what a process writes to its standard error is kept, so that it can be read when the process has failed
    has_notes: bool = False


class SeatError(Exception):
    """There is no answer; `notes` is the end of what the process wrote to its standard error, if that is kept."""

    notes = ""


class DiedError(SeatError):
    """The process has ended, was stopped, or does not listen; `killed` unless it ended by itself."""

    def __init__(self, killed: bool) -> None:
        self.killed = killed
        super().__init__()


class LateError(SeatError):
    """There was no answer in time."""


class CalledOffError(SeatError):
    """The question was called off, or the process was killed by `Seat.kill`."""


class WorkerReply(NamedTuple):
    """The reply of a process; `kind` is one of `ANSWER`, `ERROR`, `ENDED` and `SPENT`, the last with its notes."""

    kind: str
    value: Any


class Seat:
    """One process, in its own session, so that Ctrl-C in the terminal does not reach it.

    Only one thread may ask at a time; any thread may call `kill` and `call_off`. The thread that started the process
    calls `bury` when no thread asks any more.
    """

    def __init__(self, work: WorkerSpec) -> None:
        """Start a process, which lives no longer than the thread that starts it.

        Raises:
            GraftworkError: The process cannot be started; `WorkerSpec.unavailable` makes the error.
        """
        self._notes: int | None = None
        options = map(str, (os.getpid(), work.memory, work.is_tied))
        script = Path(__file__).with_name("child.py")
        try:
            self._notes = os.memfd_create("notes") if work.has_notes else None
            # -P: no imports from the script's folder. All processes use one hash seed, so that the same question
            # gets the same answer from each.
            self._process = subprocess.Popen(
                [sys.executable, "-P", str(script), work.worker, *options, *work.arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if self._notes is None else self._notes,
                start_new_session=True,
                env={**os.environ, "PYTHONHASHSEED": "0"},
            )
        except OSError as error:
            self._close_notes()
            raise work.unavailable(str(error)) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._ledger, self._number, self._most = work.ledger(), 0, work.answer
        self._pieces = bytearray()
        self._received: list[tuple[str, int, Any]] = []
        self._unsent = memoryview(b"")
        self.is_killed, self.kind = False, ""  # the kind of question that it was asked first
        self.pid = self._process.pid

    def alive(self) -> bool:
        """Return whether the process has not ended."""
        return self._process.poll() is None

    def ready(self, seconds: float) -> None:
        """Wait until the process is ready.

        Raises:
            DiedError, LateError, CalledOffError: It will never be ready.
            GraftworkError: The worker raised it at its start.
        """
        kind, _, value = self._message(time.monotonic() + seconds)
        if kind == ERROR:
            raise _error(value)
        assert kind == READY

    def ask(self, question: object, deadline: float) -> WorkerReply:
        """Return the reply to a question.

        Raises:
            DiedError, LateError, CalledOffError: There is no reply; then the process must be killed.
        """
        self._number += 1
        data = frame((self._number, self._ledger.tell(question)))
        # The acknowledgement tells a deaf process from a slow worker: a deaf one is replaced at once.
        heard = min(deadline + GRACE, time.monotonic() + DEAF)
        try:
            try:
                self._send(data, heard)
                kind, number, _ = self._message(heard)
            except LateError as error:
                raise DiedError(killed=True) from error
            assert (kind, number) == (HEARD, self._number)
            kind, number, value = self._message(deadline + GRACE)
            assert kind in (ANSWER, ERROR, SPENT)
            assert number == self._number
        except CalledOffError:
            kind, value = self._end_question()
        except SeatError as error:
            error.notes = self._read_notes()
            raise
        if kind == SPENT:
            value = self._read_notes()
        return WorkerReply(kind, _error(value) if kind == ERROR else value)

    def _end_question(self) -> tuple[str, Any]:
        """Tell the process to end the question and to live on; return its reply."""
        self.settle()
        kind, until = HEARD, time.monotonic() + ENDING
        try:
            self._send(frame((-self._number, None)), until)
            while kind == HEARD:
                kind, _, value = self._message(until)
        except (DiedError, LateError) as error:
            raise CalledOffError from error
        return kind, value

    def call_off(self) -> None:
        """Wake the thread that asks, which ends its question; the process lives on if it does that soon."""
        with contextlib.suppress(OSError):  # it has just been buried
            os.eventfd_write(self._wake, 1)

    def settle(self) -> None:
        """Forget that the last question was called off."""
        if not self.is_killed:
            with contextlib.suppress(BlockingIOError):
                os.eventfd_read(self._wake)

    def kill(self) -> None:
        """End the process at once, with its descendants, and wake the thread that waits for it."""
        self.is_killed = True
        if self._process.returncode is None:
            end(self.pid)
        self.call_off()

    def _read_notes(self) -> str:
        if self._notes is None:
            return ""
        size = os.fstat(self._notes).st_size
        return os.pread(self._notes, LAST, max(size - LAST, 0)).decode(errors="replace")

    def bury(self) -> None:
        """End the process and free its resources. Call this only when no thread asks it any more."""
        self.kill()
        self._process.wait()
        self._close()

    def abandon(self) -> None:
        """Free what this program holds of the process, but leave the process alone: it belongs to another program."""
        self._process.returncode = 0  # it is no child of this program, so nothing can be asked of it
        self._close()

    def _close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        os.close(self._wake)
        self._close_notes()

    def _close_notes(self) -> None:
        if self._notes is not None:
            os.close(self._notes)

    def _send(self, data: bytes, until: float) -> None:
        self._unsent = memoryview(bytes(self._unsent) + data)  # a question may be called off before it is sent
        while self._unsent:
            self._await(self._in, select.POLLOUT, until)
            try:
                self._unsent = self._unsent[os.write(self._in, self._unsent) :]
            except OSError as error:
                raise self._died() from error

    def _message(self, until: float) -> tuple[str, int, Any]:
        while not self._received:
            self._await(self._out, select.POLLIN, until)
            piece = os.read(self._out, 1 << 16)
            if not piece:
                raise self._died()
            self._pieces += piece
            try:
                self._received += take_frames(self._pieces, self._most)
            except Exception as error:  # too large, or no frame: the process is out of order
                raise DiedError(killed=False) from error
        return self._received.pop(0)

    def _await(self, pipe: int, event: int, until: float) -> None:
        poll = select.poll()
        poll.register(pipe, event)
        poll.register(self._wake, select.POLLIN)
        stopped = frozenset[int]()
        while not (ready := dict(poll.poll(min(max(until - time.monotonic(), 0.0), LOOKING) * 1000))):
            if time.monotonic() >= until:
                raise LateError
            # What is about to be killed is stopped for a moment, so only what is found stopped twice counts.
            before, stopped = stopped, stopped_below(self.pid)
            if before & stopped:
                raise DiedError(killed=True)
        if self._wake in ready:
            raise CalledOffError

    def _died(self) -> DiedError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return DiedError(killed=self._process.wait(1.0) < 0)
        return DiedError(killed=True)


def stopped_below(process: int) -> frozenset[int]:
    """Return those of a process and its descendants that a signal has stopped; they would never answer."""
    states = {pid: Path(f"/proc/{pid}/stat") for pid in family(process)}
    found = set[int]()
    for pid, stat in states.items():
        with contextlib.suppress(OSError):  # it has ended
            found |= {pid} if stat.read_text().rpartition(")")[2].split()[0] == "T" else set()
    return frozenset(found)


def _error(value: object) -> Exception:
    assert isinstance(value, Raised)
    return value.error()
