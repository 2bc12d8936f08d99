"""`OpenAIModel`: a client for any server with the OpenAI chat-completions protocol; only this file imports openai.

One answer has one deadline, which includes retries and pauses. Each request runs in its own thread. When the deadline
passes, or the caller calls it off, the request is abandoned and its connection closed: the package's timeout counts
from the last received byte, so a server that sends one byte at a time could block a caller forever. The package's own
retries are off. The body of a response is bounded (`graftwork.language.bounded_body`), and this module parses it
itself, so that every response becomes either a reply or a `ModelError`. The API key is removed from every text, but
one shorter than `SHORTEST_SECRET` from errors only: a reply may hold the same letters by chance.
"""

from __future__ import annotations

import logging
import os
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from bt.background import in_background, waited
from graftwork.errors import MissingKeyError
from graftwork.language.completions import BrokenOffError, is_stream, read_completion
from graftwork.language.connection import Connection
from semantics.body.protocols import AbandonableModel, Message, ModelReply
from semantics.errors import ModelNonsenseError, ModelUnreachableError, UsageError
from semantics.plain_text import plain

logger = logging.getLogger("graftwork")

KEY_VARIABLE = "OPENAI_API_KEY"
ADDRESS_VARIABLE = "OPENAI_BASE_URL"
DEFAULT_ADDRESS = "https://api.openai.com/v1"
LONGEST_EXCERPT = 200
SHORTEST_SECRET = 8
LONGEST_REPLY = 4000  # how many tokens an answer may have: a small model without this bound may repeat itself for ever

WORTH_ANOTHER_TRY = frozenset({408, 409, 425, 429, *range(500, 600)})
OPTION_REFUSED = frozenset({400, 422})
OPTIONS: Mapping[str, Any] = {
    "temperature": 0,
    "max_tokens": LONGEST_REPLY,
    "stream_options": {"include_usage": True},
    "stream": True,
    "response_format": "json_schema",
}
"""The options of a request to a server that takes all of them."""

_BY_STATUS = {
    401: ("the key was refused (401)", f"check {KEY_VARIABLE}"),
    403: ("the key does not allow this (403)", f"check {KEY_VARIABLE} and the rights of its project"),
    404: ("no such model or address (404)", f"check the model's name and {ADDRESS_VARIABLE}"),
    429: ("too many requests, or no credit left (429)", "wait a while, or check the account"),
}
_OFFLINE = "or use --model offline"
_CHECK_ADDRESS = f"check {ADDRESS_VARIABLE}, {_OFFLINE}"


class _Unusable(Exception):  # noqa: N818 - not an error of its own: it carries one attempt's result to the retry loop
    """One request without a usable answer, and whether to retry.

    `detail` is what a server says that refuses it, and `pause` how many seconds it wants to be left alone.
    """

    detail = ""
    pause = 0.0

    def __init__(self, error: ModelUnreachableError | ModelNonsenseError, *, retry: bool, status: int = 0) -> None:
        self.error = error
        self.retry = retry
        self.status = status
        super().__init__(str(error))


