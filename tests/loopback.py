"""A stand-in for a language-model server: it speaks the OpenAI chat-completions protocol on 127.0.0.1.

Its answers are scripted, one per request, the last one for ever; it keeps every request, and each `Fault` makes it
misbehave on the wire. It is no model: what a test proves with it is how the program asks and how it takes an answer.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    NO_STREAM = "whole"  # answers whole, though a stream is wished for
    TRICKLING = "trickling"  # begins a stream, and goes on with comments for ever
    DYING = "dying"  # begins a stream, and closes the connection
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


def chunks(text: str, tokens: int = 10, *, reason: str = "stop") -> list[bytes]:
    """The same completion as a stream of events, one for every three characters; the last ones hold end and tokens."""
    whole = completion(text, tokens)
    base = {**{name: whole[name] for name in ("id", "created", "model")}, "object": "chat.completion.chunk"}
    parts = [text[at : at + 3] for at in range(0, len(text), 3)]
    deltas = [{"role": "assistant", "content": ""}, *({"content": part} for part in parts)]
    choices = [[{"index": 0, "delta": delta, "finish_reason": None}] for delta in deltas]
    events = [*({**base, "choices": each} for each in [*choices, [{"index": 0, "delta": {}, "finish_reason": reason}]])]
    events.append({**base, "choices": [], "usage": whole["usage"]})
    return [f"data: {event}\n\n".encode() for event in (*map(json.dumps, events), "[DONE]")]


BODIES = {
    Fault.NO_STREAM: Raw([json.dumps(completion('{"goal": "(opened fridge0)"}')).encode()]),
    Fault.NOT_JSON: Raw([b"<html>It works!</html>"]),
    Fault.NONSENSE: Raw([b'{"weather": "fine", "choices": "many"}']),
    Fault.EMPTY_CHOICES: Raw([json.dumps({**completion(""), "choices": []}).encode()]),
    Fault.DYING: Raw(chunks("too good to be true")[:4], {"Content-Type": "text/event-stream"}),
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
            self._answer(answer if isinstance(answer, str) else answer(request["messages"]), request)

    def _answer(self, text: str, request: dict[str, Any]) -> None:
        """Answer whole, or in parts if that is wished for."""
        if request.get("stream"):
            self._send_raw(Raw(chunks(text), {"Content-Type": "text/event-stream"}))
        else:
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
            case Fault.TRICKLING:
                self._send_raw(Raw(self._comments(), {"Content-Type": "text/event-stream"}))
            case Fault.NO_SCHEMA if "response_format" not in request:
                self._answer('{"goal": "(opened fridge0)"}', request)
            case _ if fault in BODIES:
                self._send_raw(BODIES[fault])
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

    def _comments(self) -> Iterator[bytes]:
        yield from chunks("well")[:2]
        while not self.stand_in.wait_for_close(0.02):
            yield b": still here\n\n"

    def _send_raw(self, answer: Raw) -> None:
        self.send_response(answer.status)
        for name, value in {"Content-Type": "application/json", **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        with contextlib.suppress(OSError):  # the client has given up, as it should
            for chunk in answer.chunks:
                self.wfile.write(chunk)
                self.wfile.flush()

    def _head(self, status: int, length: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _send(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self._head(status, len(data))
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Stay silent: a test prints nothing."""
