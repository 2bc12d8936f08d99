"""`BodyServer`: holds a body for whoever drives it, one at a time, at a socket of this machine.

The body outlives its driver. When a driver goes, however it goes, the body is brought to rest at once, and the next one
finds the world as it was left. Who comes while another drives waits for a moment, since that one may just have been
killed, and is then told so. The socket is a file that only its owner can open.
"""

from __future__ import annotations

import contextlib
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from robots.errors import BodyUnavailableError
from robots.served.wire import (
    LONGEST,
    line,
    read_command,
    value,
    written_observation,
    written_progress,
)
from semantics.protocols import Motion, Robot

__all__ = ["BodyServer"]

OWNER_ONLY = 0o600
TAKEN = "somebody else drives it"
WAIT_SECONDS = 2.0
"""How long who comes while another drives may wait for that one to go."""
LOOK_SECONDS = 0.2
"""How often it looks whether it was closed while nobody drives."""


class BodyServer:
    """Serves a body at a socket until it is closed; `serve` does it here, ``with`` does it on a thread.

    Args:
        robot: The body; it stays the caller's, and is touched by nobody else while a driver's request is answered.
        path: Where the socket is made; a socket that nobody answers at any more is replaced.

    Raises:
        BodyUnavailableError: No socket can be made there, or somebody serves there already.
    """

    def __init__(self, robot: Robot, path: Path) -> None:
        self.path = path
        self._robot = robot
        self._motions: dict[int, Motion] = {}
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._waiting: deque[tuple[socket.socket, float]] = deque()
        self._answers: Mapping[str, Callable[[Any], object]] = {
            "hello": lambda _: {"name": robot.name, "simulated": robot.clock.simulated},
            "now": lambda _: robot.clock.now(),
            "sleep": lambda seconds: robot.clock.sleep(float(seconds)),
            "observation": self._observation,
            "start": self._start,
            "poll": lambda number: written_progress(self._motions[number].poll()),
            "cancel": lambda number: self._motions[number].cancel(),
            "stop": lambda _: robot.stop(),
        }
        self._socket = _listening(path)

    def serve(self) -> None:
        """Answer one driver after the other until `close`."""
        while not self._closed.is_set():
            self._doorman(None)
            if self._waiting:
                driver, _ = self._waiting.popleft()
                with driver:
                    self._drive(driver)
        for candidate, _ in self._waiting:
            candidate.close()
        self._socket.close()

    def _doorman(self, driver: socket.socket | None) -> bool:
        """Wait a little for whoever comes or speaks; return whether the driver has something to say."""
        watched = [self._socket] if driver is None else [self._socket, driver]
        seconds = 0.0 if driver is None and self._waiting else LOOK_SECONDS
        ready, _, _ = select.select(watched, (), (), seconds)
        if self._socket in ready:
            self._waiting.append((self._socket.accept()[0], time.monotonic() + WAIT_SECONDS))
        while driver is not None and self._waiting and time.monotonic() >= self._waiting[0][1]:
            _turn_away(self._waiting.popleft()[0])
        return driver in ready

    def close(self) -> None:
        """Bring the body to rest, let nobody drive any more, and take the socket away; safe to call twice."""
        self._closed.set()
        self.path.unlink(missing_ok=True)
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        else:
            self._socket.close()

    def __enter__(self) -> BodyServer:
        self._thread = threading.Thread(target=self.serve, name="body-server", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _drive(self, driver: socket.socket) -> None:
        """Answer a driver until it goes; then nothing moves any more."""
        try:
            unfinished = b""
            while not self._closed.is_set():
                if not self._doorman(driver):
                    continue
                part = driver.recv(65536)
                if not part or len(unfinished) > LONGEST:
                    return
                *lines, unfinished = (unfinished + part).split(b"\n")
                for request in lines:
                    driver.sendall(line(self._answer(request)))
        except OSError:
            return  # it went in the middle of a word
        finally:
            self._robot.stop()
            self._motions.clear()

    def _answer(self, request: bytes) -> dict[str, Any]:
        """Answer one request; what is wrong with it is an answer too."""
        try:
            asked = value(request)
            answer = self._answers[asked["do"]]
            return {"is": answer(asked.get("with"))}
        except Exception as error:  # a request without sense, or the body's own trouble: told to whoever drives it
            return {"error": f"{type(error).__name__}: {error}"}

    def _observation(self, known: object) -> dict[str, Any] | None:
        """Return the latest sensing; nothing when the driver has it already."""
        observation = self._robot.observation()
        return None if observation.number == known else written_observation(observation)

    def _start(self, command: Mapping[str, Any]) -> int:
        number = len(self._motions)
        self._motions[number] = self._robot.start(read_command(command))
        return number


def _listening(path: Path) -> socket.socket:
    """Return a socket that listens at `path`, for its owner alone."""
    if path.is_socket():
        if _is_served(path):
            raise BodyUnavailableError(f"{path}: a body is served there already")
        path.unlink(missing_ok=True)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.bind(str(path))
        path.chmod(OWNER_ONLY)
        made.listen(1)
    except OSError as error:
        made.close()
        raise BodyUnavailableError(f"{path}: no socket can be made there ({error})") from error
    return made


def _turn_away(driver: socket.socket) -> None:
    """Tell somebody that another drives; what they asked is read first, or the answer would not reach them."""
    with driver, contextlib.suppress(OSError):
        driver.settimeout(LOOK_SECONDS)
        driver.recv(65536)
        driver.sendall(line({"error": TAKEN}))


def _is_served(path: Path) -> bool:
    """Return whether somebody answers at a socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True
