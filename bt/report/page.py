"""`write_report`: a record in, one self-contained page out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from bt.display import LOOKS, SIGNS
from bt.errors import RecordError
from bt.record import record_file
from bt.recovery.mishap import mishaps
from bt.report import words
from bt.report.chapter import Chapter
from bt.report.pictures import at, embed
from bt.report.room import RoomMap
from bt.report.story import Story, read_events, tell
from bt.report.template import rendered
from bt.report.timeline import GUTTER, RIGHT, WIDTH, timeline_svg
from bt.report.tree import tree_svg
from semantics.logic.feedback import left_out
from semantics.plain_text import plain_lines, shortened
from semantics.process.writing import replace_whole

__all__ = ["write_report"]

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
        looks=LOOKS,
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
