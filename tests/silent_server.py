"""A server that takes requests and never answers; it notices when the other side closes the connection."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Self


class SilentServer:
    """Use it as a context manager.

    Attributes:
        asked: Set when a request has begun to arrive.
        left: Set when the other side has closed a connection.
    """

    def __init__(self) -> None:
        self.asked, self.left = threading.Event(), threading.Event()
        self._server = socket.create_server(("127.0.0.1", 0))

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.getsockname()[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._server.accept()
                threading.Thread(target=self._listen, args=(connection,), daemon=True).start()

    def _listen(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(ConnectionError):
            while connection.recv(65536):
                self.asked.set()
        self.left.set()


class DeafServer:
    """A server that takes no connection: nobody accepts, and its queue is full. Use it as a context manager."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0), backlog=0)
        self._waiting: list[socket.socket] = []

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.getsockname()[1]}/v1"

    def __enter__(self) -> Self:
        with contextlib.suppress(TimeoutError):
            while len(self._waiting) < 64:
                self._waiting.append(socket.create_connection(self._server.getsockname(), timeout=0.2))
        return self

    def __exit__(self, *_: object) -> None:
        for each in (*self._waiting, self._server):
            each.close()
