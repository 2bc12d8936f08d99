"""Mishaps: what goes wrong around a body while it works, drawn from a seed, so that a run can be had again."""

from robots.mishaps.faulty import CHANCE, Faulty, Hands, Happened, MishapKind
from robots.mishaps.rooms import RoomHands

__all__ = ["CHANCE", "Faulty", "Hands", "Happened", "MishapKind", "RoomHands"]
