"""Broken requests by a seed, and the raw connection that sends them."""

import json
import socket
from pathlib import Path
from random import Random
from typing import Any

VALID = (
    {"do": "hello"},
    {"do": "hello", "with": {"version": 2}},
    {"do": "now"},
    {"do": "observation", "with": 3},
    {"do": "start", "with": {"primitive": "drive", "agent": "robot0", "roles": {"to": "table0"}}},
    {"do": "poll", "with": 0},
    {"do": "cancel", "with": 0},
    {"do": "stop"},
    {"do": "sleep", "with": 0.05},
)
VALUES = (
    "NaN", "-NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e18", "61", "-61", "1" * 5000, "true", "null",
    '""', '"1"', "[]",
    "{}", "[[1]]", '{"a": 1}', '"\\ud800"', "[" * 2000 + "]" * 2000, '{"a":' * 2000 + "1" + "}" * 2000, "0.5", "-1",
    '{"primitive": 1, "agent": "robot0", "roles": {}}', '{"primitive": "drive", "agent": "robot0", "roles": []}',
    '{"primitive": "drive", "agent": "robot0", "roles": {"to": ["table0"]}}', '"' + "a" * 40000 + '"',
    '{"primitive": "drive", "agent": "robot0", "roles": {"to": "' + "a" * 300 + '"}}',
    '{"primitive": "drive", "agent": "robot0", "roles": {"to": "\\u001b[2J"}}', '{"version": 1e999}',
)  # fmt: skip


def broken_frame(random: Random) -> bytes:
    """Return a line without newline and not empty: a valid request with a wrong value, cut, or with changed bytes."""
    request = random.choice(VALID)
    written = json.dumps(request).encode()
    kind = random.randrange(5)
    if kind == 0:
        return f'{{"do": "{request["do"]}", "with": {random.choice(VALUES)}}}'.encode()
    if kind == 1:
        return f'{{"do": {random.choice(VALUES)}, "with": {random.choice(VALUES)}}}'.encode()
    if kind == 2:
        return written[: random.randrange(1, len(written))]
    if kind == 3:
        changed = bytearray(written)
        for _ in range(random.randrange(1, 6)):
            changed[random.randrange(len(changed))] = random.randrange(256)
        return bytes(changed).replace(b"\n", b"?")
    return random.randbytes(random.randrange(1, 400)).replace(b"\n", b"?")


class Raw:
    """A client without a heartbeat that sends bytes as they are."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60.0)
        self.socket.connect(str(path))
        self.stream = self.socket.makefile("rb")

    def ask(self, frame: bytes) -> dict[str, Any]:
        """Send one line and return its reply."""
        self.socket.sendall(frame + b"\n")
        return json.loads(self.stream.readline())

    def close(self) -> None:
        self.stream.close()
        self.socket.close()

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
