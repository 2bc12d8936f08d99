"""Frames on the pipes between a program and its worker processes: a length, and a pickle.

Pickle is fine here. Both ends belong to this one program, and one has started the other from the same files. The pipe
has no name that another program could open, and nothing from outside is ever unpickled.

This is not `multiprocessing.connection`: it adds 7 ms to the import, and its `send` to a process that does not listen,
or its `recv` of half a frame, waits past every deadline until the process is killed.
"""

from __future__ import annotations

import copyreg
import io
import pickle
import struct
import traceback
from collections import ChainMap
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import IO, Any, NamedTuple

from semantics.errors import GraftworkError, ProcessFailedError

HEAD = struct.Struct("!Q")


def frame(value: object) -> bytes:
    """Return `value` as a frame.

    Raises:
        TypeError, AttributeError, pickle.PicklingError: The value cannot go to another process.
    """
    buffer = io.BytesIO()
    buffer.write(HEAD.pack(0))
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = TABLE
    pickler.dump(value)
    buffer.seek(0)
    buffer.write(HEAD.pack(buffer.getbuffer().nbytes - HEAD.size))
    return buffer.getvalue()


def read(stream: IO[bytes]) -> Any:  # noqa: ANN401  # any value that the other side sent
    """Wait for the next frame.

    Raises:
        EOFError: The other end is closed.
    """
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        raise EOFError
    (length,) = HEAD.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


class OversizeError(Exception):
    """A frame is larger than it may be."""


def take_frames(pieces: bytearray, most: int) -> Iterator[Any]:
    """Take the complete frames from the bytes that have arrived, and yield their values.

    Args:
        pieces: What has arrived and was not taken yet.
        most: The size of the largest frame, bytes.

    Raises:
        OversizeError: The next frame is too large; nothing of it is read.
    """
    while len(pieces) >= HEAD.size:
        (length,) = HEAD.unpack_from(pieces)
        if length > most:
            raise OversizeError
        if len(pieces) < HEAD.size + length:
            return
        data = bytes(pieces[HEAD.size : HEAD.size + length])
        del pieces[: HEAD.size + length]
        yield pickle.loads(data)


def _view(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


def _plain(view: MappingProxyType[Any, Any]) -> tuple[Callable[..., Any], tuple[dict[Any, Any]]]:
    return _view, (dict(view),)  # pickle finds no importable name for the type


TABLE: ChainMap[Any, Callable[..., Any]] = ChainMap({MappingProxyType: _plain}, copyreg.dispatch_table)
"""Read-only views of mappings, which programs like to hand out, can also be sent."""


class Raised(NamedTuple):
    """An error as values."""

    kind: type[GraftworkError]
    args: tuple[object, ...]
    attributes: dict[str, Any]

    def error(self) -> GraftworkError:
        """Return the error."""
        error = self.kind.__new__(self.kind, *self.args)
        error.args = self.args
        error.__dict__.update(self.attributes)
        return error


def raised(error: BaseException) -> Raised:
    """Return `error` as values."""
    if isinstance(error, GraftworkError):
        parts = Raised(type(error), error.args, dict(vars(error)))
        try:
            read(io.BytesIO(frame(parts)))
        except Exception:  # an attribute cannot be pickled; send the message only
            return _failed(error)
        return parts
    return _failed(error)


def _failed(error: BaseException) -> Raised:
    text = "".join(traceback.format_exception(error)).strip()
    failed = ProcessFailedError(f"{type(error).__name__}: {error}", text)
    return Raised(ProcessFailedError, failed.args, dict(vars(failed)))
