"""`BodyServer`: serves a robot at a local socket, to one client (the driver) at a time.

The robot outlives its driver. When a driver disconnects, is killed or does not take its answers, the server stops the
robot at once, and the next driver finds the world unchanged. A driver sends heartbeats. After a second of silence
(a frozen process) the robot stops too: its motions have failed, and the driver may drive on once it has sensed, unless
another client has taken its place. The socket is a file that only its owner can open.
"""

from __future__ import annotations

import itertools
import logging
import socket
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from robots.errors import BodyUnavailableError
from robots.lease import Lease
from robots.motion import FailedMotion
from robots.served.reception import Driver, Reception
from robots.served.wire import VERSION, line, read_request, written_observation, written_primitive, written_progress
from semantics.body.interlock import interlocked
from semantics.body.protocols import LimitedMotion, Motion, MotionStatus, Robot
from semantics.logic.feedback import Code, Feedback
from semantics.logic.state import Command

OWNER_ONLY = 0o600
SLICE_SECONDS = 0.25
"""A longer sleep is cut into such slices of the robot's clock; between two of them the robot can be stopped."""
MOST_MOTIONS = 256  # motions of a driver that are kept; beyond, the oldest that has ended is forgotten

log = logging.getLogger(__name__)


class BodyServer:
    """Serves a robot at a socket until it is closed. `serve` runs in the calling thread, ``with`` starts a thread.

    Args:
        robot: The robot. The caller keeps the ownership, but must not use it while the server answers a request. Its
            methods are called from the thread of `serve`. Only `stop` is also called from another thread: when the
            driver is lost while another call of the robot does not return.
        path: The path of the socket; a socket without a server is replaced.

    Raises:
        BodyUnavailableError: The socket cannot be created, or another server uses it.
    """

    def __init__(self, robot: Robot, path: Path) -> None:
        self.path = path
        self._robot = robot
        self._lease = Lease(interlocked(robot), f"a client of {path}", self._call_off)
        self._motions: dict[int, Motion] = {}
        self._numbers = itertools.count()
        self._must_sense = False
        self._driver: Driver | None = None
        self._thread: threading.Thread | None = None
        self._answers: Mapping[str, Callable[[Any], object]] = {
            "hello": self._hello,
            "now": lambda _: robot.clock.now(),
            "sleep": self._sleep,
            "observation": self._observation,
            "start": self._start,
            "poll": lambda number: written_progress(self._motion(number).poll()),
            "cancel": lambda number: self._motion(number).cancel(),
            "stop": lambda _: self._lease.stop(),
        }
        self._socket = _listening(path)
        self._reception = Reception(self._socket, self._stop)

    def serve(self) -> None:
        """Serve one driver after another until `close`."""
        self._reception.open()
        try:
            while (driver := self._reception.drivers.get()) is not None:
                self._drive(driver)
        finally:
            self._reception.close()
            self._reception.release()
            self._socket.close()

    def close(self) -> None:
        """Stop the robot, disconnect the driver, and remove the socket; safe to call twice."""
        self.path.unlink(missing_ok=True)
        self._reception.close()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._socket.close()

    def __enter__(self) -> BodyServer:
        self._thread = threading.Thread(target=self.serve, name="body-server", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _drive(self, driver: Driver) -> None:
        """Answer the requests of a driver until it is gone; then stop the robot."""
        self._driver = driver
        try:
            while not driver.gone.is_set():
                frame = driver.frames.get()
                self._heed()
                if frame is not None and not driver.gone.is_set():
                    driver.send(self._answer(frame))
                    self._heed()
        finally:
            self._stop()
            self._lease.give_back()
            self._motions.clear()
            self._must_sense = False
            self._driver = None
            driver.must_stop.clear()
            driver.drop()
            driver.released.set()

    def _heed(self) -> None:
        """Stop the robot if its driver has become silent; what it decided before is out of date."""
        if self._driver is not None and self._driver.must_stop.is_set():
            self._stop()
            self._must_sense = True
            self._driver.must_stop.clear()

    def _stop(self) -> None:
        """Stop the robot. An error of it is logged, since no driver may be there to receive it."""
        try:
            self._lease.stop()
        except Exception:
            log.exception("the robot could not be stopped")

    def _call_off(self, reason: str) -> None:
        """End what the driver does, for a person; any thread may call this."""
        self._lease.stopped = reason
        if (driver := self._driver) is not None:
            driver.stop_soon()

    def _answer(self, frame: bytes) -> bytes:
        try:
            do, argument = read_request(frame)
            return line({"is": self._answers[do](argument)})
        except Exception as error:  # an invalid request or an error of the robot: the driver receives it
            return line({"error": f"{type(error).__name__}: {error}"[:1000]})

    def _hello(self, version: int) -> dict[str, Any]:
        """Return what the client has to know; the first version of clients knows no versions."""
        robot = self._robot
        about = {"name": robot.name, "simulated": robot.clock.simulated, **_primitives(robot)}
        return about if version == 1 else {**about, "version": VERSION}

    def _sleep(self, seconds: float) -> None:
        """Let time pass. When the driver becomes silent the robot stops; when it is gone, no more time passes."""
        while seconds > SLICE_SECONDS and self._driver is not None and not self._driver.gone.is_set():
            self._robot.clock.sleep(SLICE_SECONDS)
            seconds -= SLICE_SECONDS
            self._heed()
        if self._driver is not None and not self._driver.gone.is_set():
            self._robot.clock.sleep(seconds)

    def _observation(self, number: int | None) -> dict[str, Any] | None:
        """Return the latest sensing, or None when the driver already has it."""
        observation = self._robot.observation()
        self._must_sense = False
        return None if observation.number == number else written_observation(observation)

    def _start(self, command: Command) -> int:
        if len(self._motions) >= MOST_MOTIONS:
            self._forget_one()
        number = next(self._numbers)
        if self._must_sense:
            why = "the driver was silent and the robot was stopped; sense, then start again."
            self._motions[number] = FailedMotion(Feedback(Code.CANCELLED, str(command), why))
        elif not self._lease.is_held and (refusal := self._lease.refusal()) is not None:
            self._motions[number] = FailedMotion(refusal)
        else:
            self._motions[number] = self._lease.start(command)
        return number

    def _forget_one(self) -> None:
        """Forget the oldest motion that has ended."""
        ended = (number for number, motion in self._motions.items() if motion.poll().stage is not MotionStatus.RUNNING)
        number = next(ended, None)
        if number is None:
            raise ValueError(f"{MOST_MOTIONS} motions are under way")
        del self._motions[number]

    def _motion(self, number: int) -> Motion:
        if number not in self._motions:
            raise ValueError(f"there is no motion {number}")
        return self._motions[number]


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


def _is_served(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def _primitives(robot: Robot) -> Mapping[str, object]:
    """Return the motion primitives of a robot that tells them: the names, and what it tells about each."""
    limited = robot.primitives if isinstance(robot, LimitedMotion) else None
    if limited is None:
        return {}
    described = (
        {name: written_primitive(limited[name]) for name in sorted(limited)} if isinstance(limited, Mapping) else {}
    )
    return {"primitives": sorted(limited), "described": described}
