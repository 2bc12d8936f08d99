"""The body of a server's response, read up to a limit; only this file imports httpx2, the HTTP library of openai.

A stream of an answer's parts is read to its end: nobody is served by half an answer, and the request can be called off.

A compressed body can be a thousand times as large as what was sent, so none is asked for and none is read.
"""

from __future__ import annotations

from collections.abc import Iterator

import httpx2

from graftwork.language.completions import BrokenOffError

MOST_BYTES = 4_000_000
"""The most bytes of a body that are read; an answer of 20,000 characters needs a fraction of them."""
PLAIN = {"Accept-Encoding": "identity"}  # the header that asks for bodies without compression


class BodyRefusedError(Exception):
    """A body that is not read: it is compressed, or larger than `MOST_BYTES`."""


class _Counted(httpx2.SyncByteStream):
    """The chunks of a body, up to `MOST_BYTES`."""

    def __init__(self, chunks: httpx2.SyncByteStream) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        read = 0
        for chunk in self._chunks:
            read += len(chunk)
            if read > MOST_BYTES:
                raise BodyRefusedError(f"its answer has more than {MOST_BYTES} bytes")
            yield chunk

    def close(self) -> None:
        """Close the connection."""
        self._chunks.close()


def bound_body(response: httpx2.Response) -> None:
    """Let the body of a response raise `BodyRefusedError` while it is read, once it is too large; a response hook.

    Raises:
        BodyRefusedError: The body is compressed.
    """
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        raise BodyRefusedError("its answer is compressed, which was not asked for")
    # JSON is UTF-8. A server may name any codec of Python, and some take quadratic time or decompress.
    response.encoding = "utf-8"
    assert isinstance(response.stream, httpx2.SyncByteStream)
    response.stream = _Counted(response.stream)


def read_text(response: httpx2.Response) -> str:
    """Return the body of a response, also of a stream, when all of it has come.

    Raises:
        BodyRefusedError: It is too large.
        BrokenOffError: The connection ended before it.
    """
    try:
        response.read()
    except httpx2.TransportError as error:
        raise BrokenOffError("its answer broke off") from error
    finally:
        response.close()
    return response.text
