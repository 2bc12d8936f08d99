"""Plain words for what a record holds, for readers who have never seen this project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from semantics.logic.feedback import Code

OUTCOMES = {
    "achieved": ("good", "Achieved", "The robot did it, and its last sensing shows the goal to be true."),
    "already": ("good", "Already so", "The goal was true before anything moved, so nothing had to be done."),
    "answered": ("good", "Answered", "A question was answered; nothing moved."),
    "failed": ("bad", "Failed", "The robot acted, but the goal was not reached."),
    "refused": ("warn", "Refused", "The request was turned down before anything moved."),
    "question": ("warn", "Needs an answer", "A question had to be answered first, and nobody could be asked."),
    "stopped": ("warn", "Stopped", "A person ended the run; the robot was brought to rest."),
    "unavailable": ("bad", "Unavailable", "Something outside of this program was not there."),
    "unusable-reply": ("bad", "Unusable reply", "A language model answered, and nothing it said could be used."),
    "planned": ("good", "Planned", "The plan stands; nothing was to move."),
    "fault": ("bad", "Fault", "The program itself failed; the robot was brought to rest."),
}
"""Tone, title and sentence for each outcome."""

CUT = (
    "warn",
    "Record ends early",
    "The record stops before the run ended; what is shown is what was written until then.",
)

CODES = {
    "unreadable": "not readable",
    "precondition": "a condition for the step does not hold",
    "effect-missing": "the result was not sensed",
    "no-plan": "no plan",
    "out-of-reach": "out of reach",
    "no-room": "no free place",
    "not-visible": "not in view",
    "refused-by-body": "the robot cannot do this",
    "budget-spent": "tried often enough",
    "exception": "a fault in the program",
}
"""Codes that say more in other words; the rest is read as it stands."""

RUNGS = {
    "again": "trying another way of doing the same",
    "rule": "a rule for a known small mishap",
    "replan": "making a new plan from where things are now",
    "substitute": "using something else instead",
    "explore": "looking in other places",
    "part": "doing the part that is possible",
    "consult": "asking the language model",
    "ask": "asking a person",
}

WHY_PLANNED = {
    "first": "The first plan, made from what was known at the start.",
    "rule": "The plan before, mended by a rule for a known small mishap.",
    "replan": "A new plan, made from how things were by then.",
    "recalled": "A plan that worked before, found in memory.",
    "correction": "The plan before, as a person corrected it.",
    "explore": "An errand: to look where what is missing may be.",
    "substitute": "A plan with something else instead of what cannot be had.",
    "part": "A plan for the part that is possible.",
    "consult": "A plan for what the language model said instead.",
    "ask": "A plan for what the person said instead.",
    "cheaper": "A cheaper plan, found while the robot was already at work.",
}


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


def _disturbed(event: Mapping[str, Any], steps: int | None) -> tuple[str, str, str]:
    return "trouble", "Changed from outside", str(event.get("text") or "")


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
    "disturbed": _disturbed,
    "numbers": lambda event, _: ("measured", "Measured", str(event.get("text") or "")),
    "revision": lambda event, _: ("measured", "Known now", str(event.get("text") or "")),
    "reply": _reply,
    "note": lambda event, _: ("note", "Note", str(event.get("text") or "")),
    "request": _request,
    "turn": _turn,
    "asked": _request,
    "answered": _answered,
    "answer": lambda event, _: ("request", "The program answered", str(event.get("text") or "")),
    "end": _end,
}
