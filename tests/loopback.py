"""A stand-in for a language-model server: it speaks the OpenAI chat-completions protocol on 127.0.0.1.

Its answers are scripted, one per request, the last one for ever; it keeps every request, and each `Fault` makes it
misbehave on the wire. It is no model: what a test proves with it is how the program asks and how it takes an answer.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Fault(StrEnum):
    SLOW = "slow"  # says nothing until it is closed
    DRIPPING = "dripping"  # one byte at a time, never done
    ERROR = "500"
    BUSY = "429"
    KEY_REFUSED = "401"  # and it prints the key it was given
    NO_SUCH_MODEL = "404"
    UNWILLING = "422"
    NO_SCHEMA = "400"  # takes no response_format, otherwise answers
    NONSENSE = "nonsense"  # JSON, but no completion
    NOT_JSON = "not json"
    EMPTY_CHOICES = "empty choices"
    CUT = "cut"  # closes the connection half-way


class Raw(NamedTuple):
    """The body of a response, chunk by chunk, as it is sent; it ends with the connection."""

    chunks: Iterable[bytes]
    headers: Mapping[str, str] = {}
    status: int = 200


Answer = str | Fault | Raw | Callable[[list[dict[str, str]]], str]


class LoopbackServer:
    """Use it as a context manager; `base_url` is what ``OPENAI_BASE_URL`` should hold."""

    def __init__(self, *answers: Answer) -> None:
        self.answers: Sequence[Answer] = answers
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.headers: list[Mapping[str, str]] = []
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"stand_in": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def count(self) -> int:
        """How many requests have arrived."""
        return len(self.requests)

    def __enter__(self) -> LoopbackServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, request: dict[str, Any], key: str) -> Answer:
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
            self.keys.append(key)
        return self.answers[min(number, len(self.answers) - 1)]

    def wait_for_close(self, seconds: float = 60.0) -> bool:
        return self._closing.wait(seconds)


def dead_address() -> str:
    """Return an address on which nobody listens."""
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        return f"http://127.0.0.1:{server.server_port}/v1"


def completion(text: str, tokens: int = 10) -> dict[str, Any]:
    """A chat completion as the protocol has it."""
    return {
        "id": "stand-in",
        "object": "chat.completion",
        "created": 0,
        "model": "stand-in",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": tokens - 1, "completion_tokens": 1, "total_tokens": tokens},
    }


class _Handler(BaseHTTPRequestHandler):
    stand_in: LoopbackServer

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        request = json.loads(self.rfile.read(length))
        key = self.headers.get("Authorization", "").removeprefix("Bearer ")
        self.stand_in.headers.append(self.headers)
        answer = self.stand_in.take(request, key)
        if self.path != "/v1/chat/completions":
            self._send(404, {"error": {"message": "no such path"}})
        elif isinstance(answer, Fault):
            self._misbehave(answer, request, key)
        elif isinstance(answer, Raw):
            self._send_raw(answer)
        else:
            text = answer if isinstance(answer, str) else answer(request["messages"])
            self._send(200, completion(text))

    def _misbehave(self, fault: Fault, request: dict[str, Any], key: str) -> None:
        match fault:
            case Fault.SLOW:
                self.stand_in.wait_for_close()
                self.close_connection = True
            case Fault.DRIPPING:
                self._drip()
            case Fault.CUT:
                self._head(200, 1000)
                self.wfile.write(b'{"choices": [')
                self.close_connection = True
            case Fault.NO_SCHEMA if "response_format" not in request:
                self._send(200, completion('{"goal": "(opened fridge0)"}'))
            case Fault.NOT_JSON:
                self._send(200, b"<html>It works!</html>")
            case Fault.NONSENSE:
                self._send(200, {"weather": "fine", "choices": "many"})
            case Fault.EMPTY_CHOICES:
                self._send(200, {**completion(""), "choices": []})
            case _:
                self._send(int(fault), {"error": {"message": f"trouble with {key}", "code": None}})

    def _drip(self) -> None:
        self._head(200, 1_000_000)
        try:
            while not self.stand_in.wait_for_close(0.02):
                self.wfile.write(b" ")
                self.wfile.flush()
        except OSError:
            pass  # the client has given up, as it should
        self.close_connection = True

    def _send_raw(self, answer: Raw) -> None:
        self.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        with contextlib.suppress(OSError):  # the client has given up, as it should
            for chunk in answer.chunks:
                self.wfile.write(chunk)

    def _head(self, status: int, length: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _send(self, status: int, body: dict[str, Any] | bytes) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self._head(status, len(data))
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Stay silent: a test prints nothing."""
