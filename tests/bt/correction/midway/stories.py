"""Programs of words that are said and asked, with a reckoning of its own of what an edit in mid-course comes to.

A `Part` is known again by being the same object. Words are unique, so that a trace shows what was done.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from semantics.logic.correction import Insert, Move, Remove, Replace, StatementPlace, Wrap

INDENT = "    "
FRESH = count()


@dataclass(eq=False)
class Part:
    """A statement: words, said or asked, or a loop or a try around others."""

    word: str = ""
    asked: bool = False
    rounds: int = 0
    body: list[Part] = field(default_factory=list)

    def lines(self) -> list[str]:
        if self.word:
            return [f"{'ask' if self.asked else 'say'}('{self.word}')"]
        inner = [INDENT + line for one in self.body for line in one.lines()] or [f"{INDENT}pass"]
        if self.rounds:
            return [f"for turn in range({self.rounds}):", *inner]
        return ["try:", *inner, "except:", f"{INDENT}pass"]

    def whole(self) -> list[str]:
        """All that it does when it is done from its start."""
        return [self.word] if self.word else [word for one in self.body for word in one.whole()] * (self.rounds or 1)

    def leaves(self) -> list[Part]:
        return [self] if self.word else [leaf for one in self.body for leaf in one.leaves()]


def text_of(top: list[Part]) -> str:
    return "".join(f"{line}\n" for one in top for line in one.lines())


def word() -> str:
    return f"w{next(FRESH)}"


class Point:
    """Where a program is that has done `done` things, the last of which is under way.

    Attributes:
        current: What is under way.
        over: The leaves that were done in the pass that each of them belongs to.
    """

    def __init__(self, top: list[Part], done: int) -> None:
        events = [(leaf, (one, turn)) for one in top for turn in range(one.rounds or 1) for leaf in (one.leaves())]
        self.current, (self.around, self.turn) = events[done - 1]
        before = events[: done - 1]
        self.over = {leaf for leaf, (one, turn) in before if one is not self.around or turn == self.turn}
        self.passes = self.around.rounds - self.turn if self.around.rounds else 0
        self.moved: set[Part] = set()
        self.touched: set[Part] = set()

    def rest(self, block: list[Part]) -> list[str]:
        """What an edited program has still to do."""
        number = self._number(block)
        told: list[str] = []
        for at, one in enumerate(block[number:], number):
            if at == number and self._is_begun(one):
                told += self._resumed(one)
            elif not self._is_over(one):
                told += one.whole()
        return told

    def _resumed(self, one: Part) -> list[str]:
        if one.word:
            return []
        rounds = self.passes if one is self.around and one.rounds else one.rounds
        return self.rest(one.body) + [word for inner in one.body for word in inner.whole()] * max(rounds - 1, 0)

    def _number(self, block: list[Part]) -> int:
        for at, one in enumerate(block):
            if self._is_begun(one):
                return at
        return 1 + max((at for at, one in enumerate(block) if self._is_over(one) and one not in self.moved), default=-1)

    def _goes_on(self) -> bool:
        return self.current not in self.moved | self.touched

    def _is_over(self, one: Part) -> bool:
        if one in self.over:
            return True
        leaves = one.leaves()
        return bool(leaves) and one is not self.around and all(leaf in self.over for leaf in leaves)

    def _is_begun(self, one: Part) -> bool:
        if one.word:
            return one is self.current and self._goes_on()
        leaves = one.leaves()
        partly = any(leaf in self.over for leaf in leaves) and not self._is_over(one)
        return partly or one is self.around or (self.current in leaves and self._goes_on())


def inserted(top, place, point):
    """Put words in before the part at a place."""
    new = Part(word())
    block, at = _block(top, place)
    block.insert(at, new)
    return Insert(StatementPlace(place), new.lines()[0])


def removed(top, place, point):
    """Leave a part out."""
    block, at = _block(top, place)
    block.pop(at)
    return Remove(StatementPlace(place))


def replaced(top, place, point):
    """Change the words of a part."""
    block, at = _block(top, place)
    one = block[at]
    if not one.word:
        return None
    old, one.word = one.word, word()
    point.touched.add(one)
    return Replace(StatementPlace(place), f"'{old}'", f"'{one.word}'")


def moved(top, place, point, to):
    """Do a part elsewhere in its block."""
    block, at = _block(top, place)
    if to in (at, at + 1):
        return None  # where it stands
    one = block.pop(at)
    block.insert(to - (to > at), one)
    point.moved.add(one)
    return Move(StatementPlace(place), StatementPlace((*place[:-1], to)))


def wrapped(top, place, point, rounds, size):
    """Put parts under a line."""
    block, at = _block(top, place)
    block[at : at + size] = [Part(rounds=rounds, body=block[at : at + size])]
    return Wrap(StatementPlace(place), f"for again in range({rounds}):" if rounds else "try:", size)


def _block(top, place):
    if len(place) == 1:
        return top, place[0]
    return top[place[0]].body, place[2]
