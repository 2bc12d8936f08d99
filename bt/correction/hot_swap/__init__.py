"""Corrections of a running program: finished statements stay done, running ones go on, the rest is replaced."""

from bt.correction.hot_swap.correct import Midway, MidwayProposed, correct_midway, propose_midway
from bt.correction.hot_swap.swap import exchange_program

__all__ = ["Midway", "MidwayProposed", "correct_midway", "exchange_program", "propose_midway"]
