"""Corrections: typed edits of programs and plans, each tried on the model before it is kept, and told in words."""

from bt.correction.correct import Corrected, correct, correct_plan
from bt.correction.cursor import worked_on
from bt.correction.difference import difference
from bt.correction.edits import edited
from bt.correction.exchange import Exchanged, exchange
from bt.correction.hot_swap import Midway, MidwayProposed, correct_midway, exchange_program, propose_midway
from bt.correction.places import at_line, spots
from bt.correction.rehearsal import Rehearsal
from bt.correction.underway import Proposed, correct_under_way, propose

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
