"""`ReplayedModel`: replays the recorded answers of a language model, without the model.

The file has JSON lines: one request with its answer in each, in the order of the requests. A request is found by the
SHA-256 of its canonical form (messages and schema, keys sorted, no blanks), so that a changed prompt is noticed and
never gets a wrong answer. The file stores no addresses and no keys; it stores all messages word for word.

Each line is written immediately and in one piece, so that a killed process loses at most its last answer. The reader
ignores an incomplete last line, and the next recording removes it. Any other unreadable line is an error. Only one
process may record at a time; any number may read.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from graftwork.errors import RecordingError, UnrecordedRequestError
from semantics.body.exchange import answer_of
from semantics.body.protocols import AbandonableModel, LanguageModel, Message, ModelReply, NotingModel
from semantics.plain_text import shortened
from semantics.process.reading import read_bounded

KEYS = {"key", "request", "reply"}
MOST_BYTES = 200_000_000
COMPARED = 4000  # number of characters, from the end, that are compared for the likeness of two requests


class _Entry(NamedTuple):
    request: Mapping[str, Any]
    reply: ModelReply


def request_key(messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> str:
    """Return the SHA-256, in hexadecimal, of the canonical form of a request."""
    return _digest(_request(messages, schema))


class ReplayedModel(AbandonableModel):
    """Replays recorded answers; see `semantics.body.protocols.LanguageModel`. Thread-safe.

    Args:
        path: The recording.
        record: A model that answers new requests; its answers are added to the file.

    Raises:
        RecordingError: The file cannot be read, or is missing and there is no `record`.
    """

    def __init__(self, path: str | Path, *, record: LanguageModel | None = None) -> None:
        self.name = f"replay:{path}" if record is None else record.name
        self._path = Path(path)
        self._record = record
        self._lock = threading.Lock()
        self._entries, self._end = _read(self._path, may_be_missing=record is not None)

    @property
    def notes(self) -> list[str]:
        """What the wrapped model has noted of its server."""
        return self._record.notes if isinstance(self._record, NotingModel) else []

    def __len__(self) -> int:
        return len(self._entries)

    def complete_unless(
        self, called_off: Callable[[], object], messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None
    ) -> ModelReply:
        """Return the recorded answer, or ask the wrapped model, unless it is called off, and record its answer.

        Raises:
            UnrecordedRequestError: The request is not recorded, and there is no wrapped model.
            OutsideError: The wrapped model cannot be reached, or the answer was called off.
        """
        request = _request(messages, schema)
        key = _digest(request)
        if key in self._entries:
            return self._entries[key].reply
        if self._record is None:
            raise self._unrecorded(key, request)
        reply = answer_of(self._record, called_off, messages, schema)
        if reply.is_cut:
            return reply  # a recording keeps whole answers only
        with self._lock:
            self._entries[key] = _Entry(request, ModelReply(reply.text, reply.tokens, tokens_out=reply.tokens_out))
            self._append(key, request, reply)
        return reply

    def _append(self, key: str, request: Mapping[str, Any], reply: ModelReply) -> None:
        said = {"text": reply.text, "tokens": reply.tokens} | ({"out": reply.tokens_out} if reply.tokens_out else {})
        entry = {"key": key, "request": request, "reply": said}
        line = json.dumps(entry, ensure_ascii=True, sort_keys=True).encode("ascii") + b"\n"
        try:
            with self._path.open("ab") as stream:
                stream.truncate(self._end)
                stream.write(line)
                stream.flush()
                os.fsync(stream.fileno())
                self._end = stream.tell()
        except OSError as error:
            raise RecordingError(str(self._path), 0, f"cannot be written: {error}") from error

    def _unrecorded(self, key: str, request: Mapping[str, Any]) -> UnrecordedRequestError:
        close = max(self._entries, key=lambda recorded: _likeness(request, self._entries[recorded].request), default="")
        near = "nothing is recorded"
        if close:
            differs = _difference(request, self._entries[close].request)
            near = f"the nearest of {len(self._entries)} recorded ones is {close[:12]}, {differs}"
        what = f"request {key[:12]} was never recorded: {shortened(_last(request), 120)}; {near}"
        how = "record it once with ReplayedModel(path, record=model)"
        return UnrecordedRequestError(self.name, what, how, key=key, nearest=close)


def _request(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> dict[str, Any]:
    return {"messages": [[message.role, message.content] for message in messages], "schema": schema}


def _digest(request: Mapping[str, Any]) -> str:
    text = json.dumps(request, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _last(request: Mapping[str, Any]) -> str:
    return str(request["messages"][-1][1]) if request["messages"] else ""


def _text(request: Mapping[str, Any]) -> str:
    return "\n".join(str(content) for _, content in request["messages"])[-COMPARED:]


def _likeness(request: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[float, float]:
    """Return the likeness of the last messages, then of all messages."""
    last = SequenceMatcher(None, _last(request)[-COMPARED:], _last(other)[-COMPARED:], autojunk=False).quick_ratio()
    return last, SequenceMatcher(None, _text(request), _text(other), autojunk=False).quick_ratio()


def _difference(asked: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Describe the first difference of two requests."""
    for number, (mine, theirs) in enumerate(zip(asked["messages"], other["messages"], strict=False), 1):
        if list(mine) != list(theirs):
            pairs = enumerate(zip_longest(mine[1], theirs[1]))
            at = next((place for place, (ours, recorded) in pairs if ours != recorded), 0)
            asked_text, recorded_text = (shortened(content[max(at - 20, 0) :], 60) for content in (mine[1], theirs[1]))
            where = f"message {number} ({theirs[0]}) from character {at + 1}"
            return f"which differs in {where}: '{recorded_text}', here '{asked_text}'"
    if len(asked["messages"]) != len(other["messages"]):
        return f"which has {len(other['messages'])} messages, here {len(asked['messages'])}"
    return "which has another schema"


def _read(path: Path, *, may_be_missing: bool) -> tuple[dict[str, _Entry], int]:
    """Return the recorded entries, and the offset behind the last complete line."""
    try:
        data = read_bounded(path, MOST_BYTES)
    except FileNotFoundError as error:
        if may_be_missing and not path.is_symlink():
            return {}, 0
        raise RecordingError(str(path), 0, "there is no such recording") from error
    except OSError as error:
        raise RecordingError(str(path), 0, f"cannot be read: {error}") from error
    end = data.rfind(b"\n") + 1  # the rest is an incomplete line of an interrupted recording
    entries: dict[str, _Entry] = {}
    for number, line in enumerate(data[:end].split(b"\n"), 1):
        try:
            entries.update([_entry(line)] if line.strip() else [])
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise RecordingError(str(path), number, f"no recorded request: {error}") from error
    return entries, end


def _entry(line: bytes) -> tuple[str, _Entry]:
    record = json.loads(line)
    if not isinstance(record, dict) or record.keys() != KEYS:
        raise ValueError(f"expected the keys {', '.join(sorted(KEYS))}")
    request, reply = record["request"], record["reply"]
    if _digest(request) != record["key"]:
        raise ValueError("its key is not that of its request")
    written = int(reply.get("out", 0))
    return record["key"], _Entry(request, ModelReply(str(reply["text"]), int(reply["tokens"]), tokens_out=written))
