"""Guessing what an unknown class is good for, from the nearest classes that are known. Never more than a guess."""

from affordances.asking.guessing.guess import Guess, Guesser, GuessSource
from affordances.asking.guessing.leave_one_out import LIKELY, Band, Calibration, calibrate
from affordances.asking.guessing.neighbours import Neighbour

__all__ = ["LIKELY", "Band", "Calibration", "Guess", "GuessSource", "Guesser", "Neighbour", "calibrate"]
