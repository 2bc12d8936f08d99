"""The parts of the report's page, each as a piece of HTML with everything from the record escaped."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from bt.display import LOOKS, SIGNS, markup, tree_svg
from bt.recovery.mishaps import Mishap, Response, mishaps
from bt.report.chapter import Chapter, Event
from bt.report.story import Story
from bt.report.words import (
    CUT,
    GLOSSARY,
    OUTCOMES,
    WHY_PLANNED,
    code_meaning,
    code_words,
    facts_words,
    moment_words,
    seconds,
)

__all__ = [
    "Picture",
    "camera",
    "embed",
    "facts",
    "feedback",
    "glossary",
    "goal",
    "happenings",
    "header",
    "mended",
    "moments",
    "notes",
    "plans",
    "trees",
]


BUDGET_BYTES = 1_500_000
"""For all pictures of a report before encoding, which adds a third."""
MEDIA = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}


class Picture(NamedTuple):
    """A picture: when it was taken, in seconds, and its data URI."""

    time: float
    uri: str


def embed(events: Sequence[Event], folder: Path) -> tuple[list[Picture], int]:
    """Return the pictures that fit, oldest first, and how many there were that could be read.

    A picture is read only if it lies inside `folder`, is not empty and is a PNG or JPEG file.
    """
    readable = [(float(event.get("t") or 0.0), data) for event in events if (data := _read(folder, event))]
    chosen = _thinned(readable)
    return [Picture(time, _uri(data)) for time, data in chosen], len(readable)


def _read(folder: Path, event: Event) -> bytes | None:
    root = folder.resolve()
    try:
        path = (root / str(event.get("file") or "")).resolve()
        data = path.read_bytes() if path.is_relative_to(root) else b""
    except (OSError, ValueError):
        return None
    return data if any(data.startswith(magic) for magic in MEDIA) else None


def _thinned(pictures: list[tuple[float, bytes]]) -> list[tuple[float, bytes]]:
    """Take the last picture and every n-th before it, with the smallest n that fits the budget."""
    for every in range(1, len(pictures) + 1):
        chosen = pictures[::-1][::every][::-1]
        if sum(len(data) for _, data in chosen) <= BUDGET_BYTES:
            return chosen
    return []


def _uri(data: bytes) -> str:
    media = next(kind for magic, kind in MEDIA.items() if data.startswith(magic))
    return f"data:{media};base64,{base64.b64encode(data).decode('ascii')}"


MAX_MOMENTS = 60
NOTHING = "\N{EN DASH}"
STATE_WORDS = {"success": "worked", "failure": "failed", "running": "at work", "invalid": "not asked"}


def moments(story: Story) -> list[tuple[float, str, str, str]]:
    """Return what is worth telling: seconds, sort, headline and sentence. Steady progress and notes are left out."""
    happenings: list[tuple[float, str, str, str]] = []
    steps: int | None = None
    for event in story.moments:
        steps = len(event.get("steps") or ()) if event["e"] == "plan" else steps
        sort, headline, sentence = moment_words(event, steps)
        if sort not in ("ahead", "note"):
            happenings.append((float(event.get("t", story.last)), sort, headline, sentence))
    return happenings if len(happenings) <= MAX_MOMENTS else [*happenings[: MAX_MOMENTS - 1], happenings[-1]]


def header(story: Story) -> str:
    """Return the sentence, the outcome, and what the run was made with."""
    end = story.ending or {}
    tone, title, sentence = OUTCOMES.get(str(end.get("outcome")), CUT) if story.ending else CUT
    begin = story.begin
    about = [(key, begin.get(key)) for key in ("domain", "scene", "robot", "model", "seed", "date")]
    if isinstance(begin.get("resumes"), dict):
        about.append(("goes on from", begin["resumes"].get("record")))
    about.extend((("robot's time", seconds(story.last - story.first)), ("ticks", story.ticks)))
    if isinstance(end.get("seconds"), int | float):
        about.append(("computing time", seconds(end["seconds"])))
    chips = "".join(
        f"<li><span>{key}</span> {markup(value)}</li>" for key, value in about if value is not None and value != ""
    )
    summary = markup(end.get("summary") or "")
    paragraph = f"<p class=summary>{summary}</p>" if summary else ""
    return (
        f"<header><p class=eyebrow>What the robot was asked to do</p><h1>“{markup(begin.get('instruction', '?'))}”</h1>"
        f'<p class="outcome"><b class="badge {tone}">{markup(title)}</b> {markup(sentence)}</p>{paragraph}'
        f"<ul class=chips>{chips}</ul></header>"
    )


def goal(story: Story) -> str:
    """Return the goals, in words and in PDDL."""
    if not story.goals:
        return _section("goal", "The goal", "<p>No goal was reached in this record.</p>")
    parts = []
    for event in story.goals:
        remarks = "".join(f"<li>{markup(note)}</li>" for note in event.get("notes") or ())
        words = event.get("words") or event.get("text") or ""
        parts.append(
            f"<p>{markup(words)}</p><pre>{markup(event.get('formula') or '')}</pre>"
            + (f"<ul class=small>{remarks}</ul>" if remarks else "")
        )
    lead = "What has to be true in the end, in words and as the program checks it."
    return _section("goal", "The goal", "".join(parts), lead)


def happenings(entries: Sequence[tuple[float, str, str, str]]) -> str:
    """Return the numbered list of what happened; the numbers are those of the timeline's marks."""
    rows = "".join(
        f'<li class="{sort}" data-t="{time:g}"><button type=button>{seconds(time)}</button>'
        f"<div><b>{markup(headline)}</b> {markup(sentence)}</div></li>"
        for time, sort, headline, sentence in entries
    )
    lead = "In the order it happened; the numbers stand in the timeline too."
    return _section("story", "What happened", f"<ol class=story>{rows}</ol>" if rows else "<p>Nothing.</p>", lead)


