"""What a household instruction is worth: by its goal, by where the plan leads, or by a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.words.entries import Instruction
from benchmarks.words.logic import Known, literals_of
from benchmarks.words.rows import Kind, Row
from benchmarks.words.verdicts import DONE, Judged, Verdict, broken_order, came_true, states_of
from benchmarks.words.worlds import Place
from semantics.logic.atoms import Formula, conjoined, literals
from semantics.logic.conditions import is_true
from semantics.logic.state import State

__all__ = ["judge_instruction"]


@dataclass(frozen=True)
class _Wishes:
    """The conditions of an entry, read in its scene."""

    place: Place
    ends: tuple[Formula, ...]
    reject: tuple[Formula, ...]
    order: tuple[tuple[Formula, Formula], ...]
    any_order: bool = False

    @classmethod
    def of(cls, entry: Instruction, place: Place) -> _Wishes:
        read = place.condition
        ends = tuple(map(read, entry.ends + entry.part))
        order = tuple((read(first), read(then)) for first, then in entry.order)
        return cls(place, ends, tuple(map(read, entry.reject)), order, entry.any_order)


def judge_instruction(entry: Instruction, row: Row, place: Place) -> Judged:
    """Return what the row of an instruction is worth."""
    may_decline = entry.asks or entry.must_decline
    match row.kind:
        case Kind.QUESTION:
            return Judged(Verdict.DECLINED if may_decline else Verdict.ASKED, why=row.question)
        case Kind.REFUSAL | Kind.ANSWER:
            declined = Verdict.DECLINED if entry.must_decline or entry.refuse else Verdict.REFUSED
            return Judged(declined, why=" ".join(row.told))
        case Kind.ALREADY:
            return Judged(Verdict.WRONG, why="it says that it is so already")
    if entry.must_decline:
        asks = row.kind is Kind.OFFER
        why = f"it cannot be said: {entry.inexpressible or entry.note}"
        return Judged(Verdict.DECLINED if asks else Verdict.WRONG, why=why)
    wishes = _Wishes.of(entry, place)
    judged = _judge_run(wishes, row) if row.kind is Kind.PROGRAM else _judge_goal(wishes, row)
    if row.kind is Kind.OFFER and judged.verdict is not Verdict.RIGHT:
        asked = Verdict.DECLINED if entry.asks else Verdict.ASKED
        return Judged(asked, judged.by, f"it offers what is not right: {judged.why}")
    if judged.verdict is Verdict.RIGHT and row.looks_for and row.outcome not in DONE:
        return Judged(Verdict.NOT_DONE, judged.by, f"its goal is right, and its run was not: {' '.join(row.told)}")
    if judged.verdict is Verdict.RIGHT and entry.part and row.kind is not Kind.OFFER and not _tells_more(row):
        return Judged(Verdict.WRONG, judged.by, "it does a part, and does not say what it leaves out")
    return judged


SILENT = ("The plan stands", "would be looked for", "Done:", "is believed", "there is no plan before")
"""Messages that every goal has."""


def _tells_more(row: Row) -> bool:
    """Return whether more was told than that there is a plan."""
    return any(text for text in row.told if not any(usual in text for usual in SILENT))


def _judge_goal(wishes: _Wishes, row: Row) -> Judged:
    """Judge goals in an order, of which the last one decides, and their plan."""
    read = [[Known.of(wishes.place, literals_of(way, wishes.place)) for way in ways] for ways in row.goals]
    stages = [[known for known in ways if not known.contradicts_itself] for ways in read]
    for known in (known for ways in stages for known in ways):
        if harm := next((each for each in wishes.reject if known.value(each) is True), None):
            return Judged(Verdict.WRONG, "logic", f"it asks for {harm}")
    judged = _judge_order(wishes, stages) if wishes.order else _judge_ends(wishes.ends, stages[-1])
    if judged is not None and judged.verdict is Verdict.WRONG:
        return judged
    final = wishes.place.after(tuple(row.steps)) if row.steps else None
    if final is None:
        return judged or (_judge_run(wishes, row) if row.trace else Judged(Verdict.WRONG, "logic", "it asks for less"))
    if led_to := came_true(wishes.reject, wishes.place.truth.atoms, final.atoms):
        return Judged(Verdict.WRONG, "simulation", f"its plan leads to {led_to}")
    return judged or _judge_final(wishes.ends, stages[-1], final)


def _judge_ends(ends: Sequence[Formula], ways: Sequence[Known]) -> Judged | None:
    """Judge a goal by logic: each of its alternatives makes an end true; None if logic leaves that open.

    Facts that no end speaks of are told, since they ought to do no harm.
    """
    values = [[known.value(end) for end in ends] for known in ways]
    if ways and all(True in known for known in values):
        meant = {literal.atom for end in ends for literal in literals(end)}
        more = {atom for known in ways for atom in known.true - meant - known.place.truth.atoms}
        return Judged(Verdict.RIGHT, "logic", f"asks for more: {' '.join(map(str, sorted(more)))}" if more else "")
    if excluding := [known for known, each in zip(ways, values, strict=True) if set(each) <= {False}]:
        return Judged(Verdict.WRONG, "logic", f"{' '.join(map(str, sorted(excluding[0].true)))} excludes every end")
    return None


def _judge_final(ends: Sequence[Formula], ways: Sequence[Known], final: State) -> Judged:
    """Judge a goal that asks for less than an end by where its plan leads, and tell what it does not ask for."""
    reached = next((end for end in ends if is_true(end, final.atoms, final.numbers)), None)
    if reached is None:
        return Judged(Verdict.WRONG, "simulation", "it asks for less than an end, and its plan leads to none")
    parts = [part for part in conjoined(reached) if not all(known.value(part) is True for known in ways)]
    return Judged(Verdict.RIGHT, "simulation", f"not asked for: {' '.join(map(str, parts))}")


def _judge_order(wishes: _Wishes, stages: Sequence[Sequence[Known]]) -> Judged:
    """Judge what has to hold one after the other: each of a pair is asked for by a goal of its own, in this order."""

    def asked(condition: Formula) -> list[int]:
        return [i for i, ways in enumerate(stages) if all(known.value(condition) is True for known in ways)]

    for first, then in wishes.order:
        earlier, later = asked(first), asked(then)
        if not earlier or not later:
            return Judged(Verdict.WRONG, "logic", f"{then if earlier else first} is not asked for")
        if not wishes.any_order and min(earlier) >= max(later):
            return Judged(Verdict.WRONG, "logic", f"nothing says that {first} is before {then}")
    return Judged(Verdict.RIGHT, "logic")


def _judge_run(wishes: _Wishes, row: Row) -> Judged:
    """Judge an instruction that was carried out."""
    states = states_of(row)
    for state in states[1:]:
        if harm := came_true(wishes.reject, states[0], state):
            return Judged(Verdict.WRONG, "run", f"{harm} came true")
    if row.outcome not in DONE:
        return Judged(Verdict.NOT_DONE, "run", " ".join(row.told))
    if wishes.order:
        broken = broken_order(wishes.order, states, any_order=wishes.any_order)
        return Judged(Verdict.WRONG if broken else Verdict.RIGHT, "run", broken)
    if any(is_true(end, states[-1], {}) for end in wishes.ends):
        return Judged(Verdict.RIGHT, "run")
    return Judged(Verdict.WRONG, "run", "it is said to be done, and no end holds")
