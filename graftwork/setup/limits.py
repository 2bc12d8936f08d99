"""The consents of a session, the budgets of its recovery strategies, and the weights of its costs.

The defaults, the world and the settings define the budget of each recovery strategy; for each number the last one
counts.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from domains.repairs import RUNGS, Ladder, Spending
from semantics.errors import UsageError, known_name

if TYPE_CHECKING:
    from bt.recovery import Budget

__all__ = ["Budgets", "Consent", "Weights", "joined_budgets", "ladder_from", "pairs_in", "weights_from"]

PATIENCE, SIMULATED_PATIENCE = 0.3, 10.0
"""Default time to wait for a proof of optimality on a real and on a simulated clock, in seconds."""
SEARCHES = ("first", "best", "optimal")
"""Which plan is taken: the first, the best when the patience is over, or the best when the time limit is reached."""
TOGETHER = ("auto", "never")
"""Whether independent steps run in parallel: if the body supports it, or never."""


class Consent(StrEnum):
    """Whether the robot may deviate from the goal: after asking, without asking, or never.

    Raises:
        UnknownNameError: There is no such consent.
    """

    ASK = "ask"
    ALLOW = "allow"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the formula in `planning.costs`; if all are zero, actions have the world's costs.

    Attributes:
        per_metre: Cost of each metre that an agent moves.
        per_second: Cost of each second of an action.
        risk: Cost of reducing the probability of success by the factor e.

    Raises:
        UsageError: One of them is negative or not finite.
    """

    per_metre: float = 0.0
    per_second: float = 0.0
    risk: float = 0.0

    def __post_init__(self) -> None:
        for weight in fields(self):
            number = getattr(self, weight.name)
            if not math.isfinite(number) or number < 0:
                raise UsageError(f"the weight {weight.name}={number:g}: it must be finite and not below zero")

    def __bool__(self) -> bool:
        return bool(self.per_metre or self.per_second or self.risk)

    def __str__(self) -> str:
        return ",".join(f"{weight.name}={getattr(self, weight.name):g}" for weight in fields(self))


WEIGHTS = tuple(weight.name for weight in fields(Weights))


def weights_from(source: object) -> Weights:
    """Read weights from a table, or from text such as ``per_metre=0.5,risk=3``.

    Raises:
        TypeError: It is neither a table nor text.
        ValueError: A weight is no number.
        UsageError: There is no such weight, or it is negative or not finite.
    """
    pairs = source if isinstance(source, Mapping) else dict(pairs_in(source))
    for name in pairs:
        known_name("weight", str(name), WEIGHTS)
    if any(isinstance(value, bool) for value in pairs.values()):
        raise TypeError(source)
    return Weights(**{name: float(value) for name, value in pairs.items()})


def pairs_in(source: object) -> list[tuple[str, str]]:
    """Return the names and values in text such as ``per_metre=0.5,risk=3``, or in a list of such texts.

    Raises:
        TypeError: It is no text.
        ValueError: A value is missing.
    """
    texts = source.split(",") if isinstance(source, str) else source
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise TypeError(source)
    parted = [[word.strip() for word in part.partition("=")] for text in texts for part in text.split(",")]
    if not all(sign and value for _, sign, value in parted):
        raise ValueError(source)
    return [(name, value) for name, _, value in parted]


OUT = "none"
MOST = {"tries": 1000, "same": 1000, "most": 1000, "seconds": 86_400.0, "money": 1e9}
SPENDINGS = tuple(limit.name for limit in fields(Spending))


Budgets: TypeAlias = "Mapping[str, Budget | None]"
"""The budget of each recovery strategy; None for a strategy that is off."""


def joined_budgets(*ladders: Ladder) -> Budgets:
    """Join the defaults with ladders, the most specific one last; other strategies have a `Budget()`."""
    from bt.recovery import BUDGETS, Budget  # the settings are read without the behaviour trees

    budgets: defaultdict[str, Budget | None] = defaultdict(Budget, BUDGETS)
    for ladder in ladders:
        for name, spending in ladder.items():
            budgets[name] = None if spending is None else _joined(budgets[name] or BUDGETS[name], spending)
    return budgets


def _joined(budget: Budget, spending: Spending) -> Budget:
    return replace(budget, **{name: value for name, value in asdict(spending).items() if value is not None})


def ladder_from(source: object) -> dict[str, Spending | None]:
    """Read a ladder from a table, or from text such as ``rule=none,replan.tries=3``.

    Raises:
        TypeError: It is neither a table nor text.
        ValueError: A number is missing, is no number, or is out of its bounds.
        UsageError: There is no such strategy, or no such limit of a strategy.
    """
    table = source if isinstance(source, Mapping) else _table(source)
    ladder: dict[str, Spending | None] = {}
    for name, spent in table.items():
        known_name("rung", str(name), RUNGS)
        ladder[name] = _spending(spent)
    return ladder


def _spending(spent: object) -> Spending | None:
    if spent is None or spent is False or spent == OUT:
        return None
    if isinstance(spent, Spending):
        return spent
    if not isinstance(spent, Mapping):
        raise TypeError(spent)
    for name in spent:
        known_name("limit of a rung", str(name), SPENDINGS)
    limits: dict[str, Any] = {name: _number(name, value) for name, value in spent.items() if value is not None}
    return Spending(**limits)


def _number(name: str, value: object) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError(value)
    number = int(value) if name in ("tries", "same", "most") else float(value)
    if not 0 <= number <= MOST[name] or number != float(value):
        raise ValueError(value)
    return number


def _table(source: object) -> dict[str, object]:
    """Convert text such as ``rule=none,replan.tries=3`` to the table that a file would contain."""
    table: dict[str, object] = {}
    for name, value in pairs_in(source):
        rung, dot, limit = name.partition(".")
        if not dot:
            if value != OUT:
                raise ValueError(source)
            table[rung] = value
            continue
        inner = table.setdefault(rung, {})
        if not isinstance(inner, dict):
            raise UsageError(f"the rung '{rung}' is left out and given limits at once")
        inner[limit] = value
    return table
