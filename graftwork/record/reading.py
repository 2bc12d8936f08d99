"""Reading records from Python: `read_record` for one that is there, `follow_record` for one that is being written.

An event is a dict with its kind as ``e``; docs/record.md lists the kinds and their fields.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from bt.errors import RecordError
from bt.record import MOST_BYTES, RecordLine, event_of, read_record, record_file
from semantics.process.reading import open_regular

__all__ = ["follow_record", "read_record"]

PIECE_BYTES = 1 << 20


def follow_record(path: str | Path, wait: float = 0.2) -> Iterator[dict[str, Any]]:
    """Yield the events of a record, given its file or folder, those that are there first and each later one.

    The last event is ``end``. A run that was killed leaves a record without it; then the iterator waits for ever.
    Checksums are not compared; `read_record` does that.

    Args:
        path: The file or its folder.
        wait: Seconds between two looks for new events.

    Raises:
        RecordError: There is no record, a line cannot be read, or the record is of a later version.
    """
    file = record_file(path)
    try:
        with closing(open_regular(file)) as stream:
            for number, text in enumerate(_lines(stream, wait), 1):
                event = event_of(RecordLine(number, text, is_sound=True), file)
                yield event
                if event["e"] == "end":
                    return
    except OSError as error:
        raise RecordError(f"cannot read the record '{file}': {error.strerror or error}") from error


def _lines(stream: IO[bytes], wait: float) -> Iterator[bytes]:
    """Yield each whole line, and wait for the next one."""
    rest = b""
    while len(rest) < MOST_BYTES:
        piece = stream.read(PIECE_BYTES)
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
        if not piece:
            time.sleep(wait)
    raise RecordError(f"a line is larger than {MOST_BYTES} bytes")
