"""The timeline of a run as SVG: steps as bars over time, the resume point as a stepped line, and numbered marks.

Time runs to the right. Each plan has a block of rows, one row for each step and a last one for the goal. The line lies
on the row of the step that is worked on, so it goes down as work is done, and visibly up when work was undone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bt.display import SIGNS, markup
from bt.report.chapter import Chapter, Span
from bt.report.story import Story
from bt.report.words import seconds

__all__ = ["GUTTER", "RIGHT", "WIDTH", "Mark", "timeline_svg"]

WIDTH, GUTTER, RIGHT = 1060, 236, 16
ROW, HEAD, LANE = 26, 26, 24
LINE = 21
"""How far below the top of its row the resume point runs: under the bar."""
LANES = 6
AXIS = 34
NAME_CHARACTERS = 34
Mark = tuple[float, str, str]
"""A moment to mark: seconds, its sort, its headline. Marks are numbered from 1 in the order given."""


def timeline_svg(story: Story, marks: Sequence[Mark]) -> str:
    """Draw the whole run; the element with the id ``cursor`` stands at its end and can be moved by a script."""
    lanes = _lanes(story, marks)
    top = LANE * (max(lanes, default=0) + 1) + 8 if marks else 8
    rows, low = _blocks(story, top)
    height = low + AXIS
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" id="timeline" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}"'
            f' height="{height:g}" role="img"><title>Timeline</title>',
            f"<desc>{len(story.chapters)} plans over {seconds(story.last - story.first)}.</desc>",
            *_axis(story, top, low),
            *rows,
            *_marks(story, marks, lanes, low),
            f'<path id="cursor" d="M0 0V{low:g}" transform="translate({_x(story, story.last):g} 0)"/></svg>',
        )
    )


def _x(story: Story, time: float) -> float:
    length = max(story.last - story.first, 1e-6)
    share = min(1.0, max(0.0, (time - story.first) / length))
    return round(GUTTER + share * (WIDTH - GUTTER - RIGHT), 1)


def _axis(story: Story, top: float, low: float) -> Iterator[str]:
    length = max(story.last - story.first, 0.1)
    rough = length / 8
    power = 10 ** math.floor(math.log10(rough))
    gap = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    for index in range(int(length / gap) + 1):
        x = _x(story, story.first + index * gap)
        yield f'<path class="grid" d="M{x:g} {top:g}V{low + 5:g}"/>'
        yield f'<text class="tick" x="{x:g}" y="{low + 21:g}">{story.first + index * gap:g} s</text>'


def _blocks(story: Story, top: float) -> tuple[list[str], float]:
    parts: list[str] = []
    for number, chapter in enumerate(story.chapters, 1):
        title = f"Plan {number}" if len(story.chapters) > 1 else "Plan"
        parts.append(f'<text class="plan" x="4" y="{top + 18:g}">{title}</text>')
        first = top + HEAD
        names = _names(chapter, chapter.reached(story.end_of(chapter)))
        parts.extend(_rows(names, first))
        parts.extend(_bar(story, span, first) for span in story.spans(chapter))
        parts.append(_resume_line(story, chapter, first))
        top = first + ROW * len(names) + 8
    return parts, top


def _names(chapter: Chapter, reached: int) -> list[str]:
    """Return a name for each row: what was not begun is summed up in the last one."""
    numbered = [f"{number}  {name.strip('()')}" for number, name in enumerate(chapter.steps, 1)]
    left = len(numbered) - reached
    return [*numbered[:reached], f"… {left} more, not begun"] if left > 0 else [*numbered, "goal reached"]


def _rows(names: Sequence[str], first: float) -> Iterator[str]:
    for index, name in enumerate(names):
        y = first + ROW * index
        text = name if len(name) <= NAME_CHARACTERS else f"{name[: NAME_CHARACTERS - 1]}…"
        yield f'<path class="row" d="M4 {y + ROW:g}H{WIDTH - RIGHT}"/>'
        yield f'<text x="12" y="{y + 17:g}"><title>{markup(name)}</title>{markup(text)}</text>'


def _bar(story: Story, span: Span, first: float) -> str:
    left, right = _x(story, span.start), _x(story, span.end)
    y, width = first + ROW * span.step + 3, max(3.0, right - left)
    state = span.how if span.how in SIGNS else "invalid"
    ended = {"success": "worked", "failure": "failed", "running": "still running"}.get(state, "called off")
    sign = f'<text class="sign" x="{right - 10:g}" y="{y + 11.5:g}">{SIGNS[state]}</text>' if width > 22 else ""
    title = f"step {span.step + 1}: {seconds(span.start)} to {seconds(span.end)}, {ended}"
    return (
        f'<g class="bar {state}"><title>{title}</title><rect x="{left:g}" y="{y:g}" width="{width:g}" height="14"'
        f' rx="3"/>{sign}</g>'
    )


def _resume_line(story: Story, chapter: Chapter, first: float) -> str:
    """Draw the resume point; where it goes back the line is drawn stronger, with an arrow head."""
    points = dict(chapter.resumes)
    moves = [*points.items(), (story.end_of(chapter), None)]
    parts: list[str] = []
    last: int | None = None
    for (time, index), (until, _) in pairwise(moves):
        if index is None:
            last = None
            continue
        x, y = _x(story, time), first + ROW * min(index, len(chapter.steps)) + LINE
        if last is not None and last != index:
            parts.append(_move(x, first + ROW * min(last, len(chapter.steps)) + LINE, y))
        parts.append(f'<path class="resume" d="M{x:g} {y:g}H{_x(story, until):g}"/>')
        last = index
    return "".join(parts)


def _move(x: float, start: float, end: float) -> str:
    if end > start:
        return f'<path class="resume" d="M{x:g} {start:g}V{end:g}"/>'
    return (
        f'<g class="back"><title>the resume point goes back</title><path d="M{x:g} {start:g}V{end + 6:g}"/>'
        f'<path class="head" d="M{x - 6:g} {end + 9:g}L{x:g} {end - 2:g}L{x + 6:g} {end + 9:g}Z"/></g>'
    )


def _lanes(story: Story, marks: Sequence[Mark]) -> list[int]:
    """Give each mark the lowest of a few lanes in which it does not cover the one before it."""
    ends = [-math.inf] * LANES
    lanes: list[int] = []
    for time, _, _ in marks:
        x = _x(story, time)
        lane = next((lane for lane in range(LANES) if ends[lane] <= x - LANE), LANES - 1)
        ends[lane] = x
        lanes.append(lane)
    return lanes


def _marks(story: Story, marks: Sequence[Mark], lanes: Sequence[int], low: float) -> Iterator[str]:
    highest = max(lanes, default=0)
    spots = [(_x(story, time), LANE * (highest - lane) + 14) for (time, _, _), lane in zip(marks, lanes, strict=True)]
    for x, y in dict(spots).items():
        yield f'<path class="moment" d="M{x:g} {y:g}V{low:g}"/>'
    for number, ((time, sort, headline), (x, y)) in enumerate(zip(marks, spots, strict=True), 1):
        yield (
            f'<g class="mark {sort}" data-t="{time:g}"><title>{markup(f"{seconds(time)}: {headline}")}</title>'
            f'<circle cx="{x:g}" cy="{y:g}" r="10"/><text x="{x:g}" y="{y + 4:g}">{number}</text></g>'
        )
