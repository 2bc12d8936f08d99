"""Corrections: typed edits of programs and plans, each tried on the model before it is kept, and told in words."""

from bt.editing.correcting import Corrected, correct, correct_plan
from bt.editing.differing import difference
from bt.editing.edits import edited
from bt.editing.exchanging import Exchanged, exchange
from bt.editing.places import at_line, spots
from bt.editing.rehearsing import Rehearsal

__all__ = [
    "Corrected",
    "Exchanged",
    "Rehearsal",
    "at_line",
    "correct",
    "correct_plan",
    "difference",
    "edited",
    "exchange",
    "spots",
]
