"""Writing files whole: all of what is written, or nothing of it, whenever the disk or the program fails.

What a robot did and saw is for its user alone: logs, memories and records are opened by `owners_only`.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from pathlib import Path

OWNER_FOLDER = 0o700  # the mode of a new folder that only its owner may read


owners_only = partial(os.open, mode=0o600)
"""Opens a file, and returns its descriptor; a new one can be read by its owner only. Use it as an ``opener``."""


def append_whole(file: int, data: bytes, length: int) -> None:
    """Write to the end of an open file, or take back what was written.

    Args:
        file: Descriptor of the file, which appends.
        data: What to write.
        length: Length of the file before, in bytes.

    Raises:
        OSError: The disk does not take all of it.
    """
    rest = memoryview(data)
    try:
        while rest:  # a disk that is nearly full takes a part
            rest = rest[os.write(file, rest) :]
    except OSError:
        with suppress(OSError):
            os.ftruncate(file, length)
        raise


def replace_whole(path: Path, text: str, *, private: bool = False) -> None:
    """Put a text in the place of a file, if there is one; after a power failure, too, it is there whole or not at all.

    Args:
        path: The file.
        text: Its new content.
        private: Whether only its owner may read it.

    Raises:
        OSError: It cannot be written; the file is as before.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with open(part, "w", encoding="utf-8", opener=owners_only if private else None) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