class OpenAIModel(AbandonableModel):
    """A language model behind a chat-completions server. Any thread may ask it, and so may a fork of the program.

    Attributes:
        name: The server's name of the model.
        server: The server's address, without user or query; safe to print.
        notes: What the server does not take, one sentence each.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 30.0,
        retries: int = 2,
        pause: float = 0.5,
    ) -> None:
        """Check the arguments; send nothing yet.

        Args:
            name: The server's name of the model.
            base_url: Address of the server up to ``/v1``; by default ``OPENAI_BASE_URL``, else OpenAI's address.
            api_key: API key; by default ``OPENAI_API_KEY``.
            timeout: Time limit of one answer in seconds, including retries and pauses.
            retries: Maximum number of retries after a request without a usable answer.
            pause: Seconds before the first retry; each further pause is twice as long.

        Raises:
            MissingKeyError: There is no API key.
            UsageError: The address, the key, or a number cannot be used.
        """
        self.name = name
        self._key = _checked_key(name, api_key if api_key is not None else os.environ.get(KEY_VARIABLE, ""))
        self._address = base_url or os.environ.get(ADDRESS_VARIABLE) or DEFAULT_ADDRESS
        self.server = _shown(self._address)
        if not name or timeout <= 0 or retries < 0:
            raise UsageError(
                f"model '{name}': needs a name, a timeout over 0 ({timeout}) and retries ({retries}) from 0"
            )
        self._timeout = timeout
        self._retries = retries
        self._pause = pause
        self._options = dict(OPTIONS)
        self._client: Any = None
        self._process = 0
        self._own = threading.local()
        self.notes: list[str] = []

    def complete_unless(
        self, called_off: Callable[[], object], messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None
    ) -> ModelReply:
        """Return the model's answer, unless it is called off; JSON that fits `schema` if the server supports schemas.

        Raises:
            ModelUnreachableError: There is no answer in time, the server returns an error, openai is not installed, or
                the answer was called off.
            ModelNonsenseError: The answers are no chat completions.
        """
        deadline = time.monotonic() + self._timeout
        failures = 0
        while True:
            options = self._sent(schema)
            try:
                return self._ask(messages, options, deadline, called_off)
            except _Unusable as unusable:
                if unusable.status in OPTION_REFUSED and self._does_without(options, unusable.detail):
                    continue
                pause = max(self._pause * 2**failures, unusable.pause)
                failures += 1
                is_late = time.monotonic() + pause >= deadline
                if not unusable.retry or called_off() or failures > self._retries or is_late:
                    raise unusable.error from unusable.__cause__
                waited(Future(), pause, called_off)  # nothing comes of it; it ends when the request is called off

    def _sent(self, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the options of a request that the server is not known to refuse."""
        options = dict(self._options)
        kind = options.pop("response_format", "")
        if "stream" not in options:
            options.pop("stream_options", None)
        if schema is None or not kind:
            return options
        wanted = {"name": "answer", "schema": dict(schema), "strict": True}
        return options | {"response_format": {"type": kind} | ({kind: wanted} if kind == "json_schema" else {})}

    def _does_without(self, sent: Mapping[str, Any], refusal: str) -> bool:
        """Leave out from now on the option that a server refuses, and note it once; return whether there is one.

        It is the one that the refusal names, else the schema, for which plain JSON is asked first. Another thread may
        have found it out meanwhile.
        """
        named = (name for name in sent if name != "response_format" and re.search(rf"\b{name}\b", refusal))
        name = next(named, "response_format" if "response_format" in sent else "")
        kind = sent[name]["type"] if name == "response_format" else name
        if name == "max_tokens" and "max_completion_tokens" in refusal:
            if self._options.pop(name, None) is not None:
                self._options["max_completion_tokens"] = LONGEST_REPLY  # as later models of OpenAI call it
        elif kind == "json_schema" and self._options.get(name) == kind:
            self._options[name] = "json_object"
            self._note(kind, refusal, "for any JSON")
        elif name and self._options.get(name) in (kind, OPTIONS.get(name, LONGEST_REPLY)):
            self._options.pop(name, None)
            self._note(kind, refusal)
        return bool(name)

    def _note(self, option: str, refusal: str = "", instead: str = "without") -> None:
        """Note an option that is sent no longer, with what the server has said about it."""
        said = f" ({self._excerpt(refusal)})" if refusal else ""
        self.notes.append(f"The language model at {self.server} takes no {option}{said}; it is asked {instead}.")
        logger.warning(self.notes[-1])

    def _connect(self) -> None:
        if self._client is not None and self._process == os.getpid():
            return  # in a fork, a thread that was not copied may hold a lock of the client
        try:
            import openai

            from graftwork.language.bounded_body import PLAIN, bound_body
        except ImportError as error:
            how = f"install the extra: pip install 'graftwork[llm]', {_OFFLINE}"
            raise ModelUnreachableError(self.server, "the openai package is missing", how) from error

        def opened(request: Any) -> None:  # noqa: ANN401 - of the HTTP library that openai uses
            request.extensions["trace"] = self._own.connection.traced

        # Another host that it names would get what was said, and its answer would move the robot.
        client = openai.DefaultHttpxClient(
            follow_redirects=False, event_hooks={"request": [opened], "response": [bound_body]}
        )
        # A connection is used once, so that the one of a request that is called off is known.
        headers = {"Connection": "close", **PLAIN}
        self._client = openai.OpenAI(
            base_url=self._address, api_key=self._key, max_retries=0, http_client=client, default_headers=headers
        )
        self._process = os.getpid()

    def _ask(
        self,
        messages: Sequence[Message],
        options: Mapping[str, Any],
        deadline: float,
        called_off: Callable[[], object],
    ) -> ModelReply:
        """Send one request and read the answer."""
        if called_off():
            raise self._called_off()
        connection = Connection()
        remaining = max(deadline - time.monotonic(), 0.001)
        try:
            asking = in_background(
                lambda: self._send(messages, options, remaining, connection), "language-model-request"
            )
            body = _result(asking, connection, remaining, called_off)
        except Exception as error:
            if called_off():
                raise self._called_off() from None
            raise self._translated(error) from (None if self._key in f"{error!r} {error}" else error)
        try:
            reply = read_completion(body)
        except BrokenOffError as error:
            raise self._translated(error) from error
        except Exception as error:  # whatever the body holds, it is an answer that cannot be read
            excerpt = self._excerpt(body)
            problem = ModelNonsenseError(self.server, f"its answer is no chat completion: {excerpt!r}", _CHECK_ADDRESS)
            raise _Unusable(problem, retry=True) from error
        if "stream" in options and not is_stream(body) and self._options.pop("stream", False):
            self._note("stream")
        return replace(reply, text=self._starred(reply.text)) if len(self._key) >= SHORTEST_SECRET else reply

    def _send(
        self, messages: Sequence[Message], options: Mapping[str, Any], seconds: float, connection: Connection
    ) -> str:
        self._connect()  # the package takes a second to load, which the caller does not wait for
        from graftwork.language.bounded_body import read_text

        self._own.connection = connection
        raw = self._client.chat.completions.with_raw_response.create(
            model=self.name,
            messages=[{"role": message.role, "content": message.content} for message in messages],
            timeout=seconds,
            **options,
        )
        return read_text(raw.http_response)

    def _translated(self, error: Exception) -> _Unusable:
        """Translate an exception of the openai package, or of the bounded body."""
        if isinstance(error, ModelUnreachableError):  # the package is missing
            return _Unusable(error, retry=False)
        import openai

        from graftwork.language.bounded_body import BodyRefusedError

        match error:
            case BodyRefusedError():
                return _Unusable(ModelNonsenseError(self.server, str(error), _CHECK_ADDRESS), retry=False)
            case BrokenOffError():
                return self._unusable(str(error), "check that it runs", retry=True)
            case TimeoutError() | openai.APITimeoutError():
                what, how = f"no answer within {self._timeout:g} s", "check that it runs, allow more (--model-seconds)"
                return self._unusable(what, how, retry=True)
            case openai.APIStatusError(status_code=status):
                what, how = _BY_STATUS.get(status) or self._of_status(status, error.message)
                unusable = self._unusable(what, how, retry=status in WORTH_ANOTHER_TRY, status=status)
                unusable.detail = str(error.message) if status in OPTION_REFUSED else ""
                wished = error.response.headers.get("retry-after", "")
                unusable.pause = float(wished) if wished.isdecimal() else 0.0
                return unusable
            case openai.APIConnectionError():
                return self._unusable("no connection", f"check that it runs, and {ADDRESS_VARIABLE}", retry=True)
            case _:
                what = f"the request could not be made ({type(error).__name__})"
                return self._unusable(what, f"check {ADDRESS_VARIABLE}", retry=False)

    def _of_status(self, status: int, message: str) -> tuple[str, str]:
        if status < 400:
            return f"it sends requests elsewhere ({status}), which is not followed", f"check {ADDRESS_VARIABLE}"
        if status >= 500:
            return f"an error of its own ({status})", "try again later"
        return f"it refused the request ({status}): {self._excerpt(message)}", "check the model's name"

    def _called_off(self) -> _Unusable:
        return self._unusable("the request was called off", "ask again", retry=False)

    def _unusable(self, what: str, how: str, *, retry: bool, status: int = 0) -> _Unusable:
        return _Unusable(ModelUnreachableError(self.server, what, f"{how}, {_OFFLINE}"), retry=retry, status=status)

    def _starred(self, text: str) -> str:
        """Return a server's text without the key, in whatever case and JSON escapes: what a reply says is kept."""
        spelled = "".join(rf"\\*(?:u{ord(letter):04x}|{re.escape(letter)})" for letter in self._key)
        return re.sub(rf"(?<!\\){spelled}", "***", text, flags=re.IGNORECASE)

    def _excerpt(self, text: str) -> str:
        """Return the beginning of a server's text on one line, printable and without the key."""
        beginning = self._starred(text)[:LONGEST_EXCERPT]
        return " ".join(plain(beginning).split())


def _result(asking: Future[str], connection: Connection, seconds: float, called_off: Callable[[], object]) -> str:
    """Return the body of a response; close the connection and raise TimeoutError when it is late or called off."""
    if waited(asking, seconds, called_off):
        return asking.result()
    connection.close()
    raise TimeoutError


def _checked_key(model: str, key: str) -> str:
    key = key.strip()
    if not key:
        raise MissingKeyError(f"openai:{model}", KEY_VARIABLE)
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError(
            f"{KEY_VARIABLE} holds characters that no key has (a space, a line end, a letter beyond ASCII)"
        )
    return key


def _shown(address: str) -> str:
    """Return an address without user and query, safe to print.

    Raises:
        UsageError: It is not the address of a web server.
    """
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        parts, port = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{ADDRESS_VARIABLE} is not an address such as http://127.0.0.1:8000/v1")
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"
