"""What an instruction with values or places is worth: by the true facts and poses in the end, measured.

The checks are those of README.md. Each returns in words what makes it false; nothing means that it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, dist, hypot, inf, sin
from typing import Any

from benchmarks.words.entries import Spatial, Way
from benchmarks.words.rows import Kind, Row
from benchmarks.words.scenery import RESTS, Scenery
from benchmarks.words.verdicts import DONE, Judged, Verdict, find_forbidden, read_atom, states_of, values_of
from benchmarks.words.worlds import Place
from semantics.errors import UsageError
from semantics.geometry.relations import DIRECTIONS, RELATIONS, SAID_PARTS, SEEN_FROM, is_so
from semantics.geometry.solids import gap
from semantics.logic.atoms import And, Atom, Formula, Not, Or
from semantics.logic.quantity import Quantity

__all__ = ["CHECKS", "judge_spatial"]

RESTING = ("on", "in")
CLOSED = 0.3
"""Up to which share of its opening the gripper counts as closed, if it holds nothing; and from 0.9 on as open."""


def judge_spatial(entry: Spatial, row: Row, place: Place) -> Judged:
    """Return what the row of an instruction with values or places is worth."""
    told = " ".join(row.told)
    match row.kind:
        case Kind.QUESTION | Kind.OFFER:
            return Judged(Verdict.DECLINED if entry.asks else Verdict.ASKED, why=row.question)
        case Kind.REFUSAL:
            return Judged(Verdict.DECLINED if entry.refuse or not entry.ways else Verdict.REFUSED, why=told)
    judged = _judge_end(entry, row, place)
    if judged.verdict is Verdict.WRONG and row.question:  # who had meant something else would have said no
        return Judged(Verdict.DECLINED if entry.asks else Verdict.ASKED, why=f"{row.question} Yes: {judged.why}")
    return judged


def _judge_end(entry: Spatial, row: Row, place: Place) -> Judged:
    """Return what is worth what was carried out."""
    told, end = " ".join(row.told), _End(row, place)
    harm = find_forbidden(entry.reject, states_of(row), place) if row.start else ""
    harm = harm or next((each for each in entry.reject if end.holds(place.condition(each))), "")
    if harm:
        return Judged(Verdict.WRONG, "run", f"{harm} came true: {told}")
    if row.kind is Kind.ANSWER:
        return Judged(Verdict.REFUSED, why=told)
    if row.outcome not in DONE:
        return Judged(Verdict.NOT_DONE, "run", told)
    if not entry.ways:
        return Judged(Verdict.WRONG, "run", f"it cannot be done, and is said to be: {told}")
    false = [list(end.missing_in(way)) for way in entry.ways]
    if not all(false):
        return Judged(Verdict.RIGHT, "run")
    return Judged(Verdict.WRONG, "run", f"it is said to be done: {'; '.join(min(false, key=len))}")


class _End:
    """The true end of a run.

    Args:
        row: What came of an instruction.
        place: Its scene.
    """

    def __init__(self, row: Row, place: Place) -> None:
        self.row, self.place = row, place
        self.before, self.after = Scenery(row.before), Scenery(row.after)
        self._facts = frozenset(map(read_atom, self.after.facts))

    def missing_in(self, way: Way) -> Iterator[str]:
        """Yield what of a way is not so."""
        if not all(any(self.holds(self.place.condition(end)) for end in ends) for ends in way.ends):
            yield "no end holds"
        for check in way.checks:
            yield from CHECKS[kind_of(check)](check, self)

    def holds(self, condition: Formula) -> bool:
        """Return whether a condition holds, relations of places among them."""
        match condition:
            case Atom(predicate, args):
                is_place = predicate in SEEN_FROM or predicate in SAID_PARTS or predicate in RELATIONS
                if is_place and predicate not in RESTING and not self._is_fact(condition):
                    return is_so(predicate, args, self.after.arrangement)
                return self._is_fact(condition)
            case Not(part):
                return not self.holds(part)
            case And(parts):
                return all(map(self.holds, parts))
            case Or(parts):
                return any(map(self.holds, parts))
        raise TypeError(f"{condition}: only facts, and, or and not are judged")

    def _is_fact(self, atom: Atom) -> bool:
        return atom in self._facts


def kind_of(check: Mapping[str, Any]) -> str:
    """Return what a check measures.

    Raises:
        UsageError: It is none of `CHECKS`.
    """
    for key in check:
        if key in CHECKS:
            return key
    raise UsageError(f"{dict(check)} is no check; there is {', '.join(CHECKS)}")


def _outside(value: float, limits: Sequence[float], what: str, unit: str = "m") -> Iterator[str]:
    least, most = limits
    if not least <= value <= most:
        yield f"{what} is {value:.3g} {unit}, not {least:g} to {most:g}"


def _far(point: Sequence[float], wanted: Sequence[float | None], within: float, what: str) -> Iterator[str]:
    """Yield how far a point is off; a coordinate that is None is free."""
    off = hypot(*(is_at - meant for is_at, meant in zip(point, wanted, strict=False) if meant is not None))
    if off > within:
        at = ", ".join(f"{value:.3f}" for value in point[: len(wanted)])
        yield f"{what} is at {at}, {off * 100:.1f} cm off"


def _check_moved(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    name = check["moved"]
    before, after = end.before.middle(name), end.after.middle(name)
    way = [now - then for now, then in zip(after, before, strict=True)]
    if (off := dist(way, check["by"])) > check["within"]:
        yield f"{name} moved by {', '.join(f'{value:.3f}' for value in way)}, {off * 100:.1f} cm off"


def _check_at(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    yield from _far(end.after.middle(check["at"]), check["point"], check["within"], check["at"])


def _check_gap(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    a, b = check["gap"]
    yield from _outside(gap(end.after.solid(a), end.after.solid(b)), check["is"], f"the gap of {a} and {b}")


def _check_middles(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    a, b = check["middles"]
    apart = dist(end.after.solid(a).middle, end.after.solid(b).middle)
    yield from _outside(apart, check["is"], f"the distance of {a} and {b}")


def _check_beside(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    name, other, side = check["beside"], check["of"], check["side"]
    (x, y), (u, v) = end.after.solid(name).middle, end.after.solid(other).middle
    viewer = "robot" if check.get("from", "robot").startswith("robot") else "person"
    off = atan2(y - v, x - u) - end.after.heading(viewer, other) - DIRECTIONS[side]
    off = abs(degrees(atan2(sin(off), cos(off))))
    if off > check.get("cone", 45):
        yield f"{name} is {off:.0f} degrees off the side {side} of {other}"


def _check_line(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    names = check["line"]
    points = [end.after.solid(name).middle for name in names]
    (x, y), (u, v) = max(((p, q) for p in points for q in points), key=lambda pair: dist(*pair))
    length = hypot(u - x, v - y) or inf
    along = [((p - x) * (u - x) + (q - y) * (v - y)) / length for p, q in points]
    off = max(abs((p - x) * (v - y) - (q - y) * (u - x)) / length for p, q in points)
    if length == inf or off > check["within"]:
        yield f"{', '.join(names)} are {off * 100:.1f} cm off one line"
    steps = [after - before for before, after in pairwise(along)]
    if check.get("ordered") and not (all(step > 0 for step in steps) or all(step < 0 for step in steps)):
        yield f"{', '.join(names)} stand in another order"


def _check_tower(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    for lower, upper in pairwise(check["tower"]):
        below, above = end.after.solid(lower), end.after.solid(upper)
        floor = below.bottom if below.is_open else below.top
        if not (below.covers(above.middle) and floor - RESTS <= above.bottom <= below.top + RESTS):
            yield f"{upper} is not on {lower}"


def _check_turned(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    name = check["turned"]
    turn = degrees(end.after.solid(name).yaw - end.before.solid(name).yaw)
    off = abs((turn - check["by"] + 180.0) % 360.0 - 180.0)
    if off > check["within"]:
        yield f"{name} is turned by {turn:.0f} degrees"


def _check_door(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    name = check["door"]
    if name not in end.after.doors:
        yield f"{name} has no door"
        return
    share, angle = end.after.doors[name]
    if "share" in check:
        yield from _outside(share, check["share"], f"the door of {name}", "of its way")
    elif abs(angle - check["angle"]) > check["within"]:
        yield f"the door of {name} is at {angle:.0f} degrees"


def _check_amount(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    substance, vessel = check["amount"], check["in"]
    kept = {"amount": f"(amount {vessel} {substance})", "level": f"(level {vessel})"}
    for name, text in kept.items():
        fluent = end.place.domain.fluents.get(name)
        if fluent is not None:
            amount = Quantity(end.after.numbers.get(text, 0.0), fluent.unit).base
            yield from _outside(amount, check["is"], f"{substance} in {vessel}", "ml")
            return
    yield f"nobody keeps how much {substance} is in {vessel}"


def _check_hand(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    within, hand = check["within"], end.after.hand
    if "above" in check:
        solid = end.after.solid(check["above"])
        yield from _far(hand, solid.middle, within, "the hand")
        if hand[2] < solid.top:
            yield f"the hand is not above {check['above']}"
    elif "moved" in check:
        way = [now - then for now, then in zip(hand, end.before.hand, strict=True)]
        yield from _far(way, check["moved"], within, "the way of the hand")
    else:
        yield from _far(hand, check["point"], within, "the hand")


def _check_gripper(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    share = end.after.gripper
    if share > CLOSED if check["gripper"] == "closed" else share < 1.0 - CLOSED:
        yield f"the gripper is open by {share:.0%}"


def _check_held(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    seconds = sum(end.row.spells.get(check["held"], ()))
    yield from _outside(seconds, check["seconds"], f"the time of {check['held']} in the hand", "s")


WHOLE = {("wet_swipe", "share"): 1.0}
"""What a value of a step is that is not set."""


def _check_step(check: Mapping[str, Any], end: _End) -> Iterator[str]:
    verb, name = check["step"], check["value"]
    steps = [step for plan in end.row.plans for step in plan if step.strip("(").split()[0].rstrip(")") == verb]
    scale = 0.01 if name == "share" else 1.0
    values = [value * scale for value in values_of(name, steps)]
    if steps and not values and (verb, name) in WHOLE:
        values = [WHOLE[verb, name]]
    least, most = check["is"]
    if not any(least <= value <= most for value in values):
        found = " and ".join(f"{value:g}" for value in values) or "not set"
        yield f"the {name} of {verb} is {found}, not {least:g} to {most:g}"


CHECKS: Mapping[str, Callable[[Mapping[str, Any], _End], Iterator[str]]] = {
    "moved": _check_moved,
    "at": _check_at,
    "gap": _check_gap,
    "middles": _check_middles,
    "beside": _check_beside,
    "line": _check_line,
    "tower": _check_tower,
    "turned": _check_turned,
    "door": _check_door,
    "amount": _check_amount,
    "hand": _check_hand,
    "gripper": _check_gripper,
    "held": _check_held,
    "step": _check_step,
}
"""How each kind of check is made; a check has the name of its kind as its first key."""
