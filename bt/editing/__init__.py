"""Corrections: typed edits of programs and plans, each tried on the model before it is kept, and told in words."""

from bt.editing.correcting import Corrected, correct, correct_plan
from bt.editing.differing import difference
from bt.editing.edits import edited
from bt.editing.exchanging import Exchanged, exchange
from bt.editing.midway import Midway, correct_midway, exchange_program
from bt.editing.places import at_line, spots
from bt.editing.rehearsing import Rehearsal
from bt.editing.underway import correct_under_way

__all__ = [
    "Corrected",
    "Exchanged",
    "Midway",
    "Rehearsal",
    "at_line",
    "correct",
    "correct_midway",
    "correct_plan",
    "correct_under_way",
    "difference",
    "edited",
    "exchange",
    "exchange_program",
    "spots",
]
