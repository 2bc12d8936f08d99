"""Corrections: typed edits of programs and plans, simulated on the model before they apply, and described in words."""

from bt.correction.correct import Corrected, correct, correct_plan, difference
from bt.correction.cursor import worked_on
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
