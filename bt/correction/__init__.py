"""Corrections: typed edits of programs and plans, simulated on the model before they apply, and described in words."""

from bt.correction.correct import Corrected, correct, difference
from bt.correction.edits import at_line, edited, spots
from bt.correction.midway import Midway, MidwayProposed, correct_midway, exchange_program, propose_midway
from bt.correction.rehearsal import Rehearsal
from bt.correction.underway import Exchanged, Proposed, correct_under_way, exchange, propose, worked_on

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
