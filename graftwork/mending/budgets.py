"""What each rung of the ladder may spend: by default, in a world, in the settings.

The last who says something counts, for each number by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from bt.repairing import Budget
from domains.ladder import RUNGS, Ladder, Spending
from semantics.errors import UnknownNameError, UsageError

__all__ = ["DEFAULTS", "Budgets", "ladder_from"]

DEFAULTS: Mapping[str, Budget] = {
    "again": Budget(tries=4, same=1),
    "rule": Budget(tries=6, same=2),
    "replan": Budget(tries=6, same=2),
    "explore": Budget(tries=40, same=40),
    "substitute": Budget(tries=3, same=1),
    "part": Budget(tries=2, same=1),
    "consult": Budget(tries=3, same=2),
    "ask": Budget(tries=3, same=2),
}
"""By rung. Whoever tries again and again what has failed twice in the same way is not mending."""

OUT = "none"
MOST = {"tries": 1000, "same": 1000, "most": 1000, "seconds": 86_400.0, "money": 1e9}
NAMES = tuple(one.name for one in fields(Spending))


@dataclass(frozen=True, slots=True)
class Budgets:
    """What the rungs may spend; None for a rung that is left out."""

    by_rung: Mapping[str, Budget | None]

    @classmethod
    def joined(cls, *said: Ladder) -> Budgets:
        """Join the defaults with what was said, the most particular last."""
        found: dict[str, Budget | None] = dict(DEFAULTS)
        for ladder in said:
            for name, spending in ladder.items():
                found[name] = None if spending is None else _joined(found[name] or DEFAULTS[name], spending)
        return cls(found)

    def __getitem__(self, rung: str) -> Budget | None:
        return self.by_rung[rung]


def _joined(budget: Budget, spending: Spending) -> Budget:
    return replace(budget, **{name: value for name, value in asdict(spending).items() if value is not None})


def ladder_from(said: object) -> dict[str, Spending | None]:
    """Read a ladder from a table, or from text such as ``rule=none,replan.tries=3``.

    Raises:
        TypeError: It is neither.
        ValueError: A number is missing, is no number, or is not within its bounds.
        UsageError: There is no such rung, or nothing of that name that it may spend.
    """
    table = said if isinstance(said, Mapping) else _table(said)
    found: dict[str, Spending | None] = {}
    for name, spent in table.items():
        if name not in RUNGS:
            raise UnknownNameError("rung", str(name), RUNGS)
        found[name] = _spending(spent)
    return found


def _spending(spent: object) -> Spending | None:
    if spent is None or spent is False or spent == OUT:
        return None
    if isinstance(spent, Spending):
        return spent
    if not isinstance(spent, Mapping):
        raise TypeError(spent)
    for name in spent:
        if name not in NAMES:
            raise UnknownNameError("limit of a rung", str(name), NAMES)
    limits: dict[str, Any] = {name: _number(name, value) for name, value in spent.items() if value is not None}
    return Spending(**limits)


def _number(name: str, value: object) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError(value)
    number = int(value) if name in ("tries", "same", "most") else float(value)
    if not 0 <= number <= MOST[name] or number != float(value):
        raise ValueError(value)
    return number


def _table(said: object) -> dict[str, object]:
    """Read ``rule=none,replan.tries=3`` as the table that a file would have."""
    texts = said.split(",") if isinstance(said, str) else said
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise TypeError(said)
    found: dict[str, object] = {}
    for text in (one.strip() for many in texts for one in many.split(",")):
        name, sign, value = (part.strip() for part in text.partition("="))
        rung, dot, limit = name.partition(".")
        if not sign or not value or (value != OUT and not dot):
            raise ValueError(said)
        if not dot:
            found[rung] = value
            continue
        inner = found.setdefault(rung, {})
        if not isinstance(inner, dict):
            raise UsageError(f"the rung '{rung}' is left out and given limits at once")
        inner[limit] = value
    return found
