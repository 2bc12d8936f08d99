"""Mishaps: random disturbances of a robot at work. A seed determines them, so that a run is reproducible."""

from benchmarks.mishaps.faulty import CHANCE, Faulty, Hands, Happened, MishapKind
from benchmarks.mishaps.rooms import RoomHands

__all__ = ["CHANCE", "Faulty", "Hands", "Happened", "MishapKind", "RoomHands"]
