"""Ticks of a tree by py_trees and of its like by `Ticker`, in turn, so that both meet the same machine."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from statistics import median

from py_trees.trees import BehaviourTree
from py_trees.visitors import SnapshotVisitor

from benchmarks.trees.forests import FORESTS, Grown
from bt.node import walk
from bt.ticking import Ticker

__all__ = ["HOW", "Pair", "compare", "quiet"]

BLOCK = 5
"""Ticks of one after which it is the other's turn: in turn, so that both meet the same machine, and several together,
so that each meets the memory as it left it itself."""
HOW = ("nothing changed", "one fact flipped", "ten facts flipped")


@dataclass(frozen=True, slots=True)
class Pair:
    """Seconds of processor time of ticks, taken in turn.

    Attributes:
        forest, size, how: What was ticked.
        plain: Ticks of the root by py_trees, without its tree manager.
        spare: Ticks by ours.
    """

    forest: str
    size: int
    how: str
    plain: list[float]
    spare: list[float]

    @property
    def ratio(self) -> float:
        """How many times faster ours is: by the median where all ticks are alike, else by the sum."""
        if self.how == HOW[0]:
            return median(self.plain) / median(self.spare)
        return sum(self.plain) / sum(self.spare)


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the collection of garbage out of what is measured: it would come in one's time and be the other's."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def compare(forest: str, size: int, ticks: int, visited: bool = False) -> list[Pair]:
    """Measure one kind of tree under every kind of change; check after each that both are alike.

    Raises:
        RuntimeError: A status differs.
    """
    plain, spare = FORESTS[forest](size, 1), FORESTS[forest](size, 1)
    ticker = Ticker(spare.root, spare.facts)
    tick, spared = _shown(plain, ticker) if visited else (plain.root.tick_once, ticker.tick)
    for _ in range(3):
        tick()
        spared()
    pairs = []
    for how, flips in zip(HOW, (0, 1, 10), strict=True):
        random, taken = Random(size), Pair(forest, size, how, [], [])
        changes = [random.sample(range(len(plain.atoms)), flips) for _ in range(ticks)]
        with quiet():
            for start in range(0, ticks, BLOCK):
                taken.plain.extend(_block(plain, changes[start : start + BLOCK], tick))
                taken.spare.extend(_block(spare, changes[start : start + BLOCK], spared))
        if [node.status for node in walk(plain.root)] != [node.status for node in walk(spare.root)]:
            raise RuntimeError(f"{forest}, {size} nodes, {how}: the trees differ")
        pairs.append(taken)
    return pairs


def _shown(plain: Grown, ticker: Ticker) -> tuple[Callable[[], object], Callable[[], object]]:
    """Return ticks with a snapshot visitor, py_trees' with its tree manager."""
    managed, visitor = BehaviourTree(plain.root), SnapshotVisitor()
    managed.add_visitor(SnapshotVisitor())

    def spared() -> None:
        visitor.initialise()
        ticker.tick()
        for node in ticker.touched:
            node.visit(visitor)
        visitor.finalise()

    return managed.tick, spared


def _block(grown: Grown, changes: list[list[int]], tick: Callable[[], object]) -> Iterator[float]:
    """Tick after each change; yield seconds."""
    for numbers in changes:
        for number in numbers:
            grown.facts.set(grown.atoms[number], grown.atoms[number] not in grown.facts)
        began = time.thread_time()
        tick()
        yield time.thread_time() - began
