"""`Chronicle`: who is told of what happens in a run: the record on disk, the terminal, anybody else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bt.record import Journal, Journals, Recorder
from bt.repair import plan_fields
from bt.report import write_report
from bt.runner import Listener
from bt.watching import Watch
from graftwork.deciding import Ready
from graftwork.episode import Episode
from graftwork.opening import Stage
from graftwork.stopwatch import Stopwatch
from semantics.protocols import Robot

__all__ = ["Chronicle"]

PICTURE_SIZE = (320, 240)
PICTURE_PERIOD = 2.0
"""Seconds of the body's clock between two pictures; they are what costs most."""


class Chronicle:
    """Writes down one run after another; only the first that acts is recorded on disk.

    Args:
        directory: A new folder for the record and the report, or None.
        journals: Who else is told of every event.
    """

    def __init__(self, directory: Path | None, journals: Sequence[Journal] = ()) -> None:
        self._recorder = None if directory is None else Recorder(directory)
        self._others = tuple(journals)
        self._told: Journal | None = None
        self._listeners: tuple[Listener, ...] = ()

    def begin(self, identity: Mapping[str, Any], ready: Ready, journal: Journal, stage: Stage) -> Journal:
        """Say what was asked and what was decided; return who is to be told of the rest."""
        recorders = () if self._recorder is None else (self._recorder,)
        told = self._told = Journals(journal, *recorders, *self._others)
        told.write("start", {**identity, "date": datetime.now(UTC).isoformat(timespec="seconds")})
        goal = ready.goal.goal
        told.write("goal", {"text": goal.text, "formula": str(goal), "notes": list(goal.notes)})
        told.write("plan", plan_fields(ready.plan, "recalled" if ready.recalled else "first"))
        self._listeners = self._watchers(stage.robot) if recorders or self._others else ()
        return told

    def _watchers(self, robot: Robot) -> tuple[Listener, ...]:
        camera = getattr(robot, "picture", None) if self._recorder else None
        keep = self._recorder.picture if self._recorder else None
        everyone = Journals(*([self._recorder] if self._recorder else []), *self._others)
        take: Callable[[], bytes | None] | None = (lambda: camera(*PICTURE_SIZE)) if camera else None
        return (Watch(everyone, keep_picture=keep, camera=take, camera_period=PICTURE_PERIOD),)

    def listeners(self) -> tuple[Listener, ...]:
        """Return those who look at the tree after each tick."""
        return self._listeners

    def end(self, episode: Episode, watch: Stopwatch) -> Episode:
        """Close the record, write the report, and return the episode with its seconds and the report's place."""
        report = None
        if self._told is not None:
            seconds = watch.seconds()
            self._told.write(
                "end",
                {"outcome": str(episode.outcome), "seconds": seconds["total"], "summary": episode.message},
            )
            self._told = None
            if self._recorder is not None:
                self._recorder.close()
                with watch.stage("report"):
                    report = str(write_report(self._recorder.directory))
                self._recorder = None
        return replace(episode, seconds=watch.seconds(), report=report)

    def close(self) -> None:
        """Close the record as it is."""
        if self._recorder is not None:
            self._recorder.close()
