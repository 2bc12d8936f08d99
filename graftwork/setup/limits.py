"""The values that settings take: consents, budgets of recovery strategies, weights of costs, and their readers.

A reader gets what a source says and the folder of relative paths; it raises a `TypeError` or a `ValueError` for a value
that it does not take.

The defaults, the world and the settings define the budget of each recovery strategy, see `bt.recovery.budget`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from domains.repairs import RUNGS, Spending
from semantics.errors import UsageError, known_name
from semantics.plain_text import together

PATIENCE, SIMULATED_PATIENCE = 0.3, 10.0
"""Default time to wait for a proof of optimality on a real and on a simulated clock, in seconds."""
SEARCHES = ("first", "best", "optimal")
"""Which plan is taken: the first, the best when the patience is over, or the best when the time limit is reached."""
TOGETHER = ("auto", "never")  # whether independent steps run in parallel: if the body supports it, or never


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
        for name in WEIGHTS:
            _check_number("weight", name, getattr(self, name))

    def __str__(self) -> str:
        return ",".join(f"{weight.name}={getattr(self, weight.name):g}" for weight in fields(self))


WEIGHTS = tuple(weight.name for weight in fields(Weights))
MODEL_LIMITS = ("calls", "tokens", "money", "day_calls", "day_tokens", "day_money")
"""What may be limited of the use of language models, for an instruction and for a day of all processes."""


def weights_from(source: object) -> Weights:
    """Read weights from a table, or from text such as ``per_metre=0.5,risk=3``.

    Raises:
        TypeError: It is neither a table nor text.
        ValueError: A weight is no number.
        UsageError: There is no such weight, or it is negative or not finite.
    """
    return Weights(**_numbers_from(source, "weight", WEIGHTS))


def _numbers_from(source: object, kind: str, names: Collection[str]) -> dict[str, float]:
    """Read numbers from 0 by their names, from a table or from text such as ``calls=20,money=0.5``.

    Raises:
        TypeError: It is neither a table nor text.
        ValueError: A value is no number.
        UsageError: There is no such name, or a number is negative or not finite.
    """
    pairs = source if isinstance(source, Mapping) else dict(pairs_in(source))
    if any(isinstance(value, bool) for value in pairs.values()):
        raise TypeError(source)
    for name in pairs:
        known_name(kind, str(name), names)
    numbers = {str(name): float(value) for name, value in pairs.items()}
    for name, number in numbers.items():
        _check_number(kind, name, number)
    return numbers


def _check_number(kind: str, name: str, number: float) -> None:
    if not math.isfinite(number) or number < 0:
        raise UsageError(f"the {kind} {name}={number:g}: it must be finite and not below zero")


def read_budget(value: object, _: Path) -> dict[str, float]:
    """Read ``calls=20,day_money=0.5``, or a table."""
    return _numbers_from(value, "budget", MODEL_LIMITS)


def read_prices(value: object, _: Path) -> dict[str, tuple[float, float]]:
    """Read ``NAME=0.15/0.6`` for a million tokens that go into a model and come from it, or a table of tables."""
    table = value if isinstance(value, Mapping) else dict(pairs_in(value))
    return {str(name).removeprefix("openai:"): _price(price) for name, price in table.items()}


def _price(price: object) -> tuple[float, float]:
    if isinstance(price, str):
        price = dict(zip(("in", "out"), price.split("/"), strict=True))
    numbers = _numbers_from(price, "price", ("in", "out"))
    return numbers.get("in", 0.0), numbers.get("out", 0.0)


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
WHOLE = ("tries", "same", "most")
SPENDINGS = tuple(limit.name for limit in fields(Spending))


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
    number = read_number(value, Path())
    if not 0 <= number <= MOST[name] or (name in WHOLE and not number.is_integer()):
        raise ValueError(value)
    return int(number) if name in WHOLE else number


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


MOST_SECONDS = 86_400.0  # a day: a longer limit is no limit
NO = frozenset({"none", "no", "off", "false", "0"})
"""Words that switch the memory, the recording or another setting off."""
YES = frozenset({"yes", "on", "true", "1"})


class Values(NamedTuple):
    """The values of a setting."""

    read: Callable[[Any, Path], object]  # the reader, which also gets the folder of relative paths
    expected: str  # what it expects
    words: tuple[str, ...] = ()  # the words that it takes, if it takes no others


def read_word(value: object, _: Path) -> str:
    """Read a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise TypeError
    return value.strip()


