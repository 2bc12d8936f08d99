"""What each logged kind of mistake does to a text: how it comes to fail in just that way.

Each takes a right text and gives the wrong one, or None where the text has no place for it. The line that will fail is
marked with the mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from benchmarks.copal_ladder.standin.line import Line, Mistake
from benchmarks.copal_ladder.standin.writing import CUP, GLASS, HANDS

__all__ = ["SLIPS", "Slip"]

Text = Sequence[Line]
Slip = Callable[[Text, Mistake], "Text | None"]
NEEDLESS = {
    "close": f"close {CUP}",
    "open": "open electric_shaker",
    "squeeze_float": f"squeeze lime_slice {CUP}",
    "Poured": f"Poured {CUP} into {GLASS}",
    "screw": f"tighten {GLASS}",
    "gaze": "gaze",
    "glance": "gaze",
}
"""Lines that nothing needs, by the deed that the logs have; where one of theirs can be done here, another."""


def _at(text: Text, *words: str) -> int | None:
    return next((number for number, line in enumerate(text) if line.mistake is None and line.starts(*words)), None)


def _other(hand: str) -> str:
    return HANDS[1 - HANDS.index(hand)]


def not_taken(text: Text, mistake: Mistake) -> Text | None:
    """Leave out that something is taken up; what is then done with it fails. What is poured is not put back either."""
    taken = _at(text, "get", mistake.name)
    if taken is None:
        return None
    deed = mistake.kind.split()[1]
    used = next((at for at in range(taken, len(text)) if text[at].starts(deed, mistake.name)), None)
    if used is None:
        return None
    rest = [line for line in text[used + 1 :] if deed != "pour" or not line.starts("put", mistake.name)]
    return [*text[:taken], *text[taken + 1 : used], Line(text[used].text, mistake), *rest]


def put_back_first(text: Text, mistake: Mistake) -> Text | None:
    """Put the bottle back before it is used: the wrong order."""
    deed = mistake.kind.split()[1].replace("screw", "open")
    used, back = _at(text, deed, mistake.name), _at(text, "put", mistake.name)
    if used is None or back is None or back < used:
        return None
    between = [line for line in text[used + 1 : back] if not line.starts("close", mistake.name)]
    return [*text[:used], text[back], Line(text[used].text, mistake), *between, *text[back + 1 :]]


def full_hand(text: Text, mistake: Mistake) -> Text | None:
    """Put something back only after the next thing is taken with the same hand."""
    back = _at(text, "put", mistake.name)
    later = next((at for at in range(back + 1, len(text)) if text[at].starts("get")), None) if back else None
    if back is None or later is None or text[later].mistake:
        return None
    if any(line.words[0] in ("open", "close") for line in text[back + 1 : later]):
        return None
    return [*text[:back], *text[back + 1 : later], Line(text[later].text, mistake), text[back], *text[later + 1 :]]


def full_hands(text: Text, mistake: Mistake) -> Text | None:
    """Take the glass too early, with the other hand, so that both are full at the next thing."""
    made = full_hand(text, mistake)
    if made is None:
        return None
    at = next(number for number, line in enumerate(made) if line.mistake == mistake)
    glass = Line(f"get {GLASS} from table {_other(made[at].words[-1])}")
    return [*made[:at], glass, made[at], Line(f"put {GLASS} table"), *made[at + 1 :]]


def used_hands(text: Text, mistake: Mistake) -> Text | None:
    """Take the glass with the other hand while a cap has still to be screwed."""
    cap, taken = _at(text, "close", mistake.name), _at(text, "get", mistake.name)
    cap = _at(text, "open", mistake.name) if cap is None else cap
    if cap is None or taken is None or taken > cap:
        return None
    glass = f"get {GLASS} from table {_other(text[taken].words[-1])}"
    marked = Line(text[cap].text, mistake)
    return [*text[:cap], Line(glass), marked, Line(f"put {GLASS} table"), *text[cap + 1 :]]


def shut_door(text: Text, mistake: Mistake) -> Text | None:
    """Forget to open the door, or shut it before something is put in."""
    taken = next((at for at, line in enumerate(text) if line.starts("get") and "fridge" in line.words), None)
    opened, closed = _at(text, "open", "fridge"), _at(text, "close", "fridge")
    if mistake.kind == "closed get":
        if taken is None or opened is None:
            return None
        return [*text[:opened], *text[opened + 1 : taken], Line(text[taken].text, mistake), *text[taken + 1 :]]
    if taken is None or closed is None or closed < taken or not text[closed - 1].starts("put"):
        return None
    other = Line(f"close fridge {_other(text[taken].words[-1])}")
    rest = text[taken + 1 : closed - 1]
    return [*text[: taken + 1], other, *rest, Line(text[closed - 1].text, mistake), *text[closed + 1 :]]


def needless(text: Text, mistake: Mistake) -> Text | None:
    """Write something that cannot be had, and that nothing needs."""
    deed = mistake.kind.split()[1]
    line = Line(f"{NEEDLESS[deed]} {mistake.name}".strip(), mistake)
    at = _at(text, "pour")
    return None if at is None else [*text[:at], line, *text[at:]]


def misnamed(text: Text, mistake: Mistake) -> Text | None:
    """Write a name that is not in the scene for one that is: ``tray.`` for ``tray``, or of what is not there at all."""
    right, _, wrong = mistake.name.partition(">")
    deed = mistake.kind.split()[1]
    at = next(
        (at for at, line in enumerate(text) if line.starts(deed) and right in line.words and not line.mistake), None
    )
    if at is None:
        return None
    words = [wrong if word == right else word for word in text[at].words]
    return [*text[:at], Line(" ".join(words), mistake), *text[at + 1 :]]


SLIPS: Mapping[str, Slip] = {
    "not-in-hand pour": not_taken,
    "not-in-hand put": not_taken,
    "not-in-hand screw": put_back_first,
    "not-in-hand pour bottle": put_back_first,
    "hand-full get": full_hand,
    "hands-full get": full_hands,
    "hands-used screw": used_hands,
    "closed get": shut_door,
    "closed put": shut_door,
    "not-openable close": needless,
    "not-openable open": needless,
    "unknown-command Poured": needless,
    "unknown-command screw": needless,
    "unknown-command squeeze_float": needless,
    "unknown-name gaze": needless,
    "unknown-name glance": needless,
    "unknown-name get": misnamed,
    "unknown-name pour": misnamed,
    "unknown-name put": misnamed,
    "unknown-name switch_on": misnamed,
}
"""By kind. ``target-full pour`` (1 of 100 runs) is not among them: the published vessels hold more than is poured."""
