"""The table of what failed, what each rung of the repair ladder made of it, and which one mended it."""

from __future__ import annotations

from bt.display import markup
from bt.recovery.mishaps import Mishap, Response, mishaps
from bt.report.story import Story
from bt.report.words import code_words, seconds

__all__ = ["mended"]

HEAD = "<tr><th>When<th>Step<th>What failed<th>What was tried<th>Mended by</tr>"


def mended(story: Story) -> str:
    """Return the failures of a run, the oldest first; nothing where there was none."""
    rows = "".join(map(_row, mishaps([*story.failures, *story.moments])))
    if not rows:
        return ""
    return f"<div class=scroll><table class=wide><thead>{HEAD}</thead><tbody>{rows}</tbody></table></div>"


def _row(mishap: Mishap) -> str:
    told = mishap.feedback
    step = f"<code>{markup(mishap.step)}</code>" if mishap.step else "the plan as a whole"
    tried = "; ".join(map(_tried, mishap.responses)) or "nothing"
    by = mishap.solved_by
    return (
        f"<tr class={'repair' if by else 'trouble'}><td>{seconds(mishap.t)}<td>{step}"
        f"<td><b>{markup(code_words(told.get('code')))}</b>: {markup(told.get('why') or '')}"
        f"<td>{tried}<td>{f'<b>{markup(by)}</b>' if by else 'nothing'}</tr>"
    )


def _tried(one: Response) -> str:
    name = markup(one.rung)
    if not one.answered:
        return f"{name} (no answer)"
    return f"{name} ({'helped' if one.solved else 'in vain'}, after {one.seconds:.2f} s)"