def _name_or_path(value: object, folder: Path) -> str:
    """Resolve a path from the folder of its settings file; return a plain name unchanged."""
    word = read_word(value, folder)
    is_path = "/" in word or "\\" in word or word.endswith((".yaml", ".yml"))
    return str(_resolved(word, folder)) if is_path else word


def read_robot(value: object, folder: Path) -> str:
    """Resolve the socket of a served body, or the file of a class, from the folder of its settings file."""
    word = read_word(value, folder)
    kind, _, socket = word.partition(":")
    if kind.endswith(".py"):
        return f"{_resolved(kind, folder)}:{socket}"
    return f"{kind}:{_resolved(socket, folder)}" if kind == "served" and socket else word


def _place(value: object, folder: Path) -> Path | None:
    if value is None or value is False or (isinstance(value, str) and value.strip().lower() in NO):
        return None
    if not isinstance(value, str | Path):
        raise TypeError
    return _resolved(value, folder)


def _resolved(path: str | Path, folder: Path) -> Path:
    return folder / Path(path).expanduser()


def read_whole(value: object, _: Path) -> int:
    """Read a whole number, or the text of one."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return int(value)


def read_number(value: object, _: Path) -> float:
    """Read a number, or the text of one."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    return float(value)


def read_folders(value: object, folder: Path) -> tuple[Path, ...]:
    """Read a list of folders, or a text that parts them as the platform does."""
    places = value.split(os.pathsep) if isinstance(value, str) else value
    if not isinstance(places, list) or not all(isinstance(place, str) for place in places):
        raise TypeError
    return tuple(_resolved(place, folder) for place in places if place.strip())


def read_modules(value: object, folder: Path) -> tuple[str, ...]:
    """Resolve each path from the folder of its settings file; return importable names unchanged."""
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, list | tuple):
        raise TypeError
    words = [read_word(name, folder) for name in names]
    return tuple(str(_resolved(word, folder)) if word.endswith(".py") else word for word in words)


def read_truth(value: object, _: Path) -> bool:
    """Read a truth value, or a word for one, such as ``yes`` or ``off``."""
    if isinstance(value, bool):
        return value
    word = read_word(value, _).lower()
    if word not in YES | NO:
        raise ValueError
    return word in YES


def read_costs(value: object, folder: Path) -> dict[str, int]:
    """Read ``human=10``, several of these in a list or separated by commas, or a table."""
    pairs = value.items() if isinstance(value, Mapping) else pairs_in(value)
    costs = [(name, read_whole(cost, folder)) for name, cost in pairs]
    if any(cost < 0 or not name for name, cost in costs):
        raise ValueError
    return dict(costs)


def read_patience(value: object, folder: Path) -> object:
    """Read a number of seconds from 0; ``auto`` is None."""
    if value == "auto":
        return None
    return 0.0 if value in (0, "0") and not isinstance(value, bool) else SECONDS.read(value, folder)


def fitting(read: Callable[[object, Path], Any], fits: Callable[[Any], bool], expected: str) -> Values:
    """Return the values that a reader reads and that fit."""

    def checked(value: object, folder: Path) -> object:
        found = read(value, folder)
        if not fits(found):
            raise ValueError
        return found

    return Values(checked, expected)


def one_of(words: Collection[str]) -> Values:
    """Return the values that are some words."""
    listed = together((f"'{word}'" for word in words), "or")
    return fitting(read_word, words.__contains__, listed)._replace(words=tuple(words))


NAME_OR_PATH = Values(_name_or_path, "a name or a path")
PLACE = Values(_place, "a path, or false for none")
SECONDS = fitting(read_number, lambda number: 0 < number <= MOST_SECONDS, "a number of seconds over 0, at most a day")
CONSENT = one_of([*Consent])
