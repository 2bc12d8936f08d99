"""From the events of a record to a `Story`: what a reader has to be shown, in the order it happened.

A run is divided into chapters. Each plan opens one, and so does each tree that comes without a new plan. Within a
chapter, node states and the resume point are kept as changes over time, so that any moment can be shown again. A record
may have been cut off or damaged: readable lines are used, and the others are counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeGuard

from bt.display import walk
from bt.errors import RecordError
from bt.record import MOST_BYTES, VERSION, lines_of
from semantics.logic.sentences import sentence_of, sentences_in
from semantics.process.reading import read_bounded


@dataclass(slots=True)
class Story:
    """A whole run."""

    begin: Event = field(default_factory=dict)  # the first event, or an empty one
    vocabulary: Event = field(default_factory=dict)
    """The event with the sentences of facts and actions, or an empty one."""
    goals: list[Event] = field(default_factory=list)  # goal events
    chapters: list[Chapter] = field(default_factory=list)  # in order
    moments: list[Event] = field(default_factory=list)
    """Resume, feedback, rung, turn, numbers, revision, note, request, question, answer and end events, and plans after
    the first, each with its time ``t``."""
    failures: list[Event] = field(default_factory=list)  # failure events, see `bt.recovery.mishap`
    facts: list[Event] = field(default_factory=list)  # ticks with changed facts
    views: list[Event] = field(default_factory=list)  # what stood where, by time
    pictures: list[Event] = field(default_factory=list)  # picture events
    ending: Event | None = None  # the last event, or None when the record was cut off
    first: float = 0.0  # time of the first event that has one, in seconds
    last: float = 0.0  # time of the last event that has one
    ticks: int = 0  # how many ticks were recorded
    unread: int = 0  # lines that could not be read

    def sentence(self, text: str) -> str:
        """Return a fact or an action such as ``(open robot0 fridge0)`` in words, as far as the record has them."""
        return sentence_of(str(text), sentences_in(self.vocabulary))

    def end_of(self, chapter: Chapter) -> float:
        """Return when the next chapter begins, or the record ends."""
        later = self.chapters[self.chapters.index(chapter) + 1 :]
        return later[0].start if later else self.last

    def feedback_of(self, chapter: Chapter) -> dict[str, list[str]]:
        """Return what went wrong at each node during a chapter, by its id."""
        reasons: dict[str, list[str]] = {}
        for event in self.moments:
            time = float(event.get("t", self.last))
            if event["e"] == "feedback" and chapter.start <= time <= self.end_of(chapter):
                ident = chapter.named(str(event.get("node")), time)
                reason = event.get("feedback") or {}
                if ident is not None:
                    reasons.setdefault(ident, []).append(f"{time:.1f} s: {reason.get('what')}: {reason.get('why')}")
        return reasons

    def spans(self, chapter: Chapter) -> list[Span]:
        """Return when each step of a chapter ran; what a new plan cut short was called off."""
        spans = chapter.spans(self.end_of(chapter))
        if chapter is self.chapters[-1]:
            return spans
        return [replace(span, how="invalid") if span.how == "running" else span for span in spans]

    def during(self, time: float) -> list[tuple[int, str]]:
        """Return the steps that ran just before a time, each with its number; several where they were done at once."""
        for chapter in reversed(self.chapters):
            ran = [span.step for span in self.spans(chapter) if span.start < time <= span.end]
            named = [(step + 1, chapter.steps[step]) for step in dict.fromkeys(ran) if step < len(chapter.steps)]
            if named:
                return named
        return []


def read_events(file: Path) -> tuple[list[Event], int]:
    """Read every line that can be read, and count the others and those with a wrong checksum.

    A report of a damaged record is better than none.

    Raises:
        OSError: There is no such file, or it is no record (`semantics.process.reading`).
        RecordError: It is of a later version, or no record.
    """
    events: list[Event] = []
    unread = 0
    content = read_bounded(file, MOST_BYTES)
    for line in lines_of(content):
        event = _event(line.text) if line.is_sound else None
        if event is not None:
            events.append(event)
        else:
            unread += 1
    later = next((event["v"] for event in events if isinstance(event.get("v"), int) and event["v"] > VERSION), None)
    if later is not None:
        raise RecordError(
            f"'{file}' is a record of version {later}, from a later graftwork; this one reads version {VERSION}"
        )
    if content.strip() and not events and not content.startswith(b"{"):
        raise RecordError(f"'{file}' is no record: no line of it is an event")
    return events, unread


def _event(line: bytes) -> Event | None:
    try:
        event = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("e"), str) else None


def tell(events: Iterable[Event], unread: int = 0) -> Story:
    """Fold events into a story; unknown kinds are left out."""
    events = list(events)
    story = Story(unread=unread)
    story.first = story.last = next((float(event["t"]) for event in events if _is_number(event.get("t"))), 0.0)
    for entry in events:
        kind, time = str(entry["e"]), entry.get("t")
        story.last = max(story.last, float(time)) if _is_number(time) else story.last
        keeps_time = _is_number(time) and kind not in ("plan", "end")
        event = entry if keeps_time else {**entry, "t": story.last}
        if kind in ENDS:
            setattr(story, ENDS[kind], event)
        if kind in KEPT:
            getattr(story, KEPT[kind]).append(event)
        if kind in TAKE:
            TAKE[kind](story, event)
    return story


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float)


def _open_chapter(story: Story, plan: Event) -> None:
    """Begin a chapter. What does not change is not told again: states carry over, and a plan's resume point."""
    chapter = Chapter(story.last, plan)
    if story.chapters:
        past = story.chapters[-1]
        states = {ident: state for _, change in past.changes for ident, state in change.items()}
        chapter.changes.append((story.last, states))
        if plan is past.plan:
            chapter.resumes.extend((story.last, resume) for _, resume in past.resumes[-1:])
    story.chapters.append(chapter)


