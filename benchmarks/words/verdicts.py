"""What a row can be worth, and what judges of runs have in common: the states that a run went through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isclose
from typing import Any

from benchmarks.words.rows import Row
from benchmarks.words.worlds import Place
from semantics.logic.atoms import Atom, Formula
from semantics.logic.conditions import is_true
from semantics.logic.quantity import Quantity
from semantics.logic.state import Action

__all__ = [
    "DONE",
    "Judged",
    "Verdict",
    "begins",
    "broken_order",
    "came_true",
    "find_forbidden",
    "find_unchanged",
    "read_atom",
    "states_of",
    "values_of",
]

DONE = ("achieved", "already", "answered")
"""The outcomes of a run that is said to be done."""


class Verdict(StrEnum):
    """What a row is worth."""

    RIGHT = "right"
    DECLINED = "rightly declined"  # refused or asked where that is right
    ASKED = "asked"  # where something was to be done
    REFUSED = "refused though possible"
    WRONG = "wrong"
    NOT_DONE = "not done"  # no model, no usable answer, a fault, or a run that failed and said so


@dataclass(frozen=True)
class Judged:
    """A verdict.

    Attributes:
        verdict: The verdict.
        by: How it was found: ``logic``, ``simulation``, ``run``, ``words``; empty where nothing was to be found.
        why: The reason.
        missed: Whether words took something back, and what ran just went on.
    """

    verdict: Verdict
    by: str = ""
    why: str = ""
    missed: bool = False

    @property
    def is_good(self) -> bool:
        """Whether it is right, or rightly declined."""
        return self.verdict in (Verdict.RIGHT, Verdict.DECLINED)


def came_true(conditions: Iterable[Formula], before: Iterable[Atom], after: Iterable[Atom]) -> str:
    """Return a condition that holds afterwards and did not before; empty if there is none."""
    start, end = frozenset(before), frozenset(after)
    come = (each for each in conditions if is_true(each, end, {}) and not is_true(each, start, {}))
    return str(next(come, ""))


def states_of(row: Row) -> list[frozenset[Atom]]:
    """Return the true facts when the words were said, and after each change."""
    read: dict[str, Atom] = {}

    def atom(text: str) -> Atom:
        if text not in read:
            read[text] = read_atom(text)
        return read[text]

    return [frozenset(map(atom, facts)) for facts in row.states]


def read_atom(text: str) -> Atom:
    """Return a fact from its text in PDDL."""
    name, *args = text.strip("()").split()
    return Atom(name, tuple(args))


def broken_order(
    order: Iterable[tuple[Formula, Formula]], states: Sequence[frozenset[Atom]], *, any_order: bool = False
) -> str:
    """Return what of pairs did not come true one before the other, or in `any_order` at all; empty if all did."""
    for first, then in order:
        times = [
            next((i for i, state in enumerate(states) if is_true(each, state, {})), None) for each in (first, then)
        ]
        if None in times:
            return f"{then if times[0] is not None else first} never came true"
        if any_order:
            continue
        again = [i for i in range(1, len(states)) if begins(then, states, i)]
        if not any(i > (times[0] or 0) for i in again) and not (times[0] or 0) < (times[1] or 0):
            return f"{then} came true before {first}"
    return ""


def begins(condition: Formula, states: Sequence[frozenset[Atom]], at: int) -> bool:
    """Return whether a condition comes true in a state; what holds in the first one has come true in it."""
    return is_true(condition, states[at], {}) and not (at and is_true(condition, states[at - 1], {}))


def find_forbidden(texts: Iterable[str], states: Sequence[frozenset[Atom]], place: Place) -> str:
    """Return a condition that came true though it never must; one that holds from the beginning must come true anew."""
    for text in texts:
        condition = place.condition(text)
        if any(begins(condition, states, i) for i in range(1, len(states))):
            return text
    return ""


def find_unchanged(values: Mapping[str, Any], row: Row) -> str:
    """Return a value that was to be changed and was not; empty if there is none."""
    for name, wanted in values.items():
        before, after = (values_of(name, plan) for plan in (row.plans[0], row.plans[-1]))
        if not after or len(row.plans) < 2:
            return f"no step has another {name}"
        if wanted == "less":
            changed = max(after) < max(before, default=float("inf"))
        elif wanted == "more":
            changed = min(after) > max(before, default=0.0)
        else:
            said = (Quantity.read(text).number for text in _texts_of(name, row.plans[-1]))
            changed = any(isclose(value, wanted) for value in (*said, *after))
        if not changed:
            return f"{name} is {' and '.join(_texts_of(name, row.plans[-1]))}, not {wanted}"
    return ""


def values_of(name: str, plan: Iterable[str]) -> list[float]:
    """Return the values of a name in the steps of a plan, in the first unit of their dimension."""
    return [Quantity.read(text).base for text in _texts_of(name, plan)]


def _texts_of(name: str, plan: Iterable[str]) -> list[str]:
    said = (dict(Action.read(step).values).get(name) for step in plan)
    return [str(value) for value in said if isinstance(value, Quantity)]
