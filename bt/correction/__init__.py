"""Corrections: typed edits of programs and plans, simulated on the model before they apply, and described in words."""

from bt.correction.correct import correct
from bt.correction.edits import at_line
from bt.correction.midway import Midway, exchange_program, propose_midway
from bt.correction.rehearsal import Rehearsal
from bt.correction.underway import exchange, propose, worked_on

__all__ = [
    "Midway",
    "Rehearsal",
    "at_line",
    "correct",
    "exchange",
    "exchange_program",
    "propose",
    "propose_midway",
    "worked_on",
]
