"""Guess the affordances of an unknown class from the nearest known classes. The result is never more than a guess."""

from affordances.elicitation.estimate.guess import Guess, Guesser, GuessSource, evidence_of_guess
from affordances.elicitation.estimate.leave_one_out import LIKELY, Calibration, calibrate
from affordances.elicitation.estimate.neighbours import Neighbour

__all__ = [
    "LIKELY",
    "Calibration",
    "Guess",
    "GuessSource",
    "Guesser",
    "Neighbour",
    "calibrate",
    "evidence_of_guess",
]
