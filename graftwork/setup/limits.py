"""What a session may spend, what it may do without being told, and what a metre, a second and a risk are worth.

What each strategy of recovery may spend is said by defaults, by the world and by the settings: the last counts, for
each number by itself.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from typing import Any

from bt.recovery import BUDGETS, Budget
from domains.repairs import RUNGS, Ladder, Spending
from semantics.errors import UnknownNameError, UsageError

__all__ = [
    "Budgets",
    "Consent",
    "Consents",
    "Limits",
    "Weights",
    "consent_named",
    "joined_budgets",
    "ladder_from",
    "weights_from",
]

PATIENCE = 0.3
"""How long a proof is waited for on a real clock, seconds."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things may take.

    Attributes:
        run_seconds: One instruction, in seconds of the body's clock.
        planning_seconds: One planning call.
        model_seconds: One answer of a language model, retries included.
        model_tries: How often a language model is asked about one instruction.
        patience: How long the proof that a plan is cheapest is waited for before the robot sets off with the first
            plan, in seconds; None for 0.3 on a real clock, and `planning_seconds` on a simulated one, which stands
            still meanwhile, so that a run does not hang on how fast the machine is.
        ladder: What each rung of the repair ladder may spend, other than the world says.
        answer_seconds: How long a person's answer is waited for while a run is under way, in seconds of the body's
            clock.
        model_price: What 1,000 tokens of a language model cost, in the unit of a rung's ``money``.
    """

    run_seconds: float = 1800.0
    planning_seconds: float = 20.0
    model_seconds: float = 30.0
    model_tries: int = 5
    patience: float | None = None
    ladder: Ladder = field(default_factory=dict)
    answer_seconds: float = 60.0
    model_price: float = 0.0


class Consent(StrEnum):
    """Whether something else may be used instead of what is missing."""

    ASK = "ask"
    ALLOW = "allow"
    NEVER = "never"


def consent_named(name: str, to: str = "substitutes") -> Consent:
    """Return the consent `to` something by its name.

    Raises:
        UnknownNameError: There is no such one.
    """
    if name not in list(Consent):
        raise UnknownNameError(f"consent to {to}", name, list(Consent))
    return Consent(name)


@dataclass(frozen=True, slots=True)
class Consents:
    """What may be done without being said: something `instead` of what is missing, only a `part` of a goal."""

    instead: Consent = Consent.ASK
    part: Consent = Consent.ASK


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of the formula in `planning.costs`; all zero means that actions cost what the world says.

    Attributes:
        per_metre: Cost of a metre that an agent goes.
        per_second: Cost of a second that an action takes.
        risk: Cost of being e times less likely to succeed.

    Raises:
        UsageError: One of them is negative or not finite.
    """

    per_metre: float = 0.0
    per_second: float = 0.0
    risk: float = 0.0

    def __post_init__(self) -> None:
        for one in fields(self):
            number = getattr(self, one.name)
            if not math.isfinite(number) or number < 0:
                raise UsageError(f"the weight {one.name}={number:g}: it must be finite and not below zero")

    def __bool__(self) -> bool:
        return bool(self.per_metre or self.per_second or self.risk)

    def __str__(self) -> str:
        return ",".join(f"{one.name}={getattr(self, one.name):g}" for one in fields(self))


WEIGHTS = tuple(weight.name for weight in fields(Weights))


def weights_from(said: object) -> Weights:
    """Read weights from a table, or from text such as ``per_metre=0.5,risk=3``.

    Raises:
        TypeError: It is neither.
        ValueError: A weight is no number.
        UsageError: There is no such weight, or it is negative or not finite.
    """
    pairs = said if isinstance(said, Mapping) else dict(_pairs(said))
    for name in pairs:
        if name not in WEIGHTS:
            raise UnknownNameError("weight", str(name), WEIGHTS)
    if any(isinstance(value, bool) for value in pairs.values()):
        raise TypeError(said)
    return Weights(**{name: float(value) for name, value in pairs.items()})


def _pairs(said: object) -> list[tuple[str, str]]:
    texts = said.split(",") if isinstance(said, str) else said
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise TypeError(said)
    parted = [one.partition("=") for text in texts for one in text.split(",")]
    if not all(sign and number.strip() for _, sign, number in parted):
        raise ValueError(said)
    return [(name.strip(), number) for name, _, number in parted]


OUT = "none"
MOST = {"tries": 1000, "same": 1000, "most": 1000, "seconds": 86_400.0, "money": 1e9}
SPENDINGS = tuple(limit.name for limit in fields(Spending))


Budgets = Mapping[str, Budget | None]
"""What each rung may spend; None for a rung that is left out."""


def joined_budgets(*said: Ladder) -> Budgets:
    """Join the defaults with what was said, the most particular last; what nothing is said of has a `Budget()`."""
    found: defaultdict[str, Budget | None] = defaultdict(Budget, BUDGETS)
    for ladder in said:
        for name, spending in ladder.items():
            found[name] = None if spending is None else _joined(found[name] or BUDGETS[name], spending)
    return found


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
        if name not in SPENDINGS:
            raise UnknownNameError("limit of a rung", str(name), SPENDINGS)
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
