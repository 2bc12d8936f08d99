"""`Connection`: the network connection of one request, which another thread can close.

Closing the socket of a thread that waits for an answer neither wakes the thread nor tells the server. Shutting the
connection down does both.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Mapping
from threading import Lock
from typing import Any

OPENED = ("connect_tcp.complete", "connect_unix_socket.complete", "start_tls.complete")


class Connection:
    """The sockets that a request has opened."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._streams: list[Any] = []
        self._is_closed = False

    def traced(self, event: str, info: Mapping[str, Any]) -> None:
        """Take an event of the request; the ``trace`` extension of httpcore calls this on the request's thread."""
        if event.endswith(OPENED):
            with self._lock:
                self._streams.append(info["return_value"])
                is_closed = self._is_closed
            if is_closed:
                self.close()

    def close(self) -> None:
        """Shut the connection down, now or as soon as it is open; may be called from any thread."""
        with self._lock:
            self._is_closed = True
            streams, self._streams = self._streams, []
        for stream in streams:
            with contextlib.suppress(OSError, AttributeError):
                stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
