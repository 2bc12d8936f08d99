"""All golden runs, by name: ``family/scenario``."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from graftwork.run import revision
from tests.golden.comparison import Event, normalised
from tests.golden.scenarios import corrected, ladder, programs, resumed, sessions, trees
from tests.golden.stories import play

__all__ = ["SCENARIOS", "file_of", "files", "golden_events"]

DATA = Path(__file__).parents[1] / "data"
Played = Callable[[Path], list[dict[str, Any]]]
FAMILIES: Mapping[str, Mapping[str, Played]] = {
    "ladder": {name: partial(play, story) for name, story in ladder.STORIES.items()},
    "sessions": {name: partial(play, story) for name, story in sessions.STORIES.items()} | sessions.PLAYED,
    "programs": programs.PLAYED,
    "corrected": corrected.PLAYED,
    "trees": trees.PLAYED,
    "resumed": resumed.PLAYED,
}
SCENARIOS: Mapping[str, Played] = {
    f"{family}/{name}": played for family, members in FAMILIES.items() for name, played in members.items()
}
"""What each scenario does with a folder of its own: it returns the events of its journal."""


def golden_events(name: str) -> list[Event]:
    """Do a scenario, and return its golden events; what is said has all time to be read, as on an idle machine."""
    with tempfile.TemporaryDirectory() as place, patch.object(revision, "ANSWERED_SECONDS", 60.0):
        folder = Path(place)
        return normalised(SCENARIOS[name](folder), folder)


def file_of(name: str) -> Path:
    """Return where the golden events of a scenario are kept."""
    return DATA / f"{name}.jsonl"


def files() -> set[Path]:
    """Return all files of golden events."""
    return {path for family in FAMILIES for path in (DATA / family).glob("*.jsonl")}
