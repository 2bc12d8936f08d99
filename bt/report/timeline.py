"""The timeline of a run as SVG: steps as bars over time, the resume point as a stepped line, and numbered marks.

Time runs to the right. Each plan has a block of rows, one row for each step and a last one for the goal. The line lies
on the row of the step that is worked on, so it goes down as work is done, and visibly up when work was undone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from bt.display import SIGNS
from bt.report.story import Chapter, Span, Story
from bt.report.template import rendered
from bt.report.words import seconds

WIDTH, GUTTER, RIGHT = 1060, 236, 16
ROW, HEAD, LANE = 26, 26, 24
LINE = 21  # how far below the top of its row the resume point runs: under the bar
LANES = 6
AXIS = 34
NAME_CHARACTERS = 34
Mark = tuple[float, str, str]
"""A moment to mark: seconds, its sort, its headline. Marks are numbered from 1 in the order given."""


class _Block(NamedTuple):
    """The rows of a plan."""

    first: float  # where the first row begins, in pixels
    names: list[str]  # the name of each row
    spans: list[Span]  # when each step ran
    stretches: list[tuple[float, float | None, float, float]]
    """Parts of the line of the resume point: where it comes to a row, from which height (None when it begins there), to
    which one, and where it leaves the row."""


def timeline_svg(story: Story, marks: Sequence[Mark]) -> str:
    """Draw the whole run; the element with the id ``cursor`` stands at its end and can be moved by a script."""
    lanes = _lanes(story, marks)
    highest = max(lanes, default=0)
    top = LANE * (highest + 1) + 8 if marks else 8
    blocks, low = _blocks(story, top)
    return rendered(
        "timeline.html",
        story=story,
        marks=marks,
        spots=[
            (_x(story, time), LANE * (highest - lane) + 14) for (time, _, _), lane in zip(marks, lanes, strict=True)
        ],
        blocks=blocks,
        ticks=list(_ticks(story)),
        top=top,
        low=low,
        height=low + AXIS,
        whole=WIDTH,
        right=WIDTH - RIGHT,
        row=ROW,
        characters=NAME_CHARACTERS,
        signs=SIGNS,
        x=partial(_x, story),
        seconds=seconds,
    )


def _x(story: Story, time: float) -> float:
    length = max(story.last - story.first, 1e-6)
    share = min(1.0, max(0.0, (time - story.first) / length))
    return round(GUTTER + share * (WIDTH - GUTTER - RIGHT), 1)


def _ticks(story: Story) -> Iterator[float]:
    length = max(story.last - story.first, 0.1)
    rough = length / 8
    power = 10 ** math.floor(math.log10(rough))
    gap = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    for index in range(int(length / gap) + 1):
        yield story.first + index * gap


def _blocks(story: Story, top: float) -> tuple[list[_Block], float]:
    """Return the block of each plan, and where the last one ends."""
    blocks: list[_Block] = []
    for chapter in story.chapters:
        first = top + HEAD
        names = _names(list(map(story.sentence, chapter.steps)), chapter.reached(story.end_of(chapter)))
        blocks.append(_Block(first, names, story.spans(chapter), list(_stretches(story, chapter, first))))
        top = first + ROW * len(names) + 8
    return blocks, top


def _names(steps: Sequence[str], reached: int) -> list[str]:
    """Return a name for each row: what was not begun is summed up in the last one."""
    numbered = [f"{number}  {name}" for number, name in enumerate(steps, 1)]
    left = len(numbered) - reached
    return [*numbered[:reached], f"… {left} more, not begun"] if left > 0 else [*numbered, "goal reached"]


def _stretches(story: Story, chapter: Chapter, first: float) -> Iterator[tuple[float, float | None, float, float]]:
    points = dict(chapter.resumes)
    last: int | None = None
    for (time, index), (until, _) in pairwise([*points.items(), (story.end_of(chapter), None)]):
        if index is not None:
            y, before = (first + ROW * min(step, len(chapter.steps)) + LINE for step in (index, last or 0))
            yield _x(story, time), None if last in (None, index) else before, y, _x(story, until)
        last = index


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
