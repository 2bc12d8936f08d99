"""The upper rungs of the ladder: an errand, another goal, a part of it, a model's word or a person's."""

from bt.repairing.turns.desk import Desk
from bt.repairing.turns.errand import ErrandFirst
from bt.repairing.turns.slot import UNPLANNED, Slot, Unplanned
from bt.repairing.turns.turning import Finder, InVain, Query, Turn, Turning
from bt.repairing.turns.wanting import must_be_wanted

__all__ = [
    "UNPLANNED",
    "Desk",
    "ErrandFirst",
    "Finder",
    "InVain",
    "Query",
    "Slot",
    "Turn",
    "Turning",
    "Unplanned",
    "must_be_wanted",
]
