"""`ServedRobot`: drives a robot that a `BodyServer` owns, over the server's socket."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterable
from math import isfinite
from pathlib import Path
from typing import Any

from robots.errors import BodyUnavailableError
from robots.served.wire import (
    LONGEST,
    LONGEST_SLEEP,
    VERSION,
    line,
    read_observation,
    read_primitive,
    read_progress,
    value,
    written_command,
)
from semantics.body.motion import MotionInterlock
from semantics.body.observation import Observation
from semantics.body.protocols import Clock, Motion, MotionProgress, MotionStatus
from semantics.errors import UsageError
from semantics.logic.state import Command

PATIENCE = 30.0
"""The longest wait for an answer in seconds, after which the robot counts as gone; a sleep adds its own duration."""
BEAT_SECONDS = 0.15
"""The interval of heartbeats, in seconds of the wall clock; the server stops the robot after a second without any."""
SHORTEST_WAIT = 0.001


class ServedRobot:
    """A robot in another process; implements `semantics.body.protocols.Robot`.

    A thread sends heartbeats. When this process is frozen for a second, the server stops the robot: the motions have
    failed, and a motion starts again only after the next `observation`. If another client came meanwhile, the
    connection is gone.

    Args:
        path: The socket of the server.

    Attributes:
        motion_interlock: The running motions, which exclude others.
        primitives: The motion primitives of the robot, with what it tells about them; None when it takes every command.

    Raises:
        BodyUnavailableError: There is no server at the socket, or another client drives the robot. Each method raises
            it if the robot is gone.
    """

    def __init__(self, path: Path) -> None:
        self._line = _Line(path)
        try:
            about = self._line.ask("hello", {"version": VERSION}, read=_read_about)
        except BodyUnavailableError:
            self._line.close()
            raise
        if about["version"] >= VERSION:
            self._line.beat()  # an older server answers each heartbeat with an error
        self.name: str = about["name"]
        self.motion_interlock = MotionInterlock()
        self.primitives: Collection[str] | None = about["primitives"]
        self.clock: Clock = _ServedClock(self._line, about["simulated"])
        self._latest = Observation()

    def observation(self) -> Observation:
        """Return the latest sensing without waiting for a new one."""
        news = self._line.ask("observation", self._latest.number, read=_read_news)
        if news is not None:
            self._latest = news
        return self._latest

    def start(self, command: Command) -> Motion:
        """Begin a motion. For an impossible command, return a motion that has already failed, with the reason."""
        return _ServedMotion(self._line, self._line.ask("start", written_command(command), read=int))

    def stop(self) -> None:
        """Stop all motion; safe to call at any time, any number of times.

        When the connection is gone, the server has already stopped the robot.
        """
        with contextlib.suppress(BodyUnavailableError):
            self._line.ask("stop")

    def close(self) -> None:
        """Stop, and release the robot for other clients; safe to call twice."""
        self.stop()
        self._line.close()


def _read_about(about: dict[str, Any]) -> dict[str, Any]:
    """Check what a server says of its robot."""
    primitives = about.get("primitives")
    return {
        "name": str(about["name"]),
        "simulated": bool(about["simulated"]),
        "primitives": None if primitives is None else _read_primitives(primitives, about.get("described")),
        "version": int(about.get("version", 1)),
    }


def _read_primitives(names: Iterable[object], described: object) -> Collection[str]:
    """Return the primitives with what is told of them; the names alone where an older server tells no more."""
    if not isinstance(described, dict) or not described:
        return frozenset(map(str, names))
    return {name: read_primitive(each) for name, each in described.items()}


def _read_news(written: dict[str, Any] | None) -> Observation | None:
    return None if written is None else read_observation(written)


class _ServedClock:
    """The clock of the robot."""

    def __init__(self, line_: _Line, simulated: bool) -> None:
        self._line = line_
        self._simulated = simulated

    @property
    def simulated(self) -> bool:
        return self._simulated

    def now(self) -> float:
        return float(self._line.ask("now", read=float))

    def sleep(self, seconds: float) -> None:
        if not isfinite(seconds):
            raise UsageError(f"sleep: {seconds} is no finite number of seconds")
        while seconds > LONGEST_SLEEP:
            self._line.ask("sleep", LONGEST_SLEEP, PATIENCE + LONGEST_SLEEP)
            seconds -= LONGEST_SLEEP
        self._line.ask("sleep", max(seconds, 0.0), PATIENCE + max(seconds, 0.0))


class _ServedMotion:
    """A motion of the robot; it stores its final progress once it has ended."""

    def __init__(self, line_: _Line, number: int) -> None:
        self._line = line_
        self._number = number
        self._end: MotionProgress | None = None

    def poll(self) -> MotionProgress:
        if self._end is not None:
            return self._end
        progress: MotionProgress = self._line.ask("poll", self._number, read=read_progress)
        self._end = progress if progress.stage is not MotionStatus.RUNNING else None
        return progress

    def cancel(self) -> None:
        if self._end is None:
            with contextlib.suppress(BodyUnavailableError):  # the server has already stopped the motion
                self._line.ask("cancel", self._number)


class _Line:
    """The connection: one request at a time, from any thread; a thread of its own sends heartbeats.

    After a fork it belongs to the parent, which sends the heartbeats; the child must not use it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._closed = threading.Event()
        self._rest = b""
        self._owed = 0
        self._socket: socket.socket | None = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(PATIENCE)
            self._socket.connect(str(path))
        except OSError as error:
            self.close()
            raise BodyUnavailableError(f"{path}: no body is served there ({error.strerror or error})") from error

    def beat(self) -> None:
        """Send heartbeats from now on, until the connection is closed or nobody refers to it."""
        arguments = (weakref.ref(self), self._closed)
        threading.Thread(target=_beat, args=arguments, name="body-heartbeat", daemon=True).start()

    def beat_once(self) -> None:
        """Send one heartbeat; a request that is just being sent is as good."""
        if self._sending.acquire(blocking=False):
            try:
                if self._socket is not None:
                    self._socket.send(b"\n", socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
            except OSError:
                pass  # full, or gone: the next request finds out
            finally:
                self._sending.release()

    def ask(
        self,
        do: str,
        what: object = None,
        seconds: float = PATIENCE,
        read: Callable[[Any], Any] = lambda answer: answer,
    ) -> Any:  # noqa: ANN401  # JSON
        """Return the answer to a request, as `read` makes it of the JSON value."""
        with self._lock:
            reply = self._asked(line({"do": do, "with": what}), seconds)
        if "error" in reply:
            raise BodyUnavailableError(f"{self._path}: no answer to '{do}': {reply['error']}")
        try:
            return read(reply["is"])
        except Exception as error:
            raise BodyUnavailableError(f"{self._path}: the answer to '{do}' cannot be read ({error!r})") from error

    def _asked(self, request: bytes, seconds: float) -> dict[str, Any]:
        if self._socket is None:
            raise BodyUnavailableError(f"{self._path}: the body was let go")
        deadline = time.monotonic() + seconds
        try:
            self._send(request, seconds)
            while self._owed > 1:  # the answer to a request that a signal interrupted
                self._received(deadline)
            return value(self._received(deadline))
        except (OSError, ValueError, TypeError) as error:
            self._close()  # a late answer must not be read as the answer to the next request
            raise BodyUnavailableError(f"{self._path}: the body is gone ({error})") from error

    def _send(self, request: bytes, seconds: float) -> None:
        assert self._socket is not None
        self._owed += 1
        try:
            with self._sending:
                self._socket.settimeout(seconds)
                self._socket.sendall(request)
        except BaseException:
            self._close()  # the request may have been sent in part
            raise

    def _received(self, deadline: float) -> bytes:
        """Return the next line."""
        assert self._socket is not None
        while b"\n" not in self._rest:
            self._socket.settimeout(max(deadline - time.monotonic(), SHORTEST_WAIT))
            part = self._socket.recv(1 << 20)
            if not part:
                raise ConnectionResetError("the connection was closed")
            self._rest += part
            if len(self._rest) > LONGEST or time.monotonic() > deadline:
                raise TimeoutError("its answer is too long or comes too slowly")
        received, _, self._rest = self._rest.partition(b"\n")
        self._owed -= 1
        return received

    def close(self) -> None:
        with self._lock:
            self._close()

    def _close(self) -> None:
        self._closed.set()
        with self._sending:
            if self._socket is not None:
                self._socket.close()
                self._socket = None


def _beat(connection: weakref.ref[_Line], closed: threading.Event) -> None:
    """Send heartbeats; hold no reference to the connection in between."""
    while not closed.wait(BEAT_SECONDS):
        line_ = connection()
        if line_ is None:
            return
        line_.beat_once()
        del line_
