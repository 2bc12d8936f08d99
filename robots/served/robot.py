"""`ServedRobot`: drives a robot that a `BodyServer` owns, over the server's socket."""

from __future__ import annotations

import contextlib
import socket
import threading
from pathlib import Path
from typing import Any

from robots.errors import BodyUnavailableError
from robots.served.wire import line, read_observation, read_progress, value, written_command
from semantics.motion import MotionInterlock
from semantics.observation import Observation
from semantics.protocols import Clock, Motion, MotionProgress, MotionStatus
from semantics.state import Command

__all__ = ["ServedRobot"]

PATIENCE = 30.0
"""The longest wait for an answer in seconds, after which the robot counts as gone; a sleep adds its own duration."""


class ServedRobot:
    """A robot in another process; implements `semantics.protocols.Robot`.

    Args:
        path: The socket of the server.

    Attributes:
        motion_interlock: The running motions, which exclude others.
        primitives: The motion primitives of the robot; None when it has all.

    Raises:
        BodyUnavailableError: There is no server at the socket, or another client drives the robot. Each method raises
            it if the robot is gone.
    """

    def __init__(self, path: Path) -> None:
        self._line = _Line(path)
        try:
            about = self._line.ask("hello")
        except BodyUnavailableError:
            self._line.close()
            raise
        self.name = str(about["name"])
        self.motion_interlock = MotionInterlock()
        primitives = about.get("primitives")
        self.primitives: frozenset[str] | None = None if primitives is None else frozenset(primitives)
        self.clock: Clock = _ServedClock(self._line, bool(about["simulated"]))
        self._latest = Observation()

    def observation(self) -> Observation:
        """Return the latest sensing without waiting for a new one."""
        news = self._line.ask("observation", self._latest.number)
        if news is not None:
            self._latest = read_observation(news)
        return self._latest

    def start(self, command: Command) -> Motion:
        """Begin a motion. For an impossible command, return a motion that has already failed, with the reason."""
        return _ServedMotion(self._line, self._line.ask("start", written_command(command)))

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


class _ServedClock:
    """The clock of the robot."""

    def __init__(self, line_: _Line, simulated: bool) -> None:
        self._line = line_
        self._simulated = simulated

    @property
    def simulated(self) -> bool:
        return self._simulated

    def now(self) -> float:
        return float(self._line.ask("now"))

    def sleep(self, seconds: float) -> None:
        self._line.ask("sleep", seconds, PATIENCE + max(seconds, 0.0))


class _ServedMotion:
    """A motion of the robot; it stores its final progress once it has ended."""

    def __init__(self, line_: _Line, number: int) -> None:
        self._line = line_
        self._number = number
        self._end: MotionProgress | None = None

    def poll(self) -> MotionProgress:
        if self._end is not None:
            return self._end
        progress = read_progress(self._line.ask("poll", self._number))
        self._end = progress if progress.stage is not MotionStatus.RUNNING else None
        return progress

    def cancel(self) -> None:
        if self._end is None:
            with contextlib.suppress(BodyUnavailableError):  # the server has already stopped the motion
                self._line.ask("cancel", self._number)


class _Line:
    """The connection: one request at a time, from any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._rest = b""
        self._socket: socket.socket | None = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(PATIENCE)
            self._socket.connect(str(path))
        except OSError as error:
            self.close()
            raise BodyUnavailableError(f"{path}: no body is served there ({error.strerror or error})") from error

    def ask(self, do: str, what: object = None, seconds: float = PATIENCE) -> Any:  # noqa: ANN401  # JSON
        with self._lock:
            reply = self._asked(line({"do": do, "with": what}), seconds)
        if "error" in reply:
            raise BodyUnavailableError(f"{self._path}: no answer to '{do}': {reply['error']}")
        return reply["is"]

    def _asked(self, request: bytes, seconds: float) -> dict[str, Any]:
        if self._socket is None:
            raise BodyUnavailableError(f"{self._path}: the body was let go")
        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(request)
            while b"\n" not in self._rest:
                part = self._socket.recv(1 << 20)
                if not part:
                    raise ConnectionResetError("the connection was closed")
                self._rest += part
            received, _, self._rest = self._rest.partition(b"\n")
            return value(received)
        except (OSError, ValueError, TypeError) as error:
            self._close()  # a late answer must not be read as the answer to the next request
            raise BodyUnavailableError(f"{self._path}: the body is gone ({error})") from error

    def close(self) -> None:
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
