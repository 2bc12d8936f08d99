"""`read_completion`: the body of a server's response, a whole chat completion or a stream of its chunks, as a reply."""

from __future__ import annotations

import json
import re
from typing import Any

from semantics.body.protocols import ModelReply

MOST_TOKENS = 1_000_000_000  # the largest number of tokens of one answer that a server is believed
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
    document = _joined(body) if is_stream(body) else json.loads(body)
    choice, usage = document["choices"][0], document.get("usage")
    message, is_cut = choice["message"], choice.get("finish_reason") in CUT_OFF
    text = message.get("content")
    if not text and message.get("refusal"):
        text = json.dumps({"refusal": str(message["refusal"])})
    if not isinstance(text, str):
        raise TypeError("a message without text")
    written = _tokens(usage, "completion_tokens")
    return ModelReply(text, _tokens(usage, "total_tokens"), is_cut=is_cut, tokens_out=written)


def _joined(body: str) -> dict[str, Any]:
    """Join the chunks of a stream to a whole completion."""
    message = {"content": "", "refusal": ""}
    reason = usage = None
    for line in re.split(r"\r\n|\n|\r", body):
        name, _, data = line.partition(":")
        if name != "data":
            continue
        if data.strip() == "[DONE]":
            reason = reason or "stop"
            break
        chunk = json.loads(data)
        usage = chunk.get("usage") or usage  # in the last chunk, which has no choice
        for choice in chunk["choices"][:1]:
            delta = choice.get("delta") or {}
            message = {part: text + (delta.get(part) or "") for part, text in message.items()}
            reason = choice.get("finish_reason") or reason
    if reason is None:
        raise BrokenOffError("its answer broke off")
    return {"choices": [{"message": message, "finish_reason": reason}], "usage": usage}


def _tokens(usage: object, name: str) -> int:
    """Return a number of tokens that a server charged; 0 if it does not say a number."""
    number = usage.get(name) if isinstance(usage, dict) else None
    return number if type(number) is int and 0 <= number <= MOST_TOKENS else 0
