"""Records as a person changes them: without checksums, like those of before."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bt.record import FILE_NAME, read_record

__all__ = ["rewrite"]

Events = list[dict[str, Any]]


def rewrite(folder: Path, change: Callable[[Events], object] = lambda _: None) -> None:
    """Change the events of a record in place, and write it without checksums."""
    events = read_record(folder)
    change(events)
    (folder / FILE_NAME).write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
