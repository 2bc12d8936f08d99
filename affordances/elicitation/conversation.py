"""One question to a model: looked up first, asked again when the answer cannot be read, and counted.

Nothing is asked twice at the same time either: who comes second waits for the first one's answer. The very first
request goes alone, so that a wrong key, a dead server or one that takes no schemas is met once and not eight times.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from affordances.elicitation.cache import AnswerCache, Kept, key_of
from affordances.elicitation.replies import Listed
from semantics.errors import OutsideError
from semantics.feedback import Code, Feedback
from semantics.protocols import LanguageModel, Message

__all__ = ["Conversation", "Counts", "ModelQuestion", "StoppedError"]

T = TypeVar("T", bool, Listed)
NEVER_ASKED = Feedback(Code.UNREADABLE, "no reply", "nothing was asked")
MOST_OUTAGES = 3
"""Requests in a row without any answer after which the model counts as gone."""


class StoppedError(Exception):
    """The inquiry was stopped before this question; it says nothing and is never shown."""


@dataclass(frozen=True, slots=True)
class ModelQuestion(Generic[T]):
    """A question: what is sent, how the answer is read, and what is said when it cannot be."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    read: Callable[[str], T | Feedback]
    again: str


@dataclass(slots=True)
class Counts:
    """What an inquiry cost.

    Attributes:
        asked: Requests sent to the model, repeated ones included.
        cached: Questions answered from the cache.
        tokens: Tokens the model charged.
    """

    asked: int = 0
    cached: int = 0
    tokens: int = 0


class Conversation:
    """Asks one model, from any number of threads.

    Attributes:
        counts: What it cost so far.
        outage: Why the model counts as gone; None while it does not.
        stopped: Set it to let no further request out.
    """

    def __init__(self, model: LanguageModel, cache: AnswerCache, *, tries: int) -> None:
        self.counts = Counts()
        self.outage: OutsideError | None = None
        self.stopped = threading.Event()
        self._model = model
        self._cache = cache
        self._tries = tries
        self._lock = threading.Lock()
        self._first = threading.Lock()
        self._met = False
        self._outages = 0
        self._answered = False
        self._lost_last: OutsideError | None = None
        self._under_way: dict[str, Future[Kept | Feedback]] = {}

    def ask(self, request: ModelQuestion[T]) -> tuple[T | Feedback, datetime | None]:
        """Return the answer as read, and when it was given; Feedback when the model gave none that can be read.

        Raises:
            StoppedError: The inquiry was stopped.
            AnswerCacheError: The answer cannot be kept.
        """
        key = key_of(self._model.name, request.messages, request.schema)
        with self._lock:
            known = self._known(key, request)
            mine = known is None and key not in self._under_way
            future = self._under_way.setdefault(key, Future()) if known is None else None
            self.counts.cached += not mine
        if future is None:
            assert known is not None
            return request.read(known.text), known.at
        if mine:
            self._fulfil(future, key, request)
        kept = future.result()
        return (kept, None) if isinstance(kept, Feedback) else (request.read(kept.text), kept.at)

    def settle(self) -> None:
        """Count a model that was asked, however seldom, and never answered as gone."""
        with self._lock:
            if self.outage is None and not self._answered:
                self.outage = self._lost_last

    def _known(self, key: str, request: ModelQuestion[T]) -> Kept | None:
        """Return the answer kept under a key, unless it cannot be read any more."""
        kept = self._cache.get(key)
        return None if kept is None or isinstance(request.read(kept.text), Feedback) else kept

    def _fulfil(self, future: Future[Kept | Feedback], key: str, request: ModelQuestion[T]) -> None:
        """Ask for everybody who waits on `future`; whatever goes wrong goes to all of them."""
        try:
            future.set_result(self._asked(key, request))
        except BaseException as error:  # the others must not wait for ever
            future.set_exception(error)
        finally:
            with self._lock:
                del self._under_way[key]

    def _asked(self, key: str, request: ModelQuestion[T]) -> Kept | Feedback:
        messages, last = request.messages, NEVER_ASKED
        for _ in range(self._tries):
            text = self._sent(messages, request.schema)
            if isinstance(text, Feedback):
                return text
            read = request.read(text)
            if not isinstance(read, Feedback):
                return self._cache.keep(key, self._model.name, text)
            last = read
            messages = (*request.messages, Message("assistant", text), Message("user", request.again))
        return replace(last, how=f"It was asked {self._tries} times and counts as unknown.")

    def _sent(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str | Feedback:
        """Send one request; a model that did not answer is Feedback."""
        with self._first:
            if not self._met:
                try:
                    return self._send(messages, schema)
                finally:
                    self._met = True
        return self._send(messages, schema)

    def _send(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> str | Feedback:
        if self.stopped.is_set():
            raise StoppedError
        with self._lock:
            self.counts.asked += 1
        try:
            reply = self._model.complete(messages, schema=schema)
        except OutsideError as error:
            return self._lost(error)
        with self._lock:
            self.counts.tokens += reply.tokens
            self._outages = 0
            self._answered = True
        return reply.text

    def _lost(self, error: OutsideError) -> Feedback:
        with self._lock:
            self._outages += 1
            self._lost_last = error
            if self._outages >= MOST_OUTAGES and self.outage is None:
                self.outage = error
                self.stopped.set()
        return Feedback(Code.UNAVAILABLE, f"model {self._model.name}", str(error))
