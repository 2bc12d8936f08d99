"""The upper rungs of the ladder: an errand, another goal, a part of it, a model's word or a person's."""

from bt.repairing.turns.desk import Desk
from bt.repairing.turns.slot import Slot, Unplanned, errand_first
from bt.repairing.turns.turning import Finder, Query, Turn, Turning

__all__ = ["Desk", "Finder", "Query", "Slot", "Turn", "Turning", "Unplanned", "errand_first"]
