"""`write_report`: a record's folder in, one self-contained page out."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from bt.display import markup
from bt.errors import RecordError
from bt.record import FILE_NAME
from bt.report import sections
from bt.report.chapter import Chapter
from bt.report.room import RoomMap
from bt.report.sections import embed
from bt.report.story import Story, read_events, tell
from bt.report.timeline import GUTTER, RIGHT, WIDTH, timeline_svg

__all__ = ["write_report"]


def write_report(record_dir: str | Path) -> Path:
    """Write `report.html` beside a record, over an older one, and return its path.

    The page holds its pictures, styles and script, and asks for nothing from elsewhere.
    A record that was cut off or damaged is shown as far as it can be read.

    Raises:
        RecordError: There is no record, or the page cannot be written.
    """
    folder = Path(record_dir)
    try:
        events, unread = read_events(folder / FILE_NAME)
        report = folder / "report.html"
        report.write_text(_page(tell(events, unread), folder), encoding="utf-8")
    except OSError as exc:
        raise RecordError(f"no report of '{folder}': {exc.strerror or exc}") from exc
    return report


def _page(story: Story, folder: Path) -> str:
    happenings = sections.moments(story)
    pictures, count = embed(story.pictures, folder)
    somewhere = any(view.get("things") or view.get("robot") for view in story.views)  # not in worlds without geometry
    room = RoomMap(story.views, _named(story)) if somewhere else None
    parts = {
        "TITLE": markup(story.begin.get("instruction") or "A run"),
        "STYLE": _asset("style.html"),
        "HEADER": sections.header(story),
        "STORY": sections.happenings(happenings),
        "GOAL": sections.goal(story),
        "ROOM": room.svg() if room else "<p class=empty>This record does not say where things stood.</p>",
        "CAMERA": sections.camera(pictures, count),
        "TREES": sections.trees(story),
        "TIMELINE": timeline_svg(story, [(time, sort, headline) for time, sort, headline, _ in happenings]),
        "NOTES": sections.notes(story),
        "REST": "".join(part(story) for part in (sections.plans, sections.feedback, sections.facts)),
        "WORDS": sections.glossary(),
        "DATA": _data(story, room, happenings),
        "SCRIPT": _asset("script.html"),
    }
    page = _asset("page.html")
    head, *places = page.split("{{")
    filled = (parts[name] + rest for name, rest in (place.split("}}", 1) for place in places))
    return head + "".join(filled)


def _asset(name: str) -> str:
    return files("bt.report.template").joinpath(name).read_text(encoding="utf-8")


def _named(story: Story) -> set[str]:
    return {word for chapter in story.chapters for step in chapter.steps for word in step.strip("()").split()[1:]}


def _data(story: Story, room: RoomMap | None, happenings: list[tuple[float, str, str, str]]) -> str:
    """Return what the script replays as JSON that cannot end the element it stands in."""
    data: dict[str, Any] = {
        "first": story.first,
        "last": story.last,
        "chart": {"left": GUTTER, "right": WIDTH - RIGHT},
        "chapters": [_chapter(story, chapter) for chapter in story.chapters],
        "frames": room.frames() if room else [],
        "moments": [{"t": time, "head": head, "text": text} for time, _, head, text in happenings],
    }
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


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
