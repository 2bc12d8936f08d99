"""The values that settings take: their readers, which get what a source says and the folder of relative paths.

A reader raises a `TypeError` or a `ValueError` for a value that it does not take.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from graftwork.setup.limits import Consent, pairs_in
from semantics.plain_text import together

__all__ = [
    "CONSENT",
    "NAME_OR_PATH",
    "PLACE",
    "SECONDS",
    "Values",
    "fitting",
    "one_of",
    "read_costs",
    "read_folders",
    "read_modules",
    "read_number",
    "read_patience",
    "read_robot",
    "read_truth",
    "read_whole",
    "read_word",
]

MOST_SECONDS = 86_400.0
"""A day: a longer limit is no limit."""
NO = frozenset({"none", "no", "off", "false", "0"})
"""Words that switch the memory, the recording or another setting off."""
YES = frozenset({"yes", "on", "true", "1"})


class Values(NamedTuple):
    """The values of a setting.

    Attributes:
        read: The reader, which also gets the folder of relative paths.
        expected: What it expects.
        words: The words that it takes, if it takes no others.
    """

    read: Callable[[Any, Path], object]
    expected: str
    words: tuple[str, ...] = ()


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
