"""Reading files of people within bounds: a regular file, up to a number of bytes.

A pipe or a device may never end, so anything but a regular file is refused before it is read. ``-`` is standard input,
where a caller allows it; it is read up to the same bound. What was parsed is kept in the process by the digest of its
files (`parsed`): what has not changed is parsed once.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, TypeVar

Value = TypeVar("Value")
STANDARD_INPUT = Path("-")
MOST_KEPT = 24  # how many values that were read from files are kept
KINDS = {
    stat.S_IFDIR: "it is a folder",
    stat.S_IFIFO: "it is a pipe, which may never end",
    stat.S_IFCHR: "it is a device",
    stat.S_IFBLK: "it is a device",
    stat.S_IFSOCK: "it is a socket",
}


class UnreadableFileError(OSError):
    """A path that names no regular file; `strerror` says what it is."""


class TooLargeError(OSError):
    """A file with more than `most` bytes."""

    def __init__(self, path: Path, most: int) -> None:
        super().__init__(errno.EFBIG, f"it is larger than {most} bytes", str(path))
        self.most = most


def read_bounded(path: str | Path, most: int, *, standard_input: bool = False) -> bytes:
    """Return the bytes of a regular file.

    Args:
        path: The file; a link to it is followed.
        most: The largest length, bytes.
        standard_input: Whether ``-`` is standard input; otherwise it is a file of that name.

    Raises:
        TooLargeError: It is longer.
        UnreadableFileError: It is a folder, pipe, device or socket, a link that leads nowhere, or no possible name.
        OSError: It is missing or cannot be read.
    """
    path = Path(path)
    is_input = standard_input and path == STANDARD_INPUT
    data = sys.stdin.buffer.read(most + 1) if is_input else read_head(path, most + 1)
    if len(data) > most:
        raise TooLargeError(path, most)
    return data


def read_head(path: Path, length: int) -> bytes:
    """Return the first `length` bytes of a regular file, or all of a shorter one.

    Raises:
        UnreadableFileError: As for `read_bounded`.
        OSError: It is missing or cannot be read.
    """
    with open_regular(path) as file:
        data = file.read(length)
    reads = _READS.get()
    if reads is not None:
        reads[path] = _digest(data) if len(data) < length else b""  # a part says nothing of the whole
    return data


_READS: ContextVar[dict[Path, bytes] | None] = ContextVar("reads", default=None)
"""The digest of each file that is read on this thread while `parsed` computes a value, by its path."""
_KEPT: OrderedDict[Hashable, tuple[Mapping[Path, bytes], Any]] = OrderedDict()


def parsed(key: Hashable, read: Callable[[], Value]) -> Value:
    """Return what `read` returns, or what it returned before if none of the files that it read then has changed.

    Values are immutable, so that whoever reads the same files shares them, with what was computed from them.

    Args:
        key: Starts with the name of the caller.
        read: Reads files through this module.
    """
    entry = _KEPT.get(key)
    if entry is not None and all(_digest_of(path) == digest for path, digest in entry[0].items()):
        value: Value = entry[1]
        return value
    outer, reads = _READS.get(), dict[Path, bytes]()
    token = _READS.set(reads)
    try:
        value = read()
    finally:
        _READS.reset(token)
        if outer is not None:
            outer |= reads
    _KEPT[key] = reads, value
    while len(_KEPT) > MOST_KEPT:
        _KEPT.popitem(last=False)
    return value


def forget_parsed() -> None:
    """Forget everything that `parsed` keeps, for measurements."""
    _KEPT.clear()


def _digest(data: bytes) -> bytes:
    from hashlib import sha256  # who reads no world needs none of it

    return sha256(data).digest()


def _digest_of(path: Path) -> bytes | None:
    """Return the digest of a file; None if it cannot be read."""
    try:
        with open_regular(path) as file:
            return _digest(file.read())
    except OSError:
        return None


def open_regular(path: Path) -> IO[bytes]:
    """Open a regular file for reading.

    Raises:
        UnreadableFileError: As for `read_bounded`.
        OSError: It is missing or cannot be read.
    """
    try:
        # Without O_NONBLOCK, opening a pipe waits for a writer; the kind is that of the file that is open.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except FileNotFoundError as error:
        if path.is_symlink():
            why = f"it is a link to {os.readlink(path)!r}, which does not exist"
            raise UnreadableFileError(errno.ENOENT, why, str(path)) from error
        raise
    except ValueError as error:  # a null character or a lone surrogate
        raise UnreadableFileError(errno.EINVAL, "it is no possible name of a file", repr(str(path))) from error
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise UnreadableFileError(errno.ENXIO, "it is a socket", str(path)) from error
        raise
    kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
    if kind != stat.S_IFREG:
        os.close(descriptor)
        raise UnreadableFileError(errno.EINVAL, KINDS.get(kind, "it is no regular file"), str(path))
    return os.fdopen(descriptor, "rb")


def read_table(module: str) -> Any:  # noqa: ANN401 - as the file has it
    """Return the data of the YAML file beside a module, which belongs to the program; `module` is its ``__file__``."""
    import yaml  # who reads no table needs none of it

    text = Path(module).with_suffix(".yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def real_path(path: Path) -> Path:
    """Return an absolute path without links. A link in a loop, or no possible name, is kept; opening it says why."""
    try:
        return Path(os.path.realpath(path))  # Path.resolve raises RuntimeError for a loop
    except ValueError:
        return path
