"""Plain words for what a record holds, for readers who have never seen this project; the table is ``words.yaml``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from semantics.logic.feedback import Code
from semantics.process.reading import read_table


class NodeStyle(NamedTuple):
    """How a kind of node is drawn, and what it does in a few words."""

    outline: str
    sign: str
    words: str


_WORDS = read_table(__file__)
OUTCOMES, CUT = _WORDS["outcomes"], _WORDS["cut"]
CODES: Mapping[str, str] = _WORDS["codes"]
RUNGS: Mapping[str, str] = _WORDS["rungs"]
WHY_PLANNED: Mapping[str, str] = _WORDS["why_planned"]
LOOKS = {kind: NodeStyle(*look) for kind, look in _WORDS["looks"].items()}
"""By kind of node; another kind with one child is drawn as a decorator."""


def seconds(value: float) -> str:
    """Write a time, such as ``7.3 s``."""
    return f"{value:.1f} s"


def _step_number(index: object, count: int | None = None) -> str:
    """Name a step as people count: index 0 is step 1, the index after the last one the goal."""
    if not isinstance(index, int):
        return "no step"
    return "the goal" if count is not None and index >= count else f"step {index + 1}"


def code_words(code: object) -> str:
    """Write a code such as ``not-grasped`` as words."""
    return CODES.get(str(code), str(code or "").replace("-", " "))


def code_meaning(code: object) -> str:
    """Explain a code in a few words; nothing for one that is not in the closed list."""
    return Code(str(code)).meaning if str(code) in list(Code) else ""


def moment_words(event: Mapping[str, Any], steps: int | None = None) -> tuple[str, str, str]:
    """Describe an event of a record for a person.

    Args:
        event: An event of `record.jsonl`; `e` is its kind.
        steps: The number of steps of the current plan, if known; a step index beyond it is called the goal.

    Returns: The kind of the event in the report, which decides its colour and sign (plan, ahead, back, trouble, repair,
        request, measured, note, end-good or end-bad), a headline, and a sentence.

    Raises:
        KeyError: The report does not know this kind of event.
    """
    return TELL[event["e"]](event, steps)


def _plan(event: Mapping[str, Any], steps: int | None) -> tuple[str, str, str]:
    count = len(event.get("steps") or ())
    cheapest = ", and no cheaper one exists" if event.get("optimal") else ""
    why = " ".join(filter(None, (WHY_PLANNED.get(str(event.get("why")), ""), str(event.get("reason") or ""))))
    cost = "" if "It costs" in why else f"It costs {event.get('cost', '?')}{cheapest}."
    return "plan", f"Plan of {count} step{'s' * (count != 1)}", " ".join(filter(None, (why, cost)))


def _resume(event: Mapping[str, Any], steps: int | None) -> tuple[str, str, str]:
    start, end = event.get("from"), event.get("to")
    why = str(event.get("why") or "")
    if not isinstance(end, int):
        return "back", "No step leads to the goal any more", why
    if isinstance(start, int) and end < start:
        return "back", f"Went back from {_step_number(start, steps)} to {_step_number(end)}", why
    return "ahead", f"Went on to {_step_number(end, steps)}", why


def _feedback(event: Mapping[str, Any], steps: int | None) -> tuple[str, str, str]:
    feedback = event.get("feedback") or {}
    parts = (feedback.get("what"), feedback.get("why"))
    return "trouble", f"Trouble: {code_words(feedback.get('code'))}", ": ".join(str(part) for part in parts if part)


def _rung(event: Mapping[str, Any], steps: int | None) -> tuple[str, str, str]:
    name = str(event.get("rung"))
    result = "Repaired" if event.get("solved") else "Repair did not help"
    return ("repair" if event.get("solved") else "trouble"), f"{result}: {name}", f"By {RUNGS.get(name, name)}."


def _request(event: Mapping[str, Any], steps: int | None) -> tuple[str, str, str]:
    return "request", f"Asked {event.get('agent') or 'a person'}", str(event.get("text") or event.get("question") or "")


def _turn(event: Mapping[str, Any], steps: int | None) -> tuple[str, str, str]:
    headline = "An errand first" if event.get("errand") else "Something else is wanted"
    headline = headline if event.get("errand") or event.get("goal") else "Planned for again"
    return "back", headline, str(event.get("said") or "") or f"By {RUNGS.get(str(event.get('rung')), '')}."


def _answered(event: Mapping[str, Any], steps: int | None) -> tuple[str, str, str]:
    words = event.get("words")
    return "request", "Answered", "Nobody has answered." if words is None else f"“{words}”"


def _reply(event: Mapping[str, Any], steps: int | None) -> tuple[str, str, str]:
    after = " ".join(map(str, event.get("errors") or ())) or str(event.get("told") or "")
    return "request", "The model answered", f"{event.get('text')}{f' → {after}' if after else ''}"


def _end(event: Mapping[str, Any], steps: int | None) -> tuple[str, str, str]:
    tone, title, sentence = OUTCOMES.get(str(event.get("outcome")), ("warn", str(event.get("outcome")), ""))
    use, summary = event.get("model"), str(event.get("summary") or sentence)
    asked = f" The language model: {use['calls']} calls, {use['tokens']} tokens, money {use['money']:g}." if use else ""
    return ("end-good" if tone == "good" else "end-bad"), title, summary + asked


TELL: Mapping[str, Callable[[Mapping[str, Any], int | None], tuple[str, str, str]]] = {
    "plan": _plan,
    "resume": _resume,
    "feedback": _feedback,
    "rung": _rung,
    "disturbed": lambda event, _: ("trouble", "Changed from outside", str(event.get("text") or "")),
    "numbers": lambda event, _: ("measured", "Measured", str(event.get("text") or "")),
    "revision": lambda event, _: ("measured", "Known now", str(event.get("text") or "")),
    "reply": _reply,
    "note": lambda event, _: ("note", "Note", str(event.get("text") or "")),
    "turn": _turn,
    "asked": _request,
    "request": _request,
    "answered": _answered,
    "answer": lambda event, _: ("request", "The program answered", str(event.get("text") or "")),
    "end": _end,
}
