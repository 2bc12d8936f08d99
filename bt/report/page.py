"""`write_report`: a record in, one self-contained page out."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence, Set
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from bt.display import SIGNS
from bt.errors import RecordError
from bt.record import record_file
from bt.recovery.mishap import mishaps
from bt.report import words
from bt.report.room import RoomMap
from bt.report.story import Chapter, Event, Story, read_events, tell
from bt.report.template import rendered
from bt.report.timeline import GUTTER, RIGHT, WIDTH, timeline_svg
from bt.report.tree import tree_svg
from semantics.logic.feedback import left_out
from semantics.plain_text import plain_lines, shortened
from semantics.process.reading import read_bounded, real_path
from semantics.process.writing import replace_whole

ESCAPED = re.compile(r"\\u(?:200[ef]|202[89a-e]|206[6-9])")
MAX_MOMENTS = 60
Happening = tuple[float, str, str, str]
"""Seconds, sort, headline and sentence of what is told."""


def write_report(record: str | Path, page: Path | None = None) -> Path:
    """Write the report of a record, over an older one, and return its path; it is written whole or not.

    The page holds its pictures, styles and script, and asks for nothing from elsewhere.
    A record that was cut off or damaged is shown as far as it can be read.

    Args:
        record: The file of a record, or its folder.
        page: The file to write; by default `report.html` beside the record.

    Raises:
        RecordError: There is no record, it is of a later version, its events hold what no run writes, or the page
            cannot be written.
    """
    file = record_file(record)
    folder = file.parent
    report = folder / "report.html" if page is None else page
    try:
        events, unread = read_events(file)
        replace_whole(report, _page(tell(events, unread), folder), private=True)
    except OSError as exc:
        raise RecordError(f"no report of '{record}': {exc.strerror or exc}") from exc
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as exc:
        why = f"its events are not those of a run: {shortened(repr(exc))}"
        raise RecordError(f"no report of '{record}': {why}") from exc
    return report


def _page(story: Story, folder: Path) -> str:
    happenings = _moments(story)
    disturbed = [event for event in story.moments if event["e"] == "disturbed"]
    pictures, count = embed(story.pictures, folder, [float(event["t"]) for event in disturbed])
    shown = {event["t"]: at(event["t"], [picture.time for picture in pictures]) for event in disturbed}
    somewhere = any(view.get("things") or view.get("robot") for view in story.views)  # not in worlds without geometry
    named = {word for chapter in story.chapters for step in chapter.steps for word in step.strip("()").split()[1:]}
    room = RoomMap(story.views, named) if somewhere else None
    page = rendered(
        "page.html",
        story=story,
        happenings=happenings,
        room=room,
        pictures=pictures,
        count=count,
        disturbed=[(event, [each for each in pictures if each.time == shown[event["t"]]]) for event in disturbed],
        tree_svg=tree_svg,
        kinds={str(node.get("kind")) for chapter in story.chapters for node in chapter.nodes()},
        looks=words.LOOKS,
        signs=SIGNS,
        timeline=timeline_svg(story, [(time, sort, headline) for time, sort, headline, _ in happenings]),
        mishaps=mishaps([*story.failures, *story.moments]),
        words=words,
        seconds=words.seconds,
        left_out=left_out,
        nothing="\N{EN DASH}",
        data=_data(story, room, happenings),
    )
    return plain_lines(ESCAPED.sub(" ", page))  # what turns the direction of writing shows something else than it says


def _moments(story: Story) -> list[Happening]:
    """Return what is worth telling. Steady progress and notes are left out."""
    happenings: list[Happening] = []
    steps: int | None = None
    for event in story.moments:
        steps = len(event.get("steps") or ()) if event["e"] == "plan" else steps
        sort, headline, sentence = words.moment_words(event, steps)
        if sort not in ("ahead", "note"):
            happenings.append((float(event.get("t", story.last)), sort, headline, sentence))
    happenings = _counted(sorted(happenings, key=lambda happening: happening[0]))
    return happenings if len(happenings) <= MAX_MOMENTS else [*happenings[: MAX_MOMENTS - 1], happenings[-1]]


def _counted(happenings: Sequence[Happening]) -> list[Happening]:
    """Return what happens several times in a row once, with how often and until when."""
    told: list[Happening] = []
    for _, group in groupby(happenings, lambda happening: happening[1:]):
        first, *more = group
        time, sort, headline, sentence = first
        if more:
            sentence = f"{sentence} {1 + len(more)} times in a row, the last time at {words.seconds(more[-1][0])}."
        told.append((time, sort, headline, sentence))
    return told


def _data(story: Story, room: RoomMap | None, happenings: Sequence[Happening]) -> dict[str, Any]:
    """Return what the script replays."""
    return {
        "first": story.first,
        "last": story.last,
        "chart": {"left": GUTTER, "right": WIDTH - RIGHT},
        "chapters": [_chapter(story, chapter) for chapter in story.chapters],
        "frames": room.frames() if room else [],
        "moments": [{"t": time, "head": head, "text": text} for time, _, head, text in happenings],
    }


def _chapter(story: Story, chapter: Chapter) -> dict[str, Any]:
    return {
        "start": chapter.start,
        "end": story.end_of(chapter),
        "steps": chapter.steps,
        "changes": [[round(time, 2), change] for time, change in chapter.changes],
        "spans": [[span.step, round(span.start, 2), round(span.end, 2)] for span in story.spans(chapter)],
        "resumes": [[round(time, 2), index] for time, index in chapter.resumes],
        "feedback": story.feedback_of(chapter),
    }


BUDGET_BYTES = 1_500_000  # for all pictures of a report before encoding, which adds a third
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