def camera(pictures: Sequence[Picture], count: int) -> str:
    """Return every picture; a script shows the one nearest in time."""
    if not pictures:
        return "<p class=empty>This record holds no camera pictures.</p>"
    shown = "".join(
        f'<figure data-t="{picture.time:g}"><img src="{picture.uri}" alt="What the camera saw at'
        f' {seconds(picture.time)}"><figcaption>Camera at {seconds(picture.time)}</figcaption></figure>'
        for picture in pictures
    )
    left_out = f"<p class=small>{len(pictures)} of {count} pictures are kept here.</p>" if count > len(pictures) else ""
    return f"<div id=camera>{shown}</div><div id=strip></div>{left_out}"


def trees(story: Story) -> str:
    """Return the drawing of each chapter's tree, with the states it ended in, and what the signs mean."""
    if not any(chapter.root for chapter in story.chapters):
        return "<p class=empty>This record holds no behaviour tree.</p>"
    drawn = "".join(
        f'<figure class=tree data-chapter="{number}"><figcaption>{_tree_title(story, number)}</figcaption>'
        f"<div class=scroll>{tree_svg(chapter.root, chapter.statuses())}</div></figure>"
        for number, chapter in enumerate(story.chapters)
        if chapter.root
    )
    states = "".join(f'<li class="{state}"><i>{sign}</i>{STATE_WORDS[state]}</li>' for state, sign in SIGNS.items())
    kinds = {str(node.get("kind")) for chapter in story.chapters for node in chapter.nodes()}
    words = "".join(f"<li>{look.sign or '○'} {look.words}</li>" for kind, look in LOOKS.items() if kind in kinds)
    return (
        f"{drawn}<ul class=states>{states}</ul><p id=detail>Point at a box, or select it, to read what it does.</p>"
        f"<details><summary>What the kinds of boxes do</summary><ul class=small>{words}</ul></details>"
    )


def _tree_title(story: Story, number: int) -> str:
    chapter = story.chapters[number]
    which = f"Tree of plan {number + 1}" if len(story.chapters) > 1 else "The tree"
    return f"{which}, {seconds(chapter.start)} to {seconds(story.end_of(chapter))}"


