"""How the value of each setting is read, from a file, a variable or the command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from domains.ladder import Ladder
from graftwork.acting.sharing import TOGETHER
from graftwork.mending.budgets import ladder_from
from graftwork.pricing.weights import Weights, weights_from

__all__ = ["READERS"]

MOST_SECONDS = 86_400.0
"""A day: a longer limit is no limit."""
MOST_MONEY = 1e9
NOWHERE = frozenset({"none", "no", "off", "false", "0"})
"""Words that switch the memory or the recording off."""
CONSENTS = frozenset({"ask", "allow", "never"})
"""Whether something else, or less, may be done than what was said, see `graftwork.deciding.substituting.Consent`."""


def _word(value: object, _: Path) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TypeError
    return value.strip()


def _name_or_path(value: object, folder: Path) -> str:
    """Take a path from the folder of the file that says so; a plain name is left as it is."""
    word = _word(value, folder)
    is_path = "/" in word or "\\" in word or word.endswith((".yaml", ".yml"))
    return str(_resolved(word, folder)) if is_path else word


def _robot(value: object, folder: Path) -> str:
    """Take the socket of a served body from the folder of the file that says so."""
    word = _word(value, folder)
    kind, colon, socket = word.partition(":")
    return f"{kind}:{_resolved(socket, folder)}" if colon and socket else word


def _place(value: object, folder: Path) -> Path | None:
    if value is None or value is False or (isinstance(value, str) and value.strip().lower() in NOWHERE):
        return None
    if not isinstance(value, str | Path):
        raise TypeError
    return _resolved(value, folder)


def _resolved(path: str | Path, folder: Path) -> Path:
    return folder / Path(path).expanduser()


def _whole(value: object, _: Path) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError
    return int(value)


def _count(value: object, folder: Path) -> int:
    number = _whole(value, folder)
    if number < 1:
        raise ValueError
    return number


def _seconds(value: object, _: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    seconds = float(value)
    if not 0 < seconds <= MOST_SECONDS:
        raise ValueError
    return seconds


def _price(value: object, _: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    price = float(value)
    if not 0 <= price <= MOST_MONEY:
        raise ValueError
    return price


def _probability(value: object, _: Path) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    probability = float(value)
    if not 0 < probability < 1:
        raise ValueError
    return probability


def _folders(value: object, folder: Path) -> tuple[Path, ...]:
    places = value.split(os.pathsep) if isinstance(value, str) else value
    if not isinstance(places, list) or not all(isinstance(place, str) for place in places):
        raise TypeError
    return tuple(_resolved(place, folder) for place in places if place.strip())


def _costs(value: object, _: Path) -> dict[str, int]:
    """Read ``human=10``, several of them in a list or parted by commas, or a table."""
    if isinstance(value, dict):
        pairs = [(name, _whole(cost, Path())) for name, cost in value.items()]
    else:
        texts = value.split(",") if isinstance(value, str) else value
        if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
            raise TypeError
        parts = [text.partition("=") for text in texts]
        pairs = [(name.strip(), int(cost)) for name, _sign, cost in parts]
    if any(cost < 0 or not name for name, cost in pairs):
        raise ValueError
    return dict(pairs)


def _one_of(words: Collection[str], value: object, folder: Path) -> str:
    word = _word(value, folder)
    if word not in words:
        raise ValueError
    return word


def _weights(value: object, _: Path) -> Weights:
    return value if isinstance(value, Weights) else weights_from(value)


def _ladder(value: object, _: Path) -> Ladder:
    return ladder_from(value)


def _patience(value: object, folder: Path) -> float | None:
    if value == "auto":
        return None
    return 0.0 if value in (0, "0") and not isinstance(value, bool) else _seconds(value, folder)


READERS: Mapping[str, tuple[Callable[[Any, Path], object], str]] = {
    "domain": (_name_or_path, "a name or a path"),
    "scene": (_name_or_path, "a name or a path"),
    "robot": (_robot, "a name, or served:SOCKET"),
    "model": (_word, "'offline', 'openai:NAME', 'replay:FILE' or 'scripted:FILE'"),
    "planner": (_word, "'fast-downward', 'kairos', 'portfolio' or 'up:ENGINE'"),
    "seed": (_whole, "a whole number"),
    "memory": (_place, "a path, or false for none"),
    "record": (_place, "a path, or false for none"),
    "run_seconds": (_seconds, "a number of seconds over 0, at most a day"),
    "planning_seconds": (_seconds, "a number of seconds over 0, at most a day"),
    "model_seconds": (_seconds, "a number of seconds over 0, at most a day"),
    "model_tries": (_count, "a whole number from 1"),
    "affordance_threshold": (_probability, "a number between 0 and 1"),
    "substitute": (partial(_one_of, CONSENTS), "'ask', 'allow' or 'never'"),
    "part": (partial(_one_of, CONSENTS), "'ask', 'allow' or 'never'"),
    "together": (partial(_one_of, TOGETHER), "'auto' or 'never'"),
    "weights": (_weights, "such as per_metre=0.5,per_second=0.1,risk=3, each from 0"),
    "patience": (_patience, "'auto', or a number of seconds from 0"),
    "domain_path": (_folders, "a list of folders"),
    "costs": (_costs, "such as human=10, a whole number from 0 for a class of agents"),
    "answer_seconds": (_seconds, "a number of seconds over 0, at most a day"),
    "model_price": (_price, "a number from 0"),
    "ladder": (_ladder, "such as rule=none,replan.tries=3,again.seconds=20"),
}
