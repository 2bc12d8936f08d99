"""`BodyServer`: serves a robot at a local socket, to one client (the driver) at a time.

The robot outlives its driver. When a driver disconnects or is killed, the server stops the robot at once, and the next
driver finds the world unchanged. A client that connects while another drives waits for a moment, since the driver may
just have been killed; then it receives an error. The socket is a file that only its owner can open.
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
from robots.served.wire import LONGEST, line, read_command, value, written_observation, written_progress
from semantics.protocols import LimitedMotion, Motion, Robot

__all__ = ["BodyServer"]

OWNER_ONLY = 0o600
TAKEN = "somebody else drives it"
WAIT_SECONDS = 2.0
"""The longest wait of a client while another one drives."""
LOOK_SECONDS = 0.2
"""The interval at which the server checks whether it was closed."""


class BodyServer:
    """Serves a robot at a socket until it is closed. `serve` runs in the calling thread, ``with`` starts a thread.

    Args:
        robot: The robot. The caller keeps the ownership, but must not use it while the server answers a request.
        path: The path of the socket; a socket without a server is replaced.

    Raises:
        BodyUnavailableError: The socket cannot be created, or another server uses it.
    """

    def __init__(self, robot: Robot, path: Path) -> None:
        self.path = path
        self._robot = robot
        self._motions: dict[int, Motion] = {}
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._waiting: deque[tuple[socket.socket, float]] = deque()
        self._answers: Mapping[str, Callable[[Any], object]] = {
            "hello": lambda _: {"name": robot.name, "simulated": robot.clock.simulated, **_primitives(robot)},
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
        """Serve one driver after another until `close`."""
        while not self._closed.is_set():
            self._wait_for_client(None)
            if self._waiting:
                driver, _ = self._waiting.popleft()
                with driver:
                    self._drive(driver)
        for candidate, _ in self._waiting:
            candidate.close()
        self._socket.close()

    def _wait_for_client(self, driver: socket.socket | None) -> bool:
        """Wait briefly for a new client or a request; return whether the driver has sent something.

        Clients that have waited for `WAIT_SECONDS` while another one drives are turned away.
        """
        watched = [self._socket] if driver is None else [self._socket, driver]
        seconds = 0.0 if driver is None and self._waiting else LOOK_SECONDS
        ready, _, _ = select.select(watched, (), (), seconds)
        if self._socket in ready:
            self._waiting.append((self._socket.accept()[0], time.monotonic() + WAIT_SECONDS))
        while driver is not None and self._waiting and time.monotonic() >= self._waiting[0][1]:
            _turn_away(self._waiting.popleft()[0])
        return driver in ready

    def close(self) -> None:
        """Stop the robot, disconnect the driver, and remove the socket; safe to call twice."""
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
        """Answer the requests of a driver until it disconnects; then stop the robot."""
        try:
            unfinished = b""
            while not self._closed.is_set():
                if not self._wait_for_client(driver):
                    continue
                part = driver.recv(65536)
                if not part or len(unfinished) > LONGEST:
                    return
                *lines, unfinished = (unfinished + part).split(b"\n")
                for request in lines:
                    driver.sendall(line(self._answer(request)))
        except OSError:
            return  # the driver disconnected in the middle of a request
        finally:
            self._robot.stop()
            self._motions.clear()

    def _answer(self, request: bytes) -> dict[str, Any]:
        """Answer one request; an invalid request is answered with an error."""
        try:
            asked = value(request)
            answer = self._answers[asked["do"]]
            return {"is": answer(asked.get("with"))}
        except Exception as error:  # an invalid request or an error of the robot: the driver receives it
            return {"error": f"{type(error).__name__}: {error}"}

    def _observation(self, number: object) -> dict[str, Any] | None:
        """Return the latest sensing, or None when the driver already has it."""
        observation = self._robot.observation()
        return None if observation.number == number else written_observation(observation)

    def _start(self, command: Mapping[str, Any]) -> int:
        number = len(self._motions)
        self._motions[number] = self._robot.start(read_command(command))
        return number


def _listening(path: Path) -> socket.socket:
    """Return a socket that listens at `path`, which only its owner can open."""
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
    """Send a client the error that another one drives; read its request first, or the error might be lost."""
    with driver, contextlib.suppress(OSError):
        driver.settimeout(LOOK_SECONDS)
        driver.recv(65536)
        driver.sendall(line({"error": TAKEN}))


def _is_served(path: Path) -> bool:
    """Return whether a server accepts connections at a socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def _primitives(robot: Robot) -> Mapping[str, object]:
    """Return the motion primitives of a robot that lacks some."""
    limited = robot.primitives if isinstance(robot, LimitedMotion) else None
    return {} if limited is None else {"primitives": sorted(limited)}
