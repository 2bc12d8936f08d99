"""`write_report`: a record's folder in, one self-contained page out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bt.display import LOOKS, SIGNS
from bt.errors import RecordError
from bt.record import FILE_NAME
from bt.recovery.mishaps import mishaps
from bt.report import words
from bt.report.chapter import Chapter
from bt.report.pictures import embed
from bt.report.room import RoomMap
from bt.report.story import Story, read_events, tell
from bt.report.template import rendered
from bt.report.timeline import GUTTER, RIGHT, WIDTH, timeline_svg
from bt.report.tree import tree_svg
from semantics.feedback import left_out
from semantics.sentences import shortened
from semantics.writing import replace_whole

__all__ = ["write_report"]

MAX_MOMENTS = 60


def write_report(record_dir: str | Path) -> Path:
    """Write `report.html` beside a record, over an older one, and return its path; it is written whole or not.

    The page holds its pictures, styles and script, and asks for nothing from elsewhere.
    A record that was cut off or damaged is shown as far as it can be read.

    Raises:
        RecordError: There is no record, its events hold what no run writes, or the page cannot be written.
    """
    folder = Path(record_dir)
    report = folder / "report.html"
    try:
        events, unread = read_events(folder / FILE_NAME)
        replace_whole(report, _page(tell(events, unread), folder), private=True)
    except OSError as exc:
        raise RecordError(f"no report of '{folder}': {exc.strerror or exc}") from exc
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as exc:
        why = f"its events are not those of a run: {shortened(repr(exc))}"
        raise RecordError(f"no report of '{folder}': {why}") from exc
    return report


def _page(story: Story, folder: Path) -> str:
    happenings = _moments(story)
    pictures, count = embed(story.pictures, folder)
    somewhere = any(view.get("things") or view.get("robot") for view in story.views)  # not in worlds without geometry
    room = RoomMap(story.views, _named(story)) if somewhere else None
    return rendered(
        "page.html",
        story=story,
        happenings=happenings,
        room=room,
        pictures=pictures,
        count=count,
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


def _moments(story: Story) -> list[tuple[float, str, str, str]]:
    """Return what is worth telling: seconds, sort, headline and sentence. Steady progress and notes are left out."""
    happenings: list[tuple[float, str, str, str]] = []
    steps: int | None = None
    for event in story.moments:
        steps = len(event.get("steps") or ()) if event["e"] == "plan" else steps
        sort, headline, sentence = words.moment_words(event, steps)
        if sort not in ("ahead", "note"):
            happenings.append((float(event.get("t", story.last)), sort, headline, sentence))
    return happenings if len(happenings) <= MAX_MOMENTS else [*happenings[: MAX_MOMENTS - 1], happenings[-1]]


def _named(story: Story) -> set[str]:
    return {word for chapter in story.chapters for step in chapter.steps for word in step.strip("()").split()[1:]}


def _data(story: Story, room: RoomMap | None, happenings: list[tuple[float, str, str, str]]) -> dict[str, Any]:
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
