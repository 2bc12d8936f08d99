"""Writing files whole: all of what is written, or nothing of it, whenever the disk or the program fails."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

__all__ = ["append_whole", "replace_whole"]


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


def replace_whole(path: Path, text: str) -> None:
    """Put a text in the place of a file, if there is one; after a power failure, too, it is there whole or not at all.

    Raises:
        OSError: It cannot be written; the file is as before.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
