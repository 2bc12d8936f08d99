"""Ask a model one question: look it up in the cache, repeat it while the answer cannot be read, and count the cost.

When several threads ask the same question at the same time, only the first sends it and the others wait for its answer.
The very first request runs alone, so that a wrong key, a dead server, or a server that accepts no schemas causes one
failure and not eight.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from affordances.elicitation.cache import AnswerCache, Kept, key_of
from affordances.elicitation.replies import Listed
from semantics.body.exchange import Exchange, ModelUse, Unusable, complete, outage
from semantics.body.protocols import LanguageModel, Message, ModelReply
from semantics.errors import BudgetSpentError, OutsideError
from semantics.logic.feedback import Feedback

T = TypeVar("T", bool, Listed)
MOST_OUTAGES = 3  # after this many requests in a row without an answer, the model counts as unreachable


class StoppedError(Exception):
    """The inquiry was stopped before this question. The error has no message, because no user sees it."""


@dataclass(frozen=True, slots=True)
class ModelQuestion(Generic[T]):
    """A question: the messages to send, how to read the answer, and what to reply to an answer that cannot be read."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    read: Callable[[str], T | Feedback]
    again: str


class Counts(NamedTuple):
    """The cost of an inquiry."""

    asked: int  # number of requests sent to the model, repetitions included
    cached: int  # number of questions answered from the cache
    tokens: int  # number of tokens that the model charged
    money: float  # what they cost


class ModelAsker:
    """Asks one model, from any number of threads.

    Attributes:
        outage: Why the model counts as unreachable; None while it does not.
        stopped: Set this event to prevent further requests.
    """

    def __init__(self, model: LanguageModel, cache: AnswerCache, *, tries: int, use: ModelUse | None = None) -> None:
        self._use = use or ModelUse()
        self._cached = 0
        self.outage: OutsideError | None = None
        self.stopped = threading.Event()
        self.name = model.name
        self._model = model
        self._cache = cache
        self._tries = tries
        self._lock = threading.Lock()
        self._first = threading.Lock()
        self._met = False
        self._outages = 0
        self._answered = False
        self._last_outage: OutsideError | None = None
        self._under_way: dict[str, Future[Kept | Feedback]] = {}

    @property
    def counts(self) -> Counts:
        """The cost so far."""
        return Counts(self._use.calls, self._cached, self._use.tokens, self._use.money)

    def ask(self, request: ModelQuestion[T]) -> tuple[T | Feedback, datetime | None]:
        """Return the answer as read and its time; return `Feedback` when no answer of the model can be read.

        Raises:
            StoppedError: The inquiry was stopped.
            AnswerCacheError: The answer cannot be stored.
        """
        key = key_of(self.name, request.messages, request.schema)
        with self._lock:
            cached = self._known(key, request)
            mine = cached is None and key not in self._under_way
            future = self._under_way.setdefault(key, Future()) if cached is None else None
            self._cached += not mine
        if future is None:
            assert cached is not None
            return request.read(cached.text), cached.at
        if mine:
            self._ask_for_all(future, key, request)
        answer = future.result()
        return (answer, None) if isinstance(answer, Feedback) else (request.read(answer.text), answer.at)

    def settle(self) -> None:
        """At the end, count a model that never answered as unreachable, even with fewer than `MOST_OUTAGES` outages."""
        with self._lock:
            if self.outage is None and not self._answered:
                self.outage = self._last_outage

    def _known(self, key: str, request: ModelQuestion[T]) -> Kept | None:
        """Return the cached answer, unless the question's reader does not accept it any more."""
        answer = self._cache.get(key)
        return None if answer is None or isinstance(request.read(answer.text), Feedback) else answer

    def _ask_for_all(self, future: Future[Kept | Feedback], key: str, request: ModelQuestion[T]) -> None:
        """Ask on behalf of all threads that wait on `future`; they all receive the answer or the exception."""
        try:
            future.set_result(self._asked(key, request))
        except BaseException as error:  # without this, the waiting threads would never wake up
            future.set_exception(error)
        finally:
            with self._lock:
                del self._under_way[key]

    def _asked(self, key: str, request: ModelQuestion[T]) -> Kept | Feedback:
        def read(text: str) -> str | Unusable:
            answer = request.read(text)
            return Unusable((answer,)) if isinstance(answer, Feedback) else text

        messages, is_stopped = list(request.messages), self.stopped.is_set
        exchange = Exchange(self._model, messages, request.schema, self._use, is_stopped, self._send_first_alone)
        try:
            text = exchange.ask(read, lambda _: request.again, self._tries)
        except OutsideError as error:
            return outage(f"model {self.name}", error)
        if text is not None:
            return self._cache.keep(key, self.name, text)
        last = exchange.unusable[-1].feedback[0]
        return replace(last, how=f"It was asked {self._tries} times and counts as unknown.")

    def _send_first_alone(self, exchange: Exchange) -> ModelReply:
        """Send one request; the very first one of all runs alone."""
        with self._first:
            if not self._met:
                try:
                    return self._send(exchange)
                finally:
                    self._met = True
        return self._send(exchange)

    def _send(self, exchange: Exchange) -> ModelReply:
        if self.stopped.is_set():
            raise StoppedError
        try:
            reply = complete(exchange)
        except OutsideError as error:
            if self.stopped.is_set():
                raise StoppedError from error
            with self._lock:
                self._outages += 1
                self._last_outage = error
                is_over = self._outages >= MOST_OUTAGES or isinstance(error, BudgetSpentError)
                if is_over and self.outage is None:
                    self.outage = error
                    self.stopped.set()
            raise
        with self._lock:
            self._outages = 0
            self._answered = True
        return reply
