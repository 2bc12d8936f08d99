"""Corrections: typed edits of programs and plans, each tried on the model before it is kept, and told in words."""

from bt.editing.correcting import Corrected, correct, correct_plan
from bt.editing.differing import difference
from bt.editing.edits import edited
from bt.editing.exchanging import Exchanged, exchange
from bt.editing.midway import Midway, MidwayProposed, correct_midway, exchange_program, propose_midway
from bt.editing.places import at_line, spots
from bt.editing.rehearsing import Rehearsal
from bt.editing.standing import worked_on
from bt.editing.underway import Proposed, correct_under_way, propose

__all__ = [
    "Corrected",
    "Exchanged",
    "Midway",
    "MidwayProposed",
    "Proposed",
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
    "propose",
    "propose_midway",
    "spots",
    "worked_on",
]
