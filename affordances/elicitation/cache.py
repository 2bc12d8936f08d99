"""Answers of language models on disk, so that no question is sent twice, and a killed run continues where it stopped.

Each readable answer is one JSON line, which a single write appends and nothing changes later. The key is the SHA-256 of
the model's name, the messages and the schema, so that a changed prompt is a new question. The reader skips lines that
are incomplete because the process was killed, and lines of other programs. Of two lines with the same key, the later
one counts.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import threading
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from semantics.body.protocols import Message
from semantics.errors import OutsideError
from semantics.process.reading import read_bounded
from semantics.process.writing import append_whole


class AnswerCacheError(OutsideError):
    """The folder of stored answers cannot be read or written.

    Attributes:
        path: The file in the folder.
        reason: What is wrong with it.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"answers {path}: {reason}; name another folder with --cache DIR")


MOST_BYTES = 200_000_000
FILE_NAME = "answers.jsonl"


class Kept(NamedTuple):
    """An answer: its text, and when it was given, in UTC."""

    text: str
    at: datetime


def key_of(model: str, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
    """Return the SHA-256 of a request, as 64 hexadecimal digits."""
    sent = [[message.role, message.content] for message in messages]
    document = json.dumps([model, sent, schema], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(document.encode()).hexdigest()


class AnswerCache:
    """Answers by key. Several threads and several processes may use the same folder at the same time."""

    def __init__(self, folder: Path | None) -> None:
        """Read the file.

        Args:
            folder: The folder of the file, created when it is missing; with None, answers live as long as this object.

        Raises:
            AnswerCacheError: The folder or its file cannot be read or created.
        """
        self.file = None if folder is None else folder / FILE_NAME
        self._lock = threading.Lock()
        self._kept: dict[str, Kept] = {}
        if self.file is not None:
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                lines = read_bounded(self.file, MOST_BYTES).splitlines() if os.path.lexists(self.file) else []
            except OSError as error:
                raise AnswerCacheError(self.file, str(error)) from error
            self._kept.update(entry for line in lines if (entry := _entry(line)) is not None)

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str) -> Kept | None:
        """Return the answer to the request with a key, or None."""
        return self._kept.get(key)

    def keep(self, key: str, model: str, text: str) -> Kept:
        """Store an answer; it is on disk before this method returns.

        Raises:
            AnswerCacheError: It cannot be written.
        """
        answer = Kept(text, datetime.now(UTC).replace(microsecond=0))
        line = json.dumps({"key": key, "model": model, "at": answer.at.isoformat(), "text": text}) + "\n"
        with self._lock:
            self._kept[key] = answer
            if self.file is not None:
                _append(self.file, line.encode())
        return answer


def _append(file: Path, line: bytes) -> None:
    """Append a line, whole or not; first end the last line if a killed process left it incomplete."""
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            size = os.fstat(descriptor).st_size
            unfinished = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
            append_whole(descriptor, b"\n" + line if unfinished else line, size)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise AnswerCacheError(file, str(error)) from error


def _entry(line: bytes) -> tuple[str, Kept] | None:
    try:
        record = json.loads(line)
        key, text, at = record["key"], record["text"], datetime.fromisoformat(record["at"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return (key, Kept(text, at)) if isinstance(key, str) and isinstance(text, str) else None
