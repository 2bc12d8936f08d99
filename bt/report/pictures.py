"""The pictures of a record as data URIs, as many as fit into a page."""

from __future__ import annotations

import base64
from collections.abc import Sequence, Set
from pathlib import Path
from typing import NamedTuple

from bt.report.chapter import Event
from semantics.process.reading import read_bounded, real_path

__all__ = ["Picture", "at", "embed"]

BUDGET_BYTES = 1_500_000
"""For all pictures of a report before encoding, which adds a third."""
MOST_MOMENTS = 10
SOON = 1.0
MEDIA = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}


class Picture(NamedTuple):
    """A picture: when it was taken, in seconds, and its data URI."""

    time: float
    uri: str


def embed(events: Sequence[Event], folder: Path, moments: Sequence[float] = ()) -> tuple[list[Picture], int]:
    """Return the pictures that fit, oldest first, and how many there were that could be read.

    A picture is read only if it lies inside `folder`, is not empty and is a PNG or JPEG file.

    Args:
        events: The ``picture`` events, oldest first.
        folder: The folder of the record.
        moments: Times of which a picture stays, whichever else are left out.
    """
    readable = [(float(event.get("t") or 0.0), data) for event in events if (data := _read(folder, event))]
    kept = {taken for moment in moments[:MOST_MOMENTS] if (taken := at(moment, [time for time, _ in readable]))}
    chosen = _thinned(readable, kept)
    return [Picture(time, _uri(data)) for time, data in chosen], len(readable)


def at(moment: float, times: Sequence[float]) -> float | None:
    """Return the first of `times` that shows a moment: not before it, and less than `SOON` after it."""
    return next((time for time in times if moment <= time < moment + SOON), None)


def _read(folder: Path, event: Event) -> bytes | None:
    root = real_path(folder)
    try:
        path = real_path(root / str(event.get("file") or ""))
        data = read_bounded(path, BUDGET_BYTES) if path.is_relative_to(root) else b""
    except (OSError, ValueError):
        return None
    return data if data.startswith(tuple(MEDIA)) else None


def _thinned(pictures: list[tuple[float, bytes]], kept: Set[float]) -> list[tuple[float, bytes]]:
    """Take those at `kept` times, the last one, and every n-th before it, with the smallest n that fits the budget."""
    for every in range(1, len(pictures) + 1):
        last = len(pictures) - 1
        chosen = [
            picture for index, picture in enumerate(pictures) if (last - index) % every == 0 or picture[0] in kept
        ]
        if sum(len(data) for _, data in chosen) <= BUDGET_BYTES:
            return chosen
    return []


def _uri(data: bytes) -> str:
    media = next(kind for magic, kind in MEDIA.items() if data.startswith(magic))
    return f"data:{media};base64,{base64.b64encode(data).decode('ascii')}"
