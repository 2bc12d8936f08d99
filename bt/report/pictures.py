"""The pictures of a record as data URIs, as many as fit into a page."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bt.report.chapter import Event
from semantics.reading import read_bounded, real_path

__all__ = ["Picture", "embed"]

BUDGET_BYTES = 1_500_000
"""For all pictures of a report before encoding, which adds a third."""
MEDIA = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}


class Picture(NamedTuple):
    """A picture: when it was taken, in seconds, and its data URI."""

    time: float
    uri: str


def embed(events: Sequence[Event], folder: Path) -> tuple[list[Picture], int]:
    """Return the pictures that fit, oldest first, and how many there were that could be read.

    A picture is read only if it lies inside `folder`, is not empty and is a PNG or JPEG file.
    """
    readable = [(float(event.get("t") or 0.0), data) for event in events if (data := _read(folder, event))]
    chosen = _thinned(readable)
    return [Picture(time, _uri(data)) for time, data in chosen], len(readable)


def _read(folder: Path, event: Event) -> bytes | None:
    root = real_path(folder)
    try:
        path = real_path(root / str(event.get("file") or ""))
        data = read_bounded(path, BUDGET_BYTES) if path.is_relative_to(root) else b""
    except (OSError, ValueError):
        return None
    return data if data.startswith(tuple(MEDIA)) else None


def _thinned(pictures: list[tuple[float, bytes]]) -> list[tuple[float, bytes]]:
    """Take the last picture and every n-th before it, with the smallest n that fits the budget."""
    for every in range(1, len(pictures) + 1):
        chosen = pictures[::-1][::every][::-1]
        if sum(len(data) for _, data in chosen) <= BUDGET_BYTES:
            return chosen
    return []


def _uri(data: bytes) -> str:
    media = next(kind for magic, kind in MEDIA.items() if data.startswith(magic))
    return f"data:{media};base64,{base64.b64encode(data).decode('ascii')}"
