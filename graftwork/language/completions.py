"""`read_completion`: the body of a server's response, a whole chat completion or a stream of its chunks, as a reply."""

from __future__ import annotations

import json
import re
from typing import Any

from semantics.body.protocols import ModelReply

__all__ = ["BrokenOffError", "is_stream", "read_completion"]

MOST_TOKENS = 1_000_000_000
"""The largest number of tokens of one answer that a server is believed."""
CUT_OFF = frozenset({"length", "content_filter"})
EVENT = re.compile(r"\s*(?:data|event|id|retry)?:")
"""How a stream of server-sent events begins; a line without a name is a comment. No JSON begins like that."""


class BrokenOffError(Exception):
    """An answer whose end did not come."""


def is_stream(body: str) -> bool:
    """Return whether a body is a stream of events."""
    return EVENT.match(body) is not None


def read_completion(body: str) -> ModelReply:
    """Read a chat completion; a refusal in the server's own field becomes a refusal of our schema.

    Raises:
        BrokenOffError: The stream ends before the answer does.
        Exception: The body is no chat completion.
    """
    message, reason, usage = _joined(body) if is_stream(body) else _whole(json.loads(body))
    text = message.get("content")
    if not text and message.get("refusal"):
        text = json.dumps({"refusal": str(message["refusal"])})
    if not isinstance(text, str):
        raise TypeError("a message without text")
    total, written = _tokens(usage, "total_tokens"), _tokens(usage, "completion_tokens")
    return ModelReply(text, total, is_cut=reason in CUT_OFF, tokens_out=min(written, total))


def _whole(document: Any) -> tuple[dict[str, Any], object, object]:  # noqa: ANN401 - JSON
    """Return the message of a completion, why it ended, and its tokens."""
    choice = document["choices"][0]
    return choice["message"], choice.get("finish_reason"), document.get("usage")


def _joined(body: str) -> tuple[dict[str, Any], object, object]:
    """Return the same of the chunks of a stream."""
    message: dict[str, Any] = {"content": "", "refusal": ""}
    reason = usage = None
    for line in re.split(r"\r\n|\n|\r", body):
        name, _, data = line.partition(":")
        if name != "data":
            continue
        if data.strip() == "[DONE]":
            return message, reason, usage
        chunk = json.loads(data)
        usage = chunk.get("usage") or usage  # in the last chunk, which has no choice
        for choice in chunk["choices"][:1]:
            delta = choice.get("delta") or {}
            for part in message:
                message[part] += delta.get(part) or ""
            reason = choice.get("finish_reason") or reason
    if reason is None:
        raise BrokenOffError("its answer broke off")
    return message, reason, usage


def _tokens(usage: object, name: str) -> int:
    """Return a number of tokens that a server charged; 0 if it does not say a number."""
    number = usage.get(name) if isinstance(usage, dict) else None
    return number if type(number) is int and 0 <= number <= MOST_TOKENS else 0
