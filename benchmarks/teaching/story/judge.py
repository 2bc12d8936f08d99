"""Whether blocks stand as a step wants it, read from the simulator's own bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

__all__ = ["Blocks", "wrong_with"]

Point = tuple[float, float, float]
TALL = 0.04
"""The height of a block, and its width; metres."""
LEVEL, OVER, FLUSH, STRAIGHT = 0.006, 0.02, 0.012, 0.01
"""How exactly heights agree, a block is over another one, neighbours are flush, and a row is straight; metres."""


@dataclass(frozen=True)
class Blocks:
    """Where the blocks are.

    Attributes:
        at: The middle of each, from the middle of the top of the table: to the right, away from the robot, and up.
        began: The same when the step began.
        held: What is in the hand.
    """

    at: Mapping[str, Point]
    began: Mapping[str, Point]
    held: str | None = None

    def on(self, upper: str, lower: str) -> bool:
        """Return whether a block stands on another one."""
        return self._level(upper, self.at[lower][2] + TALL) and self._apart(upper, lower) <= OVER

    def on_table(self, name: str) -> bool:
        """Return whether a block stands on the table."""
        return self._level(name, TALL / 2)

    def near(self, name: str, place: Sequence[float], within: float) -> bool:
        """Return whether a block is at a place of the table, at any height."""
        return _length(self.at[name], (place[0], place[1], 0.0)) <= within

    def beside(self, one: str, other: str, gap: Sequence[float]) -> bool:
        """Return whether two blocks stand beside each other, with a gap between their faces."""
        across = sorted(abs(a - b) for a, b in zip(self.at[one][:2], self.at[other][:2], strict=True))
        is_level = self._level(one, self.at[other][2])
        return is_level and across[0] <= FLUSH and gap[0] - 1e-3 <= across[1] - TALL <= gap[1] + 1e-3

    def row(self, names: Sequence[str]) -> bool:
        """Return whether blocks stand in a line."""
        (ax, ay, _), *_, (bx, by, _) = [self.at[name] for name in names]
        long = max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5, 1e-9)
        middle = [self.at[name] for name in names[1:-1]]
        return all(abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / long <= STRAIGHT for x, y, _ in middle)

    def bridges(self, roof: str, one: str, other: str) -> bool:
        """Return whether a block rests on two others at once."""
        is_over = all(self._level(roof, self.at[name][2] + TALL) for name in (one, other))
        spans = [self._apart(roof, name) for name in (one, other)]
        return is_over and max(spans) < TALL and self._apart(one, other) >= max(spans)

    def above(self, name: str, height: float) -> bool:
        """Return whether the bottom of a block is so high over the table."""
        return self.at[name][2] - TALL / 2 >= height

    def stayed(self, names: Sequence[str], most: float) -> bool:
        """Return whether blocks are where they were when the step began."""
        return all(
            sum((a - b) ** 2 for a, b in zip(self.at[name], self.began[name], strict=True)) ** 0.5 <= most
            for name in names
        )

    def _level(self, name: str, height: float) -> bool:
        return abs(self.at[name][2] - height) <= LEVEL

    def _apart(self, one: str, other: str) -> float:
        return _length(self.at[one], self.at[other])


def _length(one: Sequence[float], other: Sequence[float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def wrong_with(blocks: Blocks, wanted: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the conditions that do not hold, as they are written."""
    named = {name for condition in wanted for name in _names(condition) if name in blocks.at}
    return [str(dict(each)) for each in wanted if not _holds(blocks, each, named)]


def _names(condition: object) -> Iterator[str]:
    if isinstance(condition, str):
        yield condition
    elif isinstance(condition, Mapping):
        for value in condition.values():
            yield from _names(value)
    elif isinstance(condition, Sequence):
        for value in condition:
            yield from _names(value)


def _holds(blocks: Blocks, condition: Mapping[str, Any], named: set[str]) -> bool:
    if "some" in condition:
        return _count(blocks, condition["as"]) >= condition["some"]
    if "nothing_else_moved" in condition:
        others = [name for name in blocks.at if name not in named]
        return blocks.stayed(others, condition["nothing_else_moved"])
    return _is_so(blocks, condition)


def _is_so(blocks: Blocks, condition: Mapping[str, Any]) -> bool:
    tests: Mapping[str, Callable[[Any], bool]] = {
        "on": lambda told: blocks.on(*told),
        "on_table": blocks.on_table,
        "near": lambda told: blocks.near(*told, condition["within"]),
        "beside": lambda told: blocks.beside(*told, condition["gap"]),
        "row": blocks.row,
        "bridges": lambda told: blocks.bridges(*told),
        "above": lambda told: blocks.above(*told),
        "held": lambda told: blocks.held == told,
    }
    (kind,) = condition.keys() & tests.keys()
    return tests[kind](condition[kind])


def _count(blocks: Blocks, condition: Mapping[str, Any]) -> int:
    """Return for how many sets of blocks a condition with letters holds."""
    letters = sorted({name for name in _names(condition) if len(name) == 1})
    found = set()
    for chosen in permutations(blocks.at, len(letters)):
        named = dict(zip(letters, chosen, strict=True))
        if _is_so(blocks, {key: _filled(value, named) for key, value in condition.items()}):
            found.add(frozenset(chosen))
    return len(found)


def _filled(value: object, named: Mapping[str, str]) -> object:
    if isinstance(value, str):
        return named.get(value, value)
    return [_filled(each, named) for each in value] if isinstance(value, list) else value