def plans(story: Story) -> str:
    """Return each plan as a list, with its cost, who made it, and what became of each step."""
    shown = "".join(_plan(story, number, chapter) for number, chapter in enumerate(story.chapters))
    lead = (
        "Steps that lead from how things were to the goal. A name in brackets is what the robot can do, then to what."
    )
    return _section("plans", "The plan", shown or "<p>No plan was made.</p>", lead)


def _plan(story: Story, number: int, chapter: Chapter) -> str:
    plan = chapter.plan
    spans = story.spans(chapter)
    rows = []
    costs = plan.get("costs") or ()
    for index, name in enumerate(chapter.steps):
        runs = [span for span in spans if span.step == index]
        state = runs[-1].how if runs else "invalid"
        time = seconds(sum(span.end - span.start for span in runs)) if runs else NOTHING
        word = ("called off" if state == "invalid" else STATE_WORDS.get(state, state)) if runs else "not begun"
        tries = f", in {len(runs)} tries" if len(runs) > 1 else ""
        rows.append(
            f"<tr><td>{index + 1}</td><td><code>{markup(name)}</code></td>"
            f"<td>{markup(costs[index]) if index < len(costs) else NOTHING}</td>"
            f'<td class="{state}">'
            f"<i>{SIGNS.get(state, '')}</i> {word}{tries}</td><td class=time>{time}</td></tr>"
        )
    best = " (no cheaper one exists)" if plan.get("optimal") else ""
    why = WHY_PLANNED.get(str(plan.get("why")), "")
    took = f", {float(plan['seconds']):.2f} s of computing" if isinstance(plan.get("seconds"), int | float) else ""
    title = f"Plan {number + 1}, at {seconds(chapter.start)}" if len(story.chapters) > 1 else "Plan"
    return (
        f"<h3>{title}</h3><p>{markup(why)} Cost {markup(plan.get('cost', '?'))}{best}; by"
        f" {markup(plan.get('planner') or '?')}{took}.</p><div class=scroll><table><thead><tr><th>#<th>Step<th>Cost"
        f"<th>What became of it<th>Time</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def feedback(story: Story) -> str:
    """Return every feedback, and what was tried after it."""
    rows = "".join(_trouble(event) for event in story.moments if event["e"] in ("feedback", "rung"))
    lead = "Every note of something that went wrong, and what was tried then, the cheapest first."
    head = "<tr><th>When<th>Kind<th>What failed<th>Why<th>How to mend it<th>Because of</tr>"
    table = f"<div class=scroll><table class=wide><thead>{head}</thead><tbody>{rows}</tbody></table></div>"
    table = f"{mended(story)}<h3>Every note</h3>{table}" if story.failures else table
    return _section("feedback", "Trouble and repair", table if rows else "<p>No step reported any trouble.</p>", lead)


def _trouble(event: Event) -> str:
    time = seconds(float(event.get("t", 0.0)))
    if event["e"] == "rung":
        sort, headline, sentence = moment_words(event)
        took = f" Took {float(event.get('seconds') or 0.0):.2f} s."
        return (
            f"<tr class={sort}><td>{time}<td>repair<td colspan=4><b>{markup(headline)}</b> {markup(sentence)}"
            f" After: {markup(code_words(event.get('code')))}.{took}</tr>"
        )
    reason = event.get("feedback") or {}
    culprits = ", ".join(map(str, reason.get("culprits") or ()))
    stuck = "" if reason.get("recoverable", True) else " <b>Cannot be mended by trying something else.</b>"
    return (
        f"<tr class=trouble><td>{time}<td><b>{markup(code_words(reason.get('code')))}</b><br><span class=small>"
        f"{markup(reason.get('level') or '')}: {markup(code_meaning(reason.get('code')))}</span>"
        f"<td>{markup(reason.get('what') or '')}<br>"
        f"<span class=small>{markup(event.get('node') or '')}</span><td>{markup(reason.get('why') or '')}{stuck}"
        f"<td>{markup(reason.get('how') or '')}<td>{markup(culprits)}</tr>"
    )


def facts(story: Story) -> str:
    """Return which facts became true or false, and during which step."""
    if not story.facts:
        return _section("facts", "What changed", "<p>No fact changed.</p>")
    first, *later = story.facts
    start_facts = facts_words((first["facts"] or {}).get("+") or ())
    count, codes = len(start_facts), _codes(start_facts)
    start = f"<details><summary>Held true at the start: {count} facts</summary><p>{codes}</p></details>"
    rows = "".join(
        f"<tr><td>{seconds(float(event.get('t', 0.0)))}<td>{_during(story, float(event.get('t', 0.0)))}"
        + "".join(f"<td>{_codes(facts_words(event['facts'].get(sign) or ()))}" for sign in "+-")
        + "</tr>"
        for event in later
    )
    head = "<tr><th>When<th>During<th>Became true<th>No longer true</tr>"
    table = (
        f"<div class=scroll><table class=wide><thead>{head}</thead><tbody>{rows}</tbody></table></div>" if rows else ""
    )
    lead = "What the robot held true of the room, as its sensing confirmed or contradicted it."
    return _section("facts", "What changed", start + table, lead)


def _codes(texts: Iterable[str]) -> str:
    return " ".join(f"<code>{markup(text)}</code>" for text in texts) or NOTHING


def _during(story: Story, time: float) -> str:
    """Return the steps that ran just before; several where they were done at once."""
    for chapter in reversed(story.chapters):
        ran = [span.step for span in story.spans(chapter) if span.start < time <= span.end]
        named = [step for step in dict.fromkeys(ran) if step < len(chapter.steps)]
        if named:
            return "<br>".join(f"step {step + 1}: <code>{markup(chapter.steps[step])}</code>" for step in named)
    return NOTHING


def notes(story: Story) -> str:
    """Return the notes, and what is missing from the record."""
    rows = [(seconds(float(event.get("t", 0.0))), event.get("text")) for event in story.moments if event["e"] == "note"]
    if story.unread:
        rows.append((NOTHING, f"{story.unread} line(s) of the record could not be read and are left out."))
    if story.ending is None:
        rows.append((NOTHING, "The record has no end: the run was cut off, or is still going on."))
    items = "".join(f"<li><span>{time}</span> {markup(text)}</li>" for time, text in rows)
    return _section("notes", "Notes", f"<ul class=notes>{items}</ul>") if items else ""


def glossary() -> str:
    """Return the terms used, a line each."""
    terms = "".join(f"<div><dt>{term}</dt><dd>{words}</dd></div>" for term, words in GLOSSARY)
    return _section("words", "Words used here", f"<dl>{terms}</dl>")


def _section(ident: str, title: str, body: str, lead: str = "") -> str:
    start = f"<p class=lead>{lead}</p>" if lead else ""
    return f'<section id="{ident}"><h2>{title}</h2>{start}{body}</section>'


HEAD = "<tr><th>When<th>Step<th>What failed<th>What was tried<th>Mended by</tr>"


def mended(story: Story) -> str:
    """Return the failures of a run, the oldest first; nothing where there was none."""
    rows = "".join(map(_row, mishaps([*story.failures, *story.moments])))
    if not rows:
        return ""
    return f"<div class=scroll><table class=wide><thead>{HEAD}</thead><tbody>{rows}</tbody></table></div>"


def _row(mishap: Mishap) -> str:
    feedback = mishap.feedback
    step = f"<code>{markup(mishap.step)}</code>" if mishap.step else "the plan as a whole"
    tried = "; ".join(map(_tried, mishap.responses)) or "nothing"
    by = mishap.solved_by
    return (
        f"<tr class={'repair' if by else 'trouble'}><td>{seconds(mishap.t)}<td>{step}"
        f"<td><b>{markup(code_words(feedback.get('code')))}</b>: {markup(feedback.get('why') or '')}"
        f"<td>{tried}<td>{f'<b>{markup(by)}</b>' if by else 'nothing'}</tr>"
    )


def _tried(response: Response) -> str:
    name = markup(response.rung)
    if not response.answered:
        return f"{name} (no answer)"
    return f"{name} ({'helped' if response.solved else 'in vain'}, after {response.seconds:.2f} s)"
