"""A worker process: answers questions over its standard pipes until the process that started it is gone.

It ends with its parent process in two ways, each of which is sufficient. The kernel kills it when the parent ends for
any reason (PR_SET_PDEATHSIG). And a thread that reads the pipe ends it, with all processes that it has started, when
the other end is closed. The kernel's way is not used for a worker whose own processes would survive it.

What the process does is a function that it is told by name, see `semantics.process.seat`.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import queue
import resource
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import IO, Any

PR_SET_PDEATHSIG = 1
READY, HEARD, ANSWER, ERROR, SPENT, ENDED = "ready", "heard", "answer", "error", "spent", "ended"
AGAIN = 0.01  # after which time a question is ended that cannot be ended now, seconds


def tie(parent: int, memory: int, *, is_tied: bool) -> None:
    """Bind this process to the life of its parent process, and limit its memory."""
    if is_tied:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    memory = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Return the input and output pipes, and redirect the standard ones to the null device."""
    into, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    return into, out


def main(worker: str, arguments: Sequence[str], parent: int, memory: int, is_tied: bool) -> None:
    """Answer questions with the function that `worker` returns for `arguments`, see `semantics.process.seat`."""
    tie(parent, memory, is_tied=is_tied)
    into, out = pipes()
    from semantics.process.wire import frame, raised

    lock = threading.Lock()

    def send(*message: object) -> None:
        data = frame(message)
        with lock:
            out.write(data)
            out.flush()

    questions: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
    signal.signal(signal.SIGALRM, _INTERRUPTION.interrupt)
    threading.Thread(target=_listen, args=(into, send, questions), name="processes.child", daemon=True).start()
    try:
        module, _, name = worker.partition(":")
        answer = getattr(importlib.import_module(module), name)(*arguments)
    except Exception as error:
        send(ERROR, 0, raised(error))
        return
    send(READY, 0, None)
    _serve(questions, send, answer)


class CalledOff(BaseException):  # so that nothing that handles errors stops it
    """The question that is being answered was called off."""


class _Interruption:
    """Ends the question that is being answered: raises `CalledOff` in the main thread, at most once for a question."""

    _answered = _off = 0

    def call_off(self, number: int) -> None:
        """End a question, given by its number, from another thread."""
        self._off = number
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGALRM)

    def answer(self, number: int, work: Callable[[], object]) -> object:
        """Do the work of a question, which may be ended meanwhile."""
        self._answered = number
        try:
            if self._off == number:
                raise CalledOff
            return work()
        finally:
            self._answered = 0

    def interrupt(self, _: int, frame: FrameType | None) -> None:
        """Raise the exception: the handler of the signal."""
        if not self._answered or self._off != self._answered:
            return
        while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        if frame is not None:  # some modules cannot be imported again after half an import
            signal.setitimer(signal.ITIMER_REAL, AGAIN)
            return
        self._answered = 0
        raise CalledOff


_INTERRUPTION = _Interruption()


def _listen(into: IO[bytes], send: Any, questions: queue.SimpleQueue[tuple[int, Any]]) -> None:  # noqa: ANN401
    """Receive questions and acknowledge them, or end that of a negated number; end all when the pipe is closed."""
    from semantics.process.wire import read

    try:
        while True:
            number, request = read(into)
            if number < 0:
                _INTERRUPTION.call_off(-number)
                continue
            send(HEARD, number, None)
            questions.put((number, request))
    except (EOFError, OSError):
        end(os.getpid())


def _serve(questions: queue.SimpleQueue[tuple[int, Any]], send: Any, answer: Callable[[Any], object]) -> None:  # noqa: ANN401
    from semantics.errors import GraftworkError
    from semantics.process.wire import raised

    is_spent = False
    while not is_spent:
        number, request = questions.get()
        try:
            answered = answer(request)
            if callable(answered):
                answered = _INTERRUPTION.answer(number, answered)
            send(ANSWER, number, answered)
        except CalledOff:
            send(ENDED, number, None)
        except MemoryError:  # what was being computed is kept by the error, so the reply has to wait until it is gone
            is_spent = True
        except GraftworkError as error:  # the asking process raises it again
            send(ERROR, number, raised(error))
        except Exception as error:  # a fault of the program: nobody knows what the process remembers now
            send(ERROR, number, raised(error))
            return
    send(SPENT, number, None)


def children(process: int) -> list[int]:
    """Return the processes that a process has started and not yet asked for, as the kernel lists them.

    This is not psutil: importing it takes 30 ms at each start, and it reads every process of the machine.
    """
    found: list[int] = []
    with contextlib.suppress(OSError):  # the process has ended
        for task in Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(OSError):  # this thread has ended, which says nothing about the others
                found += map(int, (task / "children").read_text().split())
    return found


def family(process: int) -> list[int]:
    """Return a process and its descendants, parents first."""
    processes = [process]
    for pid in processes:  # the list grows during the loop
        processes += children(pid)
    return processes


def lower(process: int, niceness: int) -> None:
    """Lower the priority of a process and its descendants, for good; those that have already ended are ignored."""
    for pid in family(process):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, pid, min(os.getpriority(os.PRIO_PROCESS, 0) + niceness, 19))
        with contextlib.suppress(OSError):  # the kernel may share the processor among sessions first
            Path(f"/proc/{pid}/autogroup").write_text(str(niceness), encoding="ascii")


def end(process: int) -> None:
    """Kill a process, given by its number, and its descendants, also those in other groups or sessions.

    Each process first gets SIGSTOP, so that it starts no children while they are listed, and is killed before the next
    one is looked at: none stays stopped if this program is killed meanwhile. If the calling process is one of them, it
    is killed last. Processes that have already ended are ignored.
    """
    own, processes = os.getpid(), [process]
    for pid in processes:  # the list grows during the loop
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGSTOP if pid != own else 0)  # 0 is no signal
        processes += children(pid)
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL if pid != own else 0)  # 0 is no signal
    if own in processes:
        os.kill(own, signal.SIGKILL)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))  # import the same files as the parent process
    name, parent, memory, is_tied, *arguments = sys.argv[1:]
    main(name, arguments, int(parent), int(memory), is_tied == str(True))
