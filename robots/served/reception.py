"""`Reception`: the clients of a server. One of them drives; a thread reads what it sends and notices when it is silent.

The thread never waits for the robot, so that a heartbeat is heard while the robot executes a long request. Silence is
what the server itself has seen: bytes that came in while the server was busy count as life.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable

from robots.served.wire import LONGEST_REQUEST, line

TAKEN = "somebody else drives it"
SILENCE_SECONDS = 1.0  # after so long without a byte of its driver the robot stops
SEND_SECONDS = 1.0  # the longest wait for a client to take an answer; then it is dropped
WAIT_SECONDS = 2.0  # the longest wait of a client while another one drives
LOOK_SECONDS = 0.05  # the interval at which silence, waiting clients and the closing of the server are looked at
STOP_SECONDS = 0.25  # so long a call of the robot may still take when it has to stop; then `stop` is called beside it
MOST_WAITING = 16
MOST_UNANSWERED = 64  # requests that a client may send ahead of the answers; a client that sends more is dropped

log = logging.getLogger(__name__)


class Driver:
    """The connection of the client that drives.

    Attributes:
        frames: The requests that it sent, each without its newline; None when something else has happened.
        gone: The connection has ended.
        must_stop: The robot has to stop, and has not been stopped yet.
        released: The server has stopped the robot and does not use the connection any more.
        silent: It has sent nothing for `SILENCE_SECONDS`.
    """

    def __init__(self, connection: socket.socket) -> None:
        self.frames: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.gone = threading.Event()
        self.must_stop = threading.Event()
        self.released = threading.Event()
        self.silent = False
        self.connection = connection
        self._unfinished = b""
        self._heard = time.monotonic()
        self._lost_at = 0.0
        connection.settimeout(SEND_SECONDS)

    def send(self, answer: bytes) -> None:
        """Send an answer; end the connection of a client that does not take it in time."""
        try:
            self.connection.sendall(answer)
        except OSError:
            self.drop()

    def drop(self) -> None:
        """End the connection."""
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
        self.gone.set()

    def read(self) -> None:
        """Take what the client has sent; an empty line is a heartbeat and has no answer."""
        try:
            part = self.connection.recv(LONGEST_REQUEST, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        if not part:
            self.lose()
            return
        self._heard, self.silent = time.monotonic(), False
        *frames, self._unfinished = (self._unfinished + part).split(b"\n")
        for frame in filter(None, frames):
            self.frames.put(frame)
        if len(self._unfinished) > LONGEST_REQUEST or self.frames.qsize() > MOST_UNANSWERED:
            self._refuse()

    def _refuse(self) -> None:
        """End the connection of a client that sends too much, and tell it why if it reads."""
        why = f"a request has at most {LONGEST_REQUEST} bytes, and at most {MOST_UNANSWERED} wait for an answer"
        with contextlib.suppress(OSError):
            self.connection.send(line({"error": why}), socket.MSG_DONTWAIT)
        self.lose()

    def lose(self) -> None:
        """Note that the connection has ended."""
        self.drop()
        self.stop_soon()

    def look(self, when: float) -> None:
        """Note a silence that was too long at a time after which there was still nothing to read."""
        if not self.silent and when - self._heard >= SILENCE_SECONDS:
            self.silent = True
            log.warning("the driver has been silent for %g s; the robot stops", SILENCE_SECONDS)
            self.stop_soon()

    def stop_soon(self) -> None:
        """Let the thread of `serve` stop the robot, or another one beside it after `STOP_SECONDS`."""
        self._lost_at = time.monotonic()
        self.must_stop.set()
        self.frames.put(None)

    @property
    def overdue(self) -> bool:
        """Whether the robot had to stop a while ago and a call of it still runs."""
        return self.must_stop.is_set() and time.monotonic() - self._lost_at >= STOP_SECONDS


class Reception:
    """Accepts clients at a listening socket in a thread of its own.

    Args:
        listening: The socket.
        stop: Stops the robot beside a call that does not return.

    Attributes:
        drivers: The clients that may drive, one after another: the next comes when the last one is `released`; None
            when the server is closed.
    """

    def __init__(self, listening: socket.socket, stop: Callable[[], None]) -> None:
        self.drivers: queue.SimpleQueue[Driver | None] = queue.SimpleQueue()
        self._listening = listening
        self._stop = stop
        self._stopped_beside: Driver | None = None
        self._driver: Driver | None = None
        self._waiting: deque[tuple[socket.socket, float]] = deque()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._receive, name="body-reception", daemon=True)

    def open(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Send every client away; safe to call twice."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()

    def release(self) -> None:
        """Close the connection of the last driver, which nobody uses any more."""
        if self._driver is not None:
            self._driver.connection.close()

    def _receive(self) -> None:
        while not self._closed.is_set():
            self._wait()
            self._attend()
        if self._driver is not None:
            self._driver.lose()
        for candidate, _ in self._waiting:
            candidate.close()
        self.drivers.put(None)

    def _wait(self) -> None:
        """Wait briefly for a client or for bytes of the driver, and take them."""
        driver = self._driver
        poll = select.poll()  # select.select knows no file above 1023
        poll.register(self._listening, select.POLLIN)
        hears = driver is not None and not driver.gone.is_set()
        if driver is not None and hears:
            poll.register(driver.connection, select.POLLIN)
        # Taken before: this process may be held up at any point, and what came in meanwhile counts as life.
        before = time.monotonic()
        ready = {file for file, _ in poll.poll(LOOK_SECONDS * 1000)}
        if self._listening.fileno() in ready:
            self._accept()
        if driver is not None and hears:
            if driver.connection.fileno() in ready:
                driver.read()
            else:
                driver.look(before)

    def _accept(self) -> None:
        try:
            client, _ = self._listening.accept()
        except OSError:  # too many open files, say: the client waits in the queue of the system
            self._closed.wait(LOOK_SECONDS)
            return
        if len(self._waiting) >= MOST_WAITING:
            _turn_away(client)
        else:
            self._waiting.append((client, time.monotonic() + WAIT_SECONDS))

    def _attend(self) -> None:
        """Let the next client drive if the last one is gone, and turn those away that have waited for long."""
        driver = self._driver
        if driver is not None:
            self._stop_if_overdue(driver)
            if driver.released.is_set():
                driver.connection.close()
                self._driver = driver = None
            elif driver.silent and self._waiting and not driver.gone.is_set():
                driver.lose()  # a frozen driver keeps its place only while nobody else wants it
        if driver is None and self._waiting:
            self._driver = Driver(self._waiting.popleft()[0])
            self.drivers.put(self._driver)
        while self._waiting and time.monotonic() >= self._waiting[0][1]:
            _turn_away(self._waiting.popleft()[0])

    def _stop_if_overdue(self, driver: Driver) -> None:
        if not driver.must_stop.is_set():
            self._stopped_beside = None
        elif driver.overdue and self._stopped_beside is not driver:
            self._stopped_beside = driver
            self._stop()


def _turn_away(client: socket.socket) -> None:
    """Send a client the error that another one drives; read its request first, or the error might be lost."""
    with client, contextlib.suppress(OSError):
        client.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            client.recv(LONGEST_REQUEST)
        client.sendall(line({"error": TAKEN}))
