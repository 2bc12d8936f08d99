"""`Weights`: what a metre, a second and the risk of failing are worth to the person, in the world's units of cost."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from semantics.errors import UnknownNameError, UsageError

__all__ = ["Weights", "weights_from"]


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


NAMES = tuple(one.name for one in fields(Weights))


def weights_from(said: object) -> Weights:
    """Read weights from a table, or from text such as ``per_metre=0.5,risk=3``.

    Raises:
        TypeError: It is neither.
        ValueError: A weight is no number.
        UsageError: There is no such weight, or it is negative or not finite.
    """
    pairs = said if isinstance(said, Mapping) else dict(_pairs(said))
    for name in pairs:
        if name not in NAMES:
            raise UnknownNameError("weight", str(name), NAMES)
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