def _tree(story: Story, event: Event) -> None:
    root = event.get("root")
    if not isinstance(root, dict):
        return
    if not story.chapters or story.chapters[-1].root is not None:
        _open_chapter(story, story.chapters[-1].plan if story.chapters else {})
    story.chapters[-1].root = root


def _tick(story: Story, event: Event) -> None:
    story.ticks += 1
    if event.get("facts"):
        story.facts.append(event)
    if not story.chapters:
        return
    chapter = story.chapters[-1]
    if event.get("status"):
        chapter.changes.append((story.last, event["status"]))
    if "resume" in event:
        chapter.resumes.append((story.last, event["resume"]))


def _resume(story: Story, event: Event) -> None:
    if story.chapters:
        story.chapters[-1].resumes.append((story.last, event.get("to")))


def _view(story: Story, event: Event) -> None:
    previous = dict(story.views[-1]["things"]) if story.views else {}
    # A camera sees a part of the room at a time; what is not in view is drawn where it was last seen.
    seen = event.get("things")
    story.views.append({**event, "things": previous | (seen if isinstance(seen, dict) else {})})


ENDS = {"start": "begin", "vocabulary": "vocabulary", "end": "ending"}
MOMENTS = (
    "plan", "resume", "feedback", "rung", "disturbed", "numbers", "revision", "note", "request", "turn", "asked",
    "answered", "answer", "reply", "end",
)  # fmt: skip
KEPT = {"goal": "goals", "failure": "failures", "picture": "pictures", **dict.fromkeys(MOMENTS, "moments")}
"""In which list of a story events of a kind are kept, with a time if they have none."""
TAKE = {
    "plan": _open_chapter,
    "tree": _tree,
    "tick": _tick,
    "resume": _resume,
    "view": _view,
}


Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in which a step ran."""

    step: int  # its index in the chapter's plan, from 0
    start: float  # in seconds of the record, which is the clock of the body
    end: float  # as `start`
    how: str
    """How it ended: success, failure, invalid (it was cancelled) or running (it had not ended at the end of the chapter
    or of the record)."""

    @property
    def seconds(self) -> float:
        """How long it ran."""
        return self.end - self.start


@dataclass(slots=True)
class Chapter:
    """A plan, the tree that was made of it, and what became of both."""

    start: float  # when it begins, in seconds
    plan: Event  # the event that gave the plan
    root: Event | None = None  # the tree's document, or None when the record ends before it
    changes: list[tuple[float, Mapping[str, str]]] = field(default_factory=list)
    """Node states that changed, by time, then by id."""
    resumes: list[tuple[float, int | None]] = field(default_factory=list)
    """Resume points by time: a step's index, the number of steps at the goal, None without one."""

    @property
    def steps(self) -> list[str]:
        """The plan's steps as PDDL text."""
        return [str(step) for step in self.plan.get("steps") or ()]

    def reached(self, until: float) -> int:
        """Return how many steps were begun or aimed at by `until`; one more than all of them when the goal was."""
        aims = [point for _, point in self.resumes if point is not None]
        return 1 + max([*aims, *(span.step for span in self.spans(until))], default=-1)

    def nodes(self) -> list[Event]:
        """Return the tree's nodes, parents first."""
        return list(walk(self.root)) if self.root else []

    def named(self, path: str, time: float) -> str | None:
        """Return the id of the node that a path of names leads to; of several alike, the one that changed last."""
        alike = {ident for ident, names in _paths(self.root) if path in (names, ident)} if self.root else set()
        changed = [ident for at, change in self.changes if at <= time for ident in change if ident in alike]
        candidates = changed or sorted(alike)
        return candidates[-1] if candidates else None

    def step_nodes(self) -> list[Event]:
        """Return the node of each step, in order; acting leaves stand in for steps in trees without any."""
        steps = [node for node in self.nodes() if node.get("kind") == "step"]
        return steps or [node for node in self.nodes() if node.get("kind") in ("act", "action")]

    def statuses(self) -> dict[str, str]:
        """Return the last state of each node; a last tick that only resets the whole tree does not count."""
        states: dict[str, str] = {}
        for _, change in self.changes:
            after = {**states, **change}
            if states and all(state == "invalid" for state in after.values()):
                continue
            states = after
        return states

    def spans(self, until: float) -> list[Span]:
        """Return when each step ran, up to `until`."""
        return [span for index, node in enumerate(self.step_nodes()) for span in self._runs(index, node, until)]

    def _runs(self, index: int, node: Event, until: float) -> Iterator[Span]:
        since: float | None = None
        for time, change in self.changes:
            state = change.get(str(node.get("id")))
            if state == "running" and since is None:
                since = time
            elif state is not None and state != "running" and since is not None:
                yield Span(index, since, time, state)
                since = None
        if since is not None:
            yield Span(index, since, until, "running")


def _paths(node: Event, above: str = "") -> Iterator[tuple[str, str]]:
    """Yield the id of each node and the names that lead to it, joined by slashes."""
    path = f"{above}/{node.get('name')}" if above else str(node.get("name"))
    yield str(node.get("id")), path
    for child in node.get("children") or ():
        yield from _paths(child, path)
