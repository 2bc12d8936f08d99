"""The families of problems by name, and the problem of a family, a size and a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from benchmarks.any.carrying import ferry, gripper, logistics
from benchmarks.any.exploring import rovers, satellites
from benchmarks.any.household import household
from benchmarks.any.lift import miconic
from benchmarks.any.rooms import rooms
from benchmarks.any.sokoban import sokoban
from benchmarks.any.stacking import above, depots, hanoi
from benchmarks.any.writing import SIZES, Written

__all__ = ["FAMILIES", "SECOND_SEED", "SEED", "SIZES", "Written", "problem_of"]

SEED = 20261122
"""The seed of the problems that are measured first."""
SECOND_SEED = 20261123
"""The seed of the problems that nobody looked at before a measurement."""

FAMILIES: Mapping[str, Callable[[int, Random], Written]] = MappingProxyType(
    {
        "logistics": logistics,
        "gripper": gripper,
        "rovers": rovers,
        "depots": depots,
        "satellites": satellites,
        "miconic": miconic,
        "sokoban": sokoban,
        "ferry": ferry,
        "hanoi": hanoi,
        "above": above,
        "rooms": rooms,
        "household": household,
    }
)
"""What writes a problem of each family, from the index of its size and a source of chance."""


def problem_of(family: str, size: int, seed: int) -> Written:
    """Write the problem of a family, a size and a seed: the same text on every machine.

    Args:
        family: A name of ``FAMILIES``.
        size: The index of the size, below ``SIZES``.
        seed: The seed.
    """
    return FAMILIES[family](size, Random(f"{family} {size} {seed}"))
